"""A linkage attack: every known person whom exactly one released row fits, with that row."""

from typing import Any

import numpy as np
import pandas as pd

from autograder.check.claims.deidentification._people import people, shuffled
from autograder.check.claims.deidentification._tables import (
    TOLERANCE,
    frame,
    read_columns,
    show_cells,
)
from autograder.check.function_claim import FunctionClaim


def linkage_attack(known, released, *, on):
    """The people whom exactly one row fits."""
    # By looking at every pair of rows.
    found, rows = [], released.to_dict("records")
    for person in known.to_dict("records"):
        fitting = [row for row in rows if fits(person, row, on)]
        if len(fitting) == 1:
            found.append({**person, **fitting[0]})
    return pd.DataFrame(found, columns=columns({"known": known, "released": released}))


def fits(person: dict, row: dict, on: list[str]) -> bool:
    # A missing number does not equal itself, a missing word is None.
    return all(person[name] is not None and person[name] == row[name] for name in on)


def columns(given: dict) -> list[str]:
    """Return the columns of both tables."""
    return list(dict.fromkeys([*given["known"], *given["released"]]))


def read(answer: Any, given: dict) -> np.ndarray:
    """Return the rows in one order, whatever the one in which they came."""
    if np.shape(answer)[:1] == (0,):  # nobody: which columns there are says nothing
        return np.zeros((0, len(columns(given))))
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
    """Pairs of tables: linked by one column, by two, and by three; one with gaps elsewhere."""
    for on in (["Zip"], ["Born", "Zip"], ["Zip", "Sex"], ["Sex", "Born"], ["Sex", "Zip", "Born"]):
        yield two_tables(rng, on)
    yield gaps_elsewhere(rng)


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


@CLAIM.designed
def odd(rng):
    yield "values that miss where nobody looks", gaps_elsewhere(rng)
    for place in (0, 1):
        yield "a missing value in one of two columns", gap_beside(rng, place)
    ash, bay = "Ash", "ash"
    yield "texts that differ in capital letters", by_word([ash, bay, " ash"], [bay, ash, "as"])
    yield "two people of one name, each alone", namesakes(rng)
    yield "row labels that come twice", labelled_twice(rng)
    yield "values that come again, each with other ones", repeated(rng)
    yield "pairs that look alike when joined", joined(rng)
    yield "a missing value beside 0", by_word([0, None, 5], [0, None, 5])
    yield "a missing value beside -1", by_word([-1, None, 5], [-1, None, 5])
    # A column of whole numbers that misses one holds floats: 5.0 is 5.
    yield "a value that only one table misses", by_word([3, 5, 8], [None, 5, 3, 3])
    yield "nobody is found", by_word([1, 2], [3, 4])
    yield "nobody is known", by_word([], [3, 4])
    yield "one released row", by_word([4, 5], [4])
    yield "more than 1,000 rows", by_word([1_205, 3, 8, 1_190], [*range(1_210), 8])


def gaps_elsewhere(rng):
    """Return tables in which columns that are not compared miss values."""
    given = two_tables(rng, ["Born"])
    # Four people are found: fewer have nothing missing, in either table.
    given["known"].loc[given["known"].index[3:], "Email"] = None
    given["released"].loc[given["released"].index[3:], "Job"] = None
    return given


def gap_beside(rng, place):
    """Return tables in which one person and one row agree, and miss one of two values."""
    keys = [(1950, 7), (1950, 8), (1960, 7), (1970, 9)]
    keys = [tuple(None if k == place else key[k] for k in (0, 1)) if key == keys[0] else key
            for key in keys]  # fmt: skip
    columns = dict(zip(("Born", "Zip"), map(list, zip(*keys, strict=True)), strict=True))
    known = {"Name": ["Ada", "Ben", "Cleo", "Dan"], **columns}
    released = {**columns, "Job": ["nurse", "baker", "clerk", "driver"]}
    return {"known": mixed(rng, known), "released": mixed(rng, released), "on": ["Born", "Zip"]}


def namesakes(rng):
    """Return tables of three names: two of the four who are found share one."""
    given = two_tables(rng, ["Sex", "Born"])
    people = given["known"].rename(columns={"Name": "Person"}).drop(columns="Email")
    people["Person"] = people["Person"].to_numpy()[np.arange(len(people)) % 3]
    return {**given, "known": people}


def labelled_twice(rng):
    """Return tables whose row labels come twice each: they say nothing of who somebody is."""
    given = two_tables(rng, ["Zip"])
    twice = [given[name].set_axis(given[name].index // 2) for name in ("known", "released")]
    return given | dict(zip(("known", "released"), twice, strict=True))


def joined(rng):
    """Return tables whose pairs of values give one text, with a sign between them or without."""
    signs = ["", " ", "_", "-", ",", "|", "/", ":"]
    known = [*((f"a{sign}b", "c") for sign in signs), ("a", "c"), (1, 11)]
    released = [*(("a", f"b{sign}c") for sign in signs), ("a", "c"), (11, 1)]
    people = {"Name": [f"name {k}" for k in range(len(known))], **by_columns(known)}
    return {
        "known": mixed(rng, people),
        "released": mixed(rng, {**by_columns(released), "Visits": list(range(len(released)))}),
        "on": ["Born", "Zip"],
    }


def repeated(rng):
    """Return tables in which no value is rare: only all columns of `on` together tell rows apart.

    Each of six people fits one row, but for one whom two rows fit and one whom none fits.
    """
    born, zips = rng.permutation(range(1940, 2000))[:2], rng.permutation(range(10, 99))[:3]
    pairs = [(int(year), int(code)) for year in born for code in zips]
    rows = [pairs[place] for place in rng.permutation(6)]
    released = [*rows[1:], rows[1]]
    known = {"Person": ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"], **by_columns(pairs)}
    jobs = {"Job": ["nurse", "baker", "clerk", "driver", "welder", "farmer"]}
    return {
        "known": mixed(rng, known),
        "released": mixed(rng, {**by_columns(released), **jobs}),
        "on": ["Born", "Zip"],
    }


def by_columns(pairs):
    return {name: [pair[k] for pair in pairs] for k, name in enumerate(("Born", "Zip"))}


def by_word(keys, released):
    """Return two tables that share one column."""
    known = {"Word": keys, "Name": [f"name {k}" for k in range(len(keys))]}
    rows = {"Word": released, "Visits": list(range(len(released)))}
    tables = [frame({"columns": each, "labels": None}) for each in (known, rows)]
    return {"known": tables[0], "released": tables[1], "on": ["Word"]}


def mixed(rng: np.random.Generator, columns: dict[str, list]) -> Any:
    """Return a table of these rows in a random order."""
    order = rng.permutation(len(next(iter(columns.values()))))
    rows = {name: [values[place] for place in order] for name, values in columns.items()}
    return frame(shuffled(rng, rows))


def without_gaps(*tables):
    """Return an attack that leaves out rows of these tables that miss a value anywhere."""

    def whole(known, released, *, on):
        given = {"known": known, "released": released}
        given |= {name: given[name].dropna() for name in tables}
        return linkage_attack(**given, on=on)

    return whole


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
ELSEWHERE = "a column that is not in `on` misses a value: does the person fit a row less well?"
ALL_OF_ON = "on which columns must a person and a row agree?"

for name, options in {
    "a person whom several rows fit counts as found": {"alone": all_rows},
    "a missing value fits a missing value, and several rows fit one person": {
        "alone": all_rows,
        "missing_fit": True,
    },
    "of several rows that fit, the first is taken": {"alone": first_rows},
    "of several rows that fit, the last is taken": {
        "alone": lambda released, on: released.drop_duplicates(on, keep="last")
    },
    "of several rows that fit, the first is taken, and missing values fit": {
        "alone": first_rows,
        "missing_fit": True,
    },
}.items():
    CLAIM.mistake(name, ONE_ROW, attack(**options))
CLAIM.mistake(
    "a missing value fits a missing value",
    "`merge` lets a missing value fit a missing one: what does it say about a person?",
    attack(missing_fit=True),
)
CLAIM.mistake(
    "people whom no row fits are kept",
    "what did the attacker learn about these people?",
    attack(how="left"),
)
CLAIM.mistake(
    "people whom no row fits are kept, but for those who miss a value",
    "what did the attacker learn about these people?",
    lambda known, released, *, on: attack(how="left")(known.dropna(subset=on), released, on=on),
)
CLAIM.mistake(
    "only rows that are equal in all columns count as alike",
    "which columns does the attacker know? Rows that agree in those are alike to them.",
    attack(alone=lambda released, on: released.drop_duplicates(keep=False)),
)
CLAIM.mistake(
    "equal rows of the release are made one",
    "two people may have equal rows: how many rows fit the person then?",
    attack(alone=lambda released, on: released.drop_duplicates().drop_duplicates(on, keep=False)),
)
CLAIM.mistake(
    "a row that misses one of several values of `on` is joined",
    "one of two values is missing on both sides: does the row fit the person?",
    lambda known, released, *, on: attack(missing_fit=len(on) > 1)(known, released, on=on),
)
for who, tables in {
    "people who": ["known"],
    "released rows that": ["released"],
    "people and rows that": ["known", "released"],
}.items():
    CLAIM.mistake(
        f"{who} miss a value in any column are left out", ELSEWHERE, without_gaps(*tables)
    )
CLAIM.mistake("only the first column of `on` is compared", ALL_OF_ON, attack(by=slice(1)))
CLAIM.mistake("only the last column of `on` is compared", ALL_OF_ON, attack(by=slice(-1, None)))
CLAIM.mistake(
    "nobody is found",
    "print your table of rows that stand alone: is it empty, and why?",
    then=lambda found: found[:0],
)
