"""Joint laws: draws of several entries, where each has a law given those before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ville import distributions
from ville.draws import numbers_of, outcomes_of
from ville.law import Impossible, Law
from ville.numbers.number_cells import NumberCells
from ville.outcomes import Choice
from ville.require import positive, whole

# How far off a level may be. Cumulative binomial and beta laws are right to about 1e-14.
_ERROR = 1e-12
# A float may stand for so much of a continuous law; where it stands for more, nothing is judged.
_COARSEST = 1e-6
# Gamma draws, of which Dirichlet ones are made, fall below the smallest float with probability
# 1e-308 ** concentration.
_LEAST_CONCENTRATION = 0.1
_SUM_ROUNDING = 1e-9
# No other generator has this key, so what it gives is independent of the draws.
_KEY = 0x56696C6C65203139


def places_within() -> np.random.Generator:
    """Return the generator that draws levels within a place, the same numbers for each run."""
    return np.random.Generator(np.random.Philox(key=_KEY))


Ends = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Joint:
    """The law of draws of several entries. Make one with `ville.laws`.

    An entry is judged by its level: the probability of what lies below it, given the entries before
    it. If the draws follow the law, levels are independent and even between 0 and 1 (Rosenblatt
    1952). Where one place has a probability of its own, the level is drawn from that place's share
    of the interval, by a generator of this module; then the same is true (Brockwell 2007).

    Attributes:
      name: its name in messages.
      entries: how many numbers, or outcomes, a draw has.
      known: how many of them do not follow from the others; they have levels.
      read: draws and their shape to an array.
      ends: draws to the lower and the upper end of each level, arrays of shape (draws, known); it
        raises Impossible for a draw that the law never gives.
      error: how far off the ends may be.
    """

    name: str
    entries: int
    known: int
    read: Callable[[Any, tuple[int, ...]], np.ndarray]
    ends: Callable[[np.ndarray], Ends]
    error: float = _ERROR

    def __repr__(self) -> str:
        return self.name

    def cells(self) -> NumberCells:
        """Return the cells that the levels of each entry are sorted into."""
        return self._cells

    @cached_property
    def _cells(self) -> NumberCells:
        even = Law("level", distributions.uniform(0.0, 1.0), support=(0.0, 1.0))
        return NumberCells(replace(even, error=self.error))

    def levels(self, draws: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Return the level of each entry, an array of shape (draws, known).

        Args:
          draws: what `read` gives.
          generator: draws the level within a place, independently of the draws.

        Raises:
          Impossible: a draw is one that the law never gives.
          ValueError: a level is no number between 0 and 1.
        """
        low, high = self.ends(draws)
        if not ((low >= -_ERROR) & (low <= high + _ERROR) & (high <= 1 + _ERROR)).all():
            raise ValueError(f"{self.name}: a cdf must rise from 0 to 1")
        inside = generator.random(low.shape)
        return np.clip(low + inside * (high - low), 0.0, 1.0)


Part = Law | Choice | Callable[..., Law | Choice]


def chain(first: Law | Choice, *parts: Part, error: float = _ERROR, name: str = "") -> Joint:
    """Return the law of draws whose entries are drawn one after the other.

    Args:
      first: the law of the first entry.
      parts: of each further entry its law, or a function that takes the entries before it (each an
        argument) and returns its law: what an adaptive mechanism does next.
      error: how far off the cdf of any part may be.
      name: its name in messages.
    """
    positive("error", error)
    for part in (first, *parts):
        if not isinstance(part, Law | Choice) and (part is first or not callable(part)):
            raise ValueError(f"each part must be a law, or a function to one; got {part!r}")
        _refuse_error(part, error)
    if not parts:
        raise ValueError(f"parts must hold at least one law after the first, got {parts!r}")
    made = [first, *parts]

    def ends(draws: np.ndarray) -> Ends:
        pairs = [_ends_of_entry(part, draws, place, error) for place, part in enumerate(made)]
        low, high = zip(*pairs, strict=True)
        return np.column_stack(low), np.column_stack(high)

    name = name or f"chain of {len(made)} laws"
    return Joint(name, len(made), len(made), outcomes_of, ends, max(error, _ERROR))


def _ends_of_entry(part: Part, draws: np.ndarray, place: int, error: float) -> Ends:
    """Return the ends of the levels of one entry of a chain."""
    column = draws[:, place]
    if isinstance(part, Law | Choice):
        return _ends(part, column)
    together: dict[tuple, list[int]] = {}
    for row, before in enumerate(draws[:, :place].tolist()):
        together.setdefault(tuple(before), []).append(row)
    low, high = np.empty(len(draws)), np.empty(len(draws))
    for before, rows in together.items():
        law = part(*before)
        if not isinstance(law, Law | Choice):
            raise ValueError(f"part {place} must return a law, got {law!r} after {before!r}")
        _refuse_error(law, error)
        low[rows], high[rows] = _ends(law, column[rows])
    return low, high


def _refuse_error(law: object, error: float) -> None:
    if isinstance(law, Law) and law.error > error:
        raise ValueError(f"error must be at least that of {law}, {law.error:g}; got {error!r}")


def _ends(law: Law | Choice, values: np.ndarray) -> Ends:
    """Return the probability of what lies below each value, and with the value itself."""
    if isinstance(law, Choice):
        cells = law.cells()
        chosen, borders = cells.sort(values), np.cumsum(np.append(0.0, cells.null))
        if (cells.null[chosen] == 0).any():
            wrong = values[np.argmax(cells.null[chosen] == 0)]
            raise Impossible(f"{wrong!r} has probability 0")
        return np.minimum(borders[chosen], 1), np.minimum(borders[chosen + 1], 1)
    numbers = numbers_of(values.tolist(), values.shape)
    law.refuse_impossible(numbers)
    if law.lattice:
        below = law.lattice.before(numbers)
        return law.cdf(below), law.cdf(below + law.lattice.step)
    low, high = law.cdf(np.nextafter(numbers, -np.inf)), law.cdf(numbers)
    atoms = sum(mass * (numbers == place) for place, mass in law.atoms.items())
    if (high - low - atoms > _COARSEST).any():
        raise ValueError(f"floats are too coarse for {law}: none of its draws can be judged")
    return low, high


def multinomial(trials: int, probabilities: Sequence[float]) -> Joint:
    """Return the law of how often each outcome came in independent trials.

    Args:
      trials: how many there are.
      probabilities: of each outcome.
    """
    whole("trials", trials)
    chances = np.array(list(Choice(dict(enumerate(probabilities))).probabilities.values()))
    if len(chances) < 2:
        raise ValueError(f"probabilities must be of at least two outcomes, got {probabilities!r}")
    rest = np.cumsum(chances[::-1])[::-1]  # of each outcome and those after it

    def ends(draws: np.ndarray) -> Ends:
        from scipy.special import bdtr  # here, because importing it takes a while

        counts = (draws >= 0) & (draws == np.rint(draws))
        _refuse(draws, ~counts.all(axis=1), "has an entry that is no count")
        _refuse(draws, draws.sum(axis=1) != trials, f"does not sum to {trials}")
        _refuse(draws, ((draws > 0) & (chances == 0)).any(axis=1), "has what never comes")
        came = draws[:, :-1]
        left = trials - np.cumsum(draws, axis=1)[:, :-1] + came
        share = np.divide(chances, rest, out=np.zeros_like(rest), where=rest > 0)[:-1]
        share = np.minimum(share, 1.0)
        below = np.where(came > 0, bdtr(np.maximum(came - 1, 0), left.astype(int), share), 0.0)
        return below, bdtr(came, left.astype(int), share)

    name = f"multinomial({trials} trials, {len(chances)} outcomes)"
    return Joint(name, len(chances), len(chances) - 1, numbers_of, ends)


def dirichlet(concentrations: Sequence[float]) -> Joint:
    """Return the Dirichlet law of shares that sum to 1.

    Args:
      concentrations: one for each share, at least 0.1 (floats are too coarse for smaller ones).
    """
    given = np.asarray(concentrations, dtype=float)
    if given.ndim != 1 or len(given) < 2 or not (given >= _LEAST_CONCENTRATION).all():
        raise ValueError(
            f"concentrations must be at least two numbers of at least {_LEAST_CONCENTRATION}, "
            f"got {concentrations!r}"
        )
    after = np.cumsum(given[::-1])[::-1][1:]

    def ends(draws: np.ndarray) -> Ends:
        from scipy.special import betainc

        _refuse(draws, ~(draws >= 0).all(axis=1), "has an entry that is no share")
        off = np.abs(draws.sum(axis=1) - 1) > _SUM_ROUNDING
        _refuse(draws, off, "does not sum to 1")
        # Summed from the end, what is left does not lose its digits where it is small.
        sums = np.cumsum(draws[:, ::-1], axis=1)[:, ::-1]
        rest, later = sums[:, :-1], sums[:, 1:]
        gone = rest == 0
        own = np.divide(draws[:, :-1], rest, out=np.zeros_like(rest), where=~gone)
        other = np.divide(later, rest, out=np.zeros_like(rest), where=~gone)
        level = np.where(
            own < 0.5, betainc(given[:-1], after, own), 1 - betainc(after, given[:-1], other)
        )
        return np.where(gone, 0.0, level), np.where(gone, 1.0, level)

    name = f"Dirichlet({', '.join(f'{each:g}' for each in given)})"
    return Joint(name, len(given), len(given) - 1, numbers_of, ends)


def _refuse(draws: np.ndarray, wrong: np.ndarray, words: str) -> None:
    if wrong.any():
        raise Impossible(f"{draws[np.argmax(wrong)].tolist()} {words}")
