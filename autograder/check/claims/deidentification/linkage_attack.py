"""A linkage attack: every known person whom exactly one released row fits, with that row."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled
from autograder.check.claims.deidentification._tables import (
    TOLERANCE,
    cells,
    frame,
    read_columns,
    show_cells,
)
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_KNOWN = ("Name", "Email")
_RELEASED = ("Job", "Visits")


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six pairs of tables: linked by one column, by two, and by three."""
    links = (["Zip"], ["Born", "Zip"], ["Zip", "Sex"], ["Sex", "Born"], ["Sex", "Zip", "Born"])
    return [_case(generator, list(on)) for on in (*links, ["Born"])]


def _case(generator: np.random.Generator, on: list[str]) -> dict:
    """Return two tables in which each way to be found, or not to be, occurs.

    Known people 0 to 3 fit one released row, 4 and 5 fit two that differ, 6 fits two equal rows,
    7 fits none, 8 misses a value as one row does, and 9 agrees with one row in a part of `on`.
    No two known people agree in all of `on`, nor does anybody else.
    """
    columns = people(generator, 14)
    codes = generator.permutation(90_000)[:14] + 10_000
    columns["Zip"] = [int(code) for code in codes]
    columns["Born"] = [int(year) for year in 1930 + generator.permutation(70)[:14]]
    columns["Sex"] = [f"sex {place}" for place in generator.permutation(14)]
    links = {name: columns[name] for name in on}
    rows = {name: columns[name] for name in _RELEASED}
    links[on[0]][8] = None
    known_rows = list(range(10))
    released_rows = [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 8, 10, 11, 12, 13]
    released = {
        name: [values[row] for row in released_rows] for name, values in (links | rows).items()
    }
    released["Visits"] = [int(each) for each in generator.permutation(60)[: len(released_rows)]]
    released["Visits"][9], released["Job"][9] = released["Visits"][8], released["Job"][8]
    if len(on) > 1:
        # Row 11 of the release agrees with person 9 in the first column only.
        released[on[0]][11] = links[on[0]][9]
        released[on[-1]][12] = links[on[-1]][9]
    known = {name: [columns[name][row] for row in known_rows] for name in (*_KNOWN, *on)}
    return {
        "known": _mixed(generator, known),
        "released": _mixed(generator, released),
        "on": on,
    }


def _mixed(generator: np.random.Generator, columns: dict[str, list]) -> dict:
    """Return a plain table of these rows in a random order."""
    order = generator.permutation(len(columns["Zip"] if "Zip" in columns else columns["Born"]))
    mixed = {name: [values[place] for place in order] for name, values in columns.items()}
    return shuffled(generator, mixed)


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    tables = frame(parameters["known"]), frame(parameters["released"])
    return tables, {"on": list(parameters["on"])}


def _columns(parameters: dict) -> list[str]:
    """Return the columns of both tables."""
    return list({**parameters["known"]["columns"], **parameters["released"]["columns"]})


def _in_order(rows: np.ndarray) -> np.ndarray:
    """Return rows in one order, whatever the one in which they came."""
    return rows[np.lexsort(rows.T[::-1])]


def _read(answer: Any, parameters: dict) -> np.ndarray:
    return _in_order(read_columns(answer, _columns(parameters)))


def _numbers(table: Any, parameters: dict) -> np.ndarray:
    return _in_order(cells(table[_columns(parameters)]))


def _expected(parameters: dict) -> np.ndarray:
    """Return the records of those who fit one row, by looking at every pair of rows."""
    known, released = (_records(parameters[name]) for name in ("known", "released"))
    found = []
    for person in known:
        fitting = [row for row in released if _fit(person, row, parameters["on"])]
        if len(fitting) == 1:
            found.append({**person, **fitting[0]})
    return _in_order(cells([[record[name] for name in _columns(parameters)] for record in found]))


def _records(plain: dict) -> list[dict]:
    names = plain["columns"]
    return [dict(zip(names, row, strict=True)) for row in zip(*names.values(), strict=True)]


def _fit(person: dict, row: dict, on: list[str]) -> bool:
    return all(person[name] is not None and person[name] == row[name] for name in on)


def _attack(parameters: dict, *, on=None, alone=None, how="inner", missing_fit=False) -> np.ndarray:
    """Return what an attack gives that differs from the right one in one of its steps."""
    (known, released), _ = _arguments(parameters)
    on = on or parameters["on"]
    if not missing_fit:
        released = released.dropna(subset=on)
        known = known if how == "left" else known.dropna(subset=on)
    chosen = released[~released.duplicated(on, keep=False)] if alone is None else alone(released)
    rest = [name for name in chosen.columns if name in on or name not in parameters["on"]]
    return _numbers(known.merge(chosen[rest], on=on, how=how), parameters)


_ONE_ROW = "if two released rows fit a person, which one is theirs?"
_ALL_OF_ON = "on which columns must a person and a row agree?"

_MISTAKES = (
    ValueMistake(
        "a person whom several rows fit counts as found",
        lambda p: _attack(p, alone=lambda released: released),
        _ONE_ROW,
    ),
    ValueMistake(
        "a missing value fits a missing value, and several rows fit one person",
        lambda p: _attack(p, alone=lambda released: released, missing_fit=True),
        _ONE_ROW,
    ),
    ValueMistake(
        "a missing value fits a missing value",
        lambda p: _attack(p, missing_fit=True),
        "`merge` lets a missing value fit a missing one: what does it say about a person?",
    ),
    ValueMistake(
        "of several rows that fit, the first is taken",
        lambda p: _attack(p, alone=lambda released: released.drop_duplicates(p["on"])),
        _ONE_ROW,
    ),
    ValueMistake(
        "of several rows that fit, the last is taken",
        lambda p: _attack(p, alone=lambda released: released.drop_duplicates(p["on"], keep="last")),
        _ONE_ROW,
    ),
    ValueMistake(
        "of several rows that fit, the first is taken, and missing values fit",
        lambda p: _attack(
            p, alone=lambda released: released.drop_duplicates(p["on"]), missing_fit=True
        ),
        _ONE_ROW,
    ),
    ValueMistake(
        "people whom no row fits are kept",
        lambda p: _attack(p, how="left"),
        "what did the attacker learn about these people?",
    ),
    ValueMistake(
        "only rows that are equal in all columns count as alike",
        lambda p: _attack(p, alone=lambda released: released.drop_duplicates(keep=False)),
        "which columns does the attacker know? Rows that agree in those are alike to them.",
    ),
    ValueMistake(
        "only the first column of `on` is compared",
        lambda p: _attack(p, on=p["on"][:1]),
        _ALL_OF_ON,
    ),
    ValueMistake(
        "only the last column of `on` is compared",
        lambda p: _attack(p, on=p["on"][-1:]),
        _ALL_OF_ON,
    ),
    ValueMistake(
        "nobody is found",
        lambda p: _attack(p)[:0],
        "print your table of rows that stand alone: is it empty, and why?",
    ),
)


CLAIM = ValuesClaim(
    name="linkage_attack",
    about="Check `linkage_attack(known, released, *, on)`: the people whom exactly one row fits.",
    established="everyone whom exactly one row fits is found, and nobody else",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_expected,
    mistakes=_MISTAKES,
    tolerance=TOLERANCE,
    situation=lambda p: (
        f"{len(p['known']['labels'])} known people, {len(p['released']['labels'])} released rows, "
        f"on {p['on']}"
    ),
    show=lambda wanted, came, p: show_cells(wanted, came, [p["known"], p["released"]], _columns(p)),
)
