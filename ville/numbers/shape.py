"""What the cells need to know of a law of one number, and the lattices that draws may lie on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ville.distributions import Distribution

# A distribution function near 1 is right to about 1e-16.
ROUNDING = 1e-15


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


class NumberLaw(Protocol):
    """A law of one number, as its cells see it: `ville.law.Law` says what each part is."""

    name: str
    smooth: Distribution
    atoms: Mapping[float, float]
    lattice: Lattice | None
    support: tuple[float, float]
    error: float

    @property
    def marks(self) -> np.ndarray:
        """A few quantiles, from the rarest below to the rarest above."""

    def cdf(self, places: np.ndarray) -> np.ndarray:
        """Return the probability of a draw up to each place."""

    def mass(self, place: float) -> float:
        """Return the probability of one place."""

    def middle_and_size(self) -> tuple[float, float]:
        """Return the median, and a rough size."""

    def refuse_impossible(self, draws: np.ndarray) -> None:
        """Raise an error if the law never gives one of the draws."""
