"""Sums and means of clipped values with Laplace noise, and their sensitivity."""

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.histograms import release_counts, with_labels_of
from dplib.laplace import laplace_mechanism

__all__ = [
    "centered_mean",
    "choose_clipping_bound",
    "contribution_sensitivity",
    "percent_error",
    "private_mean",
    "private_sum",
    "sum_sensitivity",
    "vector_sensitivities",
]


def sum_sensitivity(lower, upper, *, neighbors) -> float:
    """Return how far one person can move a sum of values clipped to [lower, upper].

    Adding or removing a person moves it by at most the larger of |lower| and |upper|. Replacing
    one moves it by at most upper - lower, which for [60, 70] is seven times less.

    Args:
      lower, upper: public bounds, in the units of the values, finite, lower < upper.
      neighbors: "add_remove" or "replace_one".

    Returns:
      The sensitivity, > 0, in the units of the values.

    Raises:
      ValueError: the bounds are not an interval, or neighbors is unknown.

    Source: Dwork & Roth (2014), definition 3.1, for both neighbors.
    """
    lower, upper = _validate.interval(lower, upper)
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        return upper - lower
    return max(abs(lower), abs(upper))


def contribution_sensitivity(contribution, *, domain, neighbors):
    """Return how far one person can move a sum in which each row counts by itself.

    Args:
      contribution: function from a row's value to the finite number that the row adds to the sum.
      domain: every value that a row can have, a sequence of at least one; public.
      neighbors: "add_remove" (a row comes or goes) or "replace_one" (a row's value changes).

    Returns:
      The sensitivity of the sum, in the units of the contributions.

    Raises:
      ValueError: domain is empty, a contribution is not a finite number, or neighbors is unknown.

    Source: Dwork & Roth (2014), definition 3.1, for one number.
    """
    rows = _contributions(contribution, domain)
    if rows.ndim != 1:
        raise ValueError(f"contribution must give one number, got shape {rows.shape[1:]}")
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        return float(np.ptp(rows))
    return float(np.abs(rows).max())


def vector_sensitivities(contribution, *, domain, neighbors):
    """Return the L1 and the L2 sensitivity of a vector of sums.

    Args:
      contribution: function from a row's value to what the row adds to each of d sums, shape (d,).
      domain: every value that a row can have, a sequence of at least one; public.
      neighbors: "add_remove" (a row comes or goes) or "replace_one" (a row's value changes).

    Returns:
      Two numbers (l1, l2): the largest sum of absolute changes, and the largest root of the sum of
      squared changes. Two different people may make them.

    Raises:
      ValueError: domain is empty, a contribution is not a vector of finite numbers, or neighbors is
        unknown.

    Source: Dwork & Roth (2014), definitions 3.1 and 3.8.
    """
    rows = _contributions(contribution, domain)
    if rows.ndim != 2:
        raise ValueError(f"contribution must give a vector, got shape {rows.shape[1:]}")
    changes = rows
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        changes = (rows[:, None] - rows[None, :]).reshape(-1, rows.shape[1])
    l1 = np.abs(changes).sum(axis=1).max()
    l2 = np.sqrt((changes**2).sum(axis=1).max())
    return float(l1), float(l2)


def private_sum(values, *, lower, upper, epsilon, neighbors="add_remove", rng=None) -> float:
    """Release the sum of `values`, clipped to [lower, upper], with epsilon-differential privacy.

    Without clipping one person could move the sum without limit; both bounds are needed. Values
    outside them bias the sum. The guarantee holds in real arithmetic, as for `laplace_mechanism`.

    Args:
      values: array or Series of shape (n,), one finite number a person; n may be 0.
      lower, upper: public bounds, not read off the data, in the units of the values, lower < upper.
      epsilon: privacy cost spent by this release, > 0, without unit.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy sum, a float. Its noise has scale `sum_sensitivity(...)` / epsilon.

    Raises:
      ValueError: an argument is out of range, or a value is not a finite number.

    Source: Dwork & Roth (2014), theorem 3.6.
    """
    sensitivity = sum_sensitivity(lower, upper, neighbors=neighbors)
    total = np.clip(_numbers(values), lower, upper).sum()
    return laplace_mechanism(total, sensitivity=sensitivity, epsilon=epsilon, rng=rng)


def private_mean(values, *, lower, upper, epsilon, rng=None) -> float:
    """Release the mean of `values`, clipped to [lower, upper], with epsilon-differential privacy.

    Half of epsilon buys a noisy sum, half a noisy count (sequential composition). To divide and
    clip them is post-processing and costs nothing. Neighbors: add_remove; for replace_one the
    number of people would be public, and the sum alone enough.

    Args:
      values: array or Series of shape (n,), one finite number a person; n may be 0.
      lower, upper: public bounds, not read off the data, in the units of the values, lower < upper.
      epsilon: privacy cost spent by sum and count together, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy mean, a float in [lower, upper], in the units of the values. A noisy count below 1
      is taken as 1.

    Raises:
      ValueError: an argument is out of range, or a value is not a finite number.

    Source: Dwork & Roth (2014), theorem 3.16 (composition) and proposition 2.1 (post-processing).
    """
    half = _validate.positive("epsilon", epsilon) / 2
    generator = _validate.generator(rng)
    numbers = _numbers(values)
    total = private_sum(numbers, lower=lower, upper=upper, epsilon=half, rng=generator)
    count = laplace_mechanism(len(numbers), sensitivity=1, epsilon=half, rng=generator)
    return float(np.clip(total / max(count, 1), lower, upper))


def centered_mean(values, *, lower, upper, epsilon, rng=None) -> float:
    """Release the mean of clipped values as `private_mean` does, with less noise: centered first.

    What is summed is each value's distance from the middle of [lower, upper]. One person moves that
    sum by half of the width at most, wherever the interval lies. Neighbors: add_remove.

    Args:
      values: array or Series of shape (n,), one finite number a person; n may be 0.
      lower, upper: public bounds of a value, lower < upper, in the units of the values.
      epsilon: privacy cost spent by sum and count together, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy mean, a float in [lower, upper], in the units of the values. A noisy count below 1
      is taken as 1.

    Raises:
      ValueError: an argument is out of range, or a value is not a finite number.

    Source: Dwork & Roth (2014), theorem 3.16 (composition) and proposition 2.1 (post-processing).
    """
    half = _validate.positive("epsilon", epsilon) / 2
    low, high = _validate.interval(lower, upper)
    middle, reach = (low + high) / 2, (high - low) / 2
    generator = _validate.generator(rng)
    distances = _numbers(values) - middle
    total = private_sum(distances, lower=-reach, upper=reach, epsilon=half, rng=generator)
    count = laplace_mechanism(len(distances), sensitivity=1, epsilon=half, rng=generator)
    return float(np.clip(middle + total / max(count, 1), low, high))


def choose_clipping_bound(
    values, *, candidates, epsilon, neighbors="add_remove", share=0.99, rng=None
) -> float:
    """Choose an upper bound that most of `values` respect, with epsilon-differential privacy.

    The candidates cut the numbers into intervals. Everybody is in one interval, so a noisy count
    of each costs epsilon once, as in `private_histogram`. The choice looks at the noisy counts
    only: the first candidate with a noisy share of at least `share` at or below it.

    Args:
      values: array or Series of shape (n,), one finite number a person; n may be 0.
      candidates: increasing bounds in the units of the values, shape (m,), public: not read off the
        data.
      epsilon: privacy cost spent by this choice, > 0, without unit.
      neighbors: "add_remove" or "replace_one".
      share: the part of the people who should be at or below the bound, strictly between 0 and 1.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates, a float; the last if none has the share. What is compared for one
      candidate has noise of standard deviation at most sqrt(2 * (m + 1)) / epsilon (for replace_one
      twice that): with few people the choice is close to random.

    Raises:
      ValueError: an argument is out of range, or a value is not a finite number.

    Source: Dwork & Roth (2014), section 3.3 (histogram queries), proposition 2.1 (post-processing).
    """
    bounds = _validate.finite_array("candidates", candidates)
    if bounds.ndim != 1 or (np.diff(bounds) <= 0).any():
        raise ValueError(f"candidates must increase, in shape (m,), got {candidates!r}")
    share = _validate.probability("share", share)
    # Interval j holds the values above bound j - 1 and up to bound j; the last has no upper end.
    places = np.searchsorted(bounds, _numbers(values), side="left")
    counts = np.bincount(places, minlength=len(bounds) + 1)
    noisy = release_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
    enough = np.cumsum(noisy)[:-1] >= share * noisy.sum()
    return float(bounds[enough.argmax() if enough.any() else -1])


def percent_error(exact, released):
    """Return how far `released` is from `exact`, in percent of `exact`.

    It reads the exact answer, so it is for studying a mechanism, and not itself private.

    Args:
      exact: the true answer, a number, array, Series or DataFrame without zeros.
      released: the answer to judge, of the same shape. Two Series, or two DataFrames, are matched
        by their labels.

    Returns:
      100 * |released - exact| / |exact|, of the form of `released`.

    Raises:
      ValueError: a number is missing or not finite, an exact one is zero, or the shapes differ.
    """
    if isinstance(released, pd.Series | pd.DataFrame) and type(exact) is type(released):
        exact = exact.reindex_like(released)
    truth = _validate.finite_array("exact", exact)
    answer = _validate.finite_array("released", released)
    if truth.shape != answer.shape:
        raise ValueError(f"released must have shape {truth.shape} as exact, got {answer.shape}")
    if (truth == 0).any():
        raise ValueError("exact must not be zero: there is no percent of zero")
    return with_labels_of(released, 100 * np.abs(answer - truth) / np.abs(truth))


def _numbers(values) -> np.ndarray:
    """Return `values` as floats of shape (n,); a table without rows is a table too."""
    if np.ndim(values) != 1:
        raise ValueError(f"values must have shape (n,), got {np.shape(values)}")
    return _validate.finite_array("values", values) if len(values) else np.empty(0)


def _contributions(contribution, domain) -> np.ndarray:
    """Return what each value of the domain adds, one a row."""
    values = list(domain)
    if not values:
        raise ValueError("domain must hold at least one value, got none")
    return _validate.finite_array("contribution", [contribution(value) for value in values])
