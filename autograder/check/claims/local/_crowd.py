"""A crowd's reports judged by one number: how many of them are true.

A thousand reports say more in one call than two people's in many, and a call that tells nothing but
the truth stands out at once.
"""

import itertools
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from autograder.check.claims.local._binomial import binomial

# In standard deviations: ten groups where most numbers fall, and what hardly ever comes.
_ENDS = (-4.2, *np.linspace(-2, 2.5, 10), 4.2)


class Crowd:
    """The outcomes of a crowd: how many reports are true, in a dozen steps.

    Args:
      truth: what each would truly report.
      groups: each group's people and their chance of a true report, in a right answer.
    """

    def __init__(self, truth: ArrayLike, groups: Iterable[tuple[int, float]]):
        self._truth = np.ravel(truth)
        people, chances = np.array(list(groups), dtype=float).T
        spread = math.sqrt((people * chances * (1 - chances)).sum())
        edges = np.round((people * chances).sum() + spread * np.array(_ENDS))
        self._edges = np.unique(np.clip(edges, 1, people.sum()))
        said = [f"{edge:,.0f}" for edge in self._edges]
        between = [_from_to(*pair) for pair in itertools.pairwise(self._edges)]
        steps = (f"below {said[0]}", *between, f"{said[-1]} or more")
        self._words = [f"{step} true reports" for step in steps]

    def law(self, chances: np.ndarray) -> dict[str, float]:
        """Return the law of the outcomes, from the chance of each number of true reports."""
        places = np.digitize(np.arange(len(chances)), self._edges)
        shares = np.bincount(places, weights=chances, minlength=len(self._words))
        return dict(zip(self._words, shares.tolist(), strict=True))

    def are_true(self, reports: np.ndarray) -> np.ndarray:
        """Say of each report whether it is true."""
        return reports == self._truth

    def outcome(self, reports: np.ndarray) -> str:
        """Return the outcome: how many reports are true."""
        true = np.count_nonzero(self.are_true(reports))
        return self._words[int(np.searchsorted(self._edges, true, side="right"))]


def _from_to(low: float, above: float) -> str:
    """Return the whole numbers from one up to below another, in words."""
    return f"{low:,.0f} to {above - 1:,.0f}" if above - low > 1 else f"{low:,.0f}"


def in_all(groups: Iterable[tuple[int, float]]) -> np.ndarray:
    """Return the law of all true reports, from each group's people and their chance of truth."""
    law = np.ones(1)
    for people, truth in groups:
        law = np.convolve(law, binomial(people, truth))
    return law


def all_or_none(people: int, truth: float) -> np.ndarray:
    """Return the law of all true reports when one coin decides for all."""
    law = np.zeros(people + 1)
    law[[0, people]] = 1 - truth, truth
    return law
