"""Noise for a smooth bound on the local sensitivity of the median: with a delta, or without."""

import math

from dplib import _validate
from dplib.local_sensitivity._rows import exact_median, median_rows


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
    low, high = _validate.interval(lower, upper)
    rows = median_rows(values, low, high)
    rate = _validate.positive("beta", beta)
    smooth = 0.0
    for distance in range(rows.count + 1):
        weight = math.exp(-rate * distance)
        # No sensitivity is above the global one: from here on none can win.
        if weight * rows.share * (high - low) <= smooth:
            break
        smooth = max(smooth, weight * rows.sensitivity(distance))
    return smooth


def smooth_median(values, *, lower, upper, epsilon, delta, rng=None):
    """Release the median with (epsilon, delta)-differential privacy, for replace_one neighbors.

    The noise is Laplace of scale 2 * S / epsilon, where S is the smooth sensitivity with
    beta = ln(1 + epsilon / (2 * ln(1/delta))), at most epsilon / 2. (The published
    epsilon / (2 * ln(2/delta)) is about the same, for a small epsilon only.)

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      epsilon: privacy cost spent by this release, > 0, without unit.
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
    return exact_median(values, lower, upper) + _validate.generator(rng).laplace(
        scale=2 * smooth / epsilon
    )


def pure_smooth_median(values, *, lower, upper, epsilon, rng=None):
    """Release the median with epsilon-differential privacy, without a delta, for replace_one.

    The noise is 2 * S / epsilon times a Cauchy variable, of density 1 / (pi * (1 + z²)), where S is
    the smooth sensitivity with beta = epsilon / 2. It has no mean: the tails are heavy.

    Args:
      values, lower, upper, rng: as in `smooth_median`.
      epsilon: privacy cost spent by this release, > 0, without unit.

    Returns:
      The noisy median, in the units of the values. It is off by more than 2 * S / epsilon half of
      the time, and by more than 12.8 times that 1 time in 20.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007), for density 1 / (1 + |z|^gamma) with gamma > 1;
    the constants for gamma = 2 are proved in the code.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    # The log density is -ln(1 + z²). Its slope in z is at most 1, so a centre that moves by S in
    # noise of scale 2 * S / epsilon costs epsilon / 2. A scale that changes by exp(r) changes the
    # log density by at most |r|, as 1 - 2 * z² / (1 + z²) lies between -1 and 1: beta costs the
    # other half.
    smooth = smooth_sensitivity_median(values, lower=lower, upper=upper, beta=epsilon / 2)
    noise = _validate.generator(rng).standard_cauchy()
    return exact_median(values, lower, upper) + 2 * smooth / epsilon * noise
