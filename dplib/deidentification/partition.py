"""A k-anonymous table that loses little, and how much a table has lost."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.deidentification import _columns


def anonymize(table, *, quasi_identifiers: Sequence[str], k: int) -> pd.DataFrame:
    """Return a k-anonymous copy of `table` that keeps its numbers close to what they were.

    The rows are cut in two, and the parts again, as long as both parts have at least k rows and a
    cut makes the parts narrower. Each cut is the one that leaves the least width for now. So the
    table may not be the best: to find that is NP-hard where entries are left out (Meyerson &
    Williams 2004), and for ranges no fast way is known.

    Args:
      table: DataFrame with at least k rows, one row a person.
      quasi_identifiers: names of the columns that an attacker may know, finite numbers.
      k: smallest group, a whole number of at least 1.

    Returns:
      A new DataFrame with the rows and columns of `table`. In the quasi-identifiers every row has
      the midpoint of its group's range, a float; `k_anonymity` of them is at least k.

    Raises:
      ValueError: table is not a DataFrame or has fewer than k rows, k is out of range, or a
        quasi-identifier is missing, holds text, or has a missing value.

    Source: LeFevre, DeWitt & Ramakrishnan (2006), Mondrian; ours chooses cuts by the width left.
    """
    columns = _columns.names("quasi_identifiers", quasi_identifiers, table)
    if len(table) < _validate.whole("k", k):
        raise ValueError(f"k must be at most the number of rows, {len(table)}, got {k!r}")
    points = _validate.finite_array("quasi_identifiers", _columns.matrix(table, columns))
    spans = np.ptp(points, axis=0)
    middles = np.empty_like(points)
    for rows in _partition(points / np.where(spans > 0, spans, 1), k):
        middles[rows] = points[rows].min(axis=0) / 2 + points[rows].max(axis=0) / 2
    result = table.copy()
    result[columns] = middles
    return result


def _partition(points: np.ndarray, k: int):
    """Yield arrays of row numbers, each of at least k rows, that together are all rows."""
    waiting = [np.arange(len(points))]
    while waiting:
        rows = waiting.pop()
        chosen = _best_cut(points[rows], k)
        if chosen is None:
            yield rows
        else:
            waiting += [rows[chosen], rows[~chosen]]


def _best_cut(points: np.ndarray, k: int) -> np.ndarray | None:
    """Return which rows go left in the cut that leaves the least width; None if none helps."""
    count = len(points)
    least, left = count * np.ptp(points, axis=0).sum(), None
    cuts = np.arange(k, count - k + 1)
    for column in points.T:
        # Rows that are equal here are told apart by their other columns.
        order = np.lexsort((points.sum(axis=1), column))
        below, above = _widths(points[order]), _widths(points[order[::-1]])[::-1]
        remaining = cuts * below[cuts - 1] + (count - cuts) * above[cuts]
        if cuts.size and remaining.min() < least:
            least, left = remaining.min(), order[: cuts[remaining.argmin()]]
    return None if left is None else np.isin(np.arange(count), left)


def _widths(points: np.ndarray) -> np.ndarray:
    """Return the width of the first row, of the first two, and so on, summed over the columns."""
    highest, lowest = np.maximum.accumulate(points), np.minimum.accumulate(points)
    return (highest - lowest).sum(axis=1)


def information_loss(
    original,
    anonymized,
    *,
    quasi_identifiers: Sequence[str],
    bounds: Mapping[str, tuple[float, float]],
) -> float:
    """Return how much of the quasi-identifiers is lost: 0 for nothing, 1 for everything.

    Rows are matched by their index. For a row and a column, the loss is the width of the smallest
    interval that holds the number shown and the true numbers of all rows that show the same in all
    quasi-identifiers, as a share of the column's public width (1 at most). A suppressed row loses
    1, and so does a missing number.

    Args:
      original: DataFrame with at least one row, numbers in the quasi-identifiers, and an index
        without repetitions.
      anonymized: DataFrame with all or some of its rows under the same labels, and numbers in the
        quasi-identifiers; for example from `generalize`, `suppress_small_groups` or `anonymize`.
      quasi_identifiers: names of the columns to compare.
      bounds: for each of them its public (lower, upper), finite, lower < upper.

    Returns:
      The mean loss over the rows of `original` and the columns, between 0 and 1.

    Raises:
      ValueError: a column or a bound is missing, a column holds no numbers, original has no rows
        or a missing number, or a label is repeated or not in original.

    Source: Xu et al. (2006), the normalized certainty penalty.
    """
    columns = _columns.names(
        "quasi_identifiers", quasi_identifiers, original, table_name="original"
    )
    _columns.names("quasi_identifiers", columns, anonymized, table_name="anonymized")
    exact = _validate.finite_array("original", _columns.matrix(original, columns))
    public = np.array([_columns.bounds("bounds", bounds, column) for column in columns], float)
    width = _group_widths(
        exact[_places(original.index, anonymized.index)],
        _columns.matrix(anonymized, columns),
        _columns.group_numbers(anonymized, columns),
    )
    # A missing number has no width: it says nothing, which loses everything.
    lost = (width / np.ptp(public, axis=1)).clip(upper=1).fillna(1)
    suppressed = len(original) - len(anonymized)
    return float((lost.mean(axis=1).sum() + suppressed) / len(original))


def _group_widths(exact: np.ndarray, shown: np.ndarray, groups: np.ndarray) -> pd.DataFrame:
    """Return for each row and column the width of what its group shows and stands for."""
    lowest = pd.DataFrame(np.minimum(exact, shown)).groupby(groups).transform("min")
    highest = pd.DataFrame(np.maximum(exact, shown)).groupby(groups).transform("max")
    return highest - lowest


def _places(original: pd.Index, anonymized: pd.Index) -> np.ndarray:
    """Return where each label of `anonymized` is in `original`; ValueError if not just once."""
    if not original.is_unique or not anonymized.is_unique:
        raise ValueError("original and anonymized must have an index without repetitions")
    places = original.get_indexer(anonymized)
    if (places < 0).any():
        raise ValueError(f"anonymized must have labels of original, got {anonymized[places < 0]!r}")
    return places
