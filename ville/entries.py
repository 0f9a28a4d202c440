"""Dependence between the entries of one draw, as a part of the evidence."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ville.dirichlet import GROUPS, TRANSITION_CONCENTRATIONS, Dirichlet, quarters

# Entries whose pairs are looked at one by one, and the cells that a sum of entries falls into.
_MOST_PAIRED = 16
_SUM_CELLS = 12


class Entries:
    """Dependence between the entries of one draw, seen in their pairs and sums.

    Each entry shows a quarter of its law. The quarters of two entries, and the sum of the quarters
    of all of them (with signs), have laws that follow exactly from the entries' own, whatever these
    are. Every pair and every sum bets on its own.
    """

    kind = "entries"

    def __init__(self, null: Sequence[np.ndarray], entries: Sequence[int], *, pooled: bool):
        """Take the cell probabilities by row, and how many rows each setting's answers fill.

        `pooled` adds up the settings that have as many entries: for rows that share one law.
        """
        self._entries = list(entries)
        self._setting_of = np.repeat(np.arange(len(entries)), entries)
        self._starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._group_of = np.concatenate([quarters(cells) for cells in null])
        looks, laws, made = [], {}, {}
        for place, first in enumerate(np.cumsum([0, *entries[:-1]])):
            # Pooled settings share one look. Two looks, from laws that agree up to rounding, could
            # put a sum on the border of two cells into different ones.
            key = (0 if pooled else place, entries[place])
            if key not in made:
                made[key] = _looks(null[first : first + entries[place]])
            named = {(*key, look.name): look for look in made[key]}
            laws.update({name: look.law for name, look in named.items()})
            looks.append(named)
        tables = list(laws.values())
        self._table_starts = dict(zip(laws, np.cumsum([0, *map(len, tables[:-1])]), strict=True))
        self._pairs = list(map(self._pairs_of, self._entries, looks))
        self._sums = list(map(self._sums_of, looks))
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(tables), axis=1)
        self._law = Dirichlet(tables, weights)
        self._counts = np.zeros(sum(map(len, tables)))
        self._open = [np.zeros(0, dtype=int) for _ in entries]
        self._names = [name for *_, name in laws]

    def _pairs_of(self, entries: int, looks: dict) -> tuple[np.ndarray, ...]:
        """Return both entries of each pair that is looked at, and where its table starts."""
        ones, others = np.triu_indices(min(entries, _MOST_PAIRED), 1)
        starts = [self._table_starts[key] for key, look in looks.items() if not look.cells]
        return ones, others, np.array(starts, dtype=int)

    def _sums_of(self, looks: dict) -> list[tuple[int, Callable]]:
        """Return where the table of each other look starts, and the cells of answers in it."""
        return [(self._table_starts[key], look.cells) for key, look in looks.items() if look.cells]

    def observe(self, rows: np.ndarray, cells: np.ndarray, counts: np.ndarray) -> None:
        groups = self._group_of[self._starts[rows] + cells]
        settings = np.broadcast_to(self._setting_of[rows], len(groups))
        for place in np.unique(settings):
            # An answer counts when its last entry is there.
            seen = np.concatenate([self._open[place], groups[settings == place]])
            whole = len(seen) - len(seen) % self._entries[place]
            answers = seen[:whole].reshape(-1, self._entries[place])
            self._open[place] = seen[whole:]
            ones, others, starts = self._pairs[place]
            found = [(answers[:, ones] * GROUPS + answers[:, others] + starts).ravel()]
            found += [start + cells_of(answers) for start, cells_of in self._sums[place]]
            self._counts += np.bincount(np.concatenate(found), minlength=len(self._counts))

    def log_values(self) -> np.ndarray:
        return self._law.log_values_by_row(self._counts).ravel()

    def name(self, place: int) -> str:
        """Return in words the entries that one of the likelihood ratios looks at."""
        return self._names[place % len(self._names)]


@dataclass(frozen=True)
class _Look:
    """One way to look at the entries of an answer: its name, its law, and the cell of answers.

    The cells of pairs are found for all of them at once, so a pair has no function for its own.
    """

    name: str
    law: np.ndarray
    cells: Callable[[np.ndarray], np.ndarray] | None = None


def _looks(rows: Sequence[np.ndarray]) -> list[_Look]:
    """Return the pairs and sums of one answer's entries, whose cell probabilities are given."""
    shares = [np.bincount(quarters(cells), cells, minlength=GROUPS) for cells in rows]
    looks = [
        _Look(
            f"entries {one} and {other}",
            np.outer(shares[one], shares[other]).ravel(),
        )
        for one, other in itertools.combinations(range(min(len(rows), _MOST_PAIRED)), 2)
    ]
    return looks + ([_sum_look(shares, *pair) for pair in _SIGNS.items()] if len(rows) > 2 else [])


# The signs with which n entries are added up.
_SIGNS = {
    "the sum of all entries": lambda n: np.ones(n, dtype=int),
    "every other entry against the rest": lambda n: 1 - 2 * (np.arange(n) % 2),
    "one half of the entries against the other": lambda n: 1 - 2 * (np.arange(n) >= n // 2),
}


def _sum_look(shares: Sequence[np.ndarray], name: str, signs_of: Callable) -> _Look:
    """Return the look at a signed sum of quarters."""
    signs = signs_of(len(shares))
    law = np.ones(1)
    for share, sign in zip(shares, signs, strict=True):
        law = np.convolve(law, share[::sign])
    classes = quarters(law, _SUM_CELLS)
    least = np.sum(signs < 0) * (GROUPS - 1)
    return _Look(
        name,
        np.bincount(classes, law, minlength=_SUM_CELLS),
        lambda answers: classes[answers @ signs + least],
    )
