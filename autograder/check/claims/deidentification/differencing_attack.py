"""One person's value from totals, with nothing but a query that refuses small groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.door import BadAnswer
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six groups: labels 0 to m - 1 in a random order, so that a place is a label too."""
    cases = []
    for people in (8, 9, 12, 15, 30, 60):
        group = _no_label_at_its_place(generator, people)
        place = int(generator.integers(1, people - 1))
        cases.append(
            {
                "group": group,
                "values": [int(value) for value in generator.permutation(9000)[:people] + 1000],
                "person": group[place],
                "least": int(generator.integers(4, people - 2 if people < 10 else 7)),
            }
        )
    return cases


def _no_label_at_its_place(generator: np.random.Generator, people: int) -> list[int]:
    while True:
        labels = generator.permutation(people)
        if np.all(labels != np.arange(people)):
            return [int(label) for label in labels]


class _Total:
    """The sum of the values of a group of rows, refused if the group is small."""

    def __init__(self, parameters: dict):
        self.__values = dict(zip(parameters["group"], parameters["values"], strict=True))
        self.__least, self.__person = parameters["least"], parameters["person"]
        self.calls = 0

    def __call__(self, labels: Any) -> int:
        self.calls += 1
        chosen = self.__labels(labels)
        if len(chosen) == 1:
            raise BadAnswer(
                "it asks about one person alone",
                seen=f"total was asked for the rows {chosen}, and refuses that",
                ask="which two larger groups differ only in this person?",
            )
        if len(chosen) < self.__least:
            raise BadAnswer(
                "the group is too small: the query refuses it",
                seen=f"total was asked for {len(chosen)} rows, and answers for {self.__least} "
                "or more",
                ask="which two larger groups differ only in this person?",
            )
        return sum(self.__values[label] for label in chosen)

    def __labels(self, labels: Any) -> list[int]:
        """Return the labels asked for, or raise BadAnswer if they are none."""
        if np.ndim(labels) == 0 and not isinstance(labels, set | frozenset):
            raise BadAnswer(
                "the query takes a group, not one label",
                seen=f"total was called with {labels!r}",
                ask="what does the docstring say that total takes?",
            )
        chosen = list(labels)
        if len(chosen) > 1 and all(isinstance(each, bool | np.bool_) for each in chosen):
            raise BadAnswer(
                "the query takes labels, not truth values",
                seen=f"total was called with {len(chosen)} truth values",
                ask="`group != person` is true for the others: how do you get their labels?",
            )
        for label in chosen:
            if label not in self.__values:
                raise BadAnswer(
                    "the query is asked about a row that is not in the group",
                    seen=f"total was asked for the row {label!r}",
                    ask="which labels does `group` hold?",
                )
        if len(set(chosen)) < len(chosen):
            raise BadAnswer(
                "the query is asked about a row twice",
                seen=f"{len(chosen)} rows were asked for, {len(set(chosen))} of them different",
                ask="which labels should the second group hold?",
            )
        return [int(label) for label in chosen]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {"group": np.array(parameters["group"]), "person": parameters["person"]}
    return (_Total(parameters),), keywords


def _raise_unless_query_is_used(positional: tuple, keywords: dict) -> None:
    (total,) = positional
    if not total.calls:
        raise BadAnswer(
            "the query is never asked",
            seen="total was not called",
            ask="the query is the only way to the data: which groups do you ask it about?",
        )


def _value(parameters: dict) -> float:
    place = parameters["group"].index(parameters["person"])
    return float(parameters["values"][place])


def _sum(parameters: dict) -> float:
    return float(sum(parameters["values"]))


def _mean(parameters: dict) -> float:
    return _sum(parameters) / len(parameters["values"])


_WHAT = "the two totals differ by whose value?"

_MISTAKES = (
    ValueMistake("the total of the group is returned", _sum, _WHAT),
    ValueMistake("the total of the others is returned", lambda p: _sum(p) - _value(p), _WHAT),
    ValueMistake(
        "the totals are subtracted the wrong way round",
        lambda p: -_value(p),
        "which of the two totals is the larger one?",
    ),
    ValueMistake(
        "the person is in both groups",
        lambda p: 0.0,
        "print the second group: is the person still in it?",
    ),
    ValueMistake(
        "the label is used as a place",
        lambda p: float(p["values"][p["person"]]),
        "is the person with label 3 in place 3 of the group?",
    ),
    ValueMistake(
        "it is the value of the first in the group",
        lambda p: float(p["values"][0]),
        "who is missing from your second group?",
    ),
    ValueMistake(
        "it is the value of the last in the group",
        lambda p: float(p["values"][-1]),
        "who is missing from your second group?",
    ),
    ValueMistake("the mean of the group is returned", _mean, _WHAT),
    ValueMistake(
        "the mean of the others is returned",
        lambda p: (_sum(p) - _value(p)) / (len(p["values"]) - 1),
        _WHAT,
    ),
    ValueMistake(
        "means are subtracted, not totals",
        lambda p: _mean(p) - (_sum(p) - _value(p)) / (len(p["values"]) - 1),
        "a mean is a total divided by a number: is it the same number in both groups?",
    ),
    ValueMistake(
        "the difference is divided by the size of the group",
        lambda p: _value(p) / len(p["values"]),
        "how many people make the difference between the two totals?",
    ),
    ValueMistake(
        "the totals are added",
        lambda p: 2 * _sum(p) - _value(p),
        _WHAT,
    ),
)


CLAIM = ValuesClaim(
    name="differencing_attack",
    about="Check `differencing_attack(total, *, group, person)`: a person's value from totals.",
    established="the person's value, from totals of large groups only",
    cases=_cases,
    arguments=_arguments,
    expected=_value,
    inspect=_raise_unless_query_is_used,
    mistakes=_MISTAKES,
    show=lambda wanted, came, p: f"the value is {wanted:,.0f}, yours is {came:,.10g}",
    situation=lambda p: f"a group of {len(p['group'])} rows, person {p['person']}",
)
