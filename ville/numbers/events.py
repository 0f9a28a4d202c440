"""Rare events of a law: a few draws show that one comes more often than it may.

An event is an interval of places. The number that is computed for its probability is a bound: the
interval is widened by a float on either side, and the rounding errors of a cdf are added.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ville.distributions import Distribution

# An event counts as this likely at least.
LEAST_CHANCE = 1e-12
_LARGEST_CHANCE = 0.05  # of an event that is called rare
# The tails beyond which a draw has these probabilities.
TAILS = 10.0 ** -np.array([4, 6, 8, 10, 12])
# Around these quantiles draws may pile up, within so many sizes of the law.
CENTERS = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
_NEAR = (0.1, 0.03, 0.01, 0.001)


@dataclass(frozen=True, eq=False)
class Events:
    """Intervals (low, high] of a law, with a bound on the probability of each.

    Attributes:
      low, high: the ends, of shape (events,).
      chances: the bounds.
    """

    low: np.ndarray
    high: np.ndarray
    chances: np.ndarray

    def __post_init__(self):
        cuts = np.unique(np.concatenate([self.low, self.high]))
        object.__setattr__(self, "_cuts", cuts)
        ends = [np.searchsorted(cuts, each) for each in (self.low, self.high)]
        object.__setattr__(self, "_ends", ends)

    def count(self, draws: np.ndarray) -> np.ndarray:
        """Return how many of the draws lie in each interval."""
        cells = np.searchsorted(self._cuts, draws)
        up_to = np.cumsum(np.bincount(cells, minlength=len(self._cuts) + 1))
        return up_to[self._ends[1]] - up_to[self._ends[0]]

    def label(self, place: int) -> str:
        """Return one of the events in words."""
        low, high = self.low[place], self.high[place]
        if np.isneginf(low):
            return f"draws up to {high:.4g}"
        if np.isposinf(high):
            return f"draws above {low:.4g}"
        middle, half = (low + high) / 2, (high - low) / 2
        return f"draws within {half:.2g} of {middle:.4g}"


def events_between(
    cdf: Distribution, pairs: Sequence[tuple[float, float]], *, widened: bool, error: float
) -> Events:
    """Return the intervals (low, high] that are rare under a law, from candidates.

    Args:
      cdf: the law.
      pairs: the ends of the candidates.
      error: how far off the cdf may be.
      widened: whether a draw may have been rounded to the next float on either side.
    """
    low, high = np.array(sorted(set(pairs)), dtype=float).reshape(-1, 2).T
    outer = (np.nextafter(low, -np.inf), np.nextafter(high, np.inf)) if widened else (low, high)
    with np.errstate(all="ignore"):
        below = np.where(np.isneginf(low), 0.0, cdf(np.where(np.isneginf(low), 0.0, outer[0])))
        up_to = np.where(np.isposinf(high), 1.0, cdf(np.where(np.isposinf(high), 0.0, outer[1])))
    chances = np.maximum(up_to - below + 2 * error, LEAST_CHANCE)
    kept = (chances <= _LARGEST_CHANCE) & (low < high)
    return Events(low[kept], high[kept], chances[kept])


def candidates(
    tails: tuple[np.ndarray, np.ndarray], centers: np.ndarray, size: float
) -> list[tuple[float, float]]:
    """Return the tails beyond some quantiles, and narrow intervals about others."""
    pairs = [(-np.inf, float(np.nextafter(place, -np.inf))) for place in tails[0]]
    pairs += [(float(place), np.inf) for place in tails[1]]
    ends = [(center - near * size, center + near * size) for center in centers for near in _NEAR]
    return pairs + [(float(low), float(high)) for low, high in ends]
