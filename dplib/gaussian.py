"""Gaussian noise: how much of it a guarantee needs, and the mechanisms that add it.

Also the two mechanisms for vectors, Laplace and Gaussian: the first measures a change by its L1
norm, the second by its L2 norm.
"""

import math
from functools import lru_cache

import numpy as np

from dplib import _validate
from dplib.laplace import laplace_mechanism

__all__ = [
    "analytic_gaussian_sigma",
    "classical_gaussian_sigma",
    "gaussian_delta",
    "gaussian_mechanism",
    "vector_gaussian",
    "vector_laplace",
]


def gaussian_delta(*, sigma, l2_sensitivity, epsilon):
    """Return the exact delta of Gaussian noise: the smallest for which it is (epsilon, delta).

    It is not the probability that the privacy loss is above epsilon, which is larger: 1.6e-4 for
    the noise that has delta 1e-5 at epsilon 1.

    Args:
      sigma: standard deviation of the noise, in the query's units, > 0.
      l2_sensitivity: largest L2 change of the answer between neighbors (add_remove or replace_one),
        same units, > 0.
      epsilon: > 0, without unit.

    Returns:
      delta, between 0 and 1; it is 0.0 only where it is too small for a float. Rounding changes it
      by a factor of at most 1 + 1e-13 + 1e-14 * sigma / l2_sensitivity.

    Raises:
      ValueError: an argument is out of range, or l2_sensitivity / sigma does not fit a float.

    Source: Balle & Wang (2018), theorem 8.
    """
    sensitivity = _validate.positive("l2_sensitivity", l2_sensitivity)
    ratio = sensitivity / _validate.positive("sigma", sigma)
    distance = _validate.positive("l2_sensitivity / sigma", ratio)
    epsilon = _validate.positive("epsilon", epsilon)
    # Balle & Wang (2018), theorem 8: delta = Phi(upper) - exp(epsilon) * Phi(-lower), where `lower`
    # is the same with a plus.
    return _delta(distance / 2 - epsilon / distance, epsilon)


def _delta(upper: float, epsilon: float) -> float:
    """Return the delta of theorem 8 for its first argument, `upper`."""
    from scipy.special import erfcx, ndtr

    # Since lower^2 = upper^2 + 2 epsilon, both terms hold the factor exp(-upper^2 / 2). Taken out,
    # nothing overflows, and a small delta keeps its digits.
    factor = math.exp(-upper * upper / 2) / 2
    second = erfcx(math.sqrt(upper * upper / 2 + epsilon))
    if upper > 0:
        return float(ndtr(upper) - factor * second)
    return float(factor * (erfcx(-upper / math.sqrt(2)) - second))


def classical_gaussian_sigma(*, l2_sensitivity, epsilon, delta):
    """Return the standard deviation of the well-known formula, for epsilon below 1.

    For larger epsilon the formula is not proved, and it becomes wrong: at epsilon 10 and delta 1e-5
    the noise it gives has delta 2.3e-5. `analytic_gaussian_sigma` is exact for every epsilon, and
    never larger.

    Args:
      l2_sensitivity: as in `gaussian_mechanism`, > 0.
      epsilon: strictly between 0 and 1.
      delta: strictly between 0 and 1.

    Returns:
      The standard deviation of the noise, in the query's units.

    Raises:
      ValueError: an argument is out of range; epsilon is 1 or more.

    Source: Dwork & Roth (2014), theorem A.1.
    """
    sensitivity = _validate.positive("l2_sensitivity", l2_sensitivity)
    epsilon = _validate.probability("epsilon", epsilon)
    surprise = math.log(1.25 / _validate.probability("delta", delta))
    # Dwork & Roth (2014), theorem A.1: sigma = sqrt(2 ln(1.25 / delta)) * sensitivity / epsilon.
    return math.sqrt(2 * surprise) * sensitivity / epsilon


def analytic_gaussian_sigma(*, l2_sensitivity, epsilon, delta):
    """Return the smallest standard deviation with which Gaussian noise is (epsilon, delta)-private.

    Args:
      l2_sensitivity: as in `gaussian_mechanism`, > 0.
      epsilon: > 0, without unit; it may be above 1.
      delta: strictly between 0 and 1.

    Returns:
      The standard deviation sigma of the noise, in the query's units, rounded up: by a factor of at
      most 1 + 1e-11 + 1e-13 * sigma / l2_sensitivity.

    Raises:
      ValueError: an argument is out of range, or sigma does not fit a float.

    Source: Balle & Wang (2018), theorem 8.
    """
    sensitivity = _validate.positive("l2_sensitivity", l2_sensitivity)
    epsilon = _validate.positive("epsilon", epsilon)
    unit = _unit_sigma(epsilon, _validate.probability("delta", delta))
    return _validate.positive("sigma", sensitivity * unit)


@lru_cache(maxsize=1024)
def _unit_sigma(epsilon: float, delta: float) -> float:
    """Return `analytic_gaussian_sigma` for sensitivity 1; kept, as a table asks for it often."""
    from scipy.optimize import brentq
    from scipy.special import ndtri

    # delta is below Phi(upper), the first term of theorem 8, and grows with `upper`: start a little
    # below the place where that term alone is delta, and go up until delta is passed.
    low, step = float(ndtri(delta)) - 0.001, 1.0
    while _delta(low + step, epsilon) <= delta:
        step *= 2
    upper = brentq(lambda place: _delta(place, epsilon) / delta - 1, low, low + step, xtol=1e-14)
    # upper = distance / 2 - epsilon / distance, solved for 1 / distance.
    root = math.sqrt(upper**2 + 2 * epsilon)
    sigma = 1 / (root + upper) if upper > 0 else (root - upper) / (2 * epsilon)
    # A little more noise than the root asks for, so that rounding (see `gaussian_delta`) cannot
    # make it too little.
    return sigma * (1 + 5e-12 + 1e-14 * sigma)


def gaussian_mechanism(value, *, l2_sensitivity, epsilon, delta, rng=None):
    """Release `value` with (epsilon, delta)-differential privacy by adding Gaussian noise.

    The noise is the least that does it (`analytic_gaussian_sigma`). The guarantee holds in real
    arithmetic, for the neighbors (add_remove or replace_one) for which `l2_sensitivity` was
    computed; floating-point outputs can say more (see `laplace_mechanism`). For whole numbers
    `dplib.samplers.exact_discrete_gaussian` has no such gaps.

    Args:
      value: exact answer, a number or an array of shape (d,), in the query's units, finite.
      l2_sensitivity: largest L2 change of `value` between neighbors, same units, > 0.
      epsilon: > 0, without unit; it may be above 1.
      delta: strictly between 0 and 1; choose it far below 1 / the number of people.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer: same shape and units. Each entry has its own noise of one sigma: it is off
      by more than 1.96 * sigma with probability 0.05.

    Raises:
      ValueError: epsilon, delta or l2_sensitivity is out of range, or value is empty or holds a
        number that is not finite.

    Source: Balle & Wang (2018), theorem 8.
    """
    sigma = analytic_gaussian_sigma(l2_sensitivity=l2_sensitivity, epsilon=epsilon, delta=delta)
    return add_gaussian(value, sigma, rng)


def add_gaussian(value, sigma: float, rng):
    exact = _validate.finite_array("value", value)
    # Far out a quotient of two good arguments is 0 or infinite: no noise, or nothing but noise.
    sigma = _validate.positive("sigma", sigma)
    noisy = _validate.generator(rng).normal(scale=sigma, size=exact.shape)
    noisy += exact
    return _validate.like_input(noisy)


def vector_laplace(value, *, l1_sensitivity, epsilon, rng=None):
    """Release a vector with epsilon-differential privacy: Laplace noise on each entry.

    One person may move many entries. What counts is the sum of the absolute changes (L1), and it
    sets the noise of every entry.

    Args:
      value: exact answers, an array of shape (d,), in the query's units, finite. An array of more
        dimensions is one long vector.
      l1_sensitivity: largest L1 change of the whole vector between neighbors (add_remove or
        replace_one), same units, > 0.
      epsilon: privacy cost spent by the whole vector, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy vector: same shape and units. The noise of an entry has scale
      l1_sensitivity / epsilon, whatever d is.

    Raises:
      ValueError: an argument is out of range, or value is a single number.

    Source: Dwork & Roth (2014), definition 3.3 and theorem 3.6.
    """
    vector = _vector(value)
    sensitivity = _validate.positive("l1_sensitivity", l1_sensitivity)
    return laplace_mechanism(vector, sensitivity=sensitivity, epsilon=epsilon, rng=rng)


def vector_gaussian(value, *, l2_sensitivity, epsilon, delta, rng=None):
    """Release a vector with (epsilon, delta)-differential privacy: Gaussian noise on each entry.

    What counts is the root of the sum of the squared changes (L2): for a person who moves all d
    entries by 1 it is sqrt(d), where the L1 change of `vector_laplace` is d.

    Args:
      value: as in `vector_laplace`.
      l2_sensitivity: largest L2 change of the whole vector between neighbors (add_remove or
        replace_one), same units, > 0.
      epsilon, delta, rng: as in `gaussian_mechanism`, spent by the whole vector.

    Returns:
      The noisy vector: same shape and units; see `gaussian_mechanism`.

    Raises:
      ValueError: an argument is out of range, or value is a single number.

    Source: Balle & Wang (2018), theorem 8.
    """
    vector = _vector(value)
    return gaussian_mechanism(
        vector, l2_sensitivity=l2_sensitivity, epsilon=epsilon, delta=delta, rng=rng
    )


def _vector(value) -> np.ndarray:
    array = _validate.finite_array("value", value)
    if array.ndim == 0:
        raise ValueError(f"value must be an array of shape (d,), got {value!r}")
    return array
