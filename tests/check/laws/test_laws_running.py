"""Chapter 16's claims: the truths that they rest on, against independent computations."""

import numpy as np
import pytest
from scipy import stats

import dplib
from autograder.check.claims.running.allocated_loss import allocated_loss, poisson
from autograder.check.claims.running.banded_error import banded_error, column, moved, toeplitz
from autograder.check.claims.running.user_clipped_sum import table, user_clipped_sum


@pytest.mark.parametrize(
    ("rounds", "bands", "turns", "apart"), [(9, 3, 2, 4), (8, 3, 7, 3), (6, 1, 6, 1), (4, 2, 2, 10)]
)
def test_the_worst_turns_are_the_first_ones(rounds, bands, turns, apart):
    """The library looks at all turns, and solves for the weights in another way."""
    rng = np.random.default_rng()
    for _ in range(20):
        strategy = toeplitz(column(rng, bands), rounds)
        given = {"turns": turns, "apart": apart}
        needed = dplib.participation_sensitivity(strategy, **given)
        assert moved(strategy, **given) == pytest.approx(needed**2)
        expected = dplib.banded_error(strategy, **given, rho=0.7)
        assert banded_error(strategy, **given, rho=0.7) == pytest.approx(expected)


def test_the_sum_of_users_is_the_librarys():
    rng = np.random.default_rng()
    for _ in range(20):
        users, rows = table(rng, 5, 20, 3)
        expected = dplib.user_clipped_sum(users, rows, bound=2.5)
        assert user_clipped_sum(users, rows, bound=2.5) == pytest.approx(expected)


def test_the_losses_are_those_of_the_densities():
    """Poisson's, too, which is a named mistake: every subset of three batches, by its chance."""
    rng, sigma = np.random.default_rng(), 0.8
    sums = rng.normal(size=3)
    subsets = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
    density = stats.norm(subsets, sigma).pdf(sums).prod(axis=1)
    chances = np.prod(np.where(subsets, 1 / 3, 2 / 3), axis=1)
    without = density[subsets.sum(axis=1) == 0].item()
    one = density[subsets.sum(axis=1) == 1].mean()
    assert allocated_loss(sums, sigma=sigma) == pytest.approx(np.log(one / without))
    assert dplib.allocated_loss(sums, sigma=sigma) == pytest.approx(np.log(one / without))
    logs = (2 * sums - 1) / (2 * sigma**2)
    assert poisson(logs) == pytest.approx(np.log(chances @ density / without))
