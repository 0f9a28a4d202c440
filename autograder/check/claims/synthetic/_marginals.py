"""Shared by the claims about synthetic data: tables, their categories, answers read by label."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.designed import row_labels

_SHOWN = 5


def table_of(columns: dict[str, list], seed: int) -> Any:
    """Return a DataFrame of these columns, its rows in random order, with row names of their own.

    The names are those of `row_labels`, and one more column is there that nobody asks of.
    """
    generator = np.random.default_rng(seed)
    rows = len(next(iter(columns.values())))
    order = generator.permutation(rows)
    shuffled = {name: [values[place] for place in order] for name, values in columns.items()}
    shuffled["note"] = generator.integers(10, 99, rows)
    return pd.DataFrame(shuffled, index=row_labels(generator, rows))


def as_rows(answer: Any, columns: Sequence[str]) -> Any:
    """Return a DataFrame that has these columns; or raise BadAnswer."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not hasattr(answer, "columns"):
        raise BadAnswer(
            "a table is wanted",
            seen=f"it returned a {type(answer).__name__}, not a DataFrame",
            ask="what does the task say the function returns?",
        )
    lacking = [name for name in columns if name not in answer.columns]
    if lacking:
        raise BadAnswer(
            "a column is missing",
            seen=f"it lacks {listed(lacking)}, it has {listed(list(answer.columns))}",
            ask="where do the names of the columns come from?",
        )
    return answer


def place_of(table: Any, column: str, row: int, categories: Sequence) -> int:
    """Return the place of one row's value among the categories; or raise BadAnswer."""
    value = table[column].iat[row]
    try:
        return list(categories).index(value)
    except ValueError:
        raise BadAnswer(
            "a value is not among the categories",
            seen=f"the column {column!r} holds {value!r}, its categories are {listed(categories)}",
            ask="which list says what a value may be?",
        ) from None


def nearest_shares(counts: Sequence[float]) -> np.ndarray:
    """Return the nearest counts that are at least 0 and have the same total, divided by it.

    Duchi, Shalev-Shwartz, Singer & Chandra (2008): lower all by the one number that leaves the
    total as it was, and set what is below 0 to 0. Tried here with every number of cells kept.
    """
    counts = np.asarray(counts, dtype=float)
    total = counts.sum()
    if total <= 0:
        return np.full(len(counts), 1 / len(counts))
    ordered = np.sort(counts)[::-1]
    for kept in range(len(counts), 0, -1):
        lowered = ordered[:kept] - (ordered[:kept].sum() - total) / kept
        if lowered[-1] > 0:
            break
    by = (ordered[:kept].sum() - total) / kept
    return np.maximum(counts - by, 0) / total


def listed(names: Sequence) -> str:
    """Return names in words, the first few of many."""
    words = ", ".join(repr(name) for name in itertools.islice(names, _SHOWN))
    return words + (", ..." if len(names) > _SHOWN else "")
