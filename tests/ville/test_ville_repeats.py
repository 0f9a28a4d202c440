"""Repeated values under a continuous law: what is found, and that the law itself is left alone."""

import math

import numpy as np
import pytest

import ville
from ville import laws
from ville.repeats import Continuous, Repeats

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
