"""Evidence of dependence between draws that lie two to eight draws apart.

Two things are seen of each draw: whether it lies in the upper half of the law, and whether in the
outer one. The claim gives both a known probability, whatever came before; a Dirichlet mixture for
each of the two values some draws before bets on another one. That is a likelihood ratio.
"""

import math
from collections.abc import Sequence

import numpy as np

from ville.dirichlet import TRANSITION_CONCENTRATIONS, Dirichlet, quarters

LAGS = range(2, 9)
_MOST_ENTRIES = 8  # of a draw are looked at
_SEEN = {"upper": (2, 3), "outer": (0, 3)}  # which quarters of the law


class Lags:
    """Bets on what came so many draws before in the same entry, for each lag by itself."""

    def __init__(self, null: Sequence[np.ndarray]):
        """Take the cell probabilities by row: the rows of all settings, one for each entry."""
        groups = [quarters(cells) for cells in null]
        self._looks = [[np.isin(each, which) for each in groups] for which in _SEEN.values()]
        tables = []
        for looks in self._looks:
            for cells, look in zip(null, looks, strict=True):
                share = float(np.sum(cells[look])) / float(np.sum(cells))
                tables += [np.array([1 - share, share])] * 2
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(tables), axis=1)
        self._law = Dirichlet(tables, weights)
        self.counts = np.zeros((len(LAGS), len(_SEEN), len(null), 2, 2))
        self._last = [[np.zeros(0, dtype=bool)] * len(null) for _ in _SEEN]

    def take(self, rows: range, cells: np.ndarray) -> None:
        """Add the cells of the next draws of one setting, entry by entry, whose rows are given."""
        for row in rows[:_MOST_ENTRIES]:
            self.observe(row, cells[row - rows.start :: len(rows)])

    def observe(self, row: int, cells: np.ndarray) -> None:
        """Add the cells of the next draws of one row, in their order."""
        for place, looks in enumerate(self._looks):
            last = self._last[place][row]
            bits = np.concatenate([last, looks[row][cells]])
            for number, lag in enumerate(LAGS):
                # A pair counts once: when its second draw is new.
                first = bits[max(len(last) - lag, 0) : max(len(bits) - lag, 0)]
                second = bits[max(len(last), lag) :]
                self.counts[number, place, row] += _table(first, second)
            self._last[place][row] = bits[-LAGS[-1] :]

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        logs = self._logs()
        return float(np.logaddexp.reduce(logs, axis=None) - math.log(logs.size))

    def words(self) -> str:
        """Return how far apart the draws are that depend on each other most."""
        return f"{LAGS[int(np.argmax(self._logs().max(axis=(1, 2))))]} draws before"

    def _logs(self) -> np.ndarray:
        """Return the log of each likelihood ratio: by lag, concentration, and what is seen.

        The tables of one lag and one thing are of different draws: their ratios multiply.
        """
        logs = np.array([self._law.log_values_by_row(counts) for counts in self.counts])
        return logs.reshape(*logs.shape[:2], len(_SEEN), -1).sum(axis=-1)


def _table(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return how often each pair of bits came."""
    both, ones, others = (np.count_nonzero(each) for each in (first & second, first, second))
    return np.array([[len(first) - ones - others + both, others - both], [ones - both, both]])
