"""The cells of a law of one number: intervals between borders, and single places."""

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ville.cells import LEVELS, quantiles
from ville.numbers.events import CENTERS, TAILS, Events, candidates, events_between
from ville.numbers.shape import NumberLaw

# A place with at least this probability has a cell of its own. Cells stay so likely that a rounding
# error of 1e-16 in a distribution function is at most 1e-12 of any of them.
LEAST_SHARE = 2e-4
_TAIL = 4e-4
# If one place has nearly all of the probability: of the rest.
_LEAST_RARE = 1e-6
# Beyond this many places of a lattice, several of them share a cell.
_MOST_PLACES = 120
# A border may move by a float, as draws are rounded: so much probability may change sides.
_MOST_LOOSE = 2e-7
# Less than this in all cells together is lost among the rounding errors.
_LEAST_SLACK = 1e-11


def _apart(levels: np.ndarray, end: float) -> np.ndarray:
    """Say which of the increasing levels to keep so that each cell is likely enough or empty."""
    kept, last = np.zeros(len(levels), dtype=bool), 0.0
    for place, level in enumerate(levels):
        kept[place] = (level - last >= LEAST_SHARE or level == last) and end - level >= LEAST_SHARE
        last = level if kept[place] else last
    return kept


def borders_of(law: NumberLaw) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return the cells' borders, the places with cells of their own, and if floats are too coarse.

    They are too coarse where a border had to be left out: a draw is a float, and the law gives
    much to the numbers that one float stands for.
    """
    if law.lattice:
        found, atoms = _lattice_borders(law), np.zeros(0)
    else:
        atoms = np.sort([place for place, mass in law.atoms.items() if mass >= LEAST_SHARE])
        found = _smooth_borders(law, atoms)
    steady = _loose(law, found) <= _MOST_LOOSE
    return found[steady], atoms.astype(float), not steady.all()


def _loose(law: NumberLaw, places: np.ndarray) -> np.ndarray:
    """Return how much of a law lies within a float of each place, and may cross it by rounding."""
    if _is_fine(law, places):
        return np.zeros(len(places))
    ends = [law.smooth(np.nextafter(places, end)) for end in (-np.inf, np.inf)]
    return np.maximum(ends[1] - ends[0], 0.0)


def _is_fine(law: NumberLaw, places: np.ndarray) -> bool:
    """Say whether floats are far finer than the law's lattice, if it has one, about some places."""
    largest = np.abs(places).max(initial=0.0)
    return law.lattice is not None and law.lattice.step > 8 * np.spacing(largest)


def _smooth_borders(law: NumberLaw, atoms: np.ndarray) -> np.ndarray:
    total = 1 - sum(law.atoms.values())
    if total < LEAST_SHARE:
        return np.zeros(0)
    levels = LEVELS[_apart(total * LEVELS, total)]
    found = np.unique(quantiles(lambda x: law.smooth(x) / total, levels))
    # A border must leave room between itself and a single place.
    far = np.abs(np.subtract.outer(law.smooth(found), law.smooth(atoms)))
    return found[np.all(far >= LEAST_SHARE, axis=1)]


def _lattice_borders(law: NumberLaw) -> np.ndarray:
    """Return the borders between the cells of a lattice: one place in each, tails in two."""
    step = law.lattice.step
    low, high = law.lattice.before(quantiles(law.cdf, np.array([_TAIL, 1 - _TAIL])))
    places = round((high - low) / step)
    if places < 1:  # nearly all draws are one place
        ends = np.array([low, low + step])
        levels = law.cdf(ends)
        return ends[np.minimum(levels, 1 - levels) >= _LEAST_RARE]
    if places > _MOST_PLACES:
        borders = np.unique(law.lattice.before(quantiles(law.cdf)))
    else:
        borders = low + step * np.arange(1, places + 1)
    return borders[_apart(law.cdf(borders), 1.0)]


def _on_lattice(law: NumberLaw, pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return intervals with their ends halfway between places, and the rare places among few."""
    before, step = law.lattice.before, law.lattice.step
    moved = []
    for low, high in pairs:
        # A tail begins behind its place; an interval about a place holds it.
        first = low if math.isinf(low) else float(before(low) + step * math.isinf(high))
        moved.append((first, high if math.isinf(high) else _upper(law, low, high)))
    low, high = before(quantiles(law.cdf, np.array([TAILS[-1], 1 - TAILS[-1]])))
    if (high - low) / step <= _MOST_PLACES:
        ends = low + step * np.arange(round((high - low) / step) + 2)
        rare = np.flatnonzero(np.diff(law.cdf(ends)) < LEAST_SHARE)
        moved += [(float(ends[place]), float(ends[place + 1])) for place in rare]
    return moved


def _upper(law: NumberLaw, low: float, high: float) -> float:
    """Return the border behind an interval's last place, or before a tail's end."""
    border = float(law.lattice.before(np.nextafter(high, np.inf)))
    return border if math.isinf(low) else border + law.lattice.step


class NumberCells:
    """Cells of numbers: intervals between borders, and single places."""

    def __init__(self, law: NumberLaw):
        """Take the law that the cells are for."""
        self._law = law
        borders, atoms, self.coarse = borders_of(law)
        borders = borders[~np.isin(borders, atoms)]
        # A place's own cell lies between two cuts: right below the place, and at it.
        self._places = np.concatenate([borders, atoms, atoms])
        below = np.concatenate([np.zeros(len(borders)), np.ones(len(atoms)), np.zeros(len(atoms))])
        order = np.lexsort((1 - below, self._places))
        self._places, self._below = self._places[order], below[order].astype(bool)
        cuts = np.where(self._below, np.nextafter(self._places, -np.inf), self._places)
        self._cuts = cuts

    @cached_property
    def null(self) -> np.ndarray:
        """The probability of each cell under the law itself.

        Where floats are coarse, a cell may have more than its probability by what draws gain that
        are rounded across its borders. The bounds are divided by their sum: see `slack`.
        """
        return self._bounds / self._bounds.sum() if self.slack else self._bounds

    @cached_property
    def slack(self) -> float:
        """The log of the sum of the cells' bounds: what the evidence loses at each draw."""
        total = float(self._bounds.sum())
        return math.log(total) if total > 1 + _LEAST_SLACK else 0.0

    @cached_property
    def _bounds(self) -> np.ndarray:
        own = self.probabilities(self._law)
        loose = np.concatenate([[0.0], _loose(self._law, self._places), [0.0]])
        loose[1:-1][self._below] = 0.0
        loose[1:-1] += 2 * self._law.error
        moved = loose[1:] + loose[:-1]
        return own + moved if moved.sum() > _LEAST_SLACK else own

    @property
    def shared(self) -> bool:
        """Whether several places of a lattice share a cell between two borders.

        Where floats are about as coarse as the lattice, the places cannot be told apart.
        """
        if self._law.lattice is None or not _is_fine(self._law, self._places):
            return False
        return bool(np.diff(self._places).max(initial=0.0) > 1.5 * self._law.lattice.step)

    @cached_property
    def events(self) -> Events:
        """The rare events of the law, in tails and near some quantiles."""
        law, widened = self._law, self._law.lattice is None
        cdf = law.cdf
        lower, upper = quantiles(cdf, TAILS), quantiles(cdf, 1 - TAILS)
        pairs = candidates((lower, upper), quantiles(cdf, CENTERS), law.middle_and_size()[1])
        rare = [place for place, mass in law.atoms.items() if mass < LEAST_SHARE]
        pairs += [(float(np.nextafter(place, -np.inf)), place) for place in rare]
        if law.lattice:
            pairs, widened = _on_lattice(law, pairs), not _is_fine(law, self._places)
        return events_between(cdf, pairs, widened=widened, error=law.error)

    def probabilities(self, law: NumberLaw) -> np.ndarray:
        """Return the probability of each cell under a law of numbers."""
        if not hasattr(law, "smooth"):
            raise ValueError(f"law must be one of numbers, as {self._law} is; got {law!r}")
        levels = law.cdf(self._places)
        if self._below.any():
            masses = np.array([law.mass(float(place)) for place in self._places])
            levels = levels - np.where(self._below, masses, 0.0)
        # A bet may ask a cdf where its draws never lie, and where it may be anything.
        levels = np.maximum.accumulate(np.clip(np.nan_to_num(levels), 0.0, 1.0))
        return np.diff(np.concatenate([[0.0], levels, [1.0]]))

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
