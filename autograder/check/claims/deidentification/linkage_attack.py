"""A linkage attack: every known person whom exactly one released row fits, with that row."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled
from autograder.check.claims.deidentification._tables import (
    TOLERANCE,
    frame,
    read_columns,
    show_cells,
)
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def linkage_attack(known, released, *, on):
    """The people whom exactly one row fits."""
    # By looking at every pair of rows.
    import pandas as pd

    found, rows = [], released.to_dict("records")
    for person in known.to_dict("records"):
        fitting = [row for row in rows if fits(person, row, on)]
        if len(fitting) == 1:
            found.append({**person, **fitting[0]})
    return pd.DataFrame(found)


def fits(person: dict, row: dict, on: list[str]) -> bool:
    # A missing number does not equal itself, a missing word is None.
    return all(person[name] is not None and person[name] == row[name] for name in on)


def columns(given: dict) -> list[str]:
    """Return the columns of both tables."""
    return list(dict.fromkeys([*given["known"], *given["released"]]))


def read(answer: Any, given: dict) -> np.ndarray:
    """Return the rows in one order, whatever the one in which they came."""
    rows = read_columns(answer, columns(given))
    return rows[np.lexsort(rows.T[::-1])]


CLAIM = FunctionClaim(
    linkage_attack,
    established="everyone whom exactly one row fits is found, and nobody else",
    read=read,
    tolerance=TOLERANCE,
    show=lambda wanted, came, given: show_cells(
        wanted, came, [given["known"], given["released"]], columns(given)
    ),
)


@CLAIM.inputs
def six(rng):
    """Pairs of tables: linked by one column, by two, and by three."""
    for on in (["Zip"], ["Born", "Zip"], ["Zip", "Sex"], ["Sex", "Born"], ["Sex", "Zip", "Born"]):
        yield two_tables(rng, on)
    yield two_tables(rng, ["Born"])


def two_tables(rng: np.random.Generator, on: list[str]) -> dict:
    """Return two tables in which each way to be found, or not to be, occurs.

    Known people 0 to 3 fit one released row, 4 and 5 fit two that differ, 6 fits two equal rows,
    7 fits none, 8 misses a value as one row does, and 9 agrees with one row in a part of `on`.
    No two known people agree in all of `on`, nor does anybody else.
    """
    everybody = people(rng, 14)
    everybody["Zip"] = (rng.permutation(90_000)[:14] + 10_000).tolist()
    everybody["Born"] = (1930 + rng.permutation(70)[:14]).tolist()
    everybody["Sex"] = [f"sex {place}" for place in rng.permutation(14)]
    everybody[on[0]][8] = None
    rows = [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 8, 10, 11, 12, 13]
    released = {name: [everybody[name][row] for row in rows] for name in (*on, "Job", "Visits")}
    released["Visits"] = rng.permutation(60)[: len(rows)].tolist()
    released["Visits"][9], released["Job"][9] = released["Visits"][8], released["Job"][8]
    if len(on) > 1:
        # Row 11 of the release agrees with person 9 in the first column only.
        released[on[0]][11] = everybody[on[0]][9]
        released[on[-1]][12] = everybody[on[-1]][9]
    known = {name: everybody[name][:10] for name in ("Name", "Email", *on)}
    return {"known": mixed(rng, known), "released": mixed(rng, released), "on": on}


def mixed(rng: np.random.Generator, columns: dict[str, list]) -> Any:
    """Return a table of these rows in a random order."""
    order = rng.permutation(len(next(iter(columns.values()))))
    rows = {name: [values[place] for place in order] for name, values in columns.items()}
    return frame(shuffled(rng, rows))


def attack(*, by=slice(None), alone=None, how="inner", missing_fit=False):
    """Return an attack that differs from the right one in one of its steps.

    `by` says which of the columns are compared, `alone` which rows are kept.
    """

    def answer(known, released, *, on):
        compared = on[by]
        if not missing_fit:
            released = released.dropna(subset=compared)
            known = known if how == "left" else known.dropna(subset=compared)
        if alone is None:
            kept = released[~released.duplicated(compared, keep=False)]
        else:
            kept = alone(released, on)
        names = [name for name in kept.columns if name in compared or name not in on]
        return known.merge(kept[names], on=compared, how=how)

    return answer


def all_rows(released, on):
    return released


def first_rows(released, on):
    return released.drop_duplicates(on)


ONE_ROW = "if two released rows fit a person, which one is theirs?"
ALL_OF_ON = "on which columns must a person and a row agree?"

CLAIM.mistake("a person whom several rows fit counts as found", ONE_ROW, attack(alone=all_rows))
CLAIM.mistake(
    "a missing value fits a missing value, and several rows fit one person",
    ONE_ROW,
    attack(alone=all_rows, missing_fit=True),
)
CLAIM.mistake(
    "a missing value fits a missing value",
    "`merge` lets a missing value fit a missing one: what does it say about a person?",
    attack(missing_fit=True),
)
CLAIM.mistake("of several rows that fit, the first is taken", ONE_ROW, attack(alone=first_rows))
CLAIM.mistake(
    "of several rows that fit, the last is taken",
    ONE_ROW,
    attack(alone=lambda released, on: released.drop_duplicates(on, keep="last")),
)
CLAIM.mistake(
    "of several rows that fit, the first is taken, and missing values fit",
    ONE_ROW,
    attack(alone=first_rows, missing_fit=True),
)
CLAIM.mistake(
    "people whom no row fits are kept",
    "what did the attacker learn about these people?",
    attack(how="left"),
)
CLAIM.mistake(
    "only rows that are equal in all columns count as alike",
    "which columns does the attacker know? Rows that agree in those are alike to them.",
    attack(alone=lambda released, on: released.drop_duplicates(keep=False)),
)
CLAIM.mistake("only the first column of `on` is compared", ALL_OF_ON, attack(by=slice(1)))
CLAIM.mistake("only the last column of `on` is compared", ALL_OF_ON, attack(by=slice(-1, None)))
CLAIM.mistake(
    "nobody is found",
    "print your table of rows that stand alone: is it empty, and why?",
    then=lambda found: found[:0],
)
