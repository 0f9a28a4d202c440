"""The smooth sensitivity of the median: local sensitivities of all tables, weighed by distance."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.local_sensitivity._rows import clipped
from autograder.check.values import ValueMistake, ValuesClaim, separated

__all__ = ["CLAIM", "largest_gap", "smooth_sensitivity"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs, drawn again in the rare case that the inner gaps never matter."""
    return separated(generator, _drawn, [smooth_sensitivity, _by_the_outermost])


def _drawn(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs: odd and even sizes, beta small and large, rows that crowd or spread."""
    cases = []
    for size in (5, 6, 9, 10, 13, 14):
        for betas in ((0.05, 0.2), (0.4, 1.0)):
            lower, width = int(generator.integers(-40, 40)), int(generator.integers(60, 200))
            # Two rows lie outside the domain, or nobody is near its ends.
            outside = [-0.3, 1.4] if betas[0] > 0.2 else [0.3, 0.8]
            crowd = np.clip(generator.normal(0.55, 0.06, size - 2), 0.3, 0.8)
            places = generator.permutation(np.concatenate([crowd, outside]))
            cases.append(
                {
                    "values": np.round(lower + width * places, 1).tolist(),
                    "lower": lower,
                    "upper": lower + width,
                    "beta": round(generator.uniform(*betas), 3),
                }
            )
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("lower", "upper", "beta")}
    return (np.array(parameters["values"]),), keywords


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


def smooth_sensitivity(p: dict, *, weight=None, gap=largest_gap, most: int | None = None) -> float:
    """Return the largest weighted gap over all distances."""
    rows, rate = clipped(p["values"], p["lower"], p["upper"]), p["beta"]
    weigh = weight or (lambda distance: math.exp(-rate * distance))
    distances = range((len(rows) if most is None else most) + 1)
    # Nissim, Raskhodnikova & Smith (2007), on the median.
    return max(weigh(k) * gap(rows, p["lower"], p["upper"], k) for k in distances)


def _outermost_only(rows, lower, upper, distance):
    """Return the larger of the two gaps with one end at the middle."""
    left, right = (len(rows) - 1) // 2, len(rows) // 2
    low = rows[left - distance - 1] if left - distance - 1 >= 0 else lower
    high = rows[right + distance + 1] if right + distance + 1 < len(rows) else upper
    return max(rows[right] - low, high - rows[left]) * (1 if left == right else 0.5)


def _by_the_outermost(p: dict) -> float:
    return smooth_sensitivity(p, gap=_outermost_only)


def _within_the_rows(rows, lower, upper, distance):
    """Return the gap as if nothing could lie beyond the first and the last row."""
    return largest_gap(rows, rows[0], rows[-1], distance)


def _not_halved(rows, lower, upper, distance):
    return largest_gap(rows, lower, upper, distance) * (1 if len(rows) % 2 else 2)


_WEIGHT = "by which factor does a table lose weight for each row in which it differs?"
_GAPS = "write down the gaps for 5 rows at distance 1: which rows may still stand beside the gap?"

_MISTAKES = (
    ValueMistake(
        "it is the local sensitivity",
        lambda p: smooth_sensitivity(p, most=0),
        "what do the tables further away add?",
    ),
    ValueMistake(
        "it is the width of the domain",
        lambda p: p["upper"] - p["lower"],
        "how much do distant tables count?",
    ),
    ValueMistake(
        "it is the width of the domain, with the weight of distance n",
        lambda p: (p["upper"] - p["lower"]) * math.exp(-p["beta"] * len(p["values"])),
        "which distance has the largest product of weight and sensitivity?",
    ),
    ValueMistake(
        "the weight is missing",
        lambda p: smooth_sensitivity(p, weight=lambda k: 1.0),
        _WEIGHT,
    ),
    ValueMistake(
        "every gap has the weight of one row more",
        lambda p: smooth_sensitivity(p, weight=lambda k: math.exp(-p["beta"] * (k + 1))),
        "how far away are the rows themselves, and how many steps does their gap cross?",
    ),
    ValueMistake(
        "the weight is exp(-2 * beta * k)",
        lambda p: smooth_sensitivity(p, weight=lambda k: math.exp(-2 * p["beta"] * k)),
        _WEIGHT,
    ),
    ValueMistake(
        "the weight is 1 - beta * k",
        lambda p: smooth_sensitivity(p, weight=lambda k: max(0.0, 1 - p["beta"] * k)),
        _WEIGHT,
    ),
    ValueMistake(
        "the weight is 1 / (1 + beta * k)",
        lambda p: smooth_sensitivity(p, weight=lambda k: 1 / (1 + p["beta"] * k)),
        _WEIGHT,
    ),
    ValueMistake(
        "the weighted gaps are added up",
        lambda p: sum(
            math.exp(-p["beta"] * k)
            * largest_gap(clipped(p["values"], p["lower"], p["upper"]), p["lower"], p["upper"], k)
            for k in range(len(p["values"]) + 1)
        ),
        "is the sum wanted, or the largest?",
    ),
    ValueMistake(
        "only the outermost two gaps are looked at",
        _by_the_outermost,
        _GAPS,
    ),
    ValueMistake(
        "the ends of the domain are left out",
        lambda p: smooth_sensitivity(p, gap=_within_the_rows),
        "where does a replaced row go to do most harm?",
    ),
    ValueMistake(
        "the half for an even number of rows is missing",
        lambda p: smooth_sensitivity(p, gap=_not_halved),
        "the median of an even number of rows is a mean of two: how many of the two move?",
    ),
    ValueMistake(
        "the rows are not clipped",
        lambda p: smooth_sensitivity(
            {**p, "lower": min(p["lower"], *p["values"]), "upper": max(p["values"])}
        ),
        "what happens to a row outside the domain?",
    ),
)

CLAIM = ValuesClaim(
    name="smooth_sensitivity_median",
    about=(
        "Check `smooth_sensitivity_median(values, *, lower, upper, beta)`: the largest\n"
        "exp(-beta * k) * (local sensitivity of the median, k replaced rows away)."
    ),
    established="the smooth sensitivity of the median",
    cases=_cases,
    arguments=_arguments,
    expected=smooth_sensitivity,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"values {p['values']}, domain [{p['lower']}, {p['upper']}], beta {p['beta']}"
    ),
)
