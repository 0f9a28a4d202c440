"""How sensitive the median can become when some rows are replaced."""

import numpy as np

from autograder.check.claims.local_sensitivity._rows import (
    clipped,
    median_sensitivity,
    outermost_sensitivity,
)
from autograder.check.designed import columns
from autograder.check.function_claim import FunctionClaim


def local_sensitivity_at_distance(values, *, distance, lower, upper):
    """How far one row can move the median after `distance` rows have been replaced."""
    return median_sensitivity(values, distance, lower, upper)


CLAIM = FunctionClaim(
    local_sensitivity_at_distance,
    established="the largest move of the median, over all tables as far away",
    absolute=1e-9,
)

SIZES = ((5, 0), (6, 0), (7, 1), (8, 1), (9, 2), (10, 2), (11, 3), (12, 4), (13, 6), (14, 5))


@CLAIM.inputs
def fourteen(rng):
    """Odd and even sizes, no row replaced, a few, all; one row; rows outside the domain.

    Drawn again in the rare case that the inner gaps never matter.
    """
    while True:
        cases = [table(rng, *each) for each in (*SIZES, (7, 7), (8, 9), (1, 0), (2, 1))]
        inner = (
            outermost_sensitivity(**each) < median_sensitivity(**each) - 1e-6 for each in cases
        )
        if any(inner):
            return cases


def table(rng, size, distance):
    lower, width = int(rng.integers(-40, 40)), int(rng.integers(60, 200))
    places = rng.uniform(0.1, 0.9, size)
    if size > 6:
        places[:3] = -0.3, 1.2, 1.4
    rows = np.round(lower + width * rng.permutation(places), 1)
    return {"values": rows, "distance": distance, "lower": lower, "upper": lower + width}


@CLAIM.designed
def odd(rng):
    lower = round(rng.uniform(-40, -5), 3)  # whole numbers, too, are clipped to it
    upper = lower + int(rng.integers(60, 200))
    for name, values in columns(rng, lower=lower, upper=upper, least=1).items():
        values = values[:60]  # who tries all gaps should not have to wait
        size = len(values)
        for distance in {0, 1, size // 2 - 1, size // 2, size - 1, size, size + 3} - {-1}:
            given = {"distance": distance, "lower": lower, "upper": upper}
            yield f"{name}, distance {distance}", {"values": values, **given}


def replaced(change):
    """Return the right function of another number of replaced rows."""
    return lambda values, *, distance, lower, upper: median_sensitivity(
        values, max(0, change(distance)), lower, upper
    )


def within_the_rows(values, *, distance, lower, upper):
    """Return the sensitivity as if nothing could lie beyond the first and the last row."""
    rows = clipped(values, lower, upper)
    return median_sensitivity(rows, distance, rows[0], rows[-1])


def unclipped(values, *, distance, lower, upper):
    low, high = min(lower, *values, lower), max(upper, *values, upper)
    return median_sensitivity(values, distance, low, high)


def shared(odd, even):
    """Return the right function times a factor for odd, and one for even, numbers of rows."""
    return lambda values, *, distance, lower, upper: (
        median_sensitivity(values, distance, lower, upper) * (odd if len(values) % 2 else even)
    )


def beside_the_middle(values, *, distance, lower, upper):
    """Return half of the gaps that `distance` + 1 steps cross, for an even number of rows too."""
    given = {"lower": lower, "upper": upper}
    if len(values) % 2:
        return median_sensitivity(values, distance, **given)
    rows = clipped(values, lower, upper)
    half, steps = len(rows) // 2, min(distance, len(rows)) + 1
    padded = [lower] * (steps + 1) + rows + [upper] * (steps + 1)
    first = half + steps  # the lower one of the two middle rows
    ends = range(first, first + steps + 2)
    return max(padded[end] - padded[max(0, end - steps)] for end in ends) / 2


def in_proportion(values, *, distance, lower, upper):
    return median_sensitivity(values, 0, lower, upper) * (distance + 1)


def from_the_other_end(beyond_half):
    """Return the gaps of rows whose places may be below 0, which Python counts from the end.

    `beyond_half` is the share of the domain where more than half of an even number is replaced.
    """

    def function(values, *, distance, lower, upper):
        rows, half, odd = clipped(values, lower, upper), len(values) // 2, len(values) % 2
        if distance > half:
            return (upper - lower) * (1 if odd else beyond_half)
        padded, steps = [*rows, *[upper] * (distance + 2)], distance + 2 - odd
        ends = range(half, half + distance + 2)
        return max(padded[end] - rows[end - steps] for end in ends) * (1 if odd else 0.5)

    return function


STEPS = "take five rows and replace one: which two rows can then stand beside the median?"

CLAIM.mistake(
    "it is the local sensitivity of the rows themselves",
    "what may happen before the last row moves?",
    given={"distance": 0},
)
CLAIM.mistake(
    "it is the width of the domain",
    "how many rows must be replaced until the median can cross the whole domain?",
    lambda values, *, distance, lower, upper: upper - lower,
)
CLAIM.mistake("one row too many is replaced", STEPS, replaced(lambda distance: distance + 1))
CLAIM.mistake("one row too few is replaced", STEPS, replaced(lambda distance: distance - 1))
CLAIM.mistake(
    "only the outermost two gaps are looked at",
    "may some of the replaced rows go up and the others down?",
    lambda values, *, distance, lower, upper: outermost_sensitivity(values, distance, lower, upper),
)
CLAIM.mistake(
    "the ends of the domain are left out",
    "where does a replaced row go to do most harm?",
    within_the_rows,
)
CLAIM.mistake(
    "the half for an even number of rows is missing",
    "the median of an even number of rows is a mean of two: how many of the two move?",
    shared(1, 2),
)
CLAIM.mistake(
    "the half for an even number of rows is taken for every number",
    "how many rows are in the middle of five?",
    shared(0.5, 1),
)
CLAIM.mistake(
    "the gaps of an even number of rows are one step too short",
    "a middle row leaves and the next one comes in: which row stays inside the gap?",
    beside_the_middle,
)
for name, beyond_half in {
    "a place below 0 is counted from the last row": 0.5,
    "a place below 0 is counted from the last row; far away the half is missing": 1,
}.items():
    CLAIM.mistake(
        name,
        "which row is rows[-1] in Python? And what stands before the first row, once enough rows "
        "are replaced? How far does the mean of two rows move then?",
        from_the_other_end(beyond_half),
    )
CLAIM.mistake("the rows are not clipped", "what happens to a row outside the domain?", unclipped)
CLAIM.mistake(
    "the local sensitivity grows in proportion to the rows replaced",
    "are all gaps between rows equally wide?",
    in_proportion,
)
