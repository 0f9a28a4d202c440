"""Which of several explanations of a departure is told, and whether a law explains the counts."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# Draws depend on each other if no law alone explains them within so many nats.
_DEPENDS = 8.0
# From this many nats on, a part explains a departure by itself.
SPEAKS = 12.0
# A law that is this many deviations, and some nats, from the counts does not explain them.
_MISFIT, _ROOM, _ONE_PLACE = 6.0, 10.0, 0.99
# Nearer than this, counts look as if the law were their own: true of one, but for 1 in 100.
_NEAR, _LITTLE_ROOM = 3.0, 2.0
# Counts in so few parts of about the same probability show a wrong spread or place best.
_PARTS = 4


@dataclass(frozen=True)
class Explanation:
    """The best explanation of the draws: the part's kind, the alternative's name, the setting."""

    kind: str
    name: str = ""
    setting: int = 0


def by_itself(parts: Sequence[Any], heights: Sequence[float], loudest: int) -> int:
    """Return the place of the best explanation, where one draw says nothing of the next.

    A wrong law shows in what follows what as well: dependence must explain much more than any law,
    and more than independent draws of the same shares would show by chance.
    """
    if parts[loudest].kind != "dependence":
        return loudest
    # Entries of one draw follow each other, too: what they have in common is told of them.
    within = [place for place, part in enumerate(parts) if part.kind == "entries"]
    if within and heights[within[0]] > SPEAKS:
        return within[0]
    laws = [place for place, part in enumerate(parts) if part.kind == "free"]
    best = max(laws, key=heights.__getitem__, default=loudest)
    near = heights[best] > heights[loudest] - _DEPENDS
    return best if near or parts[loudest].beyond_shares() < _DEPENDS else loudest


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
