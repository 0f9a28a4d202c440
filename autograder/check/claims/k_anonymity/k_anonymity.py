"""The size of the smallest group of rows that agree in the columns that an attacker knows."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.deidentification._crowds import LINKS, crowd_sizes, crowds
from autograder.check.claims.deidentification._tables import frame
from autograder.check.values import ValueMistake, ValuesClaim, separated

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return eight tables, with k from 1 to 9; one of a single group, two with a missing value."""
    cases = []
    for least, links in ((2, (0, 1, 2)), (3, (1, 0, 2)), (5, (2, 0, 1)), (4, (0, 1)), (1, (1, 2))):
        larger = generator.integers(least + 1, least + 7, int(generator.integers(3, 7)))
        sizes = [least + 8, *map(int, larger), least]
        cases.append(_case(crowds(generator, sizes), links))
    cases.append(_case(crowds(generator, [9]), (1,)))
    for links in ((0, 2, 1), (0,)):
        cases.append(_case(crowds(generator, [3, 4, 6, 4, 1], missing=True), links))
    return cases


def _case(table: dict, links: tuple[int, ...]) -> dict:
    return {"table": table, "quasi_identifiers": [LINKS[place] for place in links]}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    chosen = list(parameters["quasi_identifiers"])
    return (frame(parameters["table"]),), {"quasi_identifiers": chosen}


def _sizes(parameters: dict, columns: list[str] | None = None) -> np.ndarray:
    return np.array(crowd_sizes(parameters["table"], columns or parameters["quasi_identifiers"]))


def _smallest(parameters: dict) -> float:
    return float(_sizes(parameters).min())


def _groups(parameters: dict) -> float:
    return round(float(np.sum(1 / _sizes(parameters))))


def _without_missing(parameters: dict) -> int:
    lists = [parameters["table"]["columns"][name] for name in parameters["quasi_identifiers"]]
    whole = np.array([None not in row for row in zip(*lists, strict=True)])
    return _sizes(parameters)[whole].min()


def _column(parameters: dict, place: int) -> np.ndarray:
    return _sizes(parameters, [parameters["quasi_identifiers"][place]])


_SMALLEST = "whose crowd sets k: that of the person who hides best, or worst?"
_TOGETHER = "the attacker knows all of these columns at once: which rows still look alike?"

_MISTAKES = (
    ValueMistake("the largest group is returned", lambda p: _sizes(p).max(), _SMALLEST),
    ValueMistake(
        "the mean group size is returned", lambda p: len(_sizes(p)) / _groups(p), _SMALLEST
    ),
    ValueMistake("the first row's group is returned", lambda p: _sizes(p)[0], _SMALLEST),
    ValueMistake("the last row's group is returned", lambda p: _sizes(p)[-1], _SMALLEST),
    ValueMistake(
        "groups are counted, not the people in them",
        _groups,
        "how many people are in the smallest group?",
    ),
    ValueMistake(
        "people who are alone are counted",
        lambda p: np.sum(_sizes(p) == 1),
        "that is the number of groups of size 1: what is k if there is none?",
    ),
    ValueMistake(
        "the person is not counted into the group",
        lambda p: _sizes(p).min() - 1,
        "somebody who is alone: is that k = 0 or k = 1?",
    ),
    ValueMistake(
        "the columns are looked at one by one",
        lambda p: min(_column(p, place).min() for place in range(len(p["quasi_identifiers"]))),
        _TOGETHER,
    ),
    ValueMistake("only the first column is looked at", lambda p: _column(p, 0).min(), _TOGETHER),
    ValueMistake("only the last column is looked at", lambda p: _column(p, -1).min(), _TOGETHER),
    ValueMistake(
        "all columns of the table are compared",
        lambda p: 1,
        "which columns does this attacker know? Use those, and no others.",
    ),
    ValueMistake(
        "people with a missing value are left out",
        _without_missing,
        "which rows does `groupby` (or `value_counts`) leave out unless you tell it not to?",
    ),
    ValueMistake(
        "the number of rows is returned",
        lambda p: len(_sizes(p)),
        "how many people are in the smallest group?",
    ),
)


_FORMULAS = [_smallest, *(mistake.value for mistake in _MISTAKES)]

CLAIM = ValuesClaim(
    name="k_anonymity",
    about="Check `k_anonymity(table, *, quasi_identifiers)`: the size of the smallest group.",
    established="the size of the smallest group of rows that agree",
    cases=lambda generator: separated(generator, _cases, _FORMULAS),
    arguments=_arguments,
    expected=_smallest,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"a table of {len(p['table']['labels'])} rows, quasi_identifiers {p['quasi_identifiers']}"
    ),
    absolute=1e-12,
)
