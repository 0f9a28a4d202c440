"""Shared by the claims about tables in which some columns of numbers are changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import some
from autograder.check.claims.deidentification._tables import cells, frame, read_columns, show_cells
from autograder.check.values import ValueMistake

__all__ = ["changed", "numbers", "read", "show", "skipped_columns"]


def numbers(generator: np.random.Generator, low: int, high: int, count: int) -> list:
    """Return whole numbers between two ends, one of them missing."""
    return some(generator, [int(each) for each in generator.integers(low, high, count)], missing=1)


def changed(parameters: dict, columns: list[str], change: Callable[[str, Any], Any]) -> np.ndarray:
    """Return the cells of the table after `change(name, values)` in some of its columns."""
    table = frame(parameters["table"])
    for name in columns:
        table[name] = change(name, table[name].astype(float))
    return cells(table)


def skipped_columns(asked: str, change: Callable[[Any, Any], Any]) -> tuple[ValueMistake, ...]:
    """Return the mistakes of who does what is right, and not to every column.

    `asked` is the parameter {column: what is asked for it}; the right cells of a column are
    change(values, what is asked for it).
    """

    def only(part: slice) -> Callable[[dict], np.ndarray]:
        return lambda p: changed(
            p, list(p[asked])[part], lambda name, values: change(values, p[asked][name])
        )

    return (
        ValueMistake(
            "only the first column is changed", only(slice(1)), "is your `return` inside the loop?"
        ),
        ValueMistake(
            "only the last column is changed",
            only(slice(-1, None)),
            "does each turn of the loop start again from the table as it was?",
        ),
        ValueMistake(
            "nothing is changed",
            only(slice(0)),
            "do you return the table that you changed, or the one that came in?",
        ),
    )


def read(answer: Any, parameters: dict) -> np.ndarray:
    """Return the cells of an answer that must have the columns of the table."""
    return read_columns(answer, list(parameters["table"]["columns"]))


def show(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    """Return in words where two tables part."""
    return show_cells(wanted, came, [parameters["table"]], list(parameters["table"]["columns"]))
