"""Repeated values under a continuous law: what is found, and that the law itself is left alone."""

import math

import numpy as np
import pytest

import ville
from ville import laws
from ville.bets.repeats import Continuous, Repeats, WholeRepeats

LAPLACE = Continuous(peak=1.0)


def value(draws, law=LAPLACE) -> float:
    """The log evidence of draws of one setting, given in batches."""
    repeats = Repeats([law])
    for batch in np.array_split(np.asarray(draws), 7):
        repeats.observe(0, batch)
    return repeats.log_value()


@pytest.mark.parametrize("size", [5, 1_000, 5_000])
def test_a_pool_is_found(size):
    generator = np.random.default_rng()
    pool = generator.laplace(size=size)
    # 1,000 draws of 5,000 values: 90 repeats or more with probability above 1 - 1e-4 each; ten of
    # them, fewer than 10 of which come with probability below 1e-20, are enough.
    assert value(generator.choice(pool, 1_000)) > math.log(1e9)


def test_a_coarse_grid_is_found():
    draws = np.round(np.random.default_rng().laplace(size=20_000), 5)
    assert value(draws) > math.log(1e9)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_law_itself_is_left_alone(kind):
    generator = np.random.default_rng()
    # The evidence ever reaches 1e9 with probability below 1e-9.
    assert value(generator.laplace(size=100_000).astype(kind)) < math.log(1e9)


def test_uniform_numbers_of_32_bits_are_good_enough():
    generator = np.random.default_rng()
    uniform = (generator.integers(2**32, size=30_000) + 0.5) / 2**32
    assert value(np.log(uniform)) < math.log(1e9)


def test_the_mean_is_at_most_one():
    """A law of 4 values that are as likely as the bound says: all sequences of 3, exactly."""
    values = np.array([1.0, 2.0, 3.0, 4.0])
    law = Continuous(peak=0.25 / np.spacing(np.float32(4.0)))
    mean = 0.0
    for sequence in np.ndindex(4, 4, 4):
        repeats = Repeats([law])
        repeats.observe(0, values[list(sequence)])
        mean += math.exp(repeats.log_value()) / 4**3
    assert 0.4 < mean <= 1 + 1e-12


def test_places_with_a_probability_of_their_own_may_come_again():
    draws = np.clip(np.random.default_rng().laplace(size=5_000), -1, 1)
    assert value(draws, Continuous(1.0, (-1.0, 1.0))) <= 0
    assert value(draws, LAPLACE) > math.log(1e9)


def test_entries_are_looked_at_one_by_one():
    generator = np.random.default_rng()
    draws = generator.laplace(size=(2_000, 3))
    assert value(draws) <= 0
    draws[:, 2] = generator.choice(draws[:50, 2], 2_000)
    assert value(draws) > math.log(1e9)


def test_follows_says_that_values_come_again():
    generator = np.random.default_rng()
    pool = generator.laplace(scale=3, size=4_000)
    result = ville.follows(lambda n: generator.choice(pool, n), laws.laplace(scale=3))
    assert not result
    assert "values come again" in str(result)
    assert ville.follows(lambda n: generator.laplace(scale=3, size=n), laws.laplace(scale=3))


def whole_value(draws, row, foreseen=(0, 0, 0)) -> float:
    """The log evidence of draws of several entries with this law each, given in batches."""
    entries = len(foreseen)
    repeats = WholeRepeats([np.array(foreseen)], [[row] * entries])
    for batch in np.array_split(draws, 7):
        repeats.observe(0, batch)
    return repeats.log_value()


# Whole numbers from -20 to 20, evenly: three of them come again with probability 1.5e-5 each.
EVENLY = np.full(41, 1 / 41)


def evenly(size, generator):
    return generator.integers(-20, 21, (size, 3))


def test_few_seeds_are_found_by_whole_draws():
    generator = np.random.default_rng()
    pool = evenly(1_000, generator)
    # 500 draws of 1,000: 107 repeats on average, below 40 with probability below 1e-20.
    assert whole_value(generator.choice(pool, 500), EVENLY) > math.log(1e9)


def test_a_draw_without_noise_now_and_then_is_found():
    draws = evenly(2_000, np.random.default_rng())
    draws[::100] = 0
    assert whole_value(draws, EVENLY) > math.log(1e9)


@pytest.mark.parametrize("share", [0.9, 0.5, 0.1])
def test_whole_draws_of_the_law_are_left_alone(share):
    """Where one outcome is likely, whole draws come again of themselves."""
    generator = np.random.default_rng()
    row = np.append(share, np.full(40, (1 - share) / 40))
    draws = generator.choice(41, (20_000, 3), p=row)
    # The evidence ever reaches 1e9 with probability below 1e-9.
    assert whole_value(draws, row) < math.log(1e9)


def test_settings_in_which_draws_come_again_take_nothing_from_the_others():
    generator = np.random.default_rng()
    sure = np.array([0.9, 0.1])
    known = [np.zeros(3), np.zeros(3)]
    repeats = WholeRepeats(known, [[sure] * 3, [EVENLY] * 3])
    repeats.observe(0, generator.choice(2, (5_000, 3), p=sure))
    repeats.observe(1, generator.choice(evenly(1_000, generator), 500))
    assert repeats.log_value() > math.log(1e9)


def test_the_mean_over_whole_draws_is_at_most_one():
    """Two entries of 40 even values: all sequences of 2 draws from 12 of them, by their number."""
    row, mean = np.full(40, 1 / 40), 0.0
    for first_is_known in (True, False):
        for second in ("the foreseen", "the first", "a new one"):
            first = np.array([0, 0] if first_is_known else [3, 4])
            other = {"the foreseen": [0, 0], "the first": first, "a new one": [7, 9]}[second]
            if first_is_known and second == "the first":
                continue  # the same as the foreseen
            repeats = WholeRepeats([np.zeros(2)], [[row, row]])
            repeats.observe(0, np.array([first, other]))
            known = 1 if first_is_known else 2
            chance = (1 if first_is_known else 1599) / 1600
            chance *= (1600 - known if second == "a new one" else 1) / 1600
            mean += chance * math.exp(repeats.log_value())
    assert 0.9 < mean <= 1 + 1e-12
