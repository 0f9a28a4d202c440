"""Laws of a choice among finitely many outcomes: labels, indices, bits."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from numbers import Real
from typing import Any

import numpy as np

from ville.law import Impossible


class Choice:
    """The law of a choice: each outcome with its probability, in a meaningful order.

    The order makes the quarters of the law, in which dependence between draws is looked for.
    """

    def __init__(self, probabilities: Mapping[Hashable, float], name: str = ""):
        """Take {outcome: probability}."""
        if not isinstance(probabilities, Mapping):
            raise ValueError(f"probabilities must be {{outcome: number}}, got {probabilities!r}")
        if not all(isinstance(chance, Real) for chance in probabilities.values()):
            raise ValueError(f"probabilities must be numbers, got {dict(probabilities)}")
        total = sum(probabilities.values())
        if not probabilities or not min(probabilities.values()) >= 0 or not abs(total - 1) <= 1e-9:
            raise ValueError(
                f"probabilities must be at least 0 and sum to 1, got {dict(probabilities)}"
            )
        self.probabilities = {each: chance / total for each, chance in probabilities.items()}
        self.name = name or f"choice of {len(probabilities)} outcomes"

    def __repr__(self) -> str:
        return self.name

    def cells(self) -> OutcomeCells:
        """Return the cells that draws of this law are sorted into: one for each outcome."""
        return OutcomeCells(self)


class OutcomeCells:
    """One cell for each outcome of a choice."""

    def __init__(self, law: Choice):
        self._law = law
        self._outcomes = list(law.probabilities)
        self._numbered = self._outcomes == list(range(len(self._outcomes)))
        self._place = {outcome: place for place, outcome in enumerate(self._outcomes)}

    # Outcomes are no numbers: each has a cell, and there is nothing between them.
    events = None
    slack = 0.0

    @property
    def null(self) -> np.ndarray:
        """The probability of each cell under the law itself."""
        return self.probabilities(self._law)

    def probabilities(self, law: Choice) -> np.ndarray:
        """Return the probability of each cell; an outcome that the law leaves out has none."""
        if not isinstance(law, Choice):
            raise ValueError(f"law must be a choice, as the claim is; got {law!r}")
        return np.array([law.probabilities.get(outcome, 0.0) for outcome in self._outcomes])

    def sort(self, draws: np.ndarray) -> np.ndarray:
        """Return the cell of each draw.

        Raises:
          Impossible: a draw is none of the outcomes.
        """
        indices = self._numbered and draws.dtype.kind in "biu"
        if indices and draws.min() >= 0 and draws.max() < len(self._outcomes):
            return draws.astype(int)
        if draws.dtype.kind in "biuf":
            numbers, inverse = np.unique(draws, return_inverse=True)
            different = numbers.tolist()
        else:
            different, inverse = _told_apart(draws.tolist())
        cells = np.array([self._cell_of(each) for each in different])
        if (cells < 0).any():
            outcome = different[int(np.argmax(cells < 0))]
            raise Impossible(f"{outcome!r} is none of the outcomes")
        return cells[inverse.ravel()]

    def _cell_of(self, outcome: Any) -> int:
        """Return the place of an outcome; -1 if it is none. A word is no number, and 1 is True."""
        try:
            return self._place.get(outcome, -1)
        except TypeError:  # a list, for example, equals no outcome
            return -1

    def label(self, cell: int) -> str:
        """Return a cell in words."""
        return repr(self._outcomes[cell])


def _told_apart(draws: list) -> tuple[list, np.ndarray]:
    """Return the different outcomes, and the place of each draw among them."""
    places: dict = {}
    try:
        inverse = np.array([places.setdefault(each, len(places)) for each in draws])
    except TypeError:  # what has no hash is none of the outcomes, so it is told apart from all
        return draws, np.arange(len(draws))
    return list(places), inverse
