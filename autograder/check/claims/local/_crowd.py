"""A crowd's reports judged by one number: how many of them are true.

A thousand reports say more in one call than two people's in many, and a call that tells nothing but
the truth stands out at once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
from scipy.stats import binom

__all__ = ["edges", "group_of", "grouped", "in_all"]

# In standard deviations: ten groups where most numbers fall, and what hardly ever comes.
_ENDS = (-4.2, *np.linspace(-2, 2.5, 10), 4.2)


def in_all(groups: Iterable[tuple[int, float]]) -> np.ndarray:
    """Return the law of all true reports, from each group's people and their chance of truth."""
    law = np.ones(1)
    for people, truth in groups:
        law = np.convolve(law, binom.pmf(np.arange(people + 1), people, truth))
    return law


def edges(groups: Iterable[tuple[int, float]]) -> np.ndarray:
    """Return where the number of true reports goes from one outcome to the next."""
    people, truth = np.array(list(groups), dtype=float).T
    spread = math.sqrt((people * truth * (1 - truth)).sum())
    ends = np.round((people * truth).sum() + spread * np.array(_ENDS))
    return np.unique(np.clip(ends, 1, people.sum()))


def grouped(ends: np.ndarray, chances: np.ndarray) -> dict[str, float]:
    """Return the law of a crowd's outcome, from the chance of each number of true reports."""
    places = np.digitize(np.arange(len(chances)), ends)
    groups = np.bincount(places, weights=chances, minlength=len(ends) + 1)
    return dict(zip(_words(ends), groups.tolist(), strict=True))


def group_of(true: int, ends: np.ndarray) -> str:
    """Return the outcome for a number of true reports."""
    return _words(ends)[int(np.digitize(true, ends))]


def _words(ends: np.ndarray) -> list[str]:
    """Return the outcomes of a crowd, in words."""
    said = [f"{edge:,.0f}" for edge in ends]
    between = [f"{low} or more, below {high}" for low, high in itertools.pairwise(said)]
    return [
        f"{each} true reports" for each in (f"below {said[0]}", *between, f"{said[-1]} or more")
    ]
