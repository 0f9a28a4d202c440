"""Checks of tables and columns, and the groups of equal rows."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dplib import _validate


def names(name: str, value, table, *, table_name: str = "table") -> list:
    """Return `value` as a list; raise ValueError unless each is a column of `table`, once."""
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"{table_name} must be a DataFrame, got {type(table).__name__}")
    if isinstance(value, str) or not np.iterable(value) or not (chosen := list(value)):
        raise ValueError(f"{name} must name one or more columns in a list, got {value!r}")
    for column in chosen:
        if list(table.columns).count(column) != 1 or chosen.count(column) != 1:
            raise ValueError(
                f"{name} must name columns of {table_name}, each once; "
                f"{column!r} is not there, or is there twice"
            )
    return chosen


def mapping(name: str, value) -> Mapping:
    """Return `value`; raise ValueError unless it is a mapping, such as a dict."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a dict with a key for each column, got {value!r}")
    return value


def numbers(table: pd.DataFrame, column) -> pd.Series:
    """Return one column; raise ValueError unless it holds finite numbers or missing values."""
    values = table[column]
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        raise ValueError(f"column {column!r} must hold numbers, got {values.dtype}")
    if values.isin([np.inf, -np.inf]).any():
        raise ValueError(f"column {column!r} must be finite, got an infinite value")
    return values


def matrix(table: pd.DataFrame, columns: list) -> np.ndarray:
    """Return the columns as floats, shape (n, columns); a missing value is NaN."""
    return np.column_stack(
        [numbers(table, column).to_numpy(float, na_value=np.nan) for column in columns]
    )


def bounds(name: str, value, column) -> tuple[float, float]:
    """Return the bounds of one column as given; raise ValueError unless they are an interval."""
    found = mapping(name, value).get(column)
    try:
        lower, upper = found
        _validate.interval(lower, upper)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name}[{column!r}] must be (lower, upper), finite, lower < upper, got {found!r}"
        ) from None
    return lower, upper


def group_numbers(table: pd.DataFrame, columns: list) -> np.ndarray:
    """Return for each row the number of its group: the rows that agree in all `columns`."""
    rows = table[columns].reset_index(drop=True)
    return rows.groupby(columns, dropna=False, sort=False, observed=True).ngroup().to_numpy()


def group_sizes(table, quasi_identifiers) -> np.ndarray:
    """Return for each row how many rows agree with it, itself included."""
    columns = names("quasi_identifiers", quasi_identifiers, table)
    if len(table) == 0:
        raise ValueError(f"table must have rows, got shape {table.shape}")
    groups = group_numbers(table, columns)
    return np.bincount(groups)[groups]
