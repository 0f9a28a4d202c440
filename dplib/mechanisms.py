"""Mechanisms: functions that add noise to an exact answer so that one person is hidden in it."""

from __future__ import annotations

import numpy as np

from dplib import _validate

__all__ = ["discrete_laplace", "laplace_density", "laplace_mechanism"]


def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    """Release `value` with epsilon-differential privacy by adding Laplace noise.

    The guarantee holds in real arithmetic, for the neighbors (add_remove or replace_one) for which
    `sensitivity` was computed. Floating-point numbers are not real numbers: their gaps can
    identify the input (Mironov 2012). For whole numbers use `discrete_laplace`, which has none.

    Args:
      value: exact answer, a number or an array of shape (d,), in the query's units, finite.
      sensitivity: largest L1 change of `value` between neighbors, same units, > 0.
      epsilon: privacy loss spent by this release, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer: same shape and units. The noise has scale sensitivity / epsilon, so an entry
      is off by more than scale * ln(1 / beta) with probability beta.

    Raises:
      ValueError: epsilon or sensitivity is not positive and finite, or value is empty or holds a
        number that is not finite.

    Source: Dwork & Roth (2014), section 3.3, definition 3.3 and theorem 3.6.
    """
    exact = _validate.finite_array("value", value)
    scale = _scale(sensitivity, epsilon)
    noisy = _validate.generator(rng).laplace(scale=scale, size=exact.shape)
    # In place: adding into a new array takes three times as long.
    noisy += exact
    return _validate.like_input(noisy)


def _scale(sensitivity, epsilon) -> float:
    """Return sensitivity / epsilon; ValueError if a float holds it as 0, which is no noise."""
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    return _validate.positive("sensitivity / epsilon", scale)


def laplace_density(output, *, value, sensitivity, epsilon):
    """Return how likely `laplace_mechanism` is to release a number near `output`.

    Args:
      output: number or array of shape (n,), in the query's units: where the density is wanted.
      value: the exact answer, one number.
      sensitivity: as in `laplace_mechanism`, > 0.
      epsilon: as in `laplace_mechanism`, > 0.

    Returns:
      The density, per unit of the query, of the shape of `output`.

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), definition 3.2.
    """
    place = _validate.finite_array("output", output)
    scale = _scale(sensitivity, epsilon)
    distance = np.abs(place - _validate.number("value", value))
    return _validate.like_input(np.exp(-distance / scale) / (2 * scale))


def discrete_laplace(value, *, sensitivity, epsilon, rng=None):
    """Release whole numbers with epsilon-differential privacy by adding whole-number noise.

    The noise k has probability proportional to exp(-epsilon * |k| / sensitivity). Every input can
    give every whole number, so an output has no telling gaps. (The law is exact up to the rounding
    inside numpy's geometric sampler.) The guarantee holds for the neighbors (add_remove or
    replace_one) for which `sensitivity` was computed.

    Args:
      value: exact answer, a whole number or an array of them of shape (d,), at most 2**53 in size.
      sensitivity: largest L1 change of `value` between neighbors, > 0.
      epsilon: privacy loss spent by this release, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer, of the shape of `value`: a Python int, or an int64 array. An entry is off by
      k or more with probability 2 * q**k / (1 + q), where q = exp(-epsilon / sensitivity), k >= 1.

    Raises:
      ValueError: epsilon or sensitivity is not positive and finite, epsilon / sensitivity is below
        1e-12 (the noise would not fit 64 bits), or value is empty or not whole.

    Source: Ghosh, Roughgarden & Sundararajan (2009), the geometric mechanism; as a difference of
    two geometric variables in Canonne, Kamath & Steinke (2020), section 5.
    """
    exact = _validate.integer_array("value", value)
    rate = _validate.positive("epsilon", epsilon) / _validate.positive("sensitivity", sensitivity)
    if rate < 1e-12:
        raise ValueError(f"epsilon / sensitivity must be at least 1e-12, got {rate!r}")
    generator = _validate.generator(rng)
    # Two independent geometric variables of one rate: their difference has the law stated above.
    failure = -np.expm1(-rate)
    up = generator.geometric(failure, size=exact.shape)
    down = generator.geometric(failure, size=exact.shape)
    return _validate.like_input(np.asarray(exact + up - down))
