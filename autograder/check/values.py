"""Claims about functions without chance: the right value at inputs drawn afresh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check import explain
from autograder.check.door import BadAnswer, as_number, fresh_generator, opened
from autograder.check.result import CheckFailure, Result
from autograder.check.words import counted

__all__ = ["Case", "ValueMistake", "ValuesClaim"]


@dataclass(frozen=True)
class Case:
    """One input: the plain parameters that the answer is called with."""

    parameters: dict[str, Any]


@dataclass(frozen=True)
class ValueMistake:
    """A misconception: its name in a few words, the value it gives, and a question."""

    name: str
    value: Callable[[dict], float]
    ask: str


@dataclass(frozen=True)
class ValuesClaim:
    """One exercise whose answer is a number without chance.

    Args:
      name: the exercise, and dplib's function of that name.
      established: what a pass says.
      cases: draws the plain parameters of every input.
      arguments: makes the call's arguments from a case's parameters.
      expected: the right value, worked out independently of dplib.
      mistakes: the catalogue; the first that explains every answer is named.
      situation: a case in words.
      tolerance: largest relative error that is accepted; rounding errors stay far below it.
    """

    name: str
    established: str
    cases: Callable[[np.random.Generator], list[dict[str, Any]]]
    arguments: Callable[[dict], tuple[tuple, dict]]
    expected: Callable[[dict], float]
    mistakes: Sequence[ValueMistake]
    situation: Callable[[dict], str]
    tolerance: float = 1e-6

    @np.errstate(all="ignore")
    def check(self, function: Callable) -> Result:
        """Return what was established about an answer, or raise CheckFailure."""
        cases = [Case(parameters) for parameters in self.cases(fresh_generator())]
        try:
            with opened(self.name, function, self.arguments, as_number) as door:
                given = np.array([door.call(case) for case in cases])
                self._raise_if_changed(door, cases, given)
        except BadAnswer as bad:
            raise explain.bad_answer(self, bad) from None
        right = self._values(self.expected, cases)
        if self._close(given, right).all():
            established = f"{self.established}: right at {counted(len(cases), 'input')}"
            return Result(self.name, established, len(cases))
        raise self._failure(cases, given, right)

    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that give the right value at every input of a fresh draw."""
        cases = [Case(parameters) for parameters in self.cases(fresh_generator())]
        right = self._values(self.expected, cases)
        return {
            mistake.name: 0.0
            for mistake in self.mistakes
            if self._close(self._values(mistake.value, cases), right).all()
        }

    def _raise_if_changed(self, door, cases: list[Case], given: np.ndarray) -> None:
        again = door.call(cases[0])
        if again != given[0]:
            raise BadAnswer(
                "the same input gives two answers",
                seen=f"it returned {given[0]:g}, then {again:g}",
                ask="is there any chance in what is asked for here?",
                setting=cases[0],
            )
        if any(map(door.changed, cases)):
            raise BadAnswer(
                "it changes what it is given", ask="which line writes into its argument?"
            )

    def _values(self, formula: Callable[[dict], float], cases: list[Case]) -> np.ndarray:
        return np.array([formula(case.parameters) for case in cases], dtype=float)

    def _close(self, given: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        return np.abs(given - wanted) <= self.tolerance * np.abs(wanted)

    def _failure(self, cases: list[Case], given: np.ndarray, right: np.ndarray) -> CheckFailure:
        """Return the words: the mistake that explains every answer, or one wrong answer."""
        wrong = np.flatnonzero(~self._close(given, right))
        place = int(wrong[0])
        known = next((each for each in self.mistakes if self._explains(each, cases, given)), None)
        if known is None:
            share = f"{len(wrong)} of {counted(len(cases), 'input')}"
            problem = f"the value is wrong at {share}"
            ask = "work this input out by hand, step by step: where do you and your code part?"
        else:
            problem, ask = known.name, known.ask
        wanted, came = _told_apart(right[place], given[place])
        return CheckFailure(
            self.name,
            problem,
            seen=f"{self.situation(cases[place].parameters)}: "
            f"the answer should be {wanted}, yours is {came}",
            ask=ask,
        )

    def _explains(self, mistake: ValueMistake, cases: list[Case], given: np.ndarray) -> bool:
        return bool(self._close(given, self._values(mistake.value, cases)).all())


def _told_apart(wanted: float, came: float) -> tuple[str, str]:
    """Return two numbers with as many digits as it takes to see that they differ."""
    for digits in range(4, 17):
        pair = f"{wanted:.{digits}g}", f"{came:.{digits}g}"
        if pair[0] != pair[1]:
            break
    return pair
