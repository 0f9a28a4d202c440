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

_SHARES = np.array([0.3, 0.03, 3e-3, 3e-4, 3e-5])  # of repeats, which are bet on
_FAR = 10  # times as much as its chance is bet on a repeat at least
# Uniform numbers on a grid of 2**-32 are common and good enough: then no value is rarer than this.
_LEAST = 2.0**-31
_RARE = 1e-3  # a whole draw this unlikely is told of when it comes again
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


class _Bets:
    """Bets on draws that come again: what 1 becomes by them, for each share that is bet on."""

    def __init__(self):
        self._log = np.zeros(len(_SHARES))

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        return float(np.logaddexp.reduce(self._log) - math.log(len(self._log)))

    def bet(self, again: np.ndarray, chance: np.ndarray) -> None:
        """Bet on draws; each comes again with probability at most `chance`.

        A share is bet on only where it is far above the chance, which is known before the draw.
        """
        chance = np.maximum(chance, 1e-300)
        open_ = _SHARES[:, None] > _FAR * chance
        self._log += np.log1p(-_SHARES) * np.count_nonzero(open_ & ~again, axis=1)
        if again.any():
            paid = np.log(_SHARES[:, None] / chance[again])
            self._log += np.sum(paid, axis=1, where=open_[:, again])


class Repeats:
    """The evidence of repeats, over the settings and the entries of their draws."""

    def __init__(self, laws: Sequence[Continuous | None]):
        """Take each setting's law; None where values may come again."""
        self._laws, self._bets = list(laws), _Bets()
        self._seen: dict[tuple[int, int], np.ndarray] = {}
        self._single = [True] * len(self._laws)  # whether all draws so far are 32-bit floats
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
            self._observe(setting, entry, columns[:, entry], law)

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        return self._bets.log_value()

    def words(self) -> tuple[str, int]:
        """Return a value that came again, in words, and the setting where most did."""
        return f"{self.example:.17g} came again", int(np.argmax(self.counts))

    def _observe(self, setting: int, entry: int, column: np.ndarray, law: Continuous) -> None:
        seen = self._seen.get((setting, entry), np.zeros(0))
        draws = column[np.isfinite(column) & ~np.isin(column, law.places)][: _MOST - len(seen)]
        if not len(draws):
            return
        again = _among(seen, draws) | _came_before(draws)
        known = len(seen) + np.arange(len(draws))
        largest = max(np.abs(draws).max(), np.abs(seen).max(initial=0.0))
        single = self._single[setting]
        grain = np.spacing(np.float32(largest)) if single else np.spacing(largest)
        self._bets.bet(again, known * max(law.peak * float(grain), _LEAST))
        if again.any():
            self.counts[setting] += int(again.sum())
            self.example = float(draws[np.argmax(again)])
        # Two ordered runs: a stable sort merges them.
        both = np.concatenate([seen, np.sort(draws)])
        self._seen[setting, entry] = np.sort(both, kind="stable")


class WholeRepeats:
    """The evidence of draws of several independent entries that come again as a whole.

    One draw comes with probability at most the product of the probabilities of the entries'
    likeliest cells, one of n known draws with at most n times that. One is known before the first:
    the one that is foreseen, on which there is a bet of its own.
    """

    def __init__(self, foreseen: Sequence[np.ndarray | None], rows: Sequence[Sequence[np.ndarray]]):
        """Take for each setting the foreseen draw, None for no bets, and its cells' laws by row."""
        self._foreseen = [None if known is None else _as_keys([known])[0] for known in foreseen]
        self._known = [{key} for key in self._foreseen]
        self._likeliest = [[float(np.max(row)) for row in laws] for laws in rows]
        self._on_known, self._on_foreseen = _Bets(), _Bets()
        self.counts = np.zeros(len(self._known), dtype=int)

    def observe(self, setting: int, draws: np.ndarray) -> None:
        """Bet on the next draws of one setting, of shape (n, entries), in their order."""
        known, foreseen = self._known[setting], self._foreseen[setting]
        if foreseen is None or len(known) > _MOST:
            return
        keys, chance = _as_keys(draws), self._chance(setting, draws)
        again, before = np.zeros(len(keys), dtype=bool), np.zeros(len(keys))
        for place, key in enumerate(keys):
            again[place], before[place] = key in known, len(known)
            known.add(key)
        self._on_known.bet(again, before * chance)
        self._on_foreseen.bet(
            np.array([key == foreseen for key in keys], dtype=bool), np.full(len(keys), chance)
        )
        self.counts[setting] += int(np.sum(again & (before * chance < _RARE)))

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        logs = self._on_known.log_value(), self._on_foreseen.log_value()
        return float(np.logaddexp(*logs) - math.log(2))

    def without_noise(self) -> bool:
        """Say whether the foreseen draws alone tell as much as all that came again."""
        return self._on_foreseen.log_value() >= self._on_known.log_value()

    def words(self) -> tuple[str, int]:
        """Return how draws came again, and the setting where most did."""
        how = "without noise" if self.without_noise() else "as before"
        return how, int(np.argmax(self.counts))

    def _chance(self, setting: int, draws: np.ndarray) -> float:
        """Return a bound on the probability of any one draw."""
        of_each = self._likeliest[setting]
        alike = np.size(draws[0]) // len(of_each)
        return max(math.prod(of_each) ** alike, _LEAST**2)  # one row may stand for all entries


def _as_keys(draws: Sequence[np.ndarray]) -> list[bytes]:
    """Return the finite draws, each as one key."""
    whole = np.reshape(np.asarray(draws, dtype=float), (len(draws), -1)) + 0.0  # -0.0 becomes 0.0
    return [row.tobytes() for row in whole[np.all(np.isfinite(whole), axis=1)]]


def _among(ordered: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Say which draws are among ordered numbers."""
    first, behind = (np.searchsorted(ordered, draws, side=side) for side in ("left", "right"))
    return first < behind


def _came_before(draws: np.ndarray) -> np.ndarray:
    """Say which draws equal an earlier one of these."""
    first = np.zeros(len(draws), dtype=bool)
    first[np.unique(draws, return_index=True)[1]] = True
    return ~first
