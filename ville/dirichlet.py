"""Dirichlet bets on "any other law": rows of counts, each with a law drawn around the claim's."""

from collections.abc import Sequence

import numpy as np

# Concentrations for the parts that look at quarters of a law, per row.
TRANSITION_CONCENTRATIONS = (4.0, 40.0, 400.0)
GROUPS = 4


class Dirichlet:
    """Rows of counts, each row with probabilities of its own drawn around known ones."""

    def __init__(self, rows: Sequence[np.ndarray], concentrations: np.ndarray):
        """Take each row's probabilities under the claim, and concentrations of shape (k, rows)."""
        from scipy.special import gammaln  # here, because importing it takes a while

        base = np.concatenate(rows)
        # A cell that the claim never fills is left out: it holds no count under the claim.
        self._kept = np.flatnonzero(base > 0)
        self._row = np.repeat(np.arange(len(rows)), [len(row) for row in rows])[self._kept]
        self._log_base = np.log(base[self._kept])
        self._total = concentrations
        self._alpha = concentrations[:, self._row] * base[self._kept]
        self._first = np.searchsorted(self._row, np.arange(len(rows)))
        self._constant = gammaln(concentrations) - self._by_row(gammaln(self._alpha))

    def log_values(self, counts: np.ndarray) -> np.ndarray:
        """Return the log of Dirichlet-multinomial over multinomial, for each concentration."""
        return self.log_values_by_row(counts).sum(1)

    def log_values_by_row(self, counts: np.ndarray) -> np.ndarray:
        """Return the same for each row on its own, of shape (k, rows)."""
        from scipy.special import gammaln

        # The Dirichlet-multinomial law (Good 1965): its sequence probability in closed form.
        kept = counts.ravel()[self._kept]
        answers = np.bincount(self._row, kept, minlength=self._total.shape[1])
        gained = self._by_row(gammaln(self._alpha + kept) - kept * self._log_base)
        return self._constant + gained - gammaln(self._total + answers)

    def slopes(self, counts: np.ndarray) -> np.ndarray:
        """Return how each log value grows with the count of each cell: an array (k, cells)."""
        from scipy.special import digamma

        kept = counts.ravel()[self._kept]
        answers = np.bincount(self._row, kept, minlength=self._total.shape[1])
        slopes = np.zeros((len(self._total), counts.size))
        slopes[:, self._kept] = digamma(self._alpha + kept) - self._log_base
        slopes[:, self._kept] -= digamma(self._total + answers)[:, self._row]
        return slopes

    def bends(self, counts: np.ndarray) -> np.ndarray:
        """Return how the slope of each cell grows with its own count, or less: (k, cells).

        The total of a row's counts is taken as given. One count more than there is keeps it below
        what the curve gives where counts are few: there it bends far more than a parabola can say.
        """
        from scipy.special import polygamma

        bends = np.zeros((len(self._total), counts.size))
        bends[:, self._kept] = polygamma(1, self._alpha + counts.ravel()[self._kept] + 1)
        return bends

    def _by_row(self, terms: np.ndarray) -> np.ndarray:
        return np.add.reduceat(terms, self._first, axis=1)


def quarters(cells: np.ndarray, groups: int = GROUPS) -> np.ndarray:
    """Return which quarter (or other part) of the claim each cell's middle lies in."""
    middle = np.cumsum(cells) - cells / 2
    return np.minimum((middle * groups).astype(int), groups - 1)
