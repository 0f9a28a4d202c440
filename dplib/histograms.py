"""Counts by category with Laplace noise. Each person is in exactly one category."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib._categories import category_codes, public_index
from dplib.laplace import laplace_mechanism

__all__ = ["nonnegative_counts", "private_crosstab", "private_histogram"]

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
      epsilon: privacy cost spent by this release, > 0, without unit.
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
    noisy = release_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
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
      epsilon: privacy cost spent by this release, > 0, without unit.
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
    noisy = release_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
    return pd.DataFrame(noisy, index=labels[0], columns=labels[1])


def release_counts(counts: np.ndarray, *, epsilon, neighbors, rng) -> np.ndarray:
    """Return noisy counts of cells of which everybody is in exactly one."""
    moved = _CELLS_MOVED[_validate.neighbors("neighbors", neighbors)]
    return laplace_mechanism(counts, sensitivity=moved, epsilon=epsilon, rng=rng)


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
    return with_labels_of(released, np.maximum(_validate.finite_array("released", released), 0))


def with_labels_of(given, result: np.ndarray):
    """Return `result` with the labels of `given`, if that has some."""
    if isinstance(given, pd.Series):
        return pd.Series(result, index=given.index, name=given.name)
    if isinstance(given, pd.DataFrame):
        return pd.DataFrame(result, index=given.index, columns=given.columns)
    return _validate.like_input(np.asarray(result))
