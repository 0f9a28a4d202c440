"""Laws of a choice among finitely many outcomes: labels, indices, bits."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from ville.law import Impossible


class Choice:
    """The law of a choice: each outcome with its probability, in a meaningful order.

    The order makes the quarters of the law, in which dependence between draws is looked for.
    """

    def __init__(self, probabilities: Mapping[Hashable, float], name: str = ""):
        """Take {outcome: probability}."""
        total = sum(probabilities.values())
        if not probabilities or min(probabilities.values()) < 0 or abs(total - 1) > 1e-9:
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
        self._outcomes = list(law.probabilities)
        self._numbered = self._outcomes == list(range(len(self._outcomes)))
        self._place = {outcome: place for place, outcome in enumerate(self._outcomes)}

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
        if draws.dtype.kind not in "biuf":
            different, inverse = _told_apart(draws.tolist())
        else:
            numbers, inverse = np.unique(draws, return_inverse=True)
            different = numbers.tolist()
        cells = np.array([self._place.get(each, -1) for each in different])
        if (cells < 0).any():
            outcome = different[int(np.argmax(cells < 0))]
            raise Impossible(f"{outcome!r} is none of the outcomes")
        return cells[inverse.ravel()]

    def label(self, cell: int) -> str:
        """Return a cell in words."""
        return repr(self._outcomes[cell])


def _told_apart(draws: list) -> tuple[list, np.ndarray]:
    """Return the different outcomes, and the place of each draw among them."""
    places: dict = {}
    inverse = np.array([places.setdefault(each, len(places)) for each in draws])
    return list(places), inverse
