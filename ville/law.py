"""The law of one number, its cells, and their probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ville.bets.repeats import Continuous
from ville.cells import LEVELS, density_between, quantiles
from ville.distributions import Distribution
from ville.numbers.broken import refuse_broken
from ville.numbers.number_cells import NumberCells
from ville.numbers.shape import ROUNDING, Lattice

# How much larger a density may be somewhere in a cell than it is there on average.
_STEEPEST = 4.0
# A draw may lie so many floats beyond an end of the support.
_LAST_DIGITS = 2


class Impossible(Exception):
    """A draw that the law never gives."""


@dataclass(frozen=True, eq=False)
class Law:
    """The law of one number. Make one with `ville.laws`.

    Attributes:
      name: its name in messages.
      smooth: x -> the probability of draws up to x, without those at an atom. A continuous
        function; for a law on a lattice a function that steps at the lattice's places.
      atoms: the places that have a probability of their own, with it; none for a lattice.
      lattice: the places that a draw may have, if these are the points of a lattice.
      support: no draw lies outside.
      spread: factor -> the law of the same family at so many times the scale; None if it has none.
      error: how far off the cdf may be, in absolute terms.
    """

    name: str
    smooth: Distribution
    atoms: Mapping[float, float] = field(default_factory=dict)
    lattice: Lattice | None = None
    support: tuple[float, float] = (-math.inf, math.inf)
    spread: Callable[[float], Law] | None = None
    error: float = ROUNDING

    def __repr__(self) -> str:
        return self.name

    def cdf(self, places: np.ndarray) -> np.ndarray:
        """Return the probability of a draw up to each place."""
        places = np.asarray(places, dtype=float)
        levels = np.asarray(self.smooth(places), dtype=float)
        for place, mass in self.atoms.items():
            levels = levels + mass * (places >= place)
        return levels

    def mass(self, place: float) -> float:
        """Return the probability of one place."""
        if self.lattice is None:
            return self.atoms.get(place, 0.0)
        if not self.lattice.holds(np.array([place]))[0]:
            return 0.0
        ends = self.lattice.before(np.array([place])) + np.array([0.0, self.lattice.step])
        return float(np.diff(self.cdf(ends))[0])

    def middle_and_size(self) -> tuple[float, float]:
        """Return the median, and half the distance of the quartiles (or of rarer quantiles)."""
        marks = self.marks
        middle = float(marks[3])
        if self.lattice:
            middle = float(self.lattice.before(np.array([middle]))[0] + self.lattice.step / 2)
        least = self.lattice.step if self.lattice else 1.0
        sizes = [(marks[6 - k] - marks[k]) / 2 for k in (2, 1, 0)]
        return middle, float(next((size for size in sizes if size > 0), least))

    @cached_property
    def marks(self) -> np.ndarray:
        """A few quantiles, from the rarest below to the rarest above."""
        # A law without a `spread` is asked for its middle at each scale of each alternative.
        return quantiles(self.cdf, np.array([0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999]))

    def peak(self) -> float:
        """Return a rough bound on the density of a law that is on no lattice."""
        marks = np.unique(quantiles(self.smooth, LEVELS * (1 - sum(self.atoms.values()))))
        return _STEEPEST * density_between(marks, self.smooth(marks))

    def at_scale(self, factor: float) -> Law:
        """Return the law of the same family at another scale; else this one, drawn apart."""
        if self.spread:
            return self.spread(factor)
        middle, _ = self.middle_and_size()
        stretched = replace(self, smooth=lambda x: self.smooth((x - middle) / factor + middle))
        return replace(stretched, support=(-math.inf, math.inf))

    def moved(self, shift: float) -> Law:
        """Return the law of draws that are higher by `shift`, where atoms stay in their place."""
        return replace(self, smooth=lambda x: self.smooth(x - shift))

    def refuse_impossible(self, draws: np.ndarray) -> None:
        """Raise Impossible if this law never gives one of the draws."""
        finite = np.isfinite(draws)
        if not finite.all():
            wrong = ~finite & ~np.isin(draws, list(self.atoms))
            _refuse(draws, wrong, "is not a finite number")
        low, high = self.support
        if not self.lattice:
            # The last digit of a draw is a matter of rounding.
            low = low - _LAST_DIGITS * np.spacing(abs(low)) if math.isfinite(low) else low
            high = high + _LAST_DIGITS * np.spacing(abs(high)) if math.isfinite(high) else high
        if low > -math.inf:
            _refuse(draws, draws < low, f"lies below {self.support[0]:g}")
        if high < math.inf:
            _refuse(draws, draws > high, f"lies above {self.support[1]:g}")
        if self.lattice:
            which = "a whole number" if self.lattice == Lattice() else "on the lattice"
            _refuse(draws, ~self.lattice.holds(draws), f"is not {which}")

    def cells(self) -> NumberCells:
        """Return the cells that draws of this law are sorted into."""
        return self._cells

    @cached_property
    def _cells(self) -> NumberCells:
        refuse_broken(self)
        return NumberCells(self)


def continuous(laws: Sequence[object]) -> Continuous | None:
    """Return what repeats need of an entry's laws each; None where values may come again."""
    if not all(isinstance(law, Law) and law.lattice is None for law in laws):
        return None
    if any(law.cells().coarse for law in laws):  # a float stands for much of the law
        return None
    places = {place for law in laws for place in law.atoms}
    return Continuous(max(law.peak() for law in laws), tuple(places))


def _refuse(draws: np.ndarray, wrong: np.ndarray, words: str) -> None:
    if wrong.any():
        raise Impossible(f"{draws[np.argmax(wrong)].item()!r} {words}")
