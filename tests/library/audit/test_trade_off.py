"""The attacker as a tester: no test does better, and some mechanism lets one do as well."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dplib.gaussian import analytic_gaussian_sigma
from dplib.trade_off import gaussian_miss_rate, least_miss_rate

LAWS = [(0.3, 0.0), (1.0, 0.05), (2.5, 0.3), (0.0, 0.1)]


def hardest(epsilon, delta):
    """The two laws that any (epsilon, delta)-private pair is made of (Kairouz and others 2015)."""
    grown = (1 - delta) * np.exp(epsilon) / (1 + np.exp(epsilon))
    without = np.array([delta, grown, 1 - delta - grown, 0.0])
    return without, without[::-1]


@pytest.mark.parametrize(("epsilon", "delta"), LAWS)
def test_no_test_has_fewer_misses_and_a_mechanism_reaches_them(epsilon, delta):
    without, present = hardest(epsilon, delta)
    reached = []
    # Every test: with which probability it raises the alarm at each of the four answers.
    for alarm in itertools.product((0, 0.25, 0.5, 1), repeat=4):
        false_alarms, misses = np.dot(alarm, without), 1 - np.dot(alarm, present)
        least = least_miss_rate(min(false_alarms, 1.0), epsilon=epsilon, delta=delta)
        assert misses >= least - 1e-12
        reached.append(misses <= least + 1e-12)
    assert sum(reached) > 5


@given(
    epsilon=st.floats(0.1, 3),
    delta=st.sampled_from([1e-6, 1e-2, 0.2]),
    alarms=st.floats(0.001, 0.999),
)
def test_gaussian_noise_keeps_above_the_promise_and_touches_it(epsilon, delta, alarms):
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    law = {"sigma": sigma, "l2_sensitivity": 1}
    misses = gaussian_miss_rate(alarms, **law)
    least = least_miss_rate(alarms, epsilon=epsilon, delta=delta)
    assert misses >= least - 1e-9
    # Half of sigma: the promise is broken at some rate of false alarms.
    grid = stats.norm.cdf(np.linspace(-8, 3, 2001))
    broken = gaussian_miss_rate(grid, sigma=sigma / 2, l2_sensitivity=1)
    assert (broken < least_miss_rate(grid, epsilon=epsilon, delta=delta) - 1e-9).any()


def test_the_misses_of_gaussian_noise_are_those_of_a_threshold():
    rng = np.random.default_rng()
    without, present = rng.normal(0, 2, 200_000), rng.normal(3, 2, 200_000)
    alarms = (without > 2.5).mean()
    # Five standard deviations of both shares.
    expected = gaussian_miss_rate(stats.norm.sf(2.5 / 2), sigma=2, l2_sensitivity=3)
    assert (present <= 2.5).mean() == pytest.approx(expected, abs=0.0075)
    assert alarms == pytest.approx(stats.norm.sf(1.25), abs=0.0075)


def test_the_ends():
    assert least_miss_rate(0, epsilon=1, delta=0.1) == 0.9
    assert least_miss_rate(0, epsilon=1000, delta=0.1) == 0.9
    assert least_miss_rate(1, epsilon=1, delta=0) == 0
    assert least_miss_rate(0.3, epsilon=0, delta=0) == pytest.approx(0.7)
    assert gaussian_miss_rate([0, 1], sigma=1, l2_sensitivity=1).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"false_alarm_rate": 1.1}, "false_alarm_rate"),
        ({"false_alarm_rate": -0.1}, "false_alarm_rate"),
        ({"epsilon": -1}, "epsilon"),
        ({"delta": 1.5}, "delta"),
        ({"delta": -0.5}, "delta"),
    ],
)
def test_a_parameter_out_of_range_is_named(given, name):
    right = {"false_alarm_rate": 0.1, "epsilon": 1, "delta": 0.1}
    with pytest.raises(ValueError, match=name):
        least_miss_rate(**{**right, **given})
