"""The columns of the census that tasks are about: values, bounds, and conditions."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

# (column, sign, value), for example ("Age", ">=", 45).
Condition = tuple[str, str, int | str]

_SIGNS = {
    ">=": np.greater_equal,
    ">": np.greater,
    "<=": np.less_equal,
    "<": np.less,
    "==": np.equal,
}


@dataclass(frozen=True)
class Number:
    """A column of whole numbers.

    Attributes:
      words: what it is of one person, after "their".
      largest: tables are drawn with values from 0 to this.
      lows, highs: public bounds to choose from.
      thresholds: for conditions; none if there is no condition on it.
      asks: the words of a condition, by sign; {} stands for the threshold.
    """

    words: str
    largest: int
    lows: range
    highs: range
    thresholds: range = range(0)
    asks: Mapping[str, str] | None = None


NUMBERS = {
    "Age": Number(
        "age",
        95,
        range(16, 28),
        range(60, 76),
        range(21, 71),
        {
            ">=": "are {} or older",
            ">": "are older than {}",
            "<=": "are {} or younger",
            "<": "are younger than {}",
        },
    ),
    "Hours per week": Number(
        "weekly working hours",
        99,
        range(12, 21),
        range(45, 71),
        range(15, 61),
        {
            ">=": "work at least {} hours a week",
            ">": "work more than {} hours a week",
            "<=": "work at most {} hours a week",
            "<": "work fewer than {} hours a week",
        },
    ),
    "Education-Num": Number("level of education (0 to 16)", 16, range(3, 6), range(10, 14)),
    "Capital Loss": Number("capital loss", 4000, range(500, 901, 20), range(1800, 2401, 50)),
}

# The columns of groups that are public, with the groups.
GROUPS = {
    "Sex": ("Female", "Male"),
    "Target": ("<=50K", ">50K"),
    "Race": ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"),
    "Relationship": (
        "Husband",
        "Wife",
        "Own-child",
        "Unmarried",
        "Not-in-family",
        "Other-relative",
    ),
    "Marital Status": (
        "Never-married",
        "Married-civ-spouse",
        "Divorced",
        "Separated",
        "Widowed",
        "Married-spouse-absent",
        "Married-AF-spouse",
    ),
}

_ARE = {
    ("Sex", "Female"): "are women",
    ("Sex", "Male"): "are men",
    ("Target", ">50K"): "earn more than 50,000 dollars a year",
    ("Target", "<=50K"): "earn at most 50,000 dollars a year",
    ("Marital Status", "Never-married"): "have never married",
    ("Marital Status", "Divorced"): "are divorced",
    ("Marital Status", "Widowed"): "are widowed",
    ("Relationship", "Own-child"): "live with a parent",
    ("Relationship", "Not-in-family"): "live outside a family",
}

_SPECIAL = 0.25  # the share of values that lie right at a threshold


def conditions(without: tuple[str, ...] = ()) -> list[tuple[Condition, str]]:
    """Return every condition on a column, with its words after "people who"."""
    found: list[tuple[Condition, str]] = [
        ((name, sign, value), words.format(value))
        for name, column in NUMBERS.items()
        for sign, words in (column.asks or {}).items()
        for value in column.thresholds
    ]
    found += [((name, "==", value), words) for (name, value), words in _ARE.items()]
    return [(condition, words) for condition, words in found if condition[0] not in without]


def meets(condition: Condition | None, people: Mapping[str, np.ndarray]) -> np.ndarray:
    """Say of each row whether it meets a condition; all do if there is none."""
    if condition is None:
        return np.ones(len(next(iter(people.values()))), dtype=bool)
    name, sign, value = condition
    return _SIGNS[sign](np.asarray(people[name]), value)


def drawn(
    columns: tuple[str, ...],
    condition: Condition | None,
    rows: int,
    generator: np.random.Generator,
    *,
    high: bool = False,
) -> dict[str, list]:
    """Return a table with these columns; about half of the rows meet the condition.

    Its numbers are mostly low, or mostly high: what is clipped below is not made up for above.
    """
    people: dict[str, list] = {}
    for name in dict.fromkeys((*columns, *((condition[0],) if condition else ()))):
        if name in NUMBERS:
            people[name] = _numbers(name, condition, rows, generator, high=high)
        else:
            people[name] = _groups(name, condition, rows, generator)
    return people


def _numbers(
    name: str, condition: Condition | None, rows: int, generator, *, high: bool
) -> list[int]:
    largest = NUMBERS[name].largest
    if condition is None or condition[0] != name:
        levels = generator.random(rows) ** (0.5 if high else 2.0)
        return np.floor(levels * (largest + 1)).astype(int).tolist()
    threshold = condition[2]
    below = generator.integers(0, threshold, rows)
    above = generator.integers(threshold + 1, largest, rows, endpoint=True)
    values = np.where(generator.random(rows) < 0.5, below, above)
    return np.where(generator.random(rows) < _SPECIAL, threshold, values).tolist()


def _groups(name: str, condition: Condition | None, rows: int, generator) -> list[str]:
    groups = GROUPS[name]
    shares = np.linspace(2.0, 0.5, len(groups))
    generator.shuffle(shares)
    if condition and condition[0] == name:
        shares = np.array([len(groups) - 1.0 if group == condition[2] else 1 for group in groups])
    picked = generator.choice(len(groups), size=rows, p=shares / shares.sum())
    return [groups[place] for place in picked]
