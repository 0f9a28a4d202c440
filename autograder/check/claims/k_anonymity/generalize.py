"""A table whose numbers have lost their last digits: truncated toward zero."""

import itertools
import math

import numpy as np
import pandas as pd

from autograder.check.claims.deidentification._people import people, shuffled, some
from autograder.check.claims.deidentification._tables import (
    TOLERANCE,
    frame,
    read_columns,
    show_cells,
)
from autograder.check.function_claim import FunctionClaim

COUNT = 14  # rows


def generalize(table, *, depths):
    """Numbers without their last digits."""
    return each(truncated)(table, depths)


def each(change):
    """Return what gives the table after change(values, depth) in each of the columns."""
    return lambda table, depths: table.assign(
        **{name: change(table[name].astype(float), depth) for name, depth in depths.items()}
    )


def truncated(values, depth):
    """Return truncated numbers, worked out one by one."""
    unit = 10**depth
    return [v if math.isnan(v) else math.copysign(abs(v) // unit * unit, v) for v in values]


CLAIM = FunctionClaim(
    generalize,
    established="truncated toward zero, the other columns as they were",
    read=lambda answer, given: read_columns(answer, list(given["table"].columns)),
    tolerance=TOLERANCE,
    show=lambda wanted, came, given: show_cells(
        wanted, came, [given["table"]], list(given["table"].columns)
    ),
)


@CLAIM.inputs
def six(rng):
    """One column to change, then several; numbers below zero, decimals."""
    asked = [{"Age": 1}, {"Zip": 2}, {"Age": 1, "Zip": 3}, {"Balance": 2, "Age": 1}]
    for depths in [*asked, {"Balance": 1}, {"Height": 0, "Zip": 1}]:
        columns = people(rng, COUNT)
        ages = rng.integers(16, 90, COUNT - 4).tolist()
        columns["Age"] = [*some(rng, ages, missing=1), 35, 45, 99, 7]
        columns["Zip"] = [*map(int, rng.integers(10_000, 99_999, COUNT - 1)), 1995]
        columns["Height"] = [round(each, 1) for each in rng.uniform(150.2, 198.8, COUNT)]
        columns["Balance"] = [-36, -250, -9, *map(int, rng.integers(-4000, 4000, COUNT - 3))]
        yield {"table": frame(shuffled(rng, columns)), "depths": depths}


@CLAIM.designed
def odd(rng):
    for name, values in {
        "numbers beyond 32 bits": [7_123_456_789, -6_000_000_001, 5],
        "zeros and small numbers": [0, -9, 9, 10, -10],
        "nothing but missing values": [None, None],
        "decimals": [0.999, -0.999, 12.75, -12.75],
        "no rows": [],
        "one row": [rng.integers(100, 999)],
    }.items():
        columns = {"Balance": np.array(values, dtype=float if None in values else None)}
        table = frame({"columns": {**columns, "Name": ["Ada"] * len(values)}, "labels": None})
        yield name, {"table": table, "depths": {"Balance": int(rng.integers(0, 2))}}


def to_multiples(rounding):
    return each(lambda values, depth: rounding(values / 10**depth) * 10**depth)


DIGITS = "36 at depth 1: which number should come?"
CUT = "36 at depth 1 is 30: which function cuts off what is behind the point?"
MISSING = "36 at depth 1 is 30, not 3: what is missing after the division?"

CLAIM.mistake("it is rounded, not truncated", CUT, to_multiples(np.round))
CLAIM.mistake(
    "it is rounded (halves upwards), not truncated",
    CUT,
    to_multiples(lambda values: np.floor(values + 0.5)),
)
CLAIM.mistake(
    "numbers below zero move away from zero",
    "-36 at depth 1 is -30: what does // do to a number below zero?",
    to_multiples(np.floor),
)
CLAIM.mistake("it is rounded up", DIGITS, to_multiples(np.ceil))
CLAIM.mistake(
    "the digits are taken away, not set to zero",
    MISSING,
    each(lambda values, depth: np.trunc(values / 10**depth)),
)
CLAIM.mistake(
    "the digits are taken away, not set to zero; below zero one more",
    MISSING,
    each(lambda values, depth: values // 10**depth),
)
CLAIM.mistake(
    "the last digits are kept, the first are lost",
    DIGITS,
    each(lambda values, depth: np.fmod(values, 10**depth)),
)
CLAIM.mistake(
    "the last digits are kept, the first are lost (with %)",
    DIGITS,
    each(lambda values, depth: values % 10**depth),
)
CLAIM.mistake(
    "the depth is used as the step",
    "depth 1 means steps of 10, depth 2 of 100: how do you get the step?",
    each(lambda values, depth: np.trunc(values / depth) * depth if depth else values),
)
CLAIM.mistake(
    "the step is ten times the depth",
    "depth 1 means steps of 10, depth 2 of 100: and depth 3?",
    each(lambda values, depth: np.trunc(values / (10 * depth)) * 10 * depth),
)


@CLAIM.mistake(
    "the depth is taken for the number of digits that stay",
    "36 at depth 1 is 30, and at depth 2 it is 0: how many digits of 12345 stay at depth 1?",
)
def leading(table, depths):
    def kept(value, depth):
        return truncated([value], max(len(str(abs(int(value)))) - depth, 0))[0]

    return each(lambda values, depth: [v if math.isnan(v) else kept(v, depth) for v in values])(
        table, depths
    )


CLAIM.mistake(
    "the steps are multiplied from column to column",
    "with which step does your code begin in the second column?",
    lambda table, depths: generalize(
        table, depths=dict(zip(depths, itertools.accumulate(depths.values()), strict=True))
    ),
)
CLAIM.mistake(
    "one digit too many is cut", DIGITS, each(lambda values, depth: truncated(values, depth + 1))
)
CLAIM.mistake(
    "one digit too few is cut",
    DIGITS,
    each(lambda values, depth: np.trunc(values / 10.0 ** (depth - 1)) * 10.0 ** (depth - 1)),
)
CLAIM.mistake(
    "depth 0 keeps the decimals",
    "155.9 at depth 0 is 155: what does depth 0 cut off?",
    each(lambda values, depth: truncated(values, depth) if depth else values),
)
CLAIM.mistake(
    "every column gets the depth of the first",
    "which depth belongs to which column?",
    lambda table, depths: generalize(
        table, depths=dict.fromkeys(depths, next(iter(depths.values())))
    ),
)
CLAIM.mistake(
    "the middle of each step is shown",
    DIGITS,
    each(lambda values, depth: values // 10**depth * 10**depth + 10**depth / 2),
)
CLAIM.mistake(
    "numbers are put beside other labels, or nowhere",
    "on what does pandas line up a Series that is assigned to a column?",
    each(lambda values, depth: pd.Series(truncated(values, depth))),
)
CLAIM.mistake(
    "a missing value becomes 0",
    "is somebody whose age is not known 0 years old?",
    each(lambda values, depth: truncated(values.fillna(0), depth)),
)
for name, ask, part in (
    ("only the first column is changed", "is your `return` inside the loop?", slice(1)),
    (
        "only the last column is changed",
        "does each turn of the loop start again from the table as it was?",
        slice(-1, None),
    ),
    (
        "nothing is changed",
        "do you return the table that you changed, or the one that came in?",
        slice(0),
    ),
):
    CLAIM.mistake(
        name,
        ask,
        lambda table, depths, part=part: generalize(table, depths=dict([*depths.items()][part])),
    )
