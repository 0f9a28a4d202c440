"""Reads a publication: tables of values, each with an interval."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, shortened
from autograder.check.claims.release._targets import Target

Publication = dict[str, np.ndarray]


def publication_of(answer: Any, targets: Mapping[str, Target]) -> Publication:
    """Return {table: values, lower and upper ends, shape (cells, 3)}, or raise BadAnswer."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not isinstance(answer, dict):
        raise BadAnswer(
            "a publication is a dictionary of tables",
            seen=f"it returned {shortened(answer)}, a {type(answer).__name__}",
            ask="which names does the task give the tables?",
        )
    more = [name for name in answer if name not in targets]
    if more:
        raise BadAnswer(
            "a table is published that nobody asked for",
            seen=f"its name is {shortened(more[0])}",
            ask="what would it tell about one person, and is it paid for?",
        )
    missing = [name for name in targets if name not in answer]
    if missing:
        raise BadAnswer(
            f"the table {missing[0]!r} is missing",
            seen=f"it returned the tables {shortened(list(answer))}",
            ask="are the names those of the task, letter for letter?",
        )
    return {name: _table(name, answer[name], target.cells) for name, target in targets.items()}


def _table(name: str, given: Any, cells: int) -> np.ndarray:
    try:
        table = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise BadAnswer(
            f"{name}: it holds something else than numbers",
            seen=f"it is {shortened(given)}",
            ask="does each row hold a value, a lower end and an upper end?",
        ) from None
    if table.shape != (cells, 3):
        raise BadAnswer(
            f"{name}: one row of three numbers is wanted for each cell",
            seen=f"its shape is {table.shape}, not ({cells}, 3)",
            ask="does each row hold a value, a lower end and an upper end?",
        )
    if not np.isfinite(table).all():
        raise BadAnswer(
            f"{name}: it holds what is no finite number",
            seen=f"row {int(np.argmin(np.isfinite(table).all(axis=1)))} is one of them",
            ask="what does a citizen make of an infinite end? Which step divides by zero?",
        )
    turned = table[:, 1] > table[:, 2]
    if turned.any():
        raise BadAnswer(
            f"{name}: an interval ends before it begins",
            seen=f"in row {int(turned.argmax())}",
            ask="which of the three columns is the lower end?",
        )
    return table
