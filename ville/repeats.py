"""Evidence of values that come again although the law is continuous: a pool, a coarse grid, a seed.

A float stands for the real numbers around it, so it has a probability of its own: at most the
largest density times the distance to the next float. Of n earlier values one comes again with
probability at most q = n * that. A bet on a share r of repeats pays r / q at a repeat, and costs
1 - r at any other draw. Given the past its mean is at most q * r / q + (1 - r) = 1, so what 1
becomes by such bets is a supermartingale: by Ville's inequality it reaches 1 / alpha with
probability at most alpha. A q that is too large only makes the bet poorer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_SHARES = (0.3, 0.03, 3e-3, 3e-4, 3e-5)  # of repeats, which are bet on
# Uniform numbers on a grid of 2**-32 are common and good enough: then no value is rarer than this.
_LEAST = 2.0**-31
_MOST = 100_000  # draws of an entry, which are remembered


@dataclass(frozen=True)
class Continuous:
    """A continuous law, as far as repeats need it.

    Attributes:
      peak: a bound on its density, except at `places`.
      places: the values that have a probability of their own: there repeats say nothing.
    """

    peak: float
    places: tuple[float, ...] = ()


class Repeats:
    """The evidence of repeats, over the settings and the entries of their draws."""

    def __init__(self, laws: Sequence[Continuous | None]):
        """Take each setting's law; None where values may come again."""
        self._laws = list(laws)
        self._seen: dict[tuple[int, int], np.ndarray] = {}
        self._single = [True] * len(self._laws)  # whether all draws so far are 32-bit floats
        self._log = np.zeros(len(_SHARES))
        self.counts = np.zeros(len(self._laws), dtype=int)
        self.example = math.nan

    def observe(self, setting: int, draws: np.ndarray) -> None:
        """Bet on the next draws of one setting, of shape (n,) or (n, entries), in their order."""
        law = self._laws[setting]
        if law is None:
            return
        columns = np.asarray(draws, dtype=float).reshape(len(draws), -1)
        with np.errstate(over="ignore"):
            self._single[setting] &= bool(np.all(columns.astype(np.float32) == columns))
        for entry in range(columns.shape[1]):
            self._bet(setting, entry, columns[:, entry], law)

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        return float(np.logaddexp.reduce(self._log) - math.log(len(self._log)))

    def _bet(self, setting: int, entry: int, column: np.ndarray, law: Continuous) -> None:
        seen = self._seen.get((setting, entry), np.zeros(0))
        draws = column[np.isfinite(column) & ~np.isin(column, law.places)][: _MOST - len(seen)]
        if not len(draws):
            return
        again = _among(seen, draws) | _came_before(draws)
        known = len(seen) + np.arange(len(draws))
        largest = max(np.abs(draws).max(), np.abs(seen).max(initial=0.0))
        single = self._single[setting]
        grain = np.spacing(np.float32(largest)) if single else np.spacing(largest)
        chance = np.clip(known * max(law.peak * float(grain), _LEAST), 1e-300, 1.0)
        for place, share in enumerate(_SHARES):
            self._log[place] += np.sum(np.log(share / chance[again]))
            self._log[place] += np.log1p(-share) * np.sum(~again)
        if again.any():
            self.counts[setting] += int(again.sum())
            self.example = float(draws[np.argmax(again)])
        # Two ordered runs: a stable sort merges them.
        both = np.concatenate([seen, np.sort(draws)])
        self._seen[setting, entry] = np.sort(both, kind="stable")


def _among(ordered: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Say which draws are among ordered numbers."""
    first, behind = (np.searchsorted(ordered, draws, side=side) for side in ("left", "right"))
    return first < behind


def _came_before(draws: np.ndarray) -> np.ndarray:
    """Say which draws equal an earlier one of these."""
    first = np.zeros(len(draws), dtype=bool)
    first[np.unique(draws, return_index=True)[1]] = True
    return ~first
