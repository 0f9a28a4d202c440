"""How many edits it takes until the clipped mean has a local sensitivity above a bound."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.claims.local_sensitivity._rows import (
    mean_sensitivity,
    mistaken_distance,
    tables_away,
)
from autograder.check.door import as_number
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def distance_to_high_sensitivity(values, *, bound, lower, upper, neighbors):
    """The fewest edits after which the clipped mean has a local sensitivity above `bound`."""
    return tables_away(values, bound, lower, upper, neighbors)


def read(answer: Any, given: dict) -> float:
    if isinstance(answer, Real) and abs(answer) == math.inf:
        return float(answer)
    return as_number(answer)


CLAIM = FunctionClaim(
    distance_to_high_sensitivity,
    established="the fewest edits to a local sensitivity above the bound",
    read=read,
    tolerance=1e-9,
)


@CLAIM.inputs
def twelve(rng):
    """A distance in between, one of 0, none at all, and bounds just reached."""
    for size in (20, 25, 30):
        lower, width = int(rng.integers(10, 40)), int(rng.integers(60, 200))
        places = np.concatenate([rng.uniform(0.5, 0.9, size - 2), [1.3, -0.2]])
        rows = np.round(lower + width * rng.permutation(places), 1)
        ends = {"lower": lower, "upper": lower + width, "neighbors": "add_remove"}

        def sensitivity(distance, rows=rows, ends=ends):
            return mean_sensitivity(rows, distance, **ends)

        for distance in (size // 4, size // 2):
            # Well between two steps, so that no rounding decides.
            bound = (sensitivity(distance - 1) + sensitivity(distance)) / 2
            yield {"values": rows, "bound": float(f"{bound:.6g}"), **ends}
        yield {"values": rows, "bound": float(f"{0.9 * sensitivity(0):.4g}"), **ends}
    yield {"values": rows, "bound": 0.6 * width, **ends}
    # Whole numbers and halves: exactly at the bound is not above it.
    ends = {"lower": 0, "upper": 64, "neighbors": "replace_one"}
    for bound in (16.0, 14.5):
        yield {"values": np.array([16.0, 16.0, 32.0, 48.0]), "bound": bound, **ends}


def by_formula(reach, spare):
    """Return the distance by reach(lower, upper) / (n - k + spare), without a look at the rows."""
    return lambda values, bound, lower, upper, neighbors: mistaken_distance(
        len(values), reach(lower, upper), bound, spare
    )


def none_as(value):
    """Return a wrong function that gives value(n) where no table is above the bound."""

    def function(values, **given):
        found = distance_to_high_sensitivity(values, **given)
        return value(len(values)) if found == math.inf else found

    return function


WORST = "which rows, if they leave, make the rest as easy to move as possible?"
NONE = "if no number of edits is enough, which value says so?"

CLAIM.mistake(
    "it is the distance by the formula upper / (n - k + 1)",
    "take two rows, 0 and 100, and let one leave: how far does the mean move?",
    by_formula(lambda lower, upper: upper, 1),
)
CLAIM.mistake(
    "it is the distance by the bound (upper - lower) / (n - k)",
    "a safe bound, but a smaller distance than the true one: " + WORST,
    by_formula(lambda lower, upper: upper - lower, 0),
)
CLAIM.mistake(
    "it is the distance by the bound (upper - lower) / (n - k + 1)",
    WORST,
    by_formula(lambda lower, upper: upper - lower, 1),
)
CLAIM.mistake(
    "the distance is one too large",
    "are these rows above the bound already? Then how many edits does it take?",
    then=lambda distance: distance + 1,
)
CLAIM.mistake(
    "the distance is one too small",
    "is the table at your distance above the bound, or the next one?",
    then=lambda distance: max(distance - 1, 0.0),
)
CLAIM.mistake(
    "a sensitivity equal to the bound counts as above it",
    "is `above` the same as `at least`?",
    lambda values, bound, **given: distance_to_high_sensitivity(
        values, bound=bound * (1 - 1e-12), **given
    ),
)
CLAIM.mistake(
    "it is the number of rows that are left",
    "what is counted, the rows that left or those that stayed?",
    lambda values, **given: len(values) - distance_to_high_sensitivity(values, **given),
)
CLAIM.mistake(
    "where no table is above the bound, it is the number of rows",
    NONE,
    none_as(lambda rows: rows),
)
CLAIM.mistake(
    "where no table is above the bound, it is the number of rows plus one",
    NONE,
    none_as(lambda rows: rows + 1),
)
CLAIM.mistake(
    "where no table is above the bound, it is 0",
    "if no number of edits is enough, is that near or far?",
    none_as(lambda rows: 0),
)
CLAIM.mistake(
    "the local sensitivity is returned",
    "what is asked for, a sensitivity or a number of edits?",
    lambda values, bound, **given: mean_sensitivity(values, 0, **given),
)
CLAIM.mistake(
    "the neighbors are always add_remove",
    "what may one edit do to the table, under these neighbors?",
    given={"neighbors": "add_remove"},
)
CLAIM.mistake(
    "the rows are not clipped",
    "what happens to a row outside the interval?",
    lambda values, bound, lower, upper, neighbors: tables_away(
        values, bound, min(lower, *values), max(values), neighbors
    ),
)
