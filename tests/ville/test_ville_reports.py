"""Faults of random code as people have reported them, built again from their words.

Each is found with the law alone, within the budget, and told in words that lead to it.
"""

import math

import numpy as np
import pytest
from scipy import stats

import ville
from ville import laws

RNG = np.random.default_rng()
BUDGET = 100_000


def by_modulo(n, values=48):
    """A whole number below 48 from one byte: 256 is no multiple of it."""
    return RNG.integers(0, 256, n) % values


def too_few_bits(n):
    """A number below 31 from five bits of a signed byte, whose last value stands for two."""
    return np.minimum(RNG.integers(0, 32, n), 30)


def shuffled_by_swaps_with_all(n):
    """Where the first of three things goes if each place is swapped with any other."""
    places = np.tile(np.arange(3), (n, 1))
    rows = np.arange(n)
    for place in range(3):
        other = RNG.integers(0, 3, n)
        places[rows, place], places[rows, other] = places[rows, other], places[rows, place].copy()
    return places


def hypergeometric_with_replacement(n):
    """How many of 5 drawn are among the 8 of 20 that count, if each is put back."""
    return RNG.binomial(5, 8 / 20, n)


def gumbel_choice(n, scale):
    """The exponential mechanism by noisy scores."""
    noisy = np.array([0.0, 1.0, 3.0]) + RNG.gumbel(scale=scale, size=(n, 3))
    return noisy.argmax(axis=1)


def one_seed(n):
    """Three entries, each drawn from a generator that was made with the same seed."""
    seeds = RNG.integers(0, 2**62, n)
    return np.stack([np.full(3, np.random.default_rng(int(seed)).laplace()) for seed in seeds])


def now_and_then(n):
    draws = RNG.laplace(scale=3, size=n)
    draws[RNG.random(n) < 0.001] = math.nan
    return draws


def whole_laplace(n, scale):
    success = -math.expm1(-1 / scale)
    return RNG.geometric(success, n) - RNG.geometric(success, n)


ORDERS = dict.fromkeys([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], 1 / 6)
SCORES = laws.exponential_mechanism([0.0, 1.0, 3.0], epsilon=1.0, sensitivity=1.0)
REPORTS = {
    "a remainder of a byte": (by_modulo, laws.categorical([1 / 48] * 48), "another law"),
    "five bits for 31 values": (too_few_bits, laws.categorical([1 / 31] * 31), ""),
    "a shuffle that swaps with all": (
        lambda n: [tuple(each) for each in shuffled_by_swaps_with_all(n).tolist()],
        laws.categorical(ORDERS),
        "",
    ),
    "a hypergeometric draw that is put back": (
        hypergeometric_with_replacement, laws.from_scipy(stats.hypergeom(20, 8, 5)), "",
    ),
    "Gumbel noise of half the scale": (
        lambda n: gumbel_choice(n, 1.0), SCORES, "choices are sharper",
    ),
    "Laplace noise that was rounded": (
        lambda n: np.round(RNG.laplace(scale=3, size=n), 1), laws.laplace(3), "come again",
    ),
    "noise without negative values": (
        lambda n: np.abs(RNG.laplace(scale=3, size=n)), laws.laplace(3), "",
    ),
    "parity lost": (
        lambda n: 2 * np.rint(whole_laplace(n, 100) / 2), laws.discrete_laplace(100), "places",
    ),
    "one seed for all entries": (one_seed, [laws.laplace(1)] * 3, "entries"),
    "one draw for all entries": (
        lambda n: np.repeat(RNG.laplace(size=(n, 1)), 3, axis=1), [laws.laplace(1)] * 3, "entries",
    ),
    "one seed for all draws": (
        lambda n: np.array([np.random.default_rng(7).laplace() for _ in range(n)]),
        laws.laplace(1),
        "come again",
    ),
    "NaN now and then": (now_and_then, laws.laplace(3), "nan is not a finite number"),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTS)
def test_a_reported_fault_is_found_and_told(name):
    sampler, law, words = REPORTS[name]
    result = ville.follows(sampler, law, max_draws=BUDGET)
    assert not result
    assert words in result.mistake


RIGHT = {
    "all bytes that are a multiple": (lambda n: RNG.integers(0, 48, n), "a remainder of a byte"),
    "a shuffle": (
        lambda n: list(map(tuple, RNG.permuted(np.tile(range(3), (n, 1)), axis=1).tolist())),
        "a shuffle that swaps with all",
    ),
    "a hypergeometric draw": (
        lambda n: RNG.hypergeometric(8, 12, 5, n), "a hypergeometric draw that is put back",
    ),
    "Gumbel noise": (lambda n: gumbel_choice(n, 2.0), "Gumbel noise of half the scale"),
    "whole noise": (lambda n: whole_laplace(n, 100), "parity lost"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_what_was_mended_passes(name):
    """Each fails with probability 1e-9 at most."""
    sampler, report = RIGHT[name]
    assert ville.follows(sampler, REPORTS[report][1], max_draws=20_000)
