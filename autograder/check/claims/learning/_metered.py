"""The meter of the check: sums of people's parts, made noisy and billed; what goes past it shows.

A meter keeps what it has released. Played again to the same answer with other rows underneath, the
same releases must give the same theta: else the answer knows the rows from elsewhere.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.claims.learning._training import clipped
from autograder.check.words import number

_MOST_RELEASES = 1_000
_LOOKED_AT = 12  # people whose parts are asked for once more, without the others
_ROUNDING = 1e-6

PAST_THE_METER = (
    "the rows are used past the meter",
    "which line of yours sees rows, and keeps more of them than it returns to `release`?",
)


class Meter:
    """`release` for one run of an answer.

    Args:
      X, y: rows and labels.
      rho: the budget.
      tape: the releases of an earlier run, (value, l2_sensitivity, rho) each: they are given again,
        whatever the rows are. None: fresh ones are made.
      seed: decides on the people whose parts are asked for once more, in each run the same.

    Attributes:
      tape: what was released in this run.
      refused: the first BadAnswer that was raised, also where the answer has caught it.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, rho: float, tape: list | None = None, seed=0):
        self._X, self._y, self._budget, self._played = X, y, rho, tape
        self._rng, self._people = np.random.default_rng(), np.random.default_rng(seed)
        self.tape: list[tuple[Any, float, float]] = []
        self.refused: BadAnswer | None = None

    def __deepcopy__(self, memo: dict) -> "Meter":
        """Return this meter: a copy would keep the rows where an answer may search for them."""
        return self

    def forget(self) -> None:
        """Let go of the rows: who finds this meter later finds none."""
        del self._X, self._y

    def __call__(self, part: Callable, *, l2_sensitivity: float, rho: float) -> Any:
        """Return the noisy sum of all parts."""
        try:
            return self._release(part, as_number(l2_sensitivity), as_number(rho))
        except BadAnswer as bad:
            self.refused = self.refused or bad
            raise

    def _release(self, part: Callable, bound: float, rho: float) -> Any:
        self._raise_if_overspent(bound, rho)
        parts = self._parts(part, self._X, self._y)
        self._raise_if_mixed(part, parts)
        if self._played is None:
            total = clipped(parts.reshape(len(parts), -1), bound).sum(axis=0)
            total += self._rng.normal(scale=bound / math.sqrt(2 * rho), size=total.shape)
            value = total if parts.ndim == 2 else float(total[0])
        else:
            value = self._again(bound, rho)
        self.tape.append((value, bound, rho))
        return value if np.isscalar(value) else value.copy()

    def _raise_if_overspent(self, bound: float, rho: float) -> None:
        if not (bound > 0 and rho > 0):
            raise BadAnswer(
                "a release needs a positive l2_sensitivity and a positive rho",
                seen=f"l2_sensitivity {number(bound)}, rho {number(rho)}",
                ask="what does this release cost, and how long may one person's part be?",
            )
        bill = sum(spent for *_, spent in self.tape) + rho
        if bill > self._budget * (1 + 1e-9):
            place = len(self.tape) + 1
            raise BadAnswer(
                "the meter refuses: the bill would be larger than the budget",
                seen=f"release {place} asks for rho {number(rho)}: the bill would be "
                f"{number(bill)}, the budget is {number(self._budget)}",
                ask="what do all releases cost together, the looks that you throw away included?",
            )
        if len(self.tape) >= _MOST_RELEASES:
            raise BadAnswer(
                f"more than {_MOST_RELEASES} releases",
                ask="how large is the noise of each, if so many share the budget?",
            )

    def _parts(self, part: Callable, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the parts of these people, one row each."""
        if not callable(part):
            raise BadAnswer(
                "the first argument of `release` is not a function",
                ask="`release` calls part(X, y) itself: what do you hand over?",
            )
        X, y = X.copy(), y.copy()
        answer = part(X, y)
        if np.ndim(answer) not in (1, 2) or len(answer) != len(y):
            raise BadAnswer(
                "a part does not give one row for each person",
                seen=f"for {len(y)} people it gave shape {np.shape(answer)}",
                ask="what does one person add to the sum? `release` adds up.",
            )
        shape = (len(y),) if np.ndim(answer) == 1 else (len(y), None)
        return numbers_of_shape(answer, shape, "the parts")

    def _raise_if_mixed(self, part: Callable, parts: np.ndarray) -> None:
        """Ask for some people's parts without the others: they must be the same."""
        some = self._people.choice(len(parts), _LOOKED_AT, replace=False)
        alone, again = (self._parts(part, self._X[some], self._y[some]) for _ in range(2))
        room = _ROUNDING * (1 + np.abs(parts).max())
        if again.shape != alone.shape or np.abs(again - alone).max() > room:
            raise BadAnswer(
                "the same people give two different parts",
                ask="does your part draw a random number, or change what it is given, or something "
                "outside of itself, as theta? `release` adds the noise.",
            )
        if alone.shape[1:] != parts.shape[1:] or np.abs(alone - parts[some]).max() > room:
            raise BadAnswer(
                "the meter refuses: one person's part depends on other people's rows",
                seen="the same person gives another part when other people are there",
                ask="which step of yours looks at all rows, or at the place of a row: a maximum, a "
                "mean, a count, a number of the row?",
            )

    def _again(self, bound: float, rho: float) -> Any:
        """Return the release of the earlier run; the answer must ask as it did there."""
        place = len(self.tape)
        if place < len(self._played) and self._played[place][1:] == (bound, rho):
            return self._played[place][0]
        problem, ask = PAST_THE_METER
        seen = "the same releases, over other rows, lead to another question"
        raise BadAnswer(problem, seen=seen, ask=ask)
