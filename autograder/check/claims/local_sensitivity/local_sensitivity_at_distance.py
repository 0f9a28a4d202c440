"""The largest local sensitivity of the clipped mean, some edits away from the rows at hand."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.local_sensitivity._rows import clipped, mean_sensitivity
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def local_sensitivity_at_distance(values, *, distance, lower, upper, neighbors):
    """The largest local sensitivity of the clipped mean, `distance` edits away; one distance a
    call.
    """
    return mean_sensitivity(values, distance, lower, upper, neighbors)


CLAIM = FunctionClaim(
    local_sensitivity_at_distance, established="the largest move of the mean, after so many edits"
)


@CLAIM.inputs
def sixteen(rng):
    """Rows high or low in the interval, distances from 0 to beyond n.

    The rows crowd one end of the interval, and rows leave there. In some tables two rows lie
    outside; in the others nobody is at an end.
    """
    for neighbors, size, distances in (
        *(("add_remove", size, (0, 1, size // 2, size - 1)) for size in (6, 9)),
        ("add_remove", 7, (0, 1, 3, 12)),
        ("replace_one", 8, (0, 1, 3, 12)),
    ):
        lower, width = int(rng.integers(10, 40)), int(rng.integers(60, 200))
        outside = [] if size in (8, 9) else [1.4, -0.2]
        places = np.concatenate([rng.uniform(0.55, 0.95, size - len(outside)), outside])
        if size % 2:
            places = 1 - places
        rows = np.round(lower + width * rng.permutation(places), 1)
        ends = {"lower": lower, "upper": lower + width, "neighbors": neighbors}
        for distance in distances:
            yield {"values": rows, "distance": distance, **ends}


def quotient(reach, spare):
    """Return reach(lower, upper) / (n - k + spare), whatever the rows."""
    return lambda values, distance, lower, upper, neighbors: (
        reach(lower, upper) / (len(values) - distance + spare)
    )


def left(values, distance, lower, upper):
    """Return the rows that are left without the largest, and without the smallest."""
    rows = clipped(values, lower, upper)
    return rows[: max(len(rows) - distance, 0)], rows[distance:]


def unless_replaced_or_empty(move):
    """Return move(the rows left on either side, lower, upper) where rows join and some are left."""

    def function(values, *, distance, lower, upper, neighbors):
        rows = left(values, distance, lower, upper)
        if neighbors == "replace_one" or not rows[0]:
            return mean_sensitivity(values, distance, lower, upper, neighbors)
        return move(rows, lower, upper)

    return function


def of_one_side(side):
    return unless_replaced_or_empty(
        lambda rows, lower, upper: mean_sensitivity(rows[side], 0, lower, upper, "add_remove")
    )


def by_joining(rows, lower, upper):
    """Return the largest move if the last edit can only be a row that joins."""
    return max(
        abs(end - sum(side) / len(side)) / (len(side) + 1)
        for side, end in zip(rows, (upper, lower), strict=True)
    )


def empty_moves_by_width(values, *, distance, lower, upper, neighbors):
    if neighbors == "add_remove" and distance >= len(values):
        return upper - lower
    return mean_sensitivity(values, distance, lower, upper, neighbors)


ROWS = "which rows must leave, so that one more row moves the mean most?"
EDITS = "what may one edit do to the table, under these neighbors?"
LEAVE_FIRST = "what changes when rows leave first?"
BOTH_WAYS = "the mean can move up or down: which rows leave first, in each case?"

CLAIM.mistake(
    "it is upper / (n - k + 1), as if rows could only join",
    "take two rows, 0 and 100, and let one leave: how far does the mean move?",
    quotient(lambda lower, upper: upper, 1),
)
CLAIM.mistake(
    "it is upper / (n - k)",
    "with lower > 0, can a row really move by `upper`? And " + ROWS,
    quotient(lambda lower, upper: upper, 0),
)
CLAIM.mistake(
    "it is the bound (upper - lower) / (n - k)",
    ROWS,
    quotient(lambda lower, upper: upper - lower, 0),
)
CLAIM.mistake(
    "it is the bound (upper - lower) / (n - k + 1)",
    ROWS,
    quotient(lambda lower, upper: upper - lower, 1),
)
CLAIM.mistake(
    "it is (upper - lower) / n",
    LEAVE_FIRST,
    lambda values, distance, lower, upper, neighbors: (upper - lower) / len(values),
)
CLAIM.mistake("the distance is ignored", LEAVE_FIRST, given={"distance": 0})
CLAIM.mistake(
    "the distance is one too large",
    "how many rows are left after k edits, and which edit is the one that is measured?",
    lambda values, distance, **given: mean_sensitivity(values, distance + 1, **given),
)
CLAIM.mistake(
    "only rows that join are looked at",
    "may the last edit also be a row that leaves?",
    unless_replaced_or_empty(by_joining),
)
CLAIM.mistake("only the largest rows are taken away", BOTH_WAYS, of_one_side(0))
CLAIM.mistake("only the smallest rows are taken away", BOTH_WAYS, of_one_side(1))
CLAIM.mistake(
    "the rows are not clipped",
    "what happens to a row outside the interval?",
    lambda values, distance, lower, upper, neighbors: mean_sensitivity(
        values, distance, min(lower, *values), max(values), neighbors
    ),
)
for neighbors in ("add_remove", "replace_one"):
    CLAIM.mistake(f"the neighbors are always {neighbors}", EDITS, given={"neighbors": neighbors})
CLAIM.mistake(
    "an empty table moves by the whole width",
    "the mean of no rows is the middle of the interval: how far is it to an end?",
    empty_moves_by_width,
)
