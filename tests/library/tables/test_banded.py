"""Banded strategies: what one person moves with several turns, and the error of the sums."""

import itertools

import numpy as np
import pytest

import dplib
from dplib.ranges import factorization_error, toeplitz_root_strategy

LAW = {"turns": 2, "apart": 3}


def banded(rounds, bands, rng):
    """Any lower triangular matrix with so many diagonals, none of them equal."""
    return np.triu(np.tril(rng.normal(size=(rounds, rounds))), 1 - bands) + 2 * np.eye(rounds)


def every_turns(rounds, turns, apart):
    for count in range(turns + 1):
        for chosen in itertools.combinations(range(rounds), count):
            if all(b - a >= apart for a, b in itertools.pairwise(chosen)):
                yield list(chosen)


@pytest.mark.parametrize(("bands", "turns", "apart"), [(1, 3, 1), (2, 2, 3), (3, 4, 3), (3, 2, 20)])
def test_no_turns_move_the_questions_further(bands, turns, apart):
    """All choices of turns, with gradients of length 1 in directions of any kind."""
    rng = np.random.default_rng()
    for _ in range(5):
        strategy = banded(9, bands, rng)
        needed = dplib.participation_sensitivity(strategy, turns=turns, apart=apart)
        moves = []
        for chosen in every_turns(9, turns, apart):
            gradients = np.zeros((9, 4))
            gradients[chosen] = rng.normal(size=(len(chosen), 4))
            lengths = np.linalg.norm(gradients, axis=1, keepdims=True)
            gradients = gradients / np.maximum(lengths, 1e-300)
            moves.append(np.linalg.norm(strategy @ gradients))
        assert max(moves) == pytest.approx(needed)


def test_lengths_pile_up_where_bands_overlap_and_such_a_strategy_is_refused():
    root = toeplitz_root_strategy(8)
    together = np.linalg.norm(root[:, 0] + root[:, 1])
    assert together > np.hypot(*np.linalg.norm(root[:, :2], axis=0)) + 0.1
    with pytest.raises(ValueError, match="at most apart = 2 diagonals"):
        dplib.participation_sensitivity(root, turns=2, apart=2)


def test_with_one_turn_and_all_bands_it_is_the_square_root():
    root = toeplitz_root_strategy(12)
    assert dplib.banded_root_strategy(12, bands=12) == pytest.approx(root)
    found = dplib.banded_error(root, turns=1, apart=12, rho=0.3)
    assert found == pytest.approx(factorization_error(root, root, rho=0.3))


def test_with_one_band_a_sum_piles_up_the_noise_of_its_rounds():
    strategy = dplib.banded_root_strategy(6, bands=1)
    found = dplib.banded_error(strategy, turns=2, apart=3, rho=0.5)
    assert found == pytest.approx(2 * np.arange(1, 7))


def test_the_error_is_that_of_many_releases():
    rng, rho = np.random.default_rng(), 0.4
    strategy = banded(6, 2, rng)
    needed = dplib.participation_sensitivity(strategy, **LAW)
    noise = rng.normal(scale=needed / np.sqrt(2 * rho), size=(200_000, 6))
    errors = np.cumsum(np.linalg.solve(strategy, noise.T), axis=0)
    # A mean square of 200,000 normal errors is off by 0.3 % in one standard deviation.
    expected = dplib.banded_error(strategy, **LAW, rho=rho)
    assert (errors**2).mean(axis=1) == pytest.approx(expected, rel=0.025)


def test_a_strategy_that_is_none_is_refused():
    for strategy in (np.ones((2, 3)), np.ones((2, 2)), np.zeros((0, 0)), [[1, 0], [np.nan, 1]]):
        with pytest.raises(ValueError, match="strategy must"):
            dplib.banded_error(strategy, **LAW, rho=1)
    with pytest.raises(ValueError, match="no 0 on its diagonal"):
        dplib.banded_error([[1.0, 0], [1, 0]], **LAW, rho=1)
    for wrong in ({"turns": 0}, {"apart": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            dplib.participation_sensitivity(np.eye(3), **LAW | wrong)
    with pytest.raises(ValueError, match="rho"):
        dplib.banded_error(np.eye(3), **LAW, rho=0)
    with pytest.raises(ValueError, match="bands must be at most size = 3"):
        dplib.banded_root_strategy(3, bands=4)
