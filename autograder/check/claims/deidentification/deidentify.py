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
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def deidentify(table, *, identifiers):
    """The table without the columns that name."""
    return table[others(table, identifiers)]


def others(table, identifiers):
    return [name for name in table.columns if name not in identifiers]


def read(answer: Any, given: dict) -> np.ndarray:
    """Return the cells of a table without the identifiers, its other columns in their order."""
    table = as_table(answer)
    wanted = others(**given)
    came = list(table.columns)
    left = [name for name in given["identifiers"] if name in came]
    if left:
        raise still_there(table, left, given)
    raise_unless_columns(came, wanted)
    if came != wanted:
        raise BadAnswer(
            "the columns are in another order",
            seen=f"wanted are {listed(wanted)}, yours are {listed(came)}",
            ask="which pandas method takes columns away and leaves the others where they are?",
        )
    return cells(table)


def still_there(table: Any, left: list[str], given: dict) -> BadAnswer:
    """Return the words for an answer that has identifiers in it."""
    before, identifiers = given["table"], given["identifiers"]
    seen = f"{listed(left)} should be gone, yours has {listed(list(table.columns))}"
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


CLAIM = FunctionClaim(
    deidentify,
    established="the identifiers are gone, all other columns and all rows are there",
    read=read,
    tolerance=TOLERANCE,
    show=lambda wanted, came, given: show_cells(wanted, came, [given["table"]], others(**given)),
)


@CLAIM.inputs
def six(rng):
    """In each table two rows are equal but for the columns that name a person.

    The first asks for the usual columns, the others for one to three of any.
    """
    asked = [["Name", "SSN"], ["SSN"], ["Zip", "Email"], ["Email", "Name", "SSN"]]
    for identifiers in [*asked, ["Born"], ["Visits", "Name"]]:
        count = int(rng.integers(6, 12))
        columns = people(rng, count)
        columns["Job"] = some(rng, columns["Job"], missing=2)
        for name, values in columns.items():
            if name not in identifiers:
                values[count - 1] = values[0]
        yield {"table": frame(shuffled(rng, columns)), "identifiers": identifiers}


CLAIM.mistake(
    "rows with a missing value are lost",
    "does the task ask you to leave people out?",
    then=lambda table: table.dropna(),
)
CLAIM.mistake(
    "rows that look alike are merged into one",
    "two people may have the same job and the same age: how many rows are they?",
    then=lambda table: table.drop_duplicates(),
)
CLAIM.mistake(
    "the rows are sorted by their labels",
    "in which order do the rows come in? Leave them so.",
    then=lambda table: table.sort_index(),
)
CLAIM.mistake(
    "the first row is lost",
    "how many people are in the table before, and after?",
    then=lambda table: table.iloc[1:],
)
CLAIM.mistake(
    "the values are turned into text",
    "which line changes the values of columns that stay?",
    then=lambda table: table.astype(str),
)
