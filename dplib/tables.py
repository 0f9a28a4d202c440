"""Tables of counts, sums and means: what one person can move, and the noise that hides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib._categories import category_codes, public_index
from dplib.mechanisms import laplace_mechanism
from dplib.sensitivity import sum_sensitivity

__all__ = [
    "centered_mean",
    "choose_clipping_bound",
    "nonnegative_counts",
    "percent_error",
    "private_crosstab",
    "private_histogram",
    "private_mean",
    "private_sum",
]

# How far one person moves counts of which everybody is in exactly one, in L1 (Dwork & Roth 2014,
# section 3.3, for add_remove): one count moves by one; a row that is replaced moves two.
_CELLS_MOVED = {"add_remove": 1, "replace_one": 2}


def private_histogram(
    values, *, categories: Sequence, epsilon, neighbors="add_remove", rng=None
) -> pd.Series:
    """Release how many `values` are in each category, with epsilon-differential privacy.

    Everybody is in one category, so all counts together cost epsilon once (parallel composition).
    A replaced row moves two counts, so its noise is twice as large. Categories read off the data
    would break the guarantee: a person alone in a category would show in the labels. The guarantee
    holds in real arithmetic, as for `laplace_mechanism`.

    Args:
      values: array or Series of shape (n,), one value a person; n may be 0. Give missing values a
        category first (`dplib.data.fill_missing`).
      categories: the public list of all values that are possible, without repetitions.
      epsilon: privacy loss spent by this release, > 0, without unit.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      A Series of noisy counts, floats, indexed by `categories`. The noise has scale 1 / epsilon for
      add_remove and 2 / epsilon for replace_one.

    Raises:
      ValueError: an argument is out of range, or a value is missing or in no category.

    Source: Dwork & Roth (2014), section 3.3, histogram queries; McSherry (2009), theorem 4.
    """
    places = category_codes("values", values, categories)
    labels = public_index(categories, name=getattr(values, "name", None))
    counts = np.bincount(places, minlength=len(labels))
    noisy = _release_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
    return pd.Series(noisy, index=labels, name="count")


def private_crosstab(
    table, *, categories: Mapping[str, Sequence], epsilon, neighbors="add_remove", rng=None
) -> pd.DataFrame:
    """Release how many rows have each pair of categories, with epsilon-differential privacy.

    It is a histogram over pairs, with the guarantee and the conditions of `private_histogram`.

    Args:
      table: DataFrame of shape (n, columns), one row a person; n may be 0.
      categories: for exactly two columns, the public list of all values that are possible. The
        first becomes the rows, the second the columns.
      epsilon: privacy loss spent by this release, > 0, without unit.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      A DataFrame of noisy counts, floats, a cell for each pair, with the noise of a histogram.

    Raises:
      ValueError: an argument is out of range, table lacks a column, or a value is missing or in no
        category.

    Source: as for `private_histogram`.
    """
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"table must be a DataFrame, got {type(table).__name__}")
    known = isinstance(categories, Mapping) and set(categories) <= set(table.columns)
    if not known or len(categories) != 2:
        raise ValueError(f"categories must be a dict of two columns of table, got {categories!r}")
    rows, columns = (
        category_codes(f"table[{column!r}]", table[column], possible)
        for column, possible in categories.items()
    )
    labels = [public_index(possible, name=column) for column, possible in categories.items()]
    shape = len(labels[0]), len(labels[1])
    counts = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1]).reshape(shape)
    noisy = _release_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
    return pd.DataFrame(noisy, index=labels[0], columns=labels[1])


def _release_counts(counts: np.ndarray, *, epsilon, neighbors, rng) -> np.ndarray:
    """Return noisy counts of cells of which everybody is in exactly one."""
    moved = _CELLS_MOVED[_validate.neighbors("neighbors", neighbors)]
    return laplace_mechanism(counts, sensitivity=moved, epsilon=epsilon, rng=rng)


def private_sum(values, *, lower, upper, epsilon, neighbors="add_remove", rng=None) -> float:
    """Release the sum of `values`, clipped to [lower, upper], with epsilon-differential privacy.

    Without clipping one person could move the sum without limit; both bounds are needed. Values
    outside them bias the sum. The guarantee holds in real arithmetic, as for `laplace_mechanism`.

    Args:
      values: array or Series of shape (n,), one finite number a person; n may be 0.
      lower, upper: public bounds, not read off the data, in the units of the values, lower < upper.
      epsilon: privacy loss spent by this release, > 0, without unit.
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
      epsilon: privacy loss spent by sum and count together, > 0, without unit.
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
      epsilon: privacy loss spent by sum and count together, > 0, without unit.
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
      epsilon: privacy loss spent by this choice, > 0, without unit.
      neighbors: "add_remove" or "replace_one".
      share: the part of the people who may be at or below the bound, strictly between 0 and 1.
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
    noisy = _release_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
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
    return _like(released, 100 * np.abs(answer - truth) / np.abs(truth))


def nonnegative_counts(released):
    """Return noisy counts with every negative one replaced by 0: post-processing, without cost.

    No count becomes worse, but on average they become too large: an empty cell with Laplace noise
    of scale b has mean b / 2. A sum over many small cells is then far off.

    Args:
      released: noisy counts, a number, array, Series or DataFrame.

    Returns:
      The counts, of the same form.

    Raises:
      ValueError: a count is missing or not finite.

    Source: Dwork & Roth (2014), proposition 2.1.
    """
    return _like(released, np.maximum(_validate.finite_array("released", released), 0))


def _like(given, result: np.ndarray):
    """Return `result` with the labels of `given`, if that has some."""
    if isinstance(given, pd.Series):
        return pd.Series(result, index=given.index, name=given.name)
    if isinstance(given, pd.DataFrame):
        return pd.DataFrame(result, index=given.index, columns=given.columns)
    return _validate.like_input(np.asarray(result))


def _numbers(values) -> np.ndarray:
    """Return `values` as floats of shape (n,); a table without rows is a table too."""
    if np.ndim(values) != 1:
        raise ValueError(f"values must have shape (n,), got {np.shape(values)}")
    return _validate.finite_array("values", values) if len(values) else np.empty(0)
