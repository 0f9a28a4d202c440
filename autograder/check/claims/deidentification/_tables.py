"""Shared by the claims about tables: tables as plain data, and answers read as numbers.

A table in a setting's parameters is {"labels": [...], "columns": {name: [...]}}; None is a missing
value. An answer that is a table becomes one number a cell: numbers stay, text becomes a code.
"""

import zlib
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.words import counted

# Codes of two texts differ by 1 in 5e9 at least; nothing that is compared here needs rounding.
TOLERANCE = 1e-10

_MISSING = 1e15
_FIRST_CODE = 1e9


def frame(plain: dict) -> Any:
    """Return the DataFrame of a plain table, new at every call."""
    return pd.DataFrame(plain["columns"], index=plain["labels"])


def as_table(answer: Any) -> Any:
    """Return a DataFrame as it is; raise BadAnswer for anything else."""
    if answer is None:
        raise BadAnswer(
            "it returns nothing",
            ask="does every path end in `return`? With `inplace=True` pandas returns None.",
        )
    if isinstance(answer, pd.DataFrame):
        return answer
    shape = f", of shape {np.shape(answer)}" if isinstance(answer, np.ndarray | pd.Series) else ""
    raise BadAnswer(
        "a table is wanted",
        seen=f"what came is of type {type(answer).__name__}{shape}; wanted is a DataFrame",
        ask="what does the task say the function returns?",
    )


def read_columns(answer: Any, columns: Sequence[str]) -> np.ndarray:
    """Return the cells of a table that must have these columns, in whatever order."""
    table = as_table(answer)
    raise_unless_columns(list(table.columns), columns)
    return cells(table[list(columns)])


def raise_unless_columns(given: list, wanted: Sequence[str]) -> None:
    """Raise BadAnswer unless the columns given are the ones wanted, each once."""
    lacking = [name for name in wanted if name not in given]
    if lacking:
        raise BadAnswer(
            "a column is lost" if len(lacking) == 1 else "columns are lost",
            seen=f"the answer should have {listed(lacking)}, yours has {listed(given)}",
            ask="which line drops a column, or keeps only some?",
        )
    spare = [name for name in given if name not in wanted]
    if spare or len(given) > len(wanted):
        raise BadAnswer(
            "a column is there that nobody asked for",
            seen=f"yours has {listed(spare or given)}; wanted are {listed(wanted)}",
            ask="which line adds a column? `reset_index` and `merge` may do so.",
        )


def cells(table: Any) -> np.ndarray:
    """Return a table, or one column, as numbers: one a cell."""
    values = np.asarray(table, dtype=object)
    return np.array([_code(each) for each in values.ravel()], dtype=float).reshape(values.shape)


def _code(value: Any) -> float:
    if isinstance(value, Real):
        return float(value) if value == value else _MISSING
    if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):
        return _MISSING
    return _FIRST_CODE + zlib.crc32(str(value).encode())


def show_cells(wanted: np.ndarray, came: np.ndarray, tables: list, columns: Sequence[str]) -> str:
    """Return in words where two tables part: how many rows, else the first cell that differs.

    `tables` are those that the answer was given; its texts come from them.
    """
    if len(wanted) != len(came):
        rows = counted(len(wanted), "row")
        return f"the answer should have {rows}, yours has {len(came):,}"
    row, column = (int(place) for place in np.argwhere(_differ(wanted, came))[0])
    texts = {value for table in tables for value in table.to_numpy(dtype=object).ravel()}
    names = {_code(text): repr(text) for text in texts if isinstance(text, str)}
    pair = [names.get(cell, _in_words(cell)) for cell in (wanted[row, column], came[row, column])]
    return f"in row {row + 1} {columns[column]!r} should be {pair[0]}, yours is {pair[1]}"


def _differ(wanted: np.ndarray, came: np.ndarray) -> np.ndarray:
    return np.abs(wanted - came) > TOLERANCE * np.abs(wanted)


def _in_words(cell: float) -> str:
    if cell == _MISSING:
        return "missing"
    # A number may be as large as the code of a text.
    code = _FIRST_CODE <= cell < _FIRST_CODE + 2**32
    return "text" if code else f"{cell + 0.0:.12g}"


def listed(names: Sequence) -> str:
    """Return names in words, each in quotes; the first few of many."""
    words = [repr(str(name)) for name in names[:6]]
    if len(names) > 6:
        return ", ".join(words) + f" and {len(names) - 6} more"
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words) or "no column"
