"""The law of one number, its cells, and their probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ville.cells import LEVELS, density_between, quantiles
from ville.distributions import Distribution
from ville.repeats import Continuous

# A place with at least this probability has a cell of its own. Cells stay so likely that a rounding
# error of 1e-16 in a distribution function is at most 1e-12 of any of them.
LEAST_SHARE = 2e-4
_TAIL = 4e-4
# If one place has nearly all of the probability: of the rest.
_LEAST_RARE = 1e-6
# Beyond this many places of a lattice, several of them share a cell.
_MOST_PLACES = 120
# How much larger a density may be somewhere in a cell than it is there on average.
_STEEPEST = 4.0


class Impossible(Exception):
    """A draw that the law never gives."""


@dataclass(frozen=True)
class Lattice:
    """The places offset + k * step, for whole k."""

    step: float = 1.0
    offset: float = 0.0

    def holds(self, places: np.ndarray) -> np.ndarray:
        """Say which places belong to the lattice, up to the rounding of the places themselves."""
        if self.offset == 0 and math.frexp(self.step)[0] == 0.5:
            steps = places / self.step  # a power of two: exact
            return steps == np.rint(steps)
        steps = (places - self.offset) / self.step
        size = np.maximum(np.abs(places), max(abs(self.offset), self.step))
        return np.abs(steps - np.rint(steps)) <= 4 * np.finfo(float).eps * size / self.step

    def before(self, places: np.ndarray) -> np.ndarray:
        """Return the borders halfway below the lattice's nearest places."""
        return (np.rint((places - self.offset) / self.step) - 0.5) * self.step + self.offset


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
    """

    name: str
    smooth: Distribution
    atoms: Mapping[float, float] = field(default_factory=dict)
    lattice: Lattice | None = None
    support: tuple[float, float] = (-math.inf, math.inf)
    spread: Callable[[float], Law] | None = None

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
        marks = self._marks
        middle = float(marks[3])
        if self.lattice:
            middle = float(self.lattice.before(np.array([middle]))[0] + self.lattice.step / 2)
        sizes = [(marks[6 - k] - marks[k]) / 2 for k in (2, 1, 0)]
        return middle, float(next((size for size in sizes if size > 0), 1.0))

    @cached_property
    def _marks(self) -> np.ndarray:
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
        if low > -math.inf:
            _refuse(draws, draws < low, f"lies below {low:g}")
        if high < math.inf:
            _refuse(draws, draws > high, f"lies above {high:g}")
        if self.lattice:
            which = "a whole number" if self.lattice == Lattice() else "on the lattice"
            _refuse(draws, ~self.lattice.holds(draws), f"is not {which}")

    def cells(self) -> NumberCells:
        """Return the cells that draws of this law are sorted into."""
        if self.lattice:
            return NumberCells(self, self._borders(), np.zeros(0))
        atoms = sorted(place for place, mass in self.atoms.items() if mass >= LEAST_SHARE)
        return NumberCells(self, self._smooth_quantiles(atoms), np.array(atoms, dtype=float))

    def _smooth_quantiles(self, atoms: Sequence[float]) -> np.ndarray:
        total = 1 - sum(self.atoms.values())
        if total < LEAST_SHARE:
            return np.zeros(0)
        levels = LEVELS[_apart(total * LEVELS, total)]
        found = np.unique(quantiles(lambda x: self.smooth(x) / total, levels))
        # A border must leave room between itself and a single place.
        far = np.abs(np.subtract.outer(self.smooth(found), self.smooth(np.array(atoms))))
        return found[np.all(far >= LEAST_SHARE, axis=1)]

    def _borders(self) -> np.ndarray:
        """Return the borders between the cells of a lattice: one place in each, tails in two."""
        step = self.lattice.step
        low, high = self.lattice.before(quantiles(self.cdf, np.array([_TAIL, 1 - _TAIL])))
        places = round((high - low) / step)
        if places < 1:  # nearly all draws are one place
            ends = np.array([low, low + step])
            levels = self.cdf(ends)
            return ends[np.minimum(levels, 1 - levels) >= _LEAST_RARE]
        if places > _MOST_PLACES:
            borders = np.unique(self.lattice.before(quantiles(self.cdf)))
        else:
            borders = low + step * np.arange(1, places + 1)
        return borders[_apart(self.cdf(borders), 1.0)]


def _apart(levels: np.ndarray, end: float) -> np.ndarray:
    """Say which of the increasing levels to keep so that each cell is likely enough or empty."""
    kept, last = np.zeros(len(levels), dtype=bool), 0.0
    for place, level in enumerate(levels):
        kept[place] = (level - last >= LEAST_SHARE or level == last) and end - level >= LEAST_SHARE
        last = level if kept[place] else last
    return kept


class NumberCells:
    """Cells of numbers: intervals between borders, and single places."""

    def __init__(self, law: Law, borders: np.ndarray, atoms: np.ndarray):
        """Take the law that the cells are for, borders, and the places with cells of their own."""
        self._law = law
        borders = borders[~np.isin(borders, atoms)]
        # A place's own cell lies between two cuts: right below the place, and at it.
        self._places = np.concatenate([borders, atoms, atoms])
        below = np.concatenate([np.zeros(len(borders)), np.ones(len(atoms)), np.zeros(len(atoms))])
        order = np.lexsort((1 - below, self._places))
        self._places, self._below = self._places[order], below[order].astype(bool)
        cuts = np.where(self._below, np.nextafter(self._places, -np.inf), self._places)
        self._cuts = cuts

    def probabilities(self, law: Law) -> np.ndarray:
        """Return the probability of each cell under a law of numbers."""
        if not isinstance(law, Law):
            raise ValueError(f"law must be one of numbers, as {self._law} is; got {law!r}")
        levels = law.cdf(self._places)
        if self._below.any():
            masses = np.array([law.mass(float(place)) for place in self._places])
            levels = levels - np.where(self._below, masses, 0.0)
        return np.maximum(np.diff(np.concatenate([[0.0], levels, [1.0]])), 0.0)

    def sort(self, draws: np.ndarray) -> np.ndarray:
        """Return the cell of each draw.

        Raises:
          Impossible: the law never gives one of the draws.
        """
        self._law.refuse_impossible(draws)
        return np.searchsorted(self._cuts, draws)

    def label(self, cell: int) -> str:
        """Return a cell in words."""
        low = self._places[cell - 1] if cell else -math.inf
        high = self._places[cell] if cell < len(self._places) else math.inf
        if low == high:
            return f"{low:g}"
        if self._law.lattice and high - low == self._law.lattice.step:
            return f"{(low + high) / 2:g}"
        return f"{low:.3g} to {high:.3g}"


def continuous(laws: Sequence[object]) -> Continuous | None:
    """Return what repeats need of an entry's laws each; None where values may come again."""
    if not all(isinstance(law, Law) and law.lattice is None for law in laws):
        return None
    places = {place for law in laws for place in law.atoms}
    return Continuous(max(law.peak() for law in laws), tuple(places))


def _refuse(draws: np.ndarray, wrong: np.ndarray, words: str) -> None:
    if wrong.any():
        raise Impossible(f"{draws[np.argmax(wrong)]!r} {words}".replace("np.float64", ""))
