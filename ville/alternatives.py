"""Named laws other than the claim's, as likelihood ratios of its cells."""

from collections.abc import Mapping, Sequence

import numpy as np

# Every alternative is mixed with the claim by this share, so that no single answer rules it out.
NULL_SHARE = 1e-6


class Alternatives:
    """Named laws other than the claim's, as log likelihood ratios of the cells of all rows."""

    def __init__(self, null: Sequence[np.ndarray], laws: Mapping[str, Sequence[np.ndarray]]):
        """Take the claim's cell probabilities by row, and each law's likewise; there may be none.

        The probabilities of a law may sum to less than 1: the rest is impossible under the claim.
        A law that is no number in some row (as 0 / 0 where scores are equal) says nothing there:
        one NaN would make all evidence NaN, which fails nobody.
        """
        self.names = tuple(laws)
        self.starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._base = np.concatenate(null)
        laws_by_cell = np.array([np.concatenate(by_row) for by_row in laws.values()])
        laws_by_cell = laws_by_cell.reshape(len(self.names), len(self._base))
        mixed = (1 - NULL_SHARE) * laws_by_cell + NULL_SHARE * self._base
        mixed = np.where(np.isnan(mixed), self._base, mixed)
        # A draw in a cell that the claim never fills is refused before any evidence is computed.
        possible = self._base > 0
        self.log_ratios = np.zeros_like(mixed)
        self.log_ratios[:, possible] = np.log(mixed[:, possible] / self._base[possible])

    def __len__(self) -> int:
        return len(self.names)

    def cells_of(self, name: str) -> np.ndarray:
        """Return the cell probabilities of one law, the cells of all rows one after the other."""
        return np.exp(self.log_ratios[self.names.index(name)]) * self._base

    def rates(self) -> np.ndarray:
        """Return how fast the claim refutes each law, in nats an observation.

        This is the Kullback-Leibler divergence of the claim from the law (as it is used: mixed
        with the claim), averaged over the rows.
        """
        return -(self.log_ratios @ self._base) / (len(self.starts) - 1)
