"""Evidence of rare events that come more often than they may.

A bet on an event of probability at most p that comes with probability r pays 1 + r * (1 / p - 1)
when it comes, and 1 - r when it does not: its mean is at most 1. What 1 becomes by such bets on an
event is a supermartingale, and so is a mixture over events and shares r. Where p is far below r,
one event pays for many draws: all that is needed is a bound on p.
"""

import math
from collections.abc import Sequence

import numpy as np

from ville.numbers.events import Events

_SHARES = np.array([0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5])
# A cell whose probability is computed as 0 has at most this much by rounding errors.
_LEAST_CELL = 1e-9


class Rare:
    """Bets on the events of several rows, on each by itself."""

    def __init__(self, chances: Sequence[np.ndarray]):
        """Take for each row the bounds on its events' probabilities; there may be none."""
        self._row = np.repeat(np.arange(len(chances)), [len(each) for each in chances])
        self.starts = np.cumsum([0, *(len(each) for each in chances)])
        self.chances = np.concatenate([np.zeros(0), *chances])
        self._won = np.log1p(_SHARES * (1 / self.chances[:, None] - 1))
        self.counts, self.draws = np.zeros(len(self.chances)), np.zeros(len(chances))

    def __len__(self) -> int:
        return len(self._row)

    def add(self, row: int, counts: np.ndarray, draws: int) -> None:
        """Add draws of one row: how often each of its events came, and how many draws there are."""
        self.counts[self.starts[row] : self.starts[row + 1]] += counts
        self.draws[row] += draws

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        return self.log_value_at(self.counts, self.draws)

    def log_value_at(self, counts: np.ndarray, draws: np.ndarray) -> float:
        """Return the log of the evidence of these counts, in so many draws of each row."""
        logs = self._logs(counts, draws)
        return float(np.logaddexp.reduce(logs, axis=None) - math.log(logs.size))

    def _logs(self, counts: np.ndarray, draws: np.ndarray) -> np.ndarray:
        others = draws[self._row] - counts
        return self._won * counts[:, None] + np.log1p(-_SHARES) * others[:, None]

    def loudest(self) -> int:
        """Return the place of the event that shows most."""
        return int(np.argmax(self._logs(self.counts, self.draws).max(axis=1)))

    def row_of(self, event: int) -> int:
        """Return the row of an event."""
        return int(self._row[event])


class RareEvents(Rare):
    """Bets on the rare events of laws, as their draws come."""

    def __init__(self, events: Sequence[Events | None]):
        """Take the events of each row; None if it has none."""
        self._events = events
        super().__init__([each.chances if each else np.zeros(0) for each in events])

    def observe(self, rows: range, draws: np.ndarray, counts: np.ndarray) -> None:
        """Add the next draws of one setting, of shape (n,) or (n, entries), whose rows are given.

        `counts` says how many observations fell in each cell of all rows.
        """
        columns = np.reshape(draws, (len(draws), len(rows)))
        for row in rows:
            if events := self._events[row]:
                self.add(row, events.count(columns[:, row - rows.start]), len(draws))

    def words(self) -> tuple[int, str]:
        """Return the row of the event that shows most, and what came, in words."""
        event = self.loudest()
        row = self.row_of(event)
        label = self._events[row].label(event - self.starts[row])
        came, draws = int(self.counts[event]), int(self.draws[row])
        often = "once" if came == 1 else f"{came:,} times"
        return row, (
            f"{label} came {often} in {draws:,}; each is such a one with probability "
            f"{self.chances[event]:.2g} at most"
        )


class EmptyCells(Rare):
    """Bets on the cells whose probability is computed as 0: rounding errors are all they have."""

    def __init__(self, null: Sequence[np.ndarray]):
        """Take the cell probabilities by row."""
        self._sizes = np.cumsum([0, *map(len, null)])
        self._empty = np.concatenate(null) == 0
        super().__init__([np.full(int(np.any(row == 0)), _LEAST_CELL) for row in null])

    def observe(self, rows: range, draws: np.ndarray, counts: np.ndarray) -> None:
        """Add the next draws of one setting, as in `RareEvents`."""
        for row in rows:
            own = slice(self._sizes[row], self._sizes[row + 1])
            if self._empty[own].any():
                came = counts[own][self._empty[own]].sum()
                self.add(row, np.array([came]), int(counts[own].sum()))

    def words(self) -> tuple[int, str]:
        """Return the row that shows most, and no words: the cells are in the draws' law."""
        return self.row_of(self.loudest()), ""


def rare_bets(
    null: Sequence[np.ndarray], events: Sequence[Events | None], *, certain: bool
) -> RareEvents | EmptyCells | None:
    """Return the bets on a trial's rare events, or else on its empty cells; None without either.

    `certain` says that a draw in an empty cell ends everything.
    """
    if any(events):
        return RareEvents(events)
    bets = None if certain else EmptyCells(null)
    return bets if bets else None
