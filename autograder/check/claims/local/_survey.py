"""The protocols of a local survey: their probabilities, their laws, and the estimates they give."""

import itertools
import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.claims.local._binomial import binomial

# A support is a whole number; rounding in the estimator moves it by less than this.
ROOM = 1e-6

PROTOCOLS = {
    "direct encoding": lambda size, ratio: (ratio / (ratio + size - 1), 1 / (ratio + size - 1)),
    "optimal unary encoding": lambda size, ratio: (0.5, 1 / (ratio + 1)),
    "symmetric unary encoding": lambda size, ratio: (
        math.sqrt(ratio) / (1 + math.sqrt(ratio)),
        1 / (1 + math.sqrt(ratio)),
    ),
}


def total_variances(size: int, epsilon: float) -> dict[str, float]:
    """Return the variances of all estimates, added up, for one person, by protocol."""
    totals = {}
    for name, of in PROTOCOLS.items():
        p, q = of(size, math.exp(epsilon))
        # One person supports their category (chance p) and each other one (chance q).
        totals[name] = (p * (1 - p) + (size - 1) * q * (1 - q)) / (p - q) ** 2
    return totals


def best_protocol(size: int, epsilon: float) -> str:
    """Return the protocol of least total variance."""
    totals = total_variances(size, epsilon)
    return min(totals, key=totals.get)


def direct_report(code: int, size: int, truth: float) -> list[float]:
    """Return the chances of a report: the true code, or one of the others, evenly."""
    return [truth if other == code else (1 - truth) / (size - 1) for other in range(size)]


def direct_counts_law(reports: list[list[float]]) -> dict[tuple, float]:
    """Return the law of how many reports each category gets, from each person's chances."""
    size = len(reports[0])
    law = dict.fromkeys(_compositions(len(reports), size), 0.0)
    for codes in itertools.product(range(size), repeat=len(reports)):
        chance = math.prod(report[code] for report, code in zip(reports, codes, strict=True))
        law[tuple(codes.count(category) for category in range(size))] += chance
    return law


def _compositions(people: int, size: int) -> list[tuple]:
    """Return all lists of `size` counts that sum to `people`, in order."""
    if size == 1:
        return [(people,)]
    return [
        (first, *rest)
        for first in range(people + 1)
        for rest in _compositions(people - first, size - 1)
    ]


def unary_support_law(counts: list[int], p: float, q: float) -> list[dict[int, float]]:
    """Return, for each category, the law of how many of the reports have a 1 there."""
    people = sum(counts)
    # Two independent binomials, added up: Wang, Blocki, Li & Jha (2017).
    by_count = {
        count: np.convolve(binomial(count, p), binomial(people - count, q)).tolist()
        for count in set(counts)
    }
    return [dict(enumerate(by_count[count])) for count in counts]


def estimates_of(answer: Any, categories: list[str]) -> np.ndarray:
    """Return the estimates in the order of the categories, from a Series, dict or list."""
    names = list(answer) if isinstance(answer, dict) else None
    if names is None and hasattr(answer, "index") and hasattr(answer, "to_dict"):
        names = list(answer.index)
        if names == list(range(len(names))):
            names = None
    if names is not None:
        if len(names) != len(categories) or set(names) != set(categories):
            raise BadAnswer(
                "the categories of the answer are not the public ones",
                seen=f"it has {len(names)} categories, {len(categories)} are public",
                ask="what happens to a category that nobody has?",
            )
        table = dict(answer.items())
        answer = [table[category] for category in categories]
    elif np.ndim(answer) == 1 and len(answer) < len(categories):
        raise BadAnswer(
            "an estimate for each public category is wanted",
            seen=f"it returned {len(answer)}, and {len(categories)} categories are public",
            ask="what happens to a category that nobody has? And what would its absence tell?",
        )
    return numbers_of_shape(answer, (len(categories),), "the estimates")


def whole_supports(
    estimates: np.ndarray, p: float, q: float, people: int
) -> tuple[int, ...] | None:
    """Return how many reports support each category; None if no whole numbers give these."""
    supports = estimates * (p - q) + people * q
    whole = np.round(supports)
    fits = (np.abs(supports - whole) <= ROOM) & (whole >= 0) & (whole <= people)
    return tuple(whole.astype(int).tolist()) if fits.all() else None
