"""Shared by the claims about tables in which some columns of numbers are changed."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import some
from autograder.check.claims.deidentification._tables import read_columns, show_cells


def numbers(generator: np.random.Generator, low: int, high: int, count: int) -> list:
    """Return whole numbers between two ends, one of them missing."""
    return some(generator, [int(each) for each in generator.integers(low, high, count)], missing=1)


def changed_columns(table: Any, asked: dict[str, Any], change: Callable[[Any, Any], Any]) -> Any:
    """Return the table after change(values, what is asked for it) in each of some columns."""
    return table.assign(
        **{name: change(table[name].astype(float), wanted) for name, wanted in asked.items()}
    )


def skipped_columns(right: Callable[[Any, dict], Any]) -> list[tuple[str, str, Callable]]:
    """Return the mistakes of who does what is right, and not to every column.

    `right` takes the table and what is asked for its columns.
    """

    def only(part: slice) -> Callable:
        return lambda table, **given: right(table, dict([*asked_of(given).items()][part]))

    return [
        (
            "only the first column is changed",
            "is your `return` inside the loop?",
            only(slice(1)),
        ),
        (
            "only the last column is changed",
            "does each turn of the loop start again from the table as it was?",
            only(slice(-1, None)),
        ),
        (
            "nothing is changed",
            "do you return the table that you changed, or the one that came in?",
            only(slice(0)),
        ),
    ]


def asked_of(given: dict) -> dict:
    """Return what is asked for each column: the one argument beside the table."""
    (asked,) = given.values()
    return asked


def read(answer: Any, given: dict) -> np.ndarray:
    """Return the cells of an answer that must have the columns of the table."""
    return read_columns(answer, list(given["table"].columns))


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return in words where two tables part."""
    return show_cells(wanted, came, [given["table"]], list(given["table"].columns))
