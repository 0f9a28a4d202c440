"""References about a few rows in a public interval, worked out from the definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["clipped", "mean_sensitivity", "median_moves", "mistaken_distance", "tables_away"]


def clipped(values: Sequence[float], lower: float, upper: float) -> list[float]:
    """Return the rows, each moved into the interval, in increasing order."""
    return sorted(min(max(float(value), lower), upper) for value in values)


def _median(rows: Sequence[float], middle: float) -> float:
    """Return the median, of no rows the middle of the domain."""
    if not rows:
        return middle
    ordered, half = sorted(rows), len(rows) // 2
    return ordered[half] if len(rows) % 2 else (ordered[half - 1] + ordered[half]) / 2


def median_moves(
    rows: list[float], lower: float, upper: float, neighbors: str
) -> tuple[float, float]:
    """Return how far one person can move the median of these rows down, and up.

    By the definition: every neighbor is tried. A row that comes in at an end moves a median most.
    """
    middle = (lower + upper) / 2
    without = [rows[:place] + rows[place + 1 :] for place in range(len(rows))]
    if neighbors == "replace_one":
        tables = [[*left, end] for left in without for end in (lower, upper)]
    else:
        tables = [*without, [*rows, lower], [*rows, upper]]
    here = _median(rows, middle)
    moves = [_median(table, middle) - here for table in tables]
    return max(0.0, -min(moves)), max(0.0, *moves)


def mean_sensitivity(
    values: Sequence[float], distance: int, lower: float, upper: float, neighbors: str
) -> float:
    """Return the largest local sensitivity of the clipped mean, `distance` edits from these rows.

    The worst tables are without the largest rows, or without the smallest: a row then joins at the
    far end, or an outermost row that was spared leaves. tests/check holds this against all tables.
    """
    rows, width = clipped(values, lower, upper), upper - lower
    size = len(rows) - distance
    if neighbors == "replace_one":
        reach = max(upper - rows[0], rows[-1] - lower)
        return (width if distance else reach) / len(rows)
    if size <= 0:
        return width / 2
    moves = []
    for side in ([row - lower for row in rows], [upper - row for row in reversed(rows)]):
        moves.append((width - sum(side[:size]) / size) / (size + 1))
        if size > 1:
            moves.append((side[-1] - sum(side[: size - 1]) / (size - 1)) / size)
    return max(moves)


def tables_away(
    values: Sequence[float], bound: float, lower: float, upper: float, neighbors: str
) -> float:
    """Return the fewest edits after which the local sensitivity is above the bound."""
    for distance in range(len(values) + 1):
        if mean_sensitivity(values, distance, lower, upper, neighbors) > bound:
            return float(distance)
    return math.inf


def mistaken_distance(rows: int, reach: float, bound: float, spare: int) -> float:
    """Return the first k with reach / (rows - k + spare) above the bound: no row is looked at.

    With reach = upper and spare = 1 this is a formula in use that counts only rows that join.
    """
    steps = np.arange(rows + spare)
    above = reach / (rows - steps + spare) > bound
    return float(np.argmax(above)) if above.any() else math.inf
