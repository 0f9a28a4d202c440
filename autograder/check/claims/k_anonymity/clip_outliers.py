"""A table whose numbers outside of the bounds are moved to the nearer bound."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled
from autograder.check.claims.deidentification._tables import TOLERANCE, frame
from autograder.check.claims.k_anonymity._columns import (
    changed_columns,
    numbers,
    read,
    show,
    skipped_columns,
)
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]

COUNT = 16  # rows


def clip_outliers(table, *, bounds):
    """Numbers moved to the nearer bound."""
    return changed_columns(table, bounds, moved)


def moved(values, bounds):
    """Return clipped numbers, worked out one by one; a missing value stays."""
    lower, upper = bounds
    return [lower if v < lower else upper if v > upper else v for v in values]


CLAIM = FunctionClaim(
    clip_outliers,
    established="moved to the nearer bound, the other columns as they were",
    read=read,
    tolerance=TOLERANCE,
    show=show,
)


@CLAIM.inputs
def six(rng):
    """One column, then several; bounds that cut low, high, both and nothing.

    A few values lie far out on both sides, or at a bound, and one is missing.
    """
    for bounds in (
        {"Age": (20, 60)},
        {"Level": (3, 16)},
        {"Age": (0, 55), "Level": (4, 12)},
        {"Balance": (-500, 800), "Age": (18, 200)},
        {"Level": (2, 1000)},
        {"Age": (25.5, 70.5), "Balance": (-100, 100), "Level": (5, 9)},
    ):
        columns = people(rng, COUNT)
        columns["Age"] = [*numbers(rng, 26, 54, COUNT - 5), 1, 17, 93, 95, 60]
        columns["Level"] = [*map(int, rng.integers(5, 13, COUNT - 4)), 0, 1, 15, 16]
        columns["Balance"] = [*map(int, rng.integers(-90, 90, COUNT - 3)), -4000, 5000, 800]
        yield {"table": frame(shuffled(rng, columns)), "bounds": bounds}


def each(change):
    """Return a wrong function by which a column becomes change(values, lower, upper)."""
    return lambda table, bounds: changed_columns(
        table, bounds, lambda values, ends: change(values, *ends)
    )


def inside(values, lower, upper):
    return (values >= lower) & (values <= upper)


def outside_becomes(statistic):
    """Return a wrong function by which values outside become one of the column's statistics."""
    return each(
        lambda values, lower, upper: values.where(
            inside(values, lower, upper) | values.isna(), statistic(values)
        )
    )


def rows_inside(table, bounds, *, keep_missing):
    """Return the rows that have no value outside of the bounds."""
    for name, ends in bounds.items():
        kept = inside(table[name], *ends)
        table = table[kept | table[name].isna()] if keep_missing else table[kept]
    return table


LEFT_OUT = "should the table say that they do not exist, or that they are at the bound?"
BOTH = "where do values below the lower bound go, and where those above the upper one?"

CLAIM.mistake(
    "people outside of the bounds are left out",
    LEFT_OUT,
    lambda table, bounds: rows_inside(table, bounds, keep_missing=True),
)
CLAIM.mistake(
    "people outside of the bounds, or with a missing value, are left out",
    LEFT_OUT,
    lambda table, bounds: rows_inside(table, bounds, keep_missing=False),
)
CLAIM.mistake(
    "values outside of the bounds become missing", BOTH, outside_becomes(lambda values: np.nan)
)
CLAIM.mistake(
    "values outside of the bounds become the mean",
    BOTH,
    outside_becomes(lambda values: values.mean()),
)
CLAIM.mistake(
    "values outside of the bounds become the median",
    BOTH,
    outside_becomes(lambda values: values.median()),
)
CLAIM.mistake("values outside of the bounds become 0", BOTH, outside_becomes(lambda values: 0))
CLAIM.mistake(
    "values go to the bound that is further away",
    BOTH,
    each(
        lambda values, lower, upper: [
            upper if v < lower else lower if v > upper else v for v in values
        ]
    ),
)
CLAIM.mistake(
    "only the upper bound is used",
    "what about values that are too small?",
    each(lambda values, lower, upper: values.clip(upper=upper)),
)
CLAIM.mistake(
    "only the lower bound is used",
    "what about values that are too large?",
    each(lambda values, lower, upper: values.clip(lower=lower)),
)
CLAIM.mistake(
    "every value becomes a bound",
    "what should happen to a value between the bounds?",
    each(lambda values, lower, upper: np.where(values > (lower + upper) / 2, upper, lower)),
)
CLAIM.mistake(
    "every column gets the bounds of the first",
    "which bounds belong to which column?",
    lambda table, bounds: clip_outliers(
        table, bounds=dict.fromkeys(bounds, next(iter(bounds.values())))
    ),
)
CLAIM.mistake(
    "a missing value becomes the lower bound",
    "does a missing value lie outside of the bounds?",
    each(lambda values, lower, upper: values.fillna(lower).clip(lower, upper)),
)
for mistake in skipped_columns(lambda table, bounds: clip_outliers(table, bounds=bounds)):
    CLAIM.mistake(*mistake)
