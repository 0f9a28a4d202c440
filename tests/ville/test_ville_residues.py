"""Places that come too often in turn, where many of them share a cell."""

import itertools
import math

import numpy as np
import pytest

import ville
from ville import laws
from ville.bets.residues import Residues, remainders_of

RNG = np.random.default_rng()
WIDE = laws.discrete_laplace(100)
ALPHA = 1e-9  # of each right sampler below: so rarely does its test fail


def discrete_laplace(scale: float, count: int) -> np.ndarray:
    draws = RNG.geometric(-math.expm1(-1 / scale), (2, count))
    return draws[0] - draws[1]


def test_the_mean_is_one():
    """All pairs of remainders by 24, which decide all others, with their probabilities."""
    weights = np.arange(1, 201) / 20_100
    law, mean = remainders_of(laws.from_pmf(dict(enumerate(weights)))), 0.0
    shares = np.bincount(np.arange(200) % 24, weights)
    for pair in itertools.product(range(24), repeat=2):
        bets = Residues([law])
        bets.observe(range(1), np.array(pair[:1]))
        bets.observe(range(1), np.array(pair[1:]))
        mean += math.prod(shares[list(pair)]) * math.exp(bets.log_value())
    assert mean == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda x: x // 2 * 2, "are even, and about", id="even"),
        pytest.param(lambda x: x // 2 * 2 + 1, "are odd, and about", id="odd"),
        pytest.param(lambda x: x // 3 * 3, "the remainder 0 when divided by 3", id="thirds"),
        pytest.param(lambda x: x // 8 * 8 + 5, "the remainder 5 when divided by 8", id="eighths"),
    ],
)
def test_what_the_cells_cannot_see_is_found_and_named(change, words):
    # A draw tells at least ln 2 = 0.69 nats: 48 draws have 33, of which 30.7 are needed.
    result = ville.follows(lambda n: change(discrete_laplace(100, n)), WIDE)
    assert not result and result.draws < 100
    assert "some places come instead of others: " in str(result) and words in str(result)


def test_parity_lost_now_and_then_is_found():
    """A tenth of the draws lose their last bit: 55 % are even, found in far fewer than 200,000."""

    def sampler(count):
        draws = discrete_laplace(100, count)
        return np.where(RNG.random(count) < 0.1, draws // 2 * 2, draws)

    # A draw tells 0.005 nats, with deviation 0.1: 20,000 have 100, and fewer than 31 come with
    # probability below 1e-6 a run ... of 200,000 draws far below 1e-9.
    result = ville.follows(sampler, WIDE)
    assert not result and "are even" in str(result)


@pytest.mark.parametrize(
    ("law", "sampler"),
    [
        pytest.param(WIDE, lambda n: discrete_laplace(100, n), id="discrete Laplace"),
        pytest.param(
            laws.rounded(laws.gaussian(300)),
            lambda n: np.rint(RNG.normal(0, 300, n)),
            id="rounded",
        ),
        pytest.param(
            laws.scaled(laws.shifted(WIDE, 0.25), 3.0),
            lambda n: 3 * (discrete_laplace(100, n) + 0.25),
            id="a lattice",
        ),
        pytest.param(
            laws.from_pmf({2 * k: 1 / 200 for k in range(200)}),
            lambda n: 2 * RNG.integers(0, 200, n),
            id="even by law",
        ),
    ],
)
def test_right_draws_are_not_rejected(law, sampler):
    assert ville.follows(sampler, law, alpha=ALPHA, max_draws=50_000)


def test_entries_have_remainders_of_their_own():
    def sampler(count):
        return np.column_stack(
            [discrete_laplace(100, count), 2 * (discrete_laplace(100, count) // 2)]
        )

    result = ville.follows(sampler, [WIDE, WIDE])
    assert not result and "are even" in str(result)


@pytest.mark.parametrize(
    "law",
    [
        laws.discrete_laplace(2),
        laws.laplace(100),
        laws.discrete_laplace(1e7),
        laws.categorical({"a": 0.5, "b": 0.5}),
        laws.from_cdf(WIDE.cdf, whole=True, error=1e-7),
    ],
    ids=["each seen", "continuous", "too many", "words", "a rough cdf"],
)
def test_there_may_be_nothing_to_bet_on(law):
    assert remainders_of(law) is None
