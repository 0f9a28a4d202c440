"""Whether counts fit a law, or the law is only the nearest of several."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

# A law that is this many deviations, and some nats, from the counts does not explain them.
_MISFIT, _ROOM, _ONE_PLACE = 6.0, 10.0, 0.99
# Nearer than this, counts look as if the law were their own: true of one, but for 1 in 100.
_NEAR, _LITTLE_ROOM = 3.0, 2.0
# Counts in so few parts of about the same probability show a wrong spread or place best.
_PARTS = 4


def explains(
    rows: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]], *, closely: bool = False
) -> bool:
    """Say whether laws explain counts: row by row (law, counts, cells that the claim rules out).

    `closely` asks for more: each row must look as if the law were its own.

    Under its law twice the log likelihood that the observed shares gain over it is about
    chi-square, with a degree of freedom for each cell that may vary (Wilks 1938).
    """
    rows = [_with_the_rest(*row) for row in rows]
    views = (rows, [_in_parts(*row) for row in rows])
    if closely:
        return all(_fitting([row], _NEAR, _LITTLE_ROOM) for view in views for row in view)
    return all(_fitting(view, _MISFIT, _ROOM) for view in views)


def at_one_place(law: np.ndarray) -> bool:
    """Say whether nearly all of a law lies in two cells."""
    return bool(np.sort(law)[-2:].sum() >= _ONE_PLACE)


def _with_the_rest(
    law: np.ndarray, counts: np.ndarray, impossible: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return a law and counts in which the cells that the claim rules out are one, the last.

    The catalogue knows no law in these cells: they have what is left of it.
    """
    if not impossible.any():
        return law, counts
    rest = max(0.0, 1 - law[~impossible].sum())
    return np.append(law[~impossible], rest), np.append(
        counts[~impossible], counts[impossible].sum()
    )


def _fitting(rows: Sequence[tuple[np.ndarray, np.ndarray]], deviations: float, room: float) -> bool:
    """Say whether counts are within so many deviations, and nats, of their laws."""
    gained = free = 0.0
    for law, counts in rows:
        seen = counts > 0
        shares = counts[seen] / counts.sum()
        gained += float(counts[seen] @ np.log(shares / np.maximum(law[seen], 1e-300)))
        free += np.sum(law > 0) - 1
    return gained <= free / 2 + deviations * math.sqrt(max(free, 1) / 2) + room


def _in_parts(law: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a law and counts in a few parts, from the lowest cells to the highest."""
    middles = np.cumsum(law) - law / 2
    parts = np.minimum((_PARTS * middles).astype(int), _PARTS - 1)
    return np.bincount(parts, law, _PARTS), np.bincount(parts, counts, _PARTS)
