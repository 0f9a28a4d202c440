"""What one person can move: by brute force, by hand, and wrong twins."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import follows
from neighbors import NEIGHBORS
from scipy import stats

from dplib.sensitivity import (
    centered_mean,
    contribution_sensitivity,
    sum_sensitivity,
    vector_sensitivities,
)

DOMAIN = (-3, 0, 1, 4)
KINDS = (lambda v: v, lambda v: v * v, lambda v: -abs(v - 1), lambda v: min(max(v, -1), 2))


def pairs(relation):
    """Every pair of neighbors with at most three rows of DOMAIN."""
    for size in range(3):
        for rest in itertools.product(DOMAIN, repeat=size):
            for value in DOMAIN:
                if relation == "add_remove":
                    yield rest, (*rest, value)
                else:
                    yield from (((*rest, value), (*rest, other)) for other in DOMAIN)


@pytest.mark.parametrize("relation", NEIGHBORS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_sensitivity_of_contributions_is_that_of_brute_force(kind, relation):
    moved = max(abs(sum(map(kind, a)) - sum(map(kind, b))) for a, b in pairs(relation))
    assert contribution_sensitivity(kind, domain=DOMAIN, neighbors=relation) == moved


@pytest.mark.parametrize("relation", NEIGHBORS)
def test_the_sensitivities_of_a_vector_are_those_of_brute_force(relation):
    def vector(value):
        return [value, 2.0, -abs(value - 1), float(value > 0)]

    def total(rows):
        return np.sum([vector(row) for row in rows], axis=0) if rows else np.zeros(4)

    changes = [total(a) - total(b) for a, b in pairs(relation)]
    expected = [max(np.linalg.norm(change, order) for change in changes) for order in (1, 2)]
    found = vector_sensitivities(vector, domain=DOMAIN, neighbors=relation)
    assert found == pytest.approx(expected)
    # Entry by entry, each at its largest: nobody moves all of them so far.
    largest = np.abs(changes).max(axis=0)
    assert found[0] < largest.sum() or relation == "add_remove"


@given(low=st.integers(-50, 50), width=st.integers(1, 60), relation=st.sampled_from(NEIGHBORS))
def test_a_clipped_sum_is_a_sum_of_contributions(low, width, relation):
    found = contribution_sensitivity(
        lambda value: min(max(value, low), low + width),
        domain=range(-200, 200),
        neighbors=relation,
    )
    assert found == sum_sensitivity(low, low + width, neighbors=relation)


def test_a_vector_of_many_small_parts_and_one_large_part():
    """Two different people make the largest changes."""
    rows = {"many": [1.0] * 9 + [0.0], "one": [0.0] * 9 + [5.0]}
    found = vector_sensitivities(rows.get, domain=list(rows), neighbors="add_remove")
    assert found == (9, 5)


@pytest.mark.parametrize("function", [contribution_sensitivity, vector_sensitivities])
def test_what_is_refused(function):
    good = (lambda v: v) if function is contribution_sensitivity else (lambda v: [v, v])
    with pytest.raises(ValueError, match="domain must hold"):
        function(good, domain=[], neighbors="add_remove")
    with pytest.raises(ValueError, match="neighbors"):
        function(good, domain=[1], neighbors="all")
    with pytest.raises(ValueError, match="contribution"):
        function(lambda v: [[v]], domain=[1], neighbors="add_remove")
    with pytest.raises(ValueError, match="contribution"):
        function(lambda v: np.nan, domain=[1], neighbors="add_remove")


def test_centering_halves_the_noise_of_the_sum():
    rng = np.random.default_rng()
    values, draws = np.full(10_000, 45.0), 4000
    law = {"lower": 40, "upper": 50, "epsilon": 2, "rng": rng}
    means = [centered_mean(values, **law) for _ in range(draws)]
    # At the middle the noisy count plays no part: what is left is the noise of the sum.
    exact = stats.laplace(45, 5 / 1 / 10_000)
    assert follows(means, exact.cdf)
    assert not follows(45 + 2 * (np.array(means) - 45), exact.cdf)


def test_a_centered_mean_stays_in_its_interval():
    rng = np.random.default_rng()
    for values in ([], [1e9], [-1e9, 3.0]):
        for _ in range(50):
            mean = centered_mean(values, lower=-4, upper=10, epsilon=0.1, rng=rng)
            assert -4 <= mean <= 10
    with pytest.raises(ValueError, match="lower"):
        centered_mean([1], lower=2, upper=1, epsilon=1)
    with pytest.raises(ValueError, match="epsilon"):
        centered_mean([1], lower=0, upper=1, epsilon=0)
