"""Noise that fits the data: the local sensitivity of the median, and propose-test-release.

Local sensitivity depends on the data, so it is a secret, and noise of its size gives the answer
away. Propose-test-release uses it safely; `smooth` has another way.
"""

import bisect
import math

import numpy as np

from dplib import _validate
from dplib.laplace import laplace_mechanism
from dplib.local_sensitivity._rows import exact_median, median_rows, sorted_rows


def local_sensitivity_median(values, *, lower, upper, neighbors="replace_one"):
    """Return how far one row can move the median of *these* values: never publish it.

    The global sensitivity is the width of the public domain (half of it if the number of rows is
    even, or under add_remove), not the range of the data.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      neighbors: "replace_one" or "add_remove". Under add_remove a table that loses its only row
        has the middle of the domain as its median.

    Returns:
      The largest change of the median, in the units of the values. With replace_one and an odd
      number of rows it is the larger of the two gaps beside the median.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007), for odd n and replace_one; the rest likewise.
    """
    rows, low, high = sorted_rows(values, lower, upper)
    # Places 1 to n are the rows. A row moved to an end of the domain shifts the middle by one.
    padded = np.concatenate(([low], rows, [high]))
    left, right = (len(rows) + 1) // 2, len(rows) // 2 + 1
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        below, above = padded[left - 1] + padded[right - 1], padded[left + 1] + padded[right + 1]
    else:
        # Adding moves the median as far as removing does, or farther.
        below, above = padded[right - 1] + padded[left], padded[right] + padded[left + 1]
    twice_median = padded[left] + padded[right]
    return float(max(above - twice_median, twice_median - below)) / 2


def local_sensitivity_at_distance(values, *, distance, lower, upper):
    """Return the largest local sensitivity of the median, `distance` replaced rows away.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      distance: number of rows replaced, >= 0; a whole number or an array.
      lower, upper: public ends of the domain, in the units of the values, lower < upper.

    Returns:
      The sensitivity, in the units of the values, of the shape of `distance`. It never falls as the
      distance grows.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007), on the median, for odd n; even n likewise.
    """
    steps = _distances(distance)
    rows = median_rows(values, lower, upper)
    curve = [rows.sensitivity(int(each)) for each in steps.flat]
    return _validate.like_input(np.reshape(curve, steps.shape))


def distance_to_high_sensitivity(values, *, bound, lower, upper):
    """Return how many rows must be replaced until the median has local sensitivity above `bound`.

    The distance has sensitivity 1, so it can be released with Laplace noise: from a neighbor
    (replace_one) one row more or less is needed.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      bound: the proposed local sensitivity, in the units of the values, > 0.
      lower, upper: public ends of the domain, in the units of the values, lower < upper.

    Returns:
      A whole number of rows, 0 if the values themselves are above the bound; `math.inf` if no
      table is, that is if the bound is no less than the global sensitivity.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Dwork & Lei (2009), propose-test-release.
    """
    limit = _validate.positive("bound", bound)
    count = median_rows(values, lower, upper).count

    # The public function: where a check refuses that, this would be a way around it.
    def sensitivity(distance):
        return local_sensitivity_at_distance(values, distance=distance, lower=lower, upper=upper)

    # With n rows replaced every table is reached, and the sensitivity never falls on the way.
    first = bisect.bisect_right(range(count + 1), limit, key=sensitivity)
    return first if first <= count else math.inf


def passing_probability(distance, *, epsilon, delta):
    """Return how likely the test of `propose_test_release` passes at a distance.

    Args:
      distance: as `distance_to_high_sensitivity` returns it, >= 0; a number or an array.
      epsilon, delta: as in `propose_test_release`, > 0, and between 0 and 1/2.

    Returns:
      The probability, of the shape of `distance`: exactly delta at distance 0, 1/2 at the threshold
      ln(1 / (2 * delta)) / epsilon.

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), fact 3.7, for Laplace noise on one side.
    """
    steps = np.asarray(distance, dtype=float)
    if not (steps >= 0).all():
        raise ValueError(f"distance must be at least 0, got {distance!r}")
    missing = _validate.positive("epsilon", epsilon) * (
        passing_threshold(epsilon=epsilon, delta=delta) - steps
    )
    tail = np.exp(-np.abs(missing)) / 2
    return _validate.like_input(np.where(missing >= 0, tail, 1 - tail))


def propose_test_release(values, *, bound, lower, upper, epsilon, delta, rng=None):
    """Release the median with noise for a proposed bound, if a private test allows it.

    The whole costs (2 * epsilon, delta) for replace_one neighbors: the test and the release spend
    epsilon each. Choose bound and delta from public facts. The threshold ln(2/delta) / (2 *
    epsilon), also in use, lets tables of high sensitivity pass with probability sqrt(delta / 2) /
    2: 11,513 times a delta of 1/32563². With ln(1/delta) / epsilon they pass with delta / 2: that
    is private, and withholds more often than it must.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      bound: the proposed local sensitivity, public, in the units of the values, > 0.
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      epsilon: privacy cost of the test, and again of the release, > 0, without unit.
      delta: probability that the test passes wrongly, between 0 and 1/2.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      None if the test fails. Otherwise the median with Laplace noise of scale bound / epsilon: it
      is off by more than bound / epsilon * ln(1 / beta) with probability beta.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Dwork & Lei (2009); Dwork & Roth (2014), on propose-test-release.
    """
    distance = distance_to_high_sensitivity(values, bound=bound, lower=lower, upper=upper)
    # Privacy. If both of two neighbors have distance 0, their tests pass with probability delta,
    # and fail equally often. Otherwise one of them has a local sensitivity of at most the bound, so
    # the medians differ by no more than that: two Laplace mechanisms, of epsilon each.
    threshold = passing_threshold(epsilon=epsilon, delta=delta)
    generator = _validate.generator(rng)
    if distance + generator.laplace(scale=1 / epsilon) <= threshold:
        return None
    return laplace_mechanism(
        exact_median(values, lower, upper), sensitivity=bound, epsilon=epsilon, rng=generator
    )


def _distances(distance) -> np.ndarray:
    steps = _validate.integer_array("distance", distance)
    if (steps < 0).any():
        raise ValueError(f"distance must be at least 0, got {distance!r}")
    return steps


def passing_threshold(*, epsilon, delta) -> float:
    """Return what a noisy distance must exceed: Laplace noise alone does so with delta.

    Args and errors are those of `passing_probability`.
    """
    if not _validate.probability("delta", delta) < 0.5:
        raise ValueError(f"delta must be below 1/2, got {delta!r}")
    return math.log(1 / (2 * delta)) / _validate.positive("epsilon", epsilon)
