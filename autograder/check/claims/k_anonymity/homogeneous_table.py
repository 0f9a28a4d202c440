"""Break it: a k-anonymous table that still tells what one person is ill with."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.claims.deidentification._tables import as_table, cells, raise_unless_columns
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.door import BadAnswer
from autograder.check.words import counted

__all__ = ["CLAIM"]

_KNOWN, _SECRET = ["Age", "Zip"], "Diagnosis"


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four sizes of a crowd, 5 among them, others below and above."""
    return [{"k": int(k)} for k in (5, 2, generator.integers(3, 5), generator.integers(6, 10))]


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the table is k-anonymous and one of its groups has one diagnosis."""
    table = as_table(answer)
    raise_unless_columns(list(table.columns), [*_KNOWN, _SECRET])
    groups = _groups(table)
    _raise_unless_k_anonymous(groups, parameters["k"])
    if not any(len(set(group)) == 1 for group in groups.values()):
        raise BadAnswer(
            "no group gives a diagnosis away",
            seen=f"in {counted(len(groups), 'group')} of equal Age and Zip, none has one diagnosis",
            ask="an attacker who finds the group of a person: when are they certain?",
        )
    if len({code for group in groups.values() for code in group}) == 1:
        raise BadAnswer(
            "everybody in the table has the same diagnosis",
            seen="that is known without finding anybody's group",
            ask="what is different about a person's group, compared with the rest of the table?",
        )


def _groups(table: Any) -> dict[tuple, list[float]]:
    """Return the diagnoses of each group, coded as numbers."""
    if table[[*_KNOWN, _SECRET]].isna().to_numpy().any():
        raise BadAnswer(
            "a value is missing",
            ask="what would the attacker know about this row, and what would they learn?",
        )
    groups: dict[tuple, list[float]] = {}
    for key, code in zip(cells(table[_KNOWN]), cells(table[_SECRET]), strict=True):
        groups.setdefault(tuple(key), []).append(float(code))
    if not groups:
        raise BadAnswer("the table has no rows", ask="how many people does a crowd of k need?")
    return groups


def _raise_unless_k_anonymous(groups: dict[tuple, list[float]], k: int) -> None:
    smallest = min(len(group) for group in groups.values())
    if smallest < k:
        raise BadAnswer(
            "the table is not k-anonymous",
            seen=f"its smallest group of equal Age and Zip has {counted(smallest, 'row')}",
            ask="how many rows must agree in both Age and Zip?",
        )


CLAIM = CounterexampleClaim(
    name="homogeneous_table",
    about=(
        "Check `homogeneous_table(k)`: a k-anonymous table that gives a diagnosis away.\n\n"
        "The function returns a table with the columns Age, Zip and Diagnosis. It is k-anonymous\n"
        "in Age and Zip, and yet there is a group in which all have the same diagnosis. In the\n"
        "whole table there are at least two diagnoses. No value is missing."
    ),
    established="k-anonymous, and a group whose members all have one diagnosis",
    cases=_cases,
    arguments=lambda parameters: ((parameters["k"],), {}),
    verify=_verify,
    situation=lambda p: f"k = {p['k']}",
)
