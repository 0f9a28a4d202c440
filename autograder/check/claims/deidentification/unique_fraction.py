"""The share of rows that no other row equals in the columns that an attacker knows."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.deidentification._crowds import LINKS, crowd_sizes, crowds
from autograder.check.claims.deidentification._tables import frame
from autograder.check.values import ValueMistake, ValuesClaim, separated

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return seven tables: some with a missing value, one in which nobody is unique."""
    cases = []
    for links, missing in (((0, 1, 2), False), ((1, 0), False), ((2, 1, 0), True), ((0, 2), True)):
        alone, more = int(generator.integers(3, 7)), int(generator.integers(3, 6))
        sizes = [*generator.integers(2, 6, more), *[1] * alone]
        cases.append(_case(crowds(generator, list(map(int, sizes)), missing=missing), links))
    cases.append(_case(crowds(generator, [2, 3, 5]), (0, 1, 2)))
    cases.append(_case(crowds(generator, [4, 1, 1, 1]), (1,)))
    cases.append(_case(crowds(generator, [3, 2, 1, 1, 1, 2], missing=True), (0,)))
    return cases


def _case(table: dict, links: tuple[int, ...]) -> dict:
    return {"table": table, "quasi_identifiers": [LINKS[place] for place in links]}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    chosen = list(parameters["quasi_identifiers"])
    return (frame(parameters["table"]),), {"quasi_identifiers": chosen}


def _sizes(parameters: dict, columns: list[str] | None = None) -> np.ndarray:
    return np.array(crowd_sizes(parameters["table"], columns or parameters["quasi_identifiers"]))


def _expected(parameters: dict) -> float:
    return float(np.mean(_sizes(parameters) == 1))


def _groups(parameters: dict) -> float:
    """Return how many groups there are: each row is a share of its own."""
    return float(np.sum(1 / _sizes(parameters)))


def _whole(parameters: dict) -> np.ndarray:
    """Say for each row whether no value is missing in it."""
    lists = [parameters["table"]["columns"][name] for name in parameters["quasi_identifiers"]]
    return np.array([None not in row for row in zip(*lists, strict=True)])


def _by_column(parameters: dict) -> np.ndarray:
    """Say for each column and row whether the value occurs once."""
    names = parameters["quasi_identifiers"]
    return np.array([_sizes(parameters, [name]) == 1 for name in names])


_WHO = "a person is unique if how many rows agree with theirs? Divide by what?"
_TOGETHER = "Born and Zip may each be common, and yet rare together: what is compared?"

_MISTAKES = (
    ValueMistake(
        "different groups are counted, not people who are alone",
        lambda p: _groups(p) / len(_sizes(p)),
        "`drop_duplicates` keeps one row of each group: is that person alone?",
    ),
    ValueMistake(
        "the share of people who are not alone is returned",
        lambda p: 1 - _expected(p),
        "does a smaller share mean more people who are unique, or fewer?",
    ),
    ValueMistake(
        "the share of repeated rows is returned",
        lambda p: 1 - _groups(p) / len(_sizes(p)),
        "which rows does `duplicated` mark if you leave out `keep`?",
    ),
    ValueMistake("people are counted, a share is wanted", lambda p: np.sum(_sizes(p) == 1), _WHO),
    ValueMistake(
        "the share is of groups, not of people",
        lambda p: np.sum(_sizes(p) == 1) / _groups(p),
        _WHO,
    ),
    ValueMistake(
        "a percentage is returned, a share is wanted",
        lambda p: 100 * _expected(p),
        "which numbers can a share be?",
    ),
    ValueMistake(
        "people with a missing value are not counted as alone",
        lambda p: np.mean((_sizes(p) == 1) & _whole(p)),
        "which rows does `groupby` leave out unless you tell it not to?",
    ),
    ValueMistake(
        "people with a missing value are left out",
        lambda p: np.mean(_sizes(p)[_whole(p)] == 1),
        "which rows does `dropna` take away? Does the task ask for that?",
    ),
    ValueMistake(
        "the share is of groups, and people with a missing value are left out",
        lambda p: np.sum((_sizes(p) == 1) & _whole(p)) / np.sum(_whole(p) / _sizes(p)),
        _WHO,
    ),
    ValueMistake(
        "only the first column is looked at",
        lambda p: np.mean(_by_column(p)[0]),
        _TOGETHER,
    ),
    ValueMistake(
        "only the last column is looked at",
        lambda p: np.mean(_by_column(p)[-1]),
        _TOGETHER,
    ),
    ValueMistake(
        "the columns are looked at one by one: alone in any",
        lambda p: np.mean(_by_column(p).any(axis=0)),
        _TOGETHER,
    ),
    ValueMistake(
        "the columns are looked at one by one: alone in all",
        lambda p: np.mean(_by_column(p).all(axis=0)),
        _TOGETHER,
    ),
    ValueMistake(
        "all columns of the table are compared",
        lambda p: 1.0,
        "which columns does this attacker know? Use those, and no others.",
    ),
    ValueMistake(
        "the smallest group is returned",
        lambda p: np.min(_sizes(p)),
        _WHO,
    ),
    ValueMistake(
        "groups of two count as alone",
        lambda p: np.mean(_sizes(p) <= 2),
        "how large is the group of somebody who is alone?",
    ),
)


_FORMULAS = [_expected, *(mistake.value for mistake in _MISTAKES)]

CLAIM = ValuesClaim(
    name="unique_fraction",
    about="Check `unique_fraction(table, *, quasi_identifiers)`: the share of unique people.",
    established="rows whose group holds one person / rows",
    cases=lambda generator: separated(generator, _cases, _FORMULAS),
    arguments=_arguments,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"a table of {len(p['table']['labels'])} rows, quasi_identifiers {p['quasi_identifiers']}"
    ),
    absolute=1e-12,
)
