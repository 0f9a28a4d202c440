"""A table without the columns that name a person: the same rows, the other columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled, some
from autograder.check.claims.deidentification._tables import (
    TOLERANCE,
    as_table,
    cells,
    frame,
    listed,
    raise_unless_columns,
    show_cells,
)
from autograder.check.door import BadAnswer
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six tables; in each two rows are equal but for the columns that name a person.

    The first asks for the usual columns, the others for one to three of any.
    """
    asked = [["Name", "SSN"], ["SSN"], ["Zip", "Email"], ["Email", "Name", "SSN"]]
    asked += [["Born"], ["Visits", "Name"]]
    return [_case(generator, identifiers) for identifiers in asked]


def _case(generator: np.random.Generator, identifiers: list[str]) -> dict:
    count = int(generator.integers(6, 12))
    columns = people(generator, count)
    columns["Job"] = some(generator, columns["Job"], missing=2)
    for name, values in columns.items():
        if name not in identifiers:
            values[count - 1] = values[0]
    return {"table": shuffled(generator, columns), "identifiers": identifiers}


def _others(parameters: dict) -> list[str]:
    """Return the columns that stay."""
    return [
        name for name in parameters["table"]["columns"] if name not in parameters["identifiers"]
    ]


def _read(answer: Any, parameters: dict) -> np.ndarray:
    table = as_table(answer)
    identifiers, others = parameters["identifiers"], _others(parameters)
    given = list(table.columns)
    left = [name for name in identifiers if name in given]
    if left:
        raise _still_there(table, left, parameters)
    raise_unless_columns(given, others)
    if given != others:
        raise BadAnswer(
            "the columns are in another order",
            seen=f"wanted are {listed(others)}, yours are {listed(given)}",
            ask="which pandas method takes columns away and leaves the others where they are?",
        )
    return cells(table)


def _still_there(table: Any, left: list[str], parameters: dict) -> BadAnswer:
    """Return the words for an answer that has identifiers in it."""
    identifiers = parameters["identifiers"]
    seen = f"{listed(left)} should be gone, yours has {listed(list(table.columns))}"
    before = frame(parameters["table"])
    if set(table.columns) == set(identifiers):
        problem = "the identifiers are kept, the rest is taken away"
        ask = "which columns may the world see?"
    elif any(not np.array_equal(cells(table[name]), cells(before[name])) for name in left):
        problem = "an identifier is written over, not taken away"
        ask = "may the column stay, by the docstring? What does it still tell?"
    elif len(left) < len(identifiers):
        problem = "only some of the identifiers are taken away"
        ask = "what happens to the second name in `identifiers`?"
    else:
        problem = "the identifiers are still there"
        ask = "`drop` returns a new table: do you return that one? Which names does it drop?"
    return BadAnswer(problem, seen=seen, ask=ask)


def _kept(parameters: dict) -> Any:
    return frame(parameters["table"])[_others(parameters)]


def _all_rows(parameters: dict) -> np.ndarray:
    return cells(_kept(parameters))


_MISTAKES = (
    ValueMistake(
        "rows with a missing value are lost",
        lambda p: cells(_kept(p).dropna()),
        "does the task ask you to leave people out?",
    ),
    ValueMistake(
        "rows that look alike are merged into one",
        lambda p: cells(_kept(p).drop_duplicates()),
        "two people may have the same job and the same age: how many rows are they?",
    ),
    ValueMistake(
        "the rows are sorted by their labels",
        lambda p: cells(_kept(p).sort_index()),
        "in which order do the rows come in? Leave them so.",
    ),
    ValueMistake(
        "the first row is lost",
        lambda p: cells(_kept(p).iloc[1:]),
        "how many people are in the table before, and after?",
    ),
    ValueMistake(
        "the values are turned into text",
        lambda p: cells(_kept(p).astype(str)),
        "which line changes the values of columns that stay?",
    ),
)


CLAIM = ValuesClaim(
    name="deidentify",
    about="Check `deidentify(table, *, identifiers)`: the table without the columns that name.",
    established="the identifiers are gone, all other columns and all rows are there",
    cases=_cases,
    arguments=lambda p: ((frame(p["table"]),), {"identifiers": list(p["identifiers"])}),
    read=_read,
    expected=_all_rows,
    mistakes=_MISTAKES,
    tolerance=TOLERANCE,
    situation=lambda p: (
        f"a table of {len(p['table']['labels'])} rows, identifiers {p['identifiers']}"
    ),
    show=lambda wanted, came, p: show_cells(wanted, came, [p["table"]], _others(p)),
)
