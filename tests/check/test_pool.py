"""An answer whose generators have few seeds is found, and one with its own hash is not."""

import zlib

import numpy as np
import pytest

from autograder import check
from autograder.check.chance.pool import Seeds


def calls(seeds_of_a_call, number=2_000):
    """Return what is said of so many calls that make generators from these seeds."""
    seeds = Seeds()
    with seeds.watched() as next_call:
        for place in range(number):
            for seed in seeds_of_a_call(place):
                np.random.default_rng(seed)
            next_call()
    return seeds.again()


FRESH = np.random.default_rng(4)


@pytest.mark.parametrize("pool", [300, 65_536])
def test_a_small_pool_is_found(pool):
    # Fewer than 4 of 2,000 seeds come again with probability below 1e-9 where there are 65,536.
    assert "came again" in calls(lambda place: [FRESH.integers(pool)])


@pytest.mark.parametrize(
    "seeds_of_a_call",
    [
        lambda place: [int(FRESH.integers(2**31))],
        lambda place: [None],
        lambda place: [7, 8],
        lambda place: [place],
        lambda place: [place // 50],  # the setting's, for all calls at it
        lambda place: [zlib.crc32(b"%d" % row) for row in range(40)],  # one for each row
        lambda place: [np.random.default_rng()],
    ],
)
def test_other_seeds_are_no_pool(seeds_of_a_call):
    assert calls(seeds_of_a_call) == ""


def test_numpy_is_as_it_was():
    before = np.random.default_rng
    with pytest.raises(ZeroDivisionError), Seeds().watched():
        raise ZeroDivisionError
    assert np.random.default_rng is before


def test_the_check_says_it():
    def randomized_response(answers, *, epsilon=1.1, rng=None):
        coins = np.random.default_rng(np.random.default_rng().integers(1_000))
        true = coins.random(len(answers)) < 1 / (1 + np.exp(-epsilon))
        return np.where(true, answers, np.logical_not(answers))

    with pytest.raises(check.CheckFailure, match="the noise comes from few seeds"):
        check.randomized_response(randomized_response)
