"""The smooth sensitivity of the median: local sensitivities of all tables, weighed by distance."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.claims.local_sensitivity._rows import clipped
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM", "largest_gap", "smooth_sensitivity_median"]


def smooth_sensitivity_median(values, *, lower, upper, beta):
    """The largest exp(-beta * k) * (local sensitivity of the median, k replaced rows away)."""
    # Nissim, Raskhodnikova & Smith (2007), on the median.
    return max(weighted_gaps(values, lower, upper, beta))


def decay(beta, distance):
    return math.exp(-beta * distance)


def largest_gap(rows: list[float], lower: float, upper: float, distance: int) -> float:
    """Return the largest local sensitivity of the median, `distance` replaced rows away.

    `rows` are in increasing order. The replaced rows go to the ends; beside the middle they leave a
    gap that `distance` + 1 steps cross. tests/check holds this against all tables of a small grid.
    """

    def row(place: int) -> float:
        return lower if place < 0 else upper if place >= len(rows) else rows[place]

    left, right = (len(rows) - 1) // 2, len(rows) // 2
    gaps = (row(right + above) - row(left + above - distance - 1) for above in range(distance + 2))
    return max(gaps) * (1 if left == right else 0.5)


def weighted_gaps(
    values, lower, upper, beta, *, weight: Callable = decay, gap: Callable = largest_gap
) -> list[float]:
    """Return the weighted gaps, one for each distance from 0 to the number of rows."""
    rows = clipped(values, lower, upper)
    return [
        weight(beta, distance) * gap(rows, lower, upper, distance)
        for distance in range(len(rows) + 1)
    ]


CLAIM = FunctionClaim(smooth_sensitivity_median, established="the smooth sensitivity of the median")


@CLAIM.inputs
def twelve(rng):
    """Twelve inputs, drawn again in the rare case that the inner gaps never matter."""
    while True:
        cases = list(drawn(rng))
        if any(outermost(**given) < smooth_sensitivity_median(**given) for given in cases):
            return cases


def drawn(rng):
    """Odd and even sizes, beta small and large, rows that crowd or spread."""
    for size in (5, 6, 9, 10, 13, 14):
        for betas in ((0.05, 0.2), (0.4, 1.0)):
            lower, width = int(rng.integers(-40, 40)), int(rng.integers(60, 200))
            # Two rows lie outside the domain, or nobody is near its ends.
            outside = [-0.3, 1.4] if betas[0] > 0.2 else [0.3, 0.8]
            crowd = np.clip(rng.normal(0.55, 0.06, size - 2), 0.3, 0.8)
            places = rng.permutation(np.concatenate([crowd, outside]))
            yield {
                "values": np.round(lower + width * places, 1),
                "lower": lower,
                "upper": lower + width,
                "beta": round(rng.uniform(*betas), 3),
            }


def changed(**how):
    """Return a wrong function with another weight, or other gaps."""
    return lambda values, lower, upper, beta: max(weighted_gaps(values, lower, upper, beta, **how))


def outermost_gap(rows, lower, upper, distance):
    """Return the larger of the two gaps with one end at the middle."""
    left, right = (len(rows) - 1) // 2, len(rows) // 2
    low = rows[left - distance - 1] if left - distance - 1 >= 0 else lower
    high = rows[right + distance + 1] if right + distance + 1 < len(rows) else upper
    return max(rows[right] - low, high - rows[left]) * (1 if left == right else 0.5)


outermost = changed(gap=outermost_gap)

WEIGHT = "by which factor does a table lose weight for each row in which it differs?"

CLAIM.mistake(
    "it is the local sensitivity",
    "what do the tables further away add?",
    changed(weight=lambda beta, distance: distance == 0),
)
CLAIM.mistake(
    "it is the width of the domain",
    "how much do distant tables count?",
    lambda values, lower, upper, beta: upper - lower,
)
CLAIM.mistake(
    "it is the width of the domain, with the weight of distance n",
    "which distance has the largest product of weight and sensitivity?",
    lambda values, lower, upper, beta: (upper - lower) * decay(beta, len(values)),
)
for name, weight in (
    ("the weight is missing", lambda beta, distance: 1.0),
    ("the weight is exp(-2 * beta * k)", lambda beta, distance: decay(2 * beta, distance)),
    ("the weight is 1 - beta * k", lambda beta, distance: max(0.0, 1 - beta * distance)),
    ("the weight is 1 / (1 + beta * k)", lambda beta, distance: 1 / (1 + beta * distance)),
):
    CLAIM.mistake(name, WEIGHT, changed(weight=weight))
CLAIM.mistake(
    "every gap has the weight of one row more",
    "how far away are the rows themselves, and how many steps does their gap cross?",
    changed(weight=lambda beta, distance: decay(beta, distance + 1)),
)
CLAIM.mistake(
    "the weighted gaps are added up",
    "is the sum wanted, or the largest?",
    lambda values, lower, upper, beta: sum(weighted_gaps(values, lower, upper, beta)),
)
CLAIM.mistake(
    "only the outermost two gaps are looked at",
    "write down the gaps for 5 rows at distance 1: which rows may still stand beside the gap?",
    outermost,
)
CLAIM.mistake(
    "the ends of the domain are left out",
    "where does a replaced row go to do most harm?",
    changed(gap=lambda rows, low, high, distance: largest_gap(rows, rows[0], rows[-1], distance)),
)
CLAIM.mistake(
    "the half for an even number of rows is missing",
    "the median of an even number of rows is a mean of two: how many of the two move?",
    changed(gap=lambda rows, *given: largest_gap(rows, *given) * (1 if len(rows) % 2 else 2)),
)
CLAIM.mistake(
    "the rows are not clipped",
    "what happens to a row outside the domain?",
    lambda values, lower, upper, beta: smooth_sensitivity_median(
        values, lower=min(lower, *values), upper=max(values), beta=beta
    ),
)
