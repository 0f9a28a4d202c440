"""The share of rows that no other row equals in the columns that an attacker knows."""

import numpy as np
import pandas as pd

from autograder.check.claims.deidentification._crowds import (
    LINKS,
    asked,
    crowd_sizes,
    crowds,
    each_missing_alone,
    nothing_missing,
    odd_crowds,
    of_sizes,
)
from autograder.check.function_claim import FunctionClaim


def unique_fraction(table, *, quasi_identifiers):
    """The share of unique people: rows whose group holds one person / rows."""
    return np.mean(crowd_sizes(table, quasi_identifiers) == 1)


CLAIM = FunctionClaim(unique_fraction, absolute=1e-12)


@CLAIM.inputs
def eight(rng):
    """Some tables have a missing value; in one nobody is unique."""
    for links, missing in (
        ((0, 1, 2), False),
        ((1, 0, 2), False),
        ((2, 1, 0), True),
        ((0, 2), True),
    ):
        alone, more = int(rng.integers(3, 7)), int(rng.integers(3, 6))
        sizes = [*map(int, rng.integers(2, 6, more)), *[1] * alone]
        yield asked(crowds(rng, sizes, missing=missing), *links)
    yield asked(crowds(rng, [2, 3, 5]), 0, 1, 2)
    # No two columns show who is alone.
    yield asked(crowds(rng, [3, 2, 4, 2, 1], together=True), 0, 1, 2)
    yield asked(crowds(rng, [4, 1, 1, 1]), 1)
    yield asked(crowds(rng, [3, 2, 1, 1, 1, 2], missing=True), 0)


@CLAIM.designed
def odd(rng):
    yield from odd_crowds(rng)
    # Numbered and packed into one number, the second column needs more than three digits.
    packed = {LINKS[0]: [1950, *[1960] * 99, *[1950] * 1_000], LINKS[1]: range(1_100)}
    yield "a second column of more than 1,000 values", asked(pd.DataFrame(packed), 0, 1)
    # As long as the county's: in a part of it people look unique who are not.
    pairs = rng.integers(1, 150, (int(rng.integers(32_000, 36_000)), 2))
    yield "more than 30,000 rows", asked(pd.DataFrame(pairs, columns=LINKS[:2]), 0, 1)


def of_whole_rows(formula):
    """Return a wrong function of these sizes, and of whether no value is missing in the row."""
    return lambda table, quasi_identifiers: formula(
        crowd_sizes(table, quasi_identifiers), nothing_missing(table, quasi_identifiers)
    )


def of_single_columns(formula):
    """Return a wrong function of whether a value occurs once, by column and row."""
    return lambda table, quasi_identifiers: np.mean(
        formula(np.array([crowd_sizes(table, [name]) == 1 for name in quasi_identifiers]))
    )


def groups(sizes):
    """Return how many groups there are: each row is a share of its own."""
    return np.sum(1 / sizes)


WHO = "a person is unique if how many rows agree with theirs? Divide by what?"
TOGETHER = "Born and Zip may each be common, and yet rare together: what is compared?"

CLAIM.mistake(
    "different groups are counted, not people who are alone",
    "`drop_duplicates` keeps one row of each group: is that person alone?",
    of_sizes(lambda sizes: groups(sizes) / len(sizes)),
)
CLAIM.mistake(
    "the share of people who are not alone is returned",
    "does a smaller share mean more people who are unique, or fewer?",
    then=lambda share: 1 - share,
)
CLAIM.mistake(
    "the share of repeated rows is returned",
    "which rows does `duplicated` mark if you leave out `keep`?",
    of_sizes(lambda sizes: 1 - groups(sizes) / len(sizes)),
)
CLAIM.mistake(
    "people are counted, a share is wanted", WHO, of_sizes(lambda sizes: np.sum(sizes == 1))
)
CLAIM.mistake(
    "the share is of groups, not of people",
    WHO,
    of_sizes(lambda sizes: np.sum(sizes == 1) / groups(sizes)),
)
CLAIM.mistake(
    "a percentage is returned, a share is wanted",
    "which numbers can a share be?",
    then=lambda share: 100 * share,
)
CLAIM.mistake(
    "people with a missing value are not counted as alone",
    "which rows does `groupby` leave out unless you tell it not to?",
    of_whole_rows(lambda sizes, whole: np.mean((sizes == 1) & whole)),
)
CLAIM.mistake(
    "people who miss the first column are not counted as alone",
    "`count` counts values that are there, `size` counts rows: which of them do you need?",
    lambda table, quasi_identifiers: np.mean(
        (crowd_sizes(table, quasi_identifiers) == 1) & nothing_missing(table, quasi_identifiers[:1])
    ),
)
CLAIM.mistake(
    "two missing values are taken for different ones",
    "is NaN == NaN true? And do two people who both miss a value look alike?",
    lambda table, quasi_identifiers: np.mean(each_missing_alone(table, quasi_identifiers) == 1),
)
CLAIM.mistake(
    "people with a missing value are left out",
    "which rows does `dropna` take away? Does the task ask for that?",
    of_whole_rows(lambda sizes, whole: np.mean(sizes[whole] == 1)),
)
CLAIM.mistake(
    "the share is of groups, and people with a missing value are left out",
    WHO,
    of_whole_rows(lambda sizes, whole: np.sum((sizes == 1) & whole) / groups(sizes[whole])),
)


@CLAIM.mistake(
    "a row is compared only with those beside it",
    "two people who agree may stand far apart in the table: where does your code see that?",
)
def beside(table, quasi_identifiers):
    columns = [pd.factorize(table[name], use_na_sentinel=False)[0] for name in quasi_identifiers]
    new = (np.diff(columns, axis=1) != 0).any(axis=0)
    return np.mean(np.append(True, new) & np.append(new, True))


for name, alone in {
    "only the first column is looked at": lambda alone: alone[0],
    "only the last column is looked at": lambda alone: alone[-1],
    "the columns are looked at one by one: alone in any": lambda alone: alone.any(axis=0),
    "the columns are looked at one by one: alone in all": lambda alone: alone.all(axis=0),
}.items():
    CLAIM.mistake(name, TOGETHER, of_single_columns(alone))
CLAIM.mistake(
    "only the first two columns are looked at",
    TOGETHER,
    lambda table, quasi_identifiers: np.mean(crowd_sizes(table, quasi_identifiers[:2]) == 1),
)
CLAIM.mistake(
    "all columns of the table are compared",
    "which columns does this attacker know? Use those, and no others.",
    lambda table, quasi_identifiers: unique_fraction(table, quasi_identifiers=list(table)),
)
CLAIM.mistake("the smallest group is returned", WHO, of_sizes(np.min))
CLAIM.mistake(
    "groups of two count as alone",
    "how large is the group of somebody who is alone?",
    of_sizes(lambda sizes: np.mean(sizes <= 2)),
)
