"""Named laws other than the claim's, as likelihood ratios of its cells."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

# Every alternative is mixed with the claim by this share, so that no single answer rules it out.
NULL_SHARE = 1e-6
_ROUNDING = 1e-12

Rows = Sequence[np.ndarray]  # the cell probabilities of a law, by row
Laws = Mapping[str, Rows | Callable[[], Rows]]


class Alternatives:
    """Named laws other than the claim's, as log likelihood ratios of the cells of all rows."""

    def __init__(self, null: Rows, laws: Laws | Callable[[], Laws]):
        """Take the claim's cell probabilities by row, and each law's likewise; there may be none.

        A function that makes the laws, or one of them, is called when it is first needed.
        The probabilities of a law may sum to less than 1: the rest is impossible under the claim.
        A law that is no number in some row (as 0 / 0 where scores are equal) says nothing there:
        one NaN would make all evidence NaN, which fails nobody.
        """
        self.starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._base, self._given = np.concatenate(null), laws
        self._possible = self._base > 0
        self._known: dict[str, np.ndarray] = {}

    @cached_property
    def _laws(self) -> Laws:
        return self._given() if callable(self._given) else self._given

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the laws, in their order."""
        return tuple(self._laws)

    @cached_property
    def log_ratios(self) -> np.ndarray:
        """The log likelihood ratio of each cell to the claim's, a law a row."""
        ratios = np.array([self._log_ratios(name) for name in self._laws])
        return ratios.reshape(len(self._laws), len(self._base))

    def _log_ratios(self, name: str) -> np.ndarray:
        if name not in self._known:
            with np.errstate(all="ignore"):
                self._known[name] = self._compared(self._laws[name])
        return self._known[name]

    def _compared(self, rows: Rows | Callable[[], Rows]) -> np.ndarray:
        law = np.concatenate([_at_most_one(row) for row in (rows() if callable(rows) else rows)])
        mixed = (1 - NULL_SHARE) * law + NULL_SHARE * self._base
        mixed = np.where(np.isnan(mixed), self._base, mixed)
        # A draw in a cell that the claim never fills is refused before any evidence is computed.
        ratios = np.zeros_like(mixed)
        ratios[self._possible] = np.log(mixed[self._possible] / self._base[self._possible])
        return ratios

    def __len__(self) -> int:
        return len(self._laws)

    def cells_of(self, name: str) -> np.ndarray:
        """Return the cell probabilities of one law, the cells of all rows one after the other."""
        return np.exp(self._log_ratios(name)) * self._base

    def rates(self) -> np.ndarray:
        """Return how fast the claim refutes each law, in nats an observation.

        This is the Kullback-Leibler divergence of the claim from the law (as it is used: mixed
        with the claim), averaged over the rows.
        """
        return np.array([self._rate(name) for name in self._laws])

    def _rate(self, name: str) -> float:
        return -float(self._log_ratios(name) @ self._base) / (len(self.starts) - 1)

    def slowest(self, above: float = -math.inf, first: str = "") -> tuple[float, str]:
        """Return the lowest rate and its law's name; infinity if there is no law.

        A rate of at most `above` ends the search: it need not be the lowest. The law `first`, if
        there is one of this name, is looked at before the others.
        """
        best = math.inf, ""
        for name in sorted(self._laws, key=lambda name: name != first):
            best = min(best, (self._rate(name), name))
            if best[0] <= above:
                break
        return best


def _at_most_one(row: np.ndarray) -> np.ndarray:
    """Return the cell probabilities of a law, divided by their sum if that is above 1.

    More than 1 would be evidence from nothing.
    """
    return row / max(total, 1.0) if (total := np.sum(row)) > 1 + _ROUNDING else row
