"""One person's value from totals, with nothing but a query that refuses small groups."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.function_claim import FunctionClaim


def differencing_attack(total, *, group, person):
    """A person's value from totals of large groups only."""
    return total(group) - total(group[group != person])


class Total:
    """The sum of the values of a group of rows, refused if the group is small."""

    def __init__(self, values: dict[int | str, float], least: int):
        self.__values, self.__least = values, least
        self.calls = 0

    def __call__(self, labels: Any) -> float:
        self.calls += 1
        chosen = self.__labels(labels)
        if len(chosen) == 1:
            raise BadAnswer(
                "it asks about one person alone",
                seen=f"total was asked for the row {plain(chosen[0])!r} alone, and refuses that",
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

    def __labels(self, labels: Any) -> list:
        """Return the labels asked for, or raise BadAnswer if they are none."""
        if np.ndim(labels) == 0 and not isinstance(labels, set | frozenset):
            raise BadAnswer(
                "the query takes a group, not one label",
                seen=f"total was called with {labels!r}",
                ask="what does the task say that total takes?",
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
                    seen=f"total was asked for the row {plain(label)!r}",
                    ask="which labels does `group` hold?",
                )
        if len(set(chosen)) < len(chosen):
            raise BadAnswer(
                "the query is asked about a row twice",
                seen=f"{len(chosen)} rows were asked for, {len(set(chosen))} of them different",
                ask="which labels should the second group hold?",
            )
        return chosen


def raise_unless_query_is_used(positional: tuple, keywords: dict) -> None:
    (total,) = positional
    if not total.calls:
        raise BadAnswer(
            "the query is never asked",
            seen="total was not called",
            ask="the query is the only way to the data: which groups do you ask it about?",
        )


CLAIM = FunctionClaim(
    differencing_attack,
    inspect=raise_unless_query_is_used,
    show=lambda wanted, came, given: f"the value is {wanted:,.10g}, yours is {came:,.10g}",
    situation=lambda given: f"a group of {len(given['group'])} rows, person {given['person']}",
)


@CLAIM.inputs
def six(rng):
    """Groups with labels 0 to m - 1 in a random order, so that a place is a label too."""
    for people in (8, 9, 12, 15, 30, 60):
        group = no_label_at_its_place(rng, people)
        values = rng.permutation(9000)[:people] + 1000
        least = int(rng.integers(4, people - 2 if people < 10 else 7))
        total = Total(dict(zip(group.tolist(), values.tolist(), strict=True)), least)
        yield {"total": total, "group": group, "person": int(group[rng.integers(1, people - 1)])}


@CLAIM.designed
def odd(rng):
    """Groups of one size, so that what is remembered about one does not fit the next."""
    for name, value in (
        ("a value below 0", -int(rng.integers(3, 900))),
        ("a value of 0", 0),
        ("a value that is no whole number", int(rng.integers(3, 90)) + 0.75),
        ("a value between 0 and 1", 0.25),
        ("a large value", int(rng.integers(10**9, 10**10))),
    ):
        group = no_label_at_its_place(rng, 14)
        values = dict.fromkeys(group.tolist(), 0) | dict(
            zip(group.tolist(), (rng.integers(-400, 400, 14) / 4).tolist(), strict=True)
        )
        person = int(group[rng.integers(14)])
        total = Total({**values, person: value}, 7)
        yield name, {"total": total, "group": group, "person": person}
    group = no_label_at_its_place(rng, 14)
    large = rng.integers(10**8, 10**9, 14).tolist()  # their sum needs more than 32 bits
    person = int(group[rng.integers(14)])
    total = Total({**dict(zip(group.tolist(), large, strict=True)), person: 17}, 7)
    yield "a small value among large ones", {"total": total, "group": group, "person": person}
    names = np.array([f"row {label}" for label in no_label_at_its_place(rng, 14)])
    total = Total(dict(zip(names.tolist(), rng.permutation(900)[:14].tolist(), strict=True)), 7)
    yield "labels that are texts", {"total": total, "group": names, "person": str(names[5])}


def plain(label: Any) -> Any:
    """Return a label as Python's own number or text."""
    return label.tolist() if hasattr(label, "tolist") else label


def no_label_at_its_place(rng: np.random.Generator, people: int) -> np.ndarray:
    while True:
        labels = rng.permutation(people)
        if np.all(labels != np.arange(people)):
            return labels


def others_of(group, person):
    return group[group != person]


def of_totals(formula):
    """Return a wrong function of both totals, and of the size of the group."""
    return lambda total, group, person: formula(
        total(group), total(others_of(group, person)), len(group)
    )


WHAT = "the two totals differ by whose value?"
MISSING = "who is missing from your second group?"

CLAIM.mistake(
    "the totals are subtracted the wrong way round",
    "which of the two totals is the larger one?",
    then=lambda value: -value,
)
CLAIM.mistake(
    "the answer is 0, as if the person were in both groups",
    "print what `total` says of each group: is the person in both, or is a group refused?",
    lambda total, group, person: total(group) - total(list(group)),
)
CLAIM.mistake(
    "the label is used as a place",
    "is the person with label 3 in place 3 of the group?",
    lambda total, group, person: total(group) - total(np.delete(group, person)),
)
CLAIM.mistake(
    "it is the value of the first in the group",
    MISSING,
    lambda total, group, person: total(group) - total(group[1:]),
)
CLAIM.mistake(
    "it is the value of the last in the group",
    MISSING,
    lambda total, group, person: total(group) - total(group[:-1]),
)
for name, formula in {
    "the total of the group is returned": lambda everybody, others, size: everybody,
    "the total of the others is returned": lambda everybody, others, size: others,
    "the mean of the group is returned": lambda everybody, others, size: everybody / size,
    "the mean of the others is returned": lambda everybody, others, size: others / (size - 1),
    "the totals are added": lambda everybody, others, size: everybody + others,
}.items():
    CLAIM.mistake(name, WHAT, of_totals(formula))
CLAIM.mistake(
    "means are subtracted, not totals",
    "a mean is a total divided by a number: is it the same number in both groups?",
    of_totals(lambda everybody, others, size: everybody / size - others / (size - 1)),
)
CLAIM.mistake(
    "the difference is divided by the size of the group",
    "how many people make the difference between the two totals?",
    of_totals(lambda everybody, others, size: (everybody - others) / size),
)
