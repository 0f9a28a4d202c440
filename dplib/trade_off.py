"""The attacker as a tester of hypotheses: false alarms against misses.

The attacker sees one answer and decides: "the person is in the table" or "the person is not". A
false alarm says "in" where the person is not, a miss says "not" where the person is.
"""

import numpy as np

from dplib import _validate

__all__ = ["gaussian_miss_rate", "least_miss_rate"]


def least_miss_rate(false_alarm_rate, *, epsilon, delta):
    """Return the share of misses below which no test of an (epsilon, delta)-private answer comes.

    Args:
      false_alarm_rate: how often the test raises a false alarm, from 0 to 1; a number or an array.
      epsilon: privacy cost, at least 0.
      delta: from 0 to 1.

    Returns:
      The least rate of misses, from 0 to 1, of the shape of `false_alarm_rate`. Some mechanism with
      this guarantee reaches it.

    Raises:
      ValueError: an argument is out of range.

    Source: Wasserman & Zhou (2010); Kairouz, Oh & Viswanath (2015).
    """
    alarms = _rates(false_alarm_rate)
    epsilon, delta = _validate.number("epsilon", epsilon), _validate.number("delta", delta)
    if epsilon < 0:
        raise ValueError(f"epsilon must be at least 0, got {epsilon!r}")
    if not 0 <= delta <= 1:
        raise ValueError(f"delta must lie between 0 and 1, got {delta!r}")
    # The promise for the set of answers with an alarm, and for its complement. exp(709) is near
    # the largest float, and 0 alarms are 0 at any factor.
    by_alarms = 1 - delta - np.exp(min(epsilon, 709.0)) * alarms
    by_misses = np.exp(-epsilon) * (1 - delta - alarms)
    return _validate.like_input(np.maximum(np.maximum(by_alarms, by_misses), 0.0))


def gaussian_miss_rate(false_alarm_rate, *, sigma, l2_sensitivity):
    """Return the share of misses of the best test of an answer with Gaussian noise.

    Args:
      false_alarm_rate: how often the test raises a false alarm, from 0 to 1; a number or an array.
      sigma: standard deviation of the noise, in the query's units, > 0.
      l2_sensitivity: how far the person moves the exact answer, same units, > 0.

    Returns:
      The rate of misses of the most powerful test, of the shape of `false_alarm_rate`.

    Raises:
      ValueError: an argument is out of range.

    Source: Dong, Roth & Su (2022), Gaussian differential privacy.
    """
    from scipy.special import ndtr, ndtri

    alarms = _rates(false_alarm_rate)
    shift = _validate.positive("l2_sensitivity", l2_sensitivity)
    shift /= _validate.positive("sigma", sigma)
    # The test says "in" above a threshold (Neyman & Pearson): the law moves by `shift` sigmas.
    return _validate.like_input(np.asarray(ndtr(ndtri(1 - alarms) - shift)))


def _rates(false_alarm_rate) -> np.ndarray:
    rates = _validate.finite_array("false_alarm_rate", false_alarm_rate)
    if ((rates < 0) | (rates > 1)).any():
        raise ValueError(f"false_alarm_rate must lie between 0 and 1, got {false_alarm_rate!r}")
    return rates
