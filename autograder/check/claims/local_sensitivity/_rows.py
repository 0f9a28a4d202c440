"""References about a few rows in a public interval, worked out from the definitions."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def clipped(values: Sequence[float], lower: float, upper: float) -> list[float]:
    """Return the rows, each moved into the interval, in increasing order."""
    return np.sort(np.clip(np.asarray(values, dtype=float), lower, upper)).tolist()


def median_of(rows: Sequence[Any], middle: float = 0.0) -> Any:
    """Return the median, of no rows the middle of the domain."""
    if not rows:
        return middle
    ordered, half = sorted(rows), len(rows) // 2
    return ordered[half] if len(rows) % 2 else (ordered[half - 1] + ordered[half]) / 2


def median_moves(
    rows: list[float], lower: float, upper: float, neighbors: str, median: Callable = median_of
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
    here = median(rows, middle)
    moves = [median(table, middle) - here for table in tables]
    return max(0.0, -min(moves)), max(0.0, *moves)


def median_sensitivity(values: Sequence[float], distance: int, lower: float, upper: float) -> float:
    """Return the largest local sensitivity of the median, `distance` replaced rows away.

    The replaced rows go to the ends; beside the middle they leave a gap that `distance` + 1 steps
    cross. tests/check holds this against all tables of a small grid.
    """
    gaps = _gaps(clipped(values, lower, upper), distance, lower, upper)
    return float(gaps.max()) * _share(values)


def outermost_sensitivity(
    values: Sequence[float], distance: int, lower: float, upper: float
) -> float:
    """Return the same, looking only at the two gaps that begin or end at the middle."""
    gaps = _gaps(clipped(values, lower, upper), distance, lower, upper)
    return float(max(gaps[0], gaps[-1])) * _share(values)


def _gaps(rows: list[float], distance: int, lower: float, upper: float) -> np.ndarray:
    """Return what `distance` + 1 steps cross beside the middle, from the lowest place up."""
    steps = min(distance, len(rows)) + 2
    # Place k of the rows is place k + steps here, with the ends of the domain on both sides.
    places = np.concatenate([np.full(steps, lower), rows, np.full(steps, upper)])
    left, right = (len(rows) - 1) // 2 + 1, len(rows) // 2 + steps
    return places[right : right + steps] - places[left : left + steps]


def _share(values: Sequence[float]) -> float:
    """Return how far a median moves when one middle row moves by 1."""
    return 1.0 if len(values) % 2 else 0.5


def tables_away(
    values: Sequence[float],
    bound: float,
    lower: float,
    upper: float,
    sensitivity: Callable = median_sensitivity,
) -> float:
    """Return the fewest replaced rows after which the local sensitivity is above the bound."""
    for distance in range(len(values) + 1):
        if sensitivity(values, distance, lower, upper) > bound:
            return float(distance)
    return math.inf
