"""The parts of the evidence: each is one way to bet against the claim."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ville.alternatives import Alternatives
from ville.dirichlet import GROUPS, TRANSITION_CONCENTRATIONS, Dirichlet, quarters

# Dirichlet concentrations per cell of the claim. Small ones find large departures in few draws;
# large ones find small departures in many.
FREE_CONCENTRATIONS = (0.5, 8.0, 64.0, 512.0)


class Part(Protocol):
    """One way to bet against the claim: some likelihood ratios, equally weighted.

    Attributes:
      kind: the name of departures that it explains: "catalogue", "family", "free", "dependence"
      or "entries".
    """

    kind: str

    def observe(self, rows: np.ndarray, cells: np.ndarray, counts: np.ndarray) -> None:
        """Add the next observations, in their order.

        Args:
          rows: the row of each observation, or the one row of all of them.
          cells: the cell of each.
          counts: how many of them fell in each cell, the cells of all rows one after the other.
        """

    def log_values(self) -> np.ndarray:
        """Return the log of each likelihood ratio; all zeros before any observation."""

    def name(self, place: int) -> str:
        """Return the bet of one of the likelihood ratios in words; "" if it has none."""


class _Counting:
    """The base of the parts that only count cells."""

    def __init__(self, size: int):
        self._counts = np.zeros(size)

    def observe(self, rows: np.ndarray, cells: np.ndarray, counts: np.ndarray) -> None:
        self._counts += counts

    def log_values(self) -> np.ndarray:
        return self.log_values_at(self._counts)

    def log_values_at(self, counts: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def name(self, place: int) -> str:
        return ""


class Listed(_Counting):
    """Alternatives whose cell probabilities are known: a catalogue, or a family of scales."""

    def __init__(self, alternatives: Alternatives, kind: str):
        super().__init__(int(alternatives.starts[-1]))
        self.kind, self._alternatives = kind, alternatives

    def log_values_at(self, counts: np.ndarray) -> np.ndarray:
        return self._alternatives.log_ratios @ counts

    def slopes(self, counts: np.ndarray) -> np.ndarray:
        return self._alternatives.log_ratios

    def bends(self, counts: np.ndarray) -> np.ndarray:
        return np.zeros_like(self._alternatives.log_ratios)

    def name(self, place: int) -> str:
        return self._alternatives.names[place]

    def loudest_row(self, place: int) -> int:
        """Return the row whose observations speak most for one alternative."""
        terms = self._alternatives.log_ratios[place] * self._counts
        return int(np.argmax(np.add.reduceat(terms, self._alternatives.starts[:-1])))


class Free(_Counting):
    """Any law of the cells at all: Dirichlet mixtures around the claim."""

    kind = "free"

    def __init__(self, null: Sequence[np.ndarray], *, pooled: bool):
        """Take the cell probabilities by row; `pooled` adds all rows up into one table."""
        super().__init__(sum(map(len, null)))
        self._times = len(null) if pooled else 1
        rows = [null[0]] if pooled else list(null)
        sizes = np.array([len(row) for row in rows])
        self._law = Dirichlet(rows, np.outer(FREE_CONCENTRATIONS, sizes))

    def log_values_at(self, counts: np.ndarray) -> np.ndarray:
        return self._law.log_values(self._added_up(counts))

    def slopes(self, counts: np.ndarray) -> np.ndarray:
        return np.tile(self._law.slopes(self._added_up(counts)), self._times)

    def bends(self, counts: np.ndarray) -> np.ndarray:
        return np.tile(self._law.bends(self._added_up(counts)), self._times)

    def _added_up(self, counts: np.ndarray) -> np.ndarray:
        return counts.reshape(self._times, -1).sum(axis=0)


class Coarse(_Counting):
    """Any law of the quarters of the claim's law: with fewer cells, an error shows sooner.

    Without it a wrong law would show in the transitions first, and be taken for dependence.
    """

    kind = "free"

    def __init__(self, null: Sequence[np.ndarray]):
        """Take the cell probabilities by row."""
        super().__init__(sum(map(len, null)))
        groups = [quarters(cells) for cells in null]
        self._places = np.concatenate([GROUPS * row + each for row, each in enumerate(groups)])
        self._size = GROUPS * len(null)
        base = np.bincount(self._places, np.concatenate(null), minlength=self._size)
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(null), axis=1)
        self._law = Dirichlet(list(base.reshape(-1, GROUPS)), weights)

    def log_values_at(self, counts: np.ndarray) -> np.ndarray:
        return self._law.log_values(self._grouped(counts))

    def slopes(self, counts: np.ndarray) -> np.ndarray:
        return self._law.slopes(self._grouped(counts))[:, self._places]

    def bends(self, counts: np.ndarray) -> np.ndarray:
        # Cells of one quarter are counted together, so single ones add less than this would say.
        return np.zeros((len(TRANSITION_CONCENTRATIONS), len(counts)))

    def _grouped(self, counts: np.ndarray) -> np.ndarray:
        return np.bincount(self._places, counts, minlength=self._size)


class Transitions:
    """Dependence between successive observations: which quarter of the law follows which."""

    kind = "dependence"

    def __init__(self, null: Sequence[np.ndarray], *, pooled: bool):
        """Take the cell probabilities by row; `pooled` keeps one table for all rows."""
        groups = [quarters(cells) for cells in null]
        self._starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._group_of = np.concatenate(groups).astype(np.int8)
        shares = [
            np.bincount(group, cells, minlength=GROUPS)
            for group, cells in zip(groups, null, strict=True)
        ]
        rows = [share for share in (shares[:1] if pooled else shares) for _ in range(GROUPS)]
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(rows), axis=1)
        self._law = Dirichlet(rows, weights)
        self._pooled = pooled
        self._counts = np.zeros((1 if pooled else len(null)) * GROUPS * GROUPS)
        self._last = np.zeros(0, dtype=np.int8)

    def observe(self, rows: np.ndarray, cells: np.ndarray, counts: np.ndarray) -> None:
        groups = np.concatenate([self._last, self._group_of[self._starts[rows] + cells]])
        places = groups[:-1] * np.int8(GROUPS) + groups[1:]
        if not self._pooled:
            # Each pair goes to the table of the row of its second member, whose law is in question.
            seconds = np.broadcast_to(rows, len(cells))[len(cells) - len(places) :]
            places = seconds * GROUPS * GROUPS + places
        self._counts += np.bincount(places, minlength=len(self._counts))
        self._last = groups[-1:]

    def log_values(self) -> np.ndarray:
        return self._law.log_values(self._counts)

    def beyond_shares(self) -> float:
        """Return how much likelier what follows what is than it is in independent draws, in nats.

        They may have any law: the shares of the quarters are those that came. Independent draws
        gain half of the pairs of quarters that may vary by chance (Wilks 1938), which is taken off.
        """
        tables = self._counts.reshape(-1, GROUPS, GROUPS)
        first, second = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
        seen = tables > 0
        expected = (first * second / np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1))[seen]
        free = len(tables) * (GROUPS - 1) ** 2
        return float(tables[seen] @ np.log(tables[seen] / expected)) - free / 2

    def name(self, place: int) -> str:
        return ""
