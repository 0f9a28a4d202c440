"""A run that goes on from another one: results in a file, and evidence that is multiplied."""

import math
import pickle

import numpy as np
import pytest

import ville
from ville import laws

RNG = np.random.default_rng()
LAW = laws.laplace(1)


def sampler(scale: float):
    return lambda count: RNG.laplace(scale=scale, size=count)


def test_a_result_comes_back_from_a_file_with_all_that_it_says(tmp_path):
    """Right draws: at most once in 1e9 runs they fail, and then say so in the same words."""
    result = ville.follows(sampler(1), LAW, max_draws=2_000)
    (tmp_path / "night").write_bytes(pickle.dumps(result))
    back = pickle.loads((tmp_path / "night").read_bytes())
    assert str(back) == str(result) and back.worth == result.worth and bool(back) == bool(result)
    for one, other in zip(back.cells(), result.cells(), strict=True):
        assert list(one) == list(other)


def test_a_departure_comes_back_too():
    result = pickle.loads(pickle.dumps(ville.follows(sampler(3), LAW)))
    assert not result and "the spread is" in str(result)


def test_the_evidence_of_all_nights_is_multiplied():
    first = ville.follows(sampler(1.3), LAW, max_draws=300, alpha=1e-30)
    second = ville.follows(sampler(1.3), LAW, max_draws=300, alpha=1e-30, after=first)
    alone = second.log_evidence - first.log_evidence
    assert second.path[-1][1] == pytest.approx(alone)
    assert first and second and second.draws == 300


def test_many_short_nights_find_what_none_finds_alone():
    """30 draws of twice the scale tell 9 nats on average, of which the mixture takes some 3. So 60
    nights tell 360, with deviation 43: fewer than the 21 that are needed with probability below
    1e-14. Right draws fail in all nights together with probability 1e-9."""
    result, nights = None, 0
    while nights < 60 and (result or result is None):
        result, nights = ville.follows(sampler(2), LAW, max_draws=30, after=result), nights + 1
    assert not result
    right = None
    for _ in range(5):
        right = ville.follows(sampler(1), LAW, max_draws=200, after=right)
        assert right


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (3.0, "after must be a result of ville.follows, got 3.0"),
        (lambda: ville.follows(sampler(1), laws.laplace(2), max_draws=20), "the same law"),
        (lambda: ville.follows(sampler(1), LAW, max_draws=20, alpha=1e-3), "the same alpha"),
        (lambda: ville.follows(sampler(9), LAW), "a failure"),
    ],
)
def test_another_run_is_refused(after, words):
    with pytest.raises(ValueError, match=words):
        ville.follows(sampler(1), LAW, after=after() if callable(after) else after)


def test_one_draw_for_all_entries_is_told_of_the_entries():
    def same(count):
        return np.repeat(RNG.laplace(size=(count, 1)), 3, axis=1)

    result = ville.follows(same, [LAW] * 3)
    assert not result and "the entries of a draw depend on each other: entries" in str(result)


def test_the_evidence_of_the_nights_has_mean_one_at_most():
    """Markov: of 400 pairs of nights of right draws at most 400 * 0.01 + 7 deviations reach 100.

    Binomial(400, 0.01) exceeds 18 with probability 6e-8; at 26 it is below 1e-12.
    """
    reached = 0
    for _ in range(400):
        first = ville.follows(sampler(1), LAW, max_draws=16, alpha=1e-12)
        second = ville.follows(sampler(1), LAW, max_draws=16, alpha=1e-12, after=first)
        reached += second.log_evidence >= math.log(100)
    assert reached <= 26


def test_a_coarse_grid_may_be_wanted():
    def coarse(count):
        return RNG.laplace(size=count).round(4)

    assert "values come again" in str(ville.follows(coarse, LAW))
    assert ville.follows(coarse, LAW, repeats=False, max_draws=20_000)
