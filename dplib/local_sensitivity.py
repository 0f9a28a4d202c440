"""Noise that fits the data: local sensitivity, propose-test-release, smooth sensitivity.

Local sensitivity depends on the data, so it is a secret, and noise of its size gives the answer
away. This module has the two standard ways to use it safely.
"""

from __future__ import annotations

import math

import numpy as np

from dplib import _validate
from dplib.laplace import laplace_mechanism

__all__ = [
    "distance_to_high_sensitivity",
    "local_sensitivity_at_distance",
    "local_sensitivity_median",
    "passing_probability",
    "propose_test_release",
    "smooth_median",
    "smooth_sensitivity_median",
]


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
    rows, low, high = _sorted_rows(values, lower, upper)
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


def local_sensitivity_at_distance(values, *, distance, lower, upper, neighbors="add_remove"):
    """Return the largest local sensitivity of the clipped mean, `distance` edits from these values.

    The result is exact; under add_remove, k edits from n rows, at most (upper - lower) / (n - k).
    Two rows, 0 and 100, have a mean that moves by 50 when one leaves: the formula with n - k + 1
    counts only rows that join, and says 33.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      distance: number of rows added or removed (or replaced), >= 0; a whole number or an array.
      lower, upper: public ends of the interval, in the units of the values, lower < upper.
      neighbors: "add_remove" (a table without rows has the middle of the interval as its mean) or
        "replace_one" (n is public, and from one edit on the result is (upper - lower) / n).

    Returns:
      The sensitivity, in the units of the values, of the shape of `distance`.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007), local sensitivity at distance k.
    """
    steps = _validate.integer_array("distance", distance)
    if (steps < 0).any():
        raise ValueError(f"distance must be at least 0, got {distance!r}")
    curve = _sensitivity_curve(*_sorted_rows(values, lower, upper), neighbors)
    return _validate.like_input(curve[np.minimum(steps, len(curve) - 1)])


def distance_to_high_sensitivity(values, *, bound, lower, upper, neighbors="add_remove"):
    """Return how many edits it takes until the clipped mean has local sensitivity above `bound`.

    The distance has sensitivity 1, so it can be released with Laplace noise: one edit more or less
    is needed from a neighbor. (As computed: exactly for whole-number values and ends, otherwise up
    to rounding.)

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      bound: the proposed local sensitivity, in the units of the values, > 0.
      lower, upper: public ends of the interval, in the units of the values, lower < upper.
      neighbors: "add_remove" or "replace_one": what one edit is.

    Returns:
      A whole number of edits, 0 if the values themselves are above the bound; `math.inf` if no
      table is, that is if the bound is no less than the global sensitivity.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Dwork & Lei (2009), propose-test-release.
    """
    limit = _validate.positive("bound", bound)
    # Sums of whole numbers are exact, and rounding a quotient keeps the order: so this is a true
    # distance, to the tables whose computed sensitivity is above the bound.
    above = _sensitivity_curve(*_sorted_rows(values, lower, upper), neighbors) > limit
    return int(above.argmax()) if above.any() else math.inf


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
    missing = _validate.positive("epsilon", epsilon) * (_threshold(epsilon, delta) - steps)
    tail = np.exp(-np.abs(missing)) / 2
    return _validate.like_input(np.where(missing >= 0, tail, 1 - tail))


def propose_test_release(
    values, *, bound, lower, upper, epsilon, delta, neighbors="add_remove", rng=None
):
    """Release the clipped mean with noise for a proposed bound, if a private test allows it.

    The whole costs (2 * epsilon, delta): the test and the release spend epsilon each, for tables
    with at least one row. Choose delta from public facts, not from the number of rows, which is
    private under add_remove. The threshold ln(2/delta) / (2 * epsilon), also in use, lets tables of
    high sensitivity pass with probability sqrt(delta / 2) / 2: 11,513 times a delta of 1/32563².

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper]. Both ends are
        needed: without a lower one, one row can move the mean without limit.
      bound: the proposed local sensitivity, public, in the units of the values, > 0.
      lower, upper: public ends of the interval, in the units of the values, lower < upper.
      epsilon: privacy loss of the test, and again of the release, > 0, without unit.
      delta: probability that the test passes wrongly, between 0 and 1/2.
      neighbors: "add_remove", or "replace_one" (pointless: every table is one edit from the worst).
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      None if the test fails. Otherwise the mean with Laplace noise of scale bound / epsilon: it is
      off by more than bound / epsilon * ln(1 / beta) with probability beta.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Dwork & Lei (2009); Dwork & Roth (2014), on propose-test-release.
    """
    limits = {"bound": bound, "lower": lower, "upper": upper, "neighbors": neighbors}
    distance = distance_to_high_sensitivity(values, **limits)
    # Privacy. At distance 0 the test passes with probability delta exactly, and fails with
    # probabilities that differ by exp(epsilon) between neighbors. Elsewhere one row moves the mean
    # by no more than the bound: the test and the release are two Laplace mechanisms.
    threshold = _threshold(epsilon, delta)
    generator = _validate.generator(rng)
    if distance + generator.laplace(scale=1 / epsilon) <= threshold:
        return None
    mean = _sorted_rows(values, lower, upper)[0].mean()
    return laplace_mechanism(mean, sensitivity=bound, epsilon=epsilon, rng=generator)


def smooth_sensitivity_median(values, *, lower, upper, beta):
    """Return the smooth sensitivity of the median: the least safe smooth bound on the local one.

    It is the largest exp(-beta * d) * (local sensitivity of a table that differs in d rows), over
    all tables. Between replace_one neighbors it changes by a factor of at most exp(beta). Like the
    local sensitivity it is a secret: use it as `smooth_median` does.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      beta: how fast distant tables lose weight, > 0, without unit.

    Returns:
      The smooth sensitivity, in the units of the values.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007), on the median, for odd n; even n likewise.
    """
    rows, low, high = _sorted_rows(values, lower, upper)
    rate = _validate.positive("beta", beta)
    count = len(rows)
    ends = np.ones(count + 2)
    padded = np.concatenate((low * ends, rows, high * ends))
    left, right = len(ends) + (count - 1) // 2, len(ends) + count // 2
    # One row moves one of the two middle rows, and so half of their mean.
    share = 1 if left == right else 0.5
    smooth = 0.0
    for distance in range(count + 1):
        weight = share * math.exp(-rate * distance)
        # No gap is wider than the domain: from here on none can win.
        if weight * (high - low) <= smooth:
            break
        # `distance` rows, taken from the middle to either end, leave one of these gaps there.
        gaps = padded[right : right + distance + 2] - padded[left - distance - 1 : left + 1]
        smooth = max(smooth, weight * float(gaps.max()))
    return smooth


def smooth_median(values, *, lower, upper, epsilon, delta, rng=None):
    """Release the median with (epsilon, delta)-differential privacy, for replace_one neighbors.

    The noise is Laplace of scale 2 * S / epsilon, where S is the smooth sensitivity with
    beta = ln(1 + epsilon / (2 * ln(1/delta))), at most epsilon / 2. (The published
    epsilon / (2 * ln(2/delta)) is about the same, for a small epsilon only.)

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      epsilon: privacy loss spent by this release, > 0, without unit.
      delta: probability, strictly between 0 and 1; well below 1 / n.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy median, in the units of the values. It is off by more than
      2 * S / epsilon * ln(1 / gamma) with probability gamma.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007); the constant is proved in the code.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    surprise = -math.log(_validate.probability("delta", delta))
    # From a table to its neighbor change first the scale, by exp(r) with |r| <= beta, then the
    # centre. Scale: at noise of z scales, the log of the ratio of the densities is at most beta
    # <= epsilon/2 if the noise grows, and at most |z| * (exp(beta) - 1) if it shrinks: that passes
    # epsilon/2 only for |z| > ln(1/delta), which has probability delta. Centre: S is at least the
    # local sensitivity of the neighbor, so the log of the ratio is at most epsilon/2.
    beta = min(math.log1p(epsilon / (2 * surprise)), epsilon / 2)
    smooth = smooth_sensitivity_median(values, lower=lower, upper=upper, beta=beta)
    median = float(np.median(_sorted_rows(values, lower, upper)[0]))
    return median + _validate.generator(rng).laplace(scale=2 * smooth / epsilon)


def _sorted_rows(values, lower, upper) -> tuple[np.ndarray, float, float]:
    """Return the rows clipped to the public interval, in increasing order, and its two ends."""
    low, high = _validate.interval(lower, upper)
    rows = _validate.vector("values", values)
    return np.sort(np.clip(rows, low, high)), low, high


def _threshold(epsilon, delta) -> float:
    """Return what a noisy distance must exceed: Laplace noise alone does so with delta."""
    if not _validate.probability("delta", delta) < 0.5:
        raise ValueError(f"delta must be below 1/2, got {delta!r}")
    return math.log(1 / (2 * delta)) / _validate.positive("epsilon", epsilon)


def _sensitivity_curve(rows, low, high, neighbors) -> np.ndarray:
    """Return the largest local sensitivity of the mean at distances 0, 1, …; then it is constant.

    Under add_remove the edits that help most remove the largest rows (or the smallest); adding rows
    never does better. Take m rows of mean q in [0, u], one of them added at 0, which a row at u is
    to move far. If q < u/2, leave the added row out and remove the largest instead: m - 2 rows of
    mean at most q * m / (m - 1), which the row at u moves farther. If q >= u/2, a row at 0 moves
    the mean at least as far as one at u, and farther still without the added row.
    """
    width = high - low
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        # One edit makes a row extreme; a second row may then cross the whole interval.
        return np.array([max(high - rows[0], rows[-1] - low), width]) / len(rows)
    moves = np.maximum(_upward_moves(rows - low, width), _upward_moves((high - rows)[::-1], width))
    # With every row removed, the mean is the middle and one row moves it to an end.
    return np.append(moves, width / 2)


def _upward_moves(rows, width) -> np.ndarray:
    """Return how far a high row moves the mean when the 0, 1, …, n - 1 largest rows are gone."""
    size = np.arange(1.0, len(rows) + 1)
    total = np.cumsum(rows)
    # A row v moves the mean of m rows with sum t by (v - t/m) / (m + 1): one that joins at the top
    # of the interval, or the largest of all rows, which is there and leaves.
    joins = ((width * size - total) / (size * (size + 1)))[::-1]
    leaves = ((rows[-1] * size - total) / (size * (size + 1)))[-2::-1]
    return np.maximum(joins, np.append(leaves, 0))
