"""Intervals around releases: how they are read, how often they may miss, what their width earns."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number, shortened
from autograder.check.words import number

_LEAST_SHARE = 0.1  # a wider interval than this says nothing, and earns nothing
_MOST_EMPTY = 0.5
_ROUNDING = 1e-9
_LIKE = 0.02  # relative: how near a half width is to that of a mistake which is told by its formula


def as_intervals(answer: Any, parameters: dict) -> np.ndarray:
    """Return the intervals as an array of shape (n, 2), or raise BadAnswer.

    A few may be empty, where a release is so far off that an end has been moved past the other.
    """
    ends = np.array([_ends(each) for each in answer])
    reversed_ = ends[:, 0] > ends[:, 1]
    if reversed_.mean() > _MOST_EMPTY:
        low, high = ends[reversed_][0]
        raise BadAnswer(
            "the lower end lies above the upper one",
            seen=f"it returned {shortened((float(low), float(high)))}",
            ask="is the reach negative, or do the ends stand in the wrong order?",
        )
    return ends


def widths_of(ends: np.ndarray) -> np.ndarray:
    """Return the widths of intervals; an empty one has none."""
    return np.maximum(ends[:, 1] - ends[:, 0], 0)


def _ends(answer: Any) -> tuple[float, float]:
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return low, high`?")
    if not isinstance(answer, tuple | list | np.ndarray) or len(answer) != 2:
        raise BadAnswer(
            "two ends are wanted: low, high",
            seen=f"it returned {shortened(answer)}",
            ask="does your function end in `return low, high`?",
        )
    return as_number(answer[0]), as_number(answer[1])


class MissesBet:
    """Bets against "an interval misses with probability at most `miss`".

    Each bet on a larger rate multiplies what it holds by rate / miss at a miss and by
    (1 - rate) / (1 - miss) at a hit, of mean 1 at most under the claim. So the mean of all bets
    ever reaches 1 / level with probability `level` at most (Ville 1939), whenever one stops.
    """

    def __init__(self, miss: float, rates: int = 40):
        larger = miss + (1 - miss) * np.geomspace(0.01, 0.99, rates)
        self._at_hit, self._at_miss = np.log((1 - larger) / (1 - miss)), np.log(larger / miss)
        self.runs = self.misses = 0

    def see(self, missed: np.ndarray) -> None:
        """Take in which intervals have missed."""
        self.runs, self.misses = self.runs + len(missed), self.misses + int(missed.sum())

    def log_evidence(self) -> float:
        """Return the log of what the bets have made of 1."""
        logs = self.misses * self._at_miss + (self.runs - self.misses) * self._at_hit
        return float(np.logaddexp.reduce(logs) - math.log(len(logs)))


def named_by_width(
    widths: Sequence[float], known: Sequence[tuple[Sequence[float], str, str]], like: float = _LIKE
) -> tuple[str, str] | None:
    """Return name and question of the first mistake whose widths came, one for each setting."""
    for expected, name, ask in known:
        if all(
            abs(came - wanted) <= like * wanted
            for came, wanted in zip(widths, expected, strict=True)
        ):
            return name, ask
    return None


def earned(ratios: Sequence[float], situations: Sequence[str]) -> tuple[float, str]:
    """Return the part of the points, and a note, for widths relative to those that earn all.

    Raises:
      BadAnswer: an interval is so wide that it earns nothing.
    """
    widest = int(np.argmax(ratios))
    share = 1.0 if ratios[widest] <= 1 + _ROUNDING else 1 / ratios[widest]
    seen = f"{situations[widest]}: {number(ratios[widest])} times the width that earns all points"
    if share < _LEAST_SHARE:
        raise BadAnswer(
            "the interval covers, and is far too wide",
            seen=seen,
            ask="which error did you take: that of one person, or that of what is released?",
        )
    return share, "" if share == 1 else f"{share:.0%} of the points; {seen}"
