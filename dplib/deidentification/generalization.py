"""How large the crowd around a person is, and three ways to make it larger."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.deidentification import _columns


def k_anonymity(table, *, quasi_identifiers: Sequence[str]) -> int:
    """Return the largest k for which `table` is k-anonymous: the size of its smallest group.

    A group is all rows that agree in every quasi-identifier; a missing value is a value of its
    own. An attacker who knows these columns finds at least k rows that may be the person's. That
    does not hide what all rows of a group share.

    Args:
      table: DataFrame with at least one row, one row a person.
      quasi_identifiers: names of the columns that an attacker may know; numbers, text, or both.

    Returns:
      k, at least 1 and at most the number of rows.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.

    Source: Sweeney (2002), definition of k-anonymity; the weakness: Machanavajjhala et al. (2007).
    """
    return int(_columns.group_sizes(table, quasi_identifiers).min())


def generalize(table, *, depths: Mapping[str, int]) -> pd.DataFrame:
    """Return a copy of `table` whose numbers have lost their last digits.

    A number is truncated toward zero to a multiple of 10**depth: 36 becomes 30 at depth 1, and -36
    becomes -30. It is not rounded: 36 would become 40. Around zero a step is twice as wide.

    Args:
      table: DataFrame of shape (n, columns), one row a person.
      depths: for each column to change, how many digits before the decimal point become zero; 0
        cuts off the decimals.

    Returns:
      A new DataFrame of the same shape. A column keeps its type, and missing values stay missing.

    Raises:
      ValueError: a column is missing, does not hold finite numbers, or its depth is not a whole
        number of at least 0.
    """
    columns = _columns.names("depths", _columns.mapping("depths", depths), table)
    result = table.copy()
    for column in columns:
        unit = 10 ** _validate.whole(f"depths[{column!r}]", depths[column], least=0)
        result[column] = _truncate(_columns.numbers(table, column), unit)
    return result


def _truncate(values: pd.Series, unit: int) -> pd.Series:
    """Return `values` truncated toward zero to multiples of `unit`, in their own type."""
    ends = [int(end) for end in (values.min(), values.max()) if not pd.isna(end)]
    # A type too narrow for the unit, such as int8 for 1000, holds only values that become zero.
    if all(abs(end) < unit for end in ends):
        return values * 0
    return values - np.fmod(values, unit)


def clip_outliers(table, *, bounds: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Return a copy of `table` whose numbers outside the bounds are moved to the nearer bound.

    Also called top and bottom coding. Clip before generalising: an outlier is in a small group.
    A bound that no value exceeds changes nothing.

    Args:
      table: DataFrame of shape (n, columns), one row a person.
      bounds: for each column to change, (lower, upper) in its units, finite, lower < upper.

    Returns:
      A new DataFrame of the same shape; missing values stay missing. Whole bounds keep whole
      columns whole.

    Raises:
      ValueError: a column is missing or does not hold finite numbers, or its bounds are not an
        interval.
    """
    columns = _columns.names("bounds", _columns.mapping("bounds", bounds), table)
    result = table.copy()
    for column in columns:
        lower, upper = _columns.bounds("bounds", bounds, column)
        result[column] = _columns.numbers(table, column).clip(lower, upper)
    return result


def suppress_small_groups(table, *, quasi_identifiers: Sequence[str], k: int) -> pd.DataFrame:
    """Return the rows of `table` whose group has at least k rows; what is left is k-anonymous.

    Args:
      table: DataFrame with at least one row, one row a person.
      quasi_identifiers: names of the columns that an attacker may know. A missing value is a value
        of its own.
      k: smallest group that is kept, a whole number of at least 1.

    Returns:
      A new DataFrame with the index and columns of `table`; it may have no rows.

    Raises:
      ValueError: table is not a DataFrame or has no rows, lacks a column, or k is out of range.

    Source: Sweeney (2002), suppression.
    """
    sizes = _columns.group_sizes(table, quasi_identifiers)
    return table[sizes >= _validate.whole("k", k)].copy()
