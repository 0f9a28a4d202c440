"""Dependence on draws that lie further back than one."""

import itertools
import math

import numpy as np
import pytest

import ville
from ville import laws
from ville.bets.lags import Lags

RNG = np.random.default_rng()


def test_the_mean_is_one():
    """All sequences of four cells, in two batches, with their exact probabilities."""
    null, mean = np.array([0.2, 0.5, 0.3]), 0.0
    for sequence in itertools.product(range(3), repeat=4):
        lags = Lags([null])
        for batch in (sequence[:1], sequence[1:]):
            lags.observe(0, np.array(batch))
        mean += math.prod(null[list(sequence)]) * math.exp(lags.log_value())
    assert mean == pytest.approx(1, abs=1e-9)


def test_batches_make_no_difference():
    cells = RNG.integers(0, 3, 500)
    one, other = Lags([np.full(3, 1 / 3)]), Lags([np.full(3, 1 / 3)])
    one.observe(0, cells)
    for batch in np.split(cells, [1, 2, 5, 11, 30, 200]):
        other.observe(0, batch)
    assert np.array_equal(one.counts, other.counts) and one.counts.sum() == 2 * (7 * 500 - 35)


@pytest.mark.parametrize("lag", [2, 7])
def test_dependence_at_a_lag_is_found_and_named(lag):
    # With a correlation of 0.5 upper halves agree in 2 of 3 draws: 0.057 nats a draw. 20,000 draws
    # have some 1,100 of them; fewer than 30 come with probability far below 1e-9.
    draws = RNG.normal(size=20_000)
    for place in range(lag, len(draws)):
        draws[place] = 0.5 * draws[place - lag] + math.sqrt(0.75) * draws[place]
    result = ville.follows(draws, laws.gaussian(1))
    assert not result and f"depends on the one {lag} draws before" in str(result)
