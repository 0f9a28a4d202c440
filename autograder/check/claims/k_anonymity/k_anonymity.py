"""The size of the smallest group of rows that agree in the columns that an attacker knows."""

import itertools
import math

import numpy as np
import pandas as pd

from autograder.check.claims.deidentification._crowds import (
    asked,
    crowd_sizes,
    crowds,
    each_missing_alone,
    nothing_missing,
    odd_crowds,
    of_sizes,
)
from autograder.check.function_claim import FunctionClaim


def k_anonymity(table, *, quasi_identifiers):
    """The size of the smallest group of rows that agree."""
    return crowd_sizes(table, quasi_identifiers).min()


CLAIM = FunctionClaim(k_anonymity, absolute=1e-12)


@CLAIM.inputs
def eight(rng):
    """Eight tables, drawn again if one by one, or but two, the columns would do in all of them."""
    while True:
        cases, wrong = list(drawn(rng)), (one_by_one, of_columns(slice(2)))
        if all(any(each(**given) != k_anonymity(**given) for given in cases) for each in wrong):
            return cases


def drawn(rng):
    """Tables with k from 1 to 9; one of a single group, two with a missing value.

    In the first one no two columns show the smallest group.
    """
    yield asked(crowds(rng, [*map(int, rng.integers(3, 9, 4)), 2], together=True), 0, 1, 2)
    for least, links in ((3, (1, 0, 2)), (5, (2, 0, 1)), (4, (0, 1)), (1, (1, 2))):
        larger = rng.integers(least + 1, least + 7, int(rng.integers(3, 7)))
        yield asked(crowds(rng, [least + 8, *map(int, larger), least]), *links)
    yield asked(crowds(rng, [9]), 1)
    for links in ((0, 2, 1), (0,)):
        yield asked(crowds(rng, [3, 4, 6, 4, 1], missing=True), *links)


@CLAIM.designed
def odd(rng):
    yield from odd_crowds(rng)
    for name, ends in {"k above 10": (6, 20), "k above 100": (51, 70)}.items():
        yield name, asked(pd.concat([crowds(rng, [4, 2, 3])] * int(rng.integers(*ends))), 0, 1, 2)


def groups(sizes):
    """Return how many groups there are: each row is a share of its own."""
    return round(np.sum(1 / sizes))


def of_columns(part):
    return lambda table, quasi_identifiers: crowd_sizes(table, quasi_identifiers[part]).min()


def one_by_one(table, quasi_identifiers):
    return min(crowd_sizes(table, [name]).min() for name in quasi_identifiers)


def two_by_two(table, quasi_identifiers):
    pairs = itertools.combinations(quasi_identifiers, min(2, len(quasi_identifiers)))
    return min(crowd_sizes(table, list(pair)).min() for pair in pairs)


SMALLEST = "whose crowd sets k: that of the person who hides best, or worst?"
TOGETHER = "the attacker knows all of these columns at once: which rows still look alike?"
PEOPLE = "how many people are in the smallest group?"

CLAIM.mistake("the largest group is returned", SMALLEST, of_sizes(np.max))
CLAIM.mistake(
    "the mean group size is returned", SMALLEST, of_sizes(lambda sizes: len(sizes) / groups(sizes))
)
CLAIM.mistake(
    "the mean group size is returned, rounded down",
    SMALLEST,
    of_sizes(lambda sizes: len(sizes) // groups(sizes)),
)
CLAIM.mistake("the first row's group is returned", SMALLEST, of_sizes(lambda sizes: sizes[0]))
CLAIM.mistake("the last row's group is returned", SMALLEST, of_sizes(lambda sizes: sizes[-1]))
CLAIM.mistake("groups are counted, not the people in them", PEOPLE, of_sizes(groups))
CLAIM.mistake(
    "people who are alone are counted",
    "that is the number of groups of size 1: what is k if there is none?",
    of_sizes(lambda sizes: np.sum(sizes == 1)),
)
CLAIM.mistake(
    "the person is not counted into the group",
    "somebody who is alone: is that k = 0 or k = 1?",
    then=lambda k: k - 1,
)
CLAIM.mistake("the columns are looked at one by one", TOGETHER, one_by_one)
for which, part in {
    "first column is": slice(1),
    "first two columns are": slice(2),
    "last two columns are": slice(-2, None),
    "last column is": slice(-1, None),
}.items():
    CLAIM.mistake(f"only the {which} looked at", TOGETHER, of_columns(part))
CLAIM.mistake("the columns are looked at two by two", TOGETHER, two_by_two)
CLAIM.mistake(
    "all columns of the table are compared",
    "which columns does this attacker know? Use those, and no others.",
    lambda table, quasi_identifiers: crowd_sizes(table, list(table)).min(),
)
CLAIM.mistake(
    "two missing values are taken for different ones",
    "is NaN == NaN true? And do two people who both miss a value look alike?",
    lambda table, quasi_identifiers: each_missing_alone(table, quasi_identifiers).min(),
)
CLAIM.mistake(
    "people with a missing value are left out",
    "which rows does `groupby` (or `value_counts`) leave out unless you tell it not to?",
    lambda table, quasi_identifiers: crowd_sizes(table, quasi_identifiers)[
        nothing_missing(table, quasi_identifiers)
    ].min(),
)
CLAIM.mistake("the number of rows is returned", PEOPLE, of_sizes(len))


@CLAIM.mistake(
    "only rows that stand side by side are grouped",
    "`itertools.groupby` begins a group at every new value: in which order are your rows?",
)
def side_by_side(table, quasi_identifiers):
    rows = [tuple(map(str, row)) for row in table[quasi_identifiers].to_numpy().tolist()]
    return min(len(list(group)) for _, group in itertools.groupby(rows))


@CLAIM.mistake(
    "groups that nobody is in count as 0",
    "a pair of values that no row has: is that a group of people?",
)
def with_empty_groups(table, quasi_identifiers):
    sizes = crowd_sizes(table, quasi_identifiers)
    possible = math.prod(table[name].nunique(dropna=False) for name in quasi_identifiers)
    return 0 if groups(sizes) < possible else sizes.min()


@CLAIM.mistake(
    "values that other columns miss are left out of the count",
    "`count` counts values that are there, `size` counts rows: which of them do you need?",
)
def without_gaps_elsewhere(table, quasi_identifiers):
    return table.groupby(quasi_identifiers, dropna=False).count().min(axis=None)
