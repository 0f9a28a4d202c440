"""How far one person can move a sum of values that are clipped to an interval."""

from __future__ import annotations

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def sum_sensitivity(lower, upper, *, neighbors):
    """How far one person moves the sum."""
    return farthest(lower, upper) if neighbors == "add_remove" else width(lower, upper)


def farthest(lower, upper):
    return max(abs(lower), abs(upper))


def width(lower, upper):
    return upper - lower


CLAIM = FunctionClaim(
    sum_sensitivity,
    established="the farther bound from 0 for add_remove, the width for replace_one",
)


@CLAIM.inputs
def twelve(rng):
    """Intervals above 0, below 0, from 0 on, and around 0, on either side."""
    far, near = rng.uniform(40, 90, 2).round(1), rng.uniform(3, 15, 2).round(1)
    for lower, upper in (
        (far[0], far[0] + near[0]),
        (-far[1] - near[1], -far[1]),
        (0.0, far[0]),
        (-far[1], 0.0),
        (-near[0], far[1]),
        (-far[0], near[1]),
    ):
        for neighbors in ("add_remove", "replace_one"):
            bounds = {"lower": round(float(lower), 1), "upper": round(float(upper), 1)}
            yield {**bounds, "neighbors": neighbors}


def by_kind(added, replaced):
    """Return a wrong function with one formula for each kind of neighbors."""
    return lambda lower, upper, neighbors: (added if neighbors == "add_remove" else replaced)(
        lower, upper
    )


ADDED = "a row with the value 70 is added: by how much does the sum move?"
REPLACED = "a row's value is lowered from 70 to 60: by how much does the sum move?"
NEGATIVE = "what does a row with the value -80 do to the sum?"

CLAIM.mistake("upper - lower is used for both kinds of neighbors", ADDED, by_kind(width, width))
CLAIM.mistake(
    "the largest size is used for both kinds of neighbors", REPLACED, by_kind(farthest, farthest)
)
CLAIM.mistake("the two kinds of neighbors are exchanged", ADDED, by_kind(width, farthest))
CLAIM.mistake("only the upper bound counts", NEGATIVE, by_kind(lambda a, b: b, width))
CLAIM.mistake(
    "only the upper bound counts, without its sign", NEGATIVE, by_kind(lambda a, b: abs(b), width)
)
CLAIM.mistake(
    "the sizes of both bounds are added",
    "how far can one row move the sum, when it has only one value?",
    by_kind(lambda a, b: abs(a) + abs(b), width),
)
CLAIM.mistake(
    "the smaller of the two sizes is taken",
    "which row moves the sum furthest?",
    by_kind(lambda a, b: min(abs(a), abs(b)), width),
)
CLAIM.mistake(
    "a replaced row counts as one removed and one added",
    "that is a bound, not the largest move: " + REPLACED,
    by_kind(farthest, lambda a, b: 2 * farthest(a, b)),
)
CLAIM.mistake(
    "the sizes of the bounds are subtracted",
    "a row's value goes from -10 to 70: by how much does the sum move?",
    by_kind(farthest, lambda a, b: abs(abs(b) - abs(a))),
)
CLAIM.mistake(
    "the sign is wrong", "can a distance be negative?", by_kind(farthest, lambda a, b: a - b)
)
CLAIM.mistake(
    "the sum is treated like a count",
    "by how much does one row move a sum of its values?",
    by_kind(lambda a, b: 1.0, lambda a, b: 1.0),
)
CLAIM.mistake(
    "the upper bound is used for both kinds of neighbors",
    NEGATIVE,
    by_kind(lambda a, b: b, lambda a, b: b),
)
CLAIM.mistake(
    "the value in the middle is taken",
    "the sensitivity is the largest move, over all rows: which row makes it?",
    by_kind(lambda a, b: abs(a + b) / 2, width),
)
