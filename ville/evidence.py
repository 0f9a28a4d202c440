"""Evidence against a claim: one test martingale, a mixture of likelihood ratios.

Under the claim each observation falls in a cell of known probability. Observations come from one
row or another (one for each setting, or for each entry of a setting's draws); each row has its
cells. Every part bets on some other law of the cells. A part's values are likelihood ratios
against the claim, so each has mean 1 under the claim, whatever the number of draws; so has their
mixture with weights that sum to one. Ville's inequality (Ville 1939) then bounds the chance that
the mixture ever reaches 1/alpha, at any time at all, by alpha. README.md has the proof in short.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ville.alternatives import Alternatives
from ville.entries import Entries
from ville.parts import Coarse, Free, Listed, Part, Transitions


@dataclass(frozen=True)
class Weighted:
    """A part of the evidence with its weight."""

    part: Part
    weight: float


class Evidence:
    """The mixture of parts; their weights sum to one."""

    def __init__(self, null: Sequence[np.ndarray], parts: Sequence[Weighted]):
        """Take the claim's cell probabilities by row, and the parts.

        Raises:
          ValueError: the weights do not sum to one.
        """
        weights = [each.weight for each in parts]
        if abs(sum(weights) - 1) > 1e-12 or min(weights) < 0:
            raise ValueError(f"weights must sum to one, got {weights}")
        self.parts = tuple(parts)
        self._starts = np.cumsum([0, *(len(cells) for cells in null)])

    def observe(self, rows: np.ndarray | int, cells: np.ndarray) -> np.ndarray:
        """Add the next observations, in their order: the row and the cell of each.

        One row may stand for all of them. Returns how many fell in each cell, the cells of all
        rows one after the other.
        """
        counts = np.bincount(self._starts[rows] + cells, minlength=self._starts[-1])
        if len(cells):
            for each in self.parts:
                each.part.observe(rows, cells, counts)
        return counts

    def log_values(self) -> list[np.ndarray]:
        """Return the log likelihood ratios, one array for each part."""
        return [each.part.log_values() for each in self.parts]

    def log_total(self, log_values: Sequence[np.ndarray] | None = None) -> float:
        """Return the log of the mixture: a test martingale under the claim, 0 at the start."""
        values = self.log_values() if log_values is None else log_values
        terms = [
            logs + math.log(each.weight / len(logs))
            for each, logs in zip(self.parts, values, strict=True)
        ]
        return float(np.logaddexp.reduce(np.concatenate(terms)))


def _same_law(one: np.ndarray, other: np.ndarray) -> bool:
    """Say whether two rows have one law, up to the rounding that it was computed with."""
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-11, atol=0)


def default_mixture(
    null: Sequence[np.ndarray],
    catalogue: Alternatives,
    families: Alternatives,
    entries: Sequence[int] | None = None,
) -> Evidence:
    """Return the mixture that judges every claim.

    Rows whose cells have the same probabilities (continuous laws) are also added up: an error
    common to all of them is then found sooner.

    Args:
      null: the claim's law of cells by row.
      catalogue: mistakes that are known; there may be none.
      families: the law with a wrong spread or place; there may be none.
      entries: how many rows, one after the other, each setting's draws fill; one by default.
    """
    entries = entries or [1] * len(null)
    several = max(entries) > 1
    shared = all(_same_law(cells, null[0]) for cells in null[1:])
    wanted = [
        (0.45, Listed(catalogue, "catalogue") if len(catalogue) else None),
        (0.2, Listed(families, "family") if len(families) else None),
        (0.08, Free(null, pooled=False)),
        (0.04, Coarse(null)),
        (0.08, Free(null, pooled=True) if shared and len(null) > 1 else None),
        (0.15, Transitions(null, pooled=shared)),
        (0.15, Entries(null, entries, pooled=shared) if several else None),
    ]
    present = [(weight, part) for weight, part in wanted if part is not None]
    total = sum(weight for weight, _ in present)
    return Evidence(null, [Weighted(part, weight / total) for weight, part in present])
