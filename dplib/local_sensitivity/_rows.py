"""Rows in a public domain, in order, and how sensitive their median can become."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
        # row more crosses it.
        wide = min(distance, self.count) + 2
        left, right = self._middles
        gaps = self._line[right : right + wide] - self._line[left + 1 - wide : left + 1]
        return self.share * float(gaps.max())

    @cached_property
    def _middles(self) -> tuple[int, int]:
        """The places of the middle rows in the line: one place, if their number is odd."""
        return self._beyond + (self.count - 1) // 2, self._beyond + self.count // 2

    @property
    def _beyond(self) -> int:
        """How many places beyond the rows a gap may reach."""
        return self.count + 2

    @cached_property
    def _line(self) -> np.ndarray:
        """The rows, and on both sides the ends of the domain."""
        ends = [np.full(self._beyond, end) for end in (self.low, self.high)]
        return np.concatenate([ends[0], self.rows, ends[1]])
