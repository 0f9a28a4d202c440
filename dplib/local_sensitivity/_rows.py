"""Rows in a public domain, in order, and how sensitive their median can become."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplib import _validate


def sorted_rows(values, lower, upper) -> tuple[np.ndarray, float, float]:
    """Return the rows clipped to the public interval, in increasing order, and its two ends."""
    low, high = _validate.interval(lower, upper)
    rows = _validate.vector("values", values)
    return np.sort(np.clip(rows, low, high)), low, high


def median_rows(values, lower, upper) -> MedianRows:
    """Return the rows clipped to the domain, in increasing order, with the domain."""
    return MedianRows(*sorted_rows(values, lower, upper))


def exact_median(values, lower, upper) -> float:
    """Return the median of the clipped rows."""
    return float(np.median(sorted_rows(values, lower, upper)[0]))


@dataclass(frozen=True)
class MedianRows:
    """Rows in increasing order within a domain, and how sensitive their median can become."""

    rows: np.ndarray
    low: float
    high: float

    @property
    def count(self) -> int:
        return len(self.rows)

    @property
    def share(self) -> float:
        """How far the median moves when one middle row moves by 1."""
        return 1.0 if self.count % 2 else 0.5

    def sensitivity(self, distance: int) -> float:
        """Return the largest local sensitivity of the median, `distance` replaced rows away."""
        # `distance` rows, taken from the middle to either end, leave one of these gaps there; one
        # row more crosses it. Beyond the rows lie the ends of the domain.
        left, right = (self.count - 1) // 2, self.count // 2
        steps = np.arange(min(distance, self.count) + 2)
        gaps = self._at(right + steps) - self._at(left + steps - len(steps) + 1)
        return self.share * float(gaps.max())

    def _at(self, places: np.ndarray) -> np.ndarray:
        inside = self.rows[np.clip(places, 0, self.count - 1)]
        return np.where(places < 0, self.low, np.where(places >= self.count, self.high, inside))
