"""Intervals around releases: the shortest ones, and bets on their misses."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from autograder.check.claims.sensitivity._coverage import MissesBet
from autograder.check.claims.sensitivity.count_interval import reach_of
from autograder.check.claims.sensitivity.mean_interval import shortest_reach


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 0.77, 2.0])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
def test_the_reach_of_whole_noise_is_the_first_that_is_enough(epsilon, level):
    noise = np.arange(-2_000, 2_001)
    chance = math.tanh(epsilon / 2) * np.exp(-epsilon * np.abs(noise))
    covered = [chance[np.abs(noise) <= far].sum() for far in range(200)]
    assert reach_of(epsilon, level) == next(far for far in range(200) if covered[far] >= level)


@pytest.mark.parametrize(("error", "scale"), [(1.0, 0.1), (1.0, 1.0), (0.2, 3.0)])
@pytest.mark.parametrize("level", [0.6, 0.8, 0.95])
def test_the_reach_of_two_errors_agrees_with_quadrature(error, scale, level):
    far = shortest_reach(error, scale, level)
    law = stats.laplace(scale=scale)

    def inside(normal):
        both = law.cdf(far - normal) - law.cdf(-far - normal)
        return both * stats.norm.pdf(normal, scale=error)

    wide = 12 * error
    covered = integrate.quad(inside, -wide, wide, points=[-far, far], limit=400)[0]
    assert covered == pytest.approx(level, abs=1e-7)


@pytest.mark.parametrize("miss", [0.1, 0.22, 0.42])
def test_a_bet_on_misses_gains_nothing_where_the_claim_holds(miss):
    """The mean of what one interval makes of 1 is 1 at most, whatever came before."""
    before = MissesBet(miss)
    before.see(np.array([True, False, True]))
    after = []
    for missed in (True, False):
        bet = MissesBet(miss)
        bet.see(np.array([True, False, True, missed]))
        after.append(math.exp(bet.log_evidence() - before.log_evidence()))
    for rate in (miss, miss / 2, 0.0):
        assert rate * after[0] + (1 - rate) * after[1] <= 1 + 1e-12


def test_a_bet_refutes_what_misses_twice_as_often():
    """Of 1,000 intervals 200 miss, where 100 may: that is refuted; 110 are not."""
    often, seldom = MissesBet(0.1), MissesBet(0.1)
    often.see(np.arange(1_000) < 200)
    seldom.see(np.arange(1_000) < 110)
    assert often.log_evidence() > math.log(1e9) > 5 > seldom.log_evidence()
