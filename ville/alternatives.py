"""Named laws other than the claim's, as likelihood ratios of its cells."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

# Every alternative is mixed with the claim by this share, so that no single answer rules it out.
NULL_SHARE = 1e-6


Laws = Mapping[str, Sequence[np.ndarray]]  # of each its cell probabilities, by row


class Alternatives:
    """Named laws other than the claim's, as log likelihood ratios of the cells of all rows."""

    def __init__(self, null: Sequence[np.ndarray], laws: Laws | Callable[[], Laws]):
        """Take the claim's cell probabilities by row, and each law's likewise; there may be none.

        A function that makes the laws is called when they are first needed.
        The probabilities of a law may sum to less than 1: the rest is impossible under the claim.
        A law that is no number in some row (as 0 / 0 where scores are equal) says nothing there:
        one NaN would make all evidence NaN, which fails nobody.
        """
        self.starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._base, self._given = np.concatenate(null), laws

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
        laws_by_cell = np.array([np.concatenate(by_row) for by_row in self._laws.values()])
        laws_by_cell = laws_by_cell.reshape(len(self._laws), len(self._base))
        mixed = (1 - NULL_SHARE) * laws_by_cell + NULL_SHARE * self._base
        mixed = np.where(np.isnan(mixed), self._base, mixed)
        # A draw in a cell that the claim never fills is refused before any evidence is computed.
        possible = self._base > 0
        ratios = np.zeros_like(mixed)
        ratios[:, possible] = np.log(mixed[:, possible] / self._base[possible])
        return ratios

    def __len__(self) -> int:
        return len(self._laws)

    def cells_of(self, name: str) -> np.ndarray:
        """Return the cell probabilities of one law, the cells of all rows one after the other."""
        return np.exp(self.log_ratios[self.names.index(name)]) * self._base

    def rates(self) -> np.ndarray:
        """Return how fast the claim refutes each law, in nats an observation.

        This is the Kullback-Leibler divergence of the claim from the law (as it is used: mixed
        with the claim), averaged over the rows.
        """
        return -(self.log_ratios @ self._base) / (len(self.starts) - 1)
