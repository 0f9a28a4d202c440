"""The meter of private choices: it bills each one, and moves every score by one row of its own.

The rows are reached through scores alone. A score that one row moves further than the sensitivity
that was named for it makes the choice cost more than its bill, so such a choice is refused. A meter
keeps what it chose: played again over other rows, the same choices must lead to the same answer.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer, as_number
from autograder.check.words import number

_ROUNDING = 1e-9
# A sensitivity that is this many times as large as all moves that we know is not the score's.
_FAR_TOO_LARGE = 3

PAST_THE_METER = (
    "the rows are used past the meter",
    "which line of yours keeps more of the table than the number that a score returns?",
)


class ChoiceMeter:
    """`choose` for one run of an answer.

    Args:
      table: the rows.
      pairs: (table, neighbor) pairs, on which the sensitivity of each score is tried; none: it is
        taken as it is.
      epsilon: the budget.
      played: the places of the choices of an earlier run, which are made again; None draws them.

    Attributes:
      chosen: the places of the choices of this run, in its lists of candidates.
      spent: the sum of all epsilons.
      refused: the first BadAnswer that was raised, also where the answer has caught it.
    """

    def __init__(
        self,
        table: pd.DataFrame,
        pairs: Sequence[tuple[pd.DataFrame, pd.DataFrame]],
        epsilon: float,
        played: list[int] | None = None,
    ):
        self._table, self._pairs, self._budget, self._played = table, pairs, epsilon, played
        self._rng = np.random.default_rng()
        self.chosen: list[int] = []
        self.spent = 0.0
        self.refused: BadAnswer | None = None

    def __deepcopy__(self, memo: dict) -> "ChoiceMeter":
        """Return this meter: a copy would keep the rows where an answer may search for them."""
        return self

    def forget(self) -> None:
        """Let go of the rows: who finds this meter later finds none."""
        del self._table

    def __call__(
        self, candidates: Sequence, score: Callable, *, sensitivity: float, epsilon: float
    ) -> Any:
        """Return a candidate, chosen by the exponential mechanism, and bill epsilon."""
        with self._noted():
            candidates = list(candidates)
            sensitivity, epsilon = as_number(sensitivity), as_number(epsilon)
            self._raise_if_overspent(candidates, sensitivity, epsilon)
            self._raise_if_too_small(candidates, score, sensitivity)
            scores = _scores(self._table, candidates, score)
            place = self._draw(scores * epsilon / (2 * sensitivity))
        self.chosen.append(place)
        self.spent += epsilon
        return candidates[place]

    @contextlib.contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except BadAnswer as bad:
            self.refused = self.refused or bad
            raise

    def _draw(self, exponents: np.ndarray) -> int:
        if self._played is None:
            # The largest exponent plus Gumbel noise is the exponential mechanism's choice.
            return int(np.argmax(exponents + self._rng.gumbel(size=len(exponents))))
        place = len(self.chosen)
        if place < len(self._played) and self._played[place] < len(exponents):
            return self._played[place]
        problem, ask = PAST_THE_METER
        seen = "the same choices, over other rows, lead to another question"
        raise BadAnswer(problem, seen=seen, ask=ask)

    def _raise_if_overspent(self, candidates: list, sensitivity: float, epsilon: float) -> None:
        if not candidates:
            raise BadAnswer(
                "`choose` is given no candidates",
                ask="which pairs join two columns that are not joined yet?",
            )
        if not (0 < sensitivity < math.inf and 0 < epsilon < math.inf):
            raise BadAnswer(
                "a choice needs a positive sensitivity and a positive epsilon",
                seen=f"sensitivity {number(sensitivity)}, epsilon {number(epsilon)}",
                ask="how far can one row move a score, and what does this choice cost?",
            )
        bill = self.spent + epsilon
        if bill > self._budget * (1 + _ROUNDING):
            raise BadAnswer(
                "the meter refuses: the bill would be larger than the budget",
                seen=f"choice {len(self.chosen) + 1} asks for epsilon {number(epsilon)}: the bill "
                f"would be {number(bill)}, the budget is {number(self._budget)}",
                ask="how many choices share the budget?",
            )

    def _raise_if_too_small(self, candidates: list, score: Callable, sensitivity: float) -> None:
        """Raise BadAnswer unless the sensitivity holds for all pairs, and is near one of them."""
        furthest, which = 0.0, candidates[0]
        for table, neighbor in self._pairs:
            before, after = (_scores(each, candidates, score) for each in (table, neighbor))
            moved = np.abs(after - before)
            place = int(moved.argmax())
            if moved[place] > furthest:
                furthest, which = float(moved[place]), candidates[place]
        if furthest > sensitivity * (1 + _ROUNDING):
            raise BadAnswer(
                "the sensitivity of the score is too small",
                seen=f"between two neighbors the score of {which!r} moves by {number(furthest)}, "
                f"your sensitivity is {number(sensitivity)}: this choice costs more than its bill",
                ask="one row more changes one count n_ij by 1. Which of the products n_i * n_j / n "
                "does it change, and by how much together?",
            )
        if self._pairs and sensitivity > _FAR_TOO_LARGE * furthest:
            raise BadAnswer(
                "the sensitivity of the score is far too large",
                seen=f"it is {number(sensitivity)}, and no neighbor that we know moves a score by "
                f"more than {number(furthest)}: the choice is blinder than it need be",
                ask="what is the most that one row can change in your score?",
            )


def _scores(table: pd.DataFrame, candidates: list, score: Callable) -> np.ndarray:
    """Return the score of each candidate on copies of a table."""
    if not callable(score):
        raise BadAnswer(
            "the second argument of `choose` is not a function",
            ask="`choose` calls score(table, candidate) itself: what do you hand over?",
        )
    scores = np.array([as_number(score(table.copy(), each)) for each in candidates])
    if not np.isfinite(scores).all():
        rows = f"{len(table)} rows" if len(table) else "no rows"
        raise BadAnswer(
            "a score is not a finite number",
            seen=f"on a table with {rows} it is {scores[~np.isfinite(scores)][0]}",
            ask="do you divide by a number of rows that may be 0?",
        )
    return scores
