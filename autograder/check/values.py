"""Claims about functions without chance: the right value at inputs drawn afresh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check.claim import Claim, OpenDoor
from autograder.check.door import BadAnswer, Door, fresh_generator
from autograder.check.result import CheckFailure, Result
from autograder.check.words import counted

__all__ = ["ValueMistake", "ValuesClaim", "separated"]


@dataclass(frozen=True)
class ValueMistake:
    """A misconception: its name in a few words, the value it gives, and a question.

    `value` takes a case's parameters and gives what such an answer reads as (a number, or an array
    of the shape that the claim's `read` makes).
    """

    name: str
    value: Callable[[dict], Any]
    ask: str


@dataclass(frozen=True, kw_only=True)
class ValuesClaim(Claim):
    """One exercise whose answer has no chance in it: a number, an array, a table.

    Args:
      cases: draws the plain parameters of every input.
      expected: the right value, worked out independently of dplib, as `read` makes it.
      mistakes: the catalogue; the first that explains every answer is named.
      tolerance: largest relative error that is accepted; rounding errors stay far below it.
      absolute: largest absolute error that is accepted besides, where 0 may be the right value.
      chance: whether two answers to one input may differ by as much (a mechanism at an epsilon so
        large that its noise is far below the tolerance).
      show: two values (wanted, came) to the words of a failure, where numbers side by side do not
        say enough; also takes the case's parameters, last.
    """

    cases: Callable[[np.random.Generator], list[dict[str, Any]]]
    expected: Callable[[dict], Any]
    mistakes: Sequence[ValueMistake]
    tolerance: float = 1e-6
    absolute: float = 0.0
    chance: bool = False
    show: Callable[[Any, Any, dict], str] | None = None

    def _judge(self, open_door: OpenDoor) -> Result:
        cases = self.cases(fresh_generator())
        with open_door(cases) as door:
            given = [door.call(place) for place in range(len(cases))]
            self._raise_if_meddled(door, cases, given)
        right = [self.expected(parameters) for parameters in cases]
        wrong = [k for k in range(len(cases)) if not self._close(given[k], right[k])]
        if wrong:
            raise self._failure(cases, given, right, wrong)
        established = f"{self.established}: right at {counted(len(cases), 'input')}"
        return Result(self.name, established, len(cases))

    @np.errstate(all="ignore")
    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that give the right value at every input of a fresh draw."""
        cases = self.cases(fresh_generator())
        right = [self.expected(parameters) for parameters in cases]
        return {
            mistake.name: 0.0 for mistake in self.mistakes if self._explains(mistake, cases, right)
        }

    def _raise_if_meddled(self, door: Door, cases: list[dict], given: list) -> None:
        # Before a second call, which would see the arguments as the first has left them.
        for place, parameters in enumerate(cases):
            if door.changed(place):
                raise BadAnswer(
                    "it changes what it is given",
                    ask="which line writes into its argument?",
                    parameters=parameters,
                )
            door.inspect(place)
        again = given[0] if self.chance else door.call(0)
        if not np.array_equal(again, given[0], equal_nan=True):
            raise BadAnswer(
                "the same input gives two answers",
                seen=f"it returned {_short(given[0])}, then {_short(again)}",
                ask="does the task ask for random numbers? Which line draws one?",
                parameters=cases[0],
            )

    def _close(self, given: Any, wanted: Any) -> bool:
        if np.shape(given) != np.shape(wanted):
            return False
        wanted = np.asarray(wanted, dtype=float)
        off = np.abs(np.asarray(given, dtype=float) - wanted)
        same = np.isfinite(wanted) & (off <= self.tolerance * np.abs(wanted) + self.absolute)
        # Infinity is right where infinity is wanted, and nothing else is.
        return bool(np.all(same | (np.asarray(given) == wanted)))

    def _failure(self, cases: list[dict], given, right, wrong: list[int]) -> CheckFailure:
        """Return the words: the mistake that explains every answer, or one wrong answer."""
        known = next((each for each in self.mistakes if self._explains(each, cases, given)), None)
        if known is None:
            problem = f"the value is wrong at {len(wrong)} of {counted(len(cases), 'input')}"
            ask = "compute this one by hand, step by step: which step of your code is different?"
        else:
            problem, ask = known.name, known.ask
        place = wrong[0]
        show = self.show or _side_by_side
        seen = show(right[place], given[place], cases[place])
        seen = f"{self.situation(cases[place])}: {seen}"
        return CheckFailure(self.name, problem, seen=seen, ask=ask)

    def _explains(self, mistake: ValueMistake, cases: list[dict], given: list) -> bool:
        pairs = zip(given, cases, strict=True)
        return all(self._close(came, mistake.value(parameters)) for came, parameters in pairs)


def _side_by_side(wanted: Any, came: Any, parameters: dict) -> str:
    """Return the right value and the given one; of an array, the first entry that differs."""
    if np.shape(wanted) != np.shape(came):
        return f"the shape should be {np.shape(wanted)}, yours is {np.shape(came)}"
    if not np.shape(wanted):
        return "the answer should be {}, yours is {}".format(*_told_apart(wanted, came))
    differing = ~np.isclose(came, wanted, rtol=1e-6, atol=1e-12)
    place = tuple(int(k) for k in np.argwhere(differing)[0]) if differing.any() else (0,)
    name = ", ".join(map(str, place))
    pair = _told_apart(np.asarray(wanted)[place], np.asarray(came)[place])
    return f"entry {name} should be {pair[0]}, yours is {pair[1]}"


def _short(value: Any) -> str:
    return f"{value:g}" if not np.shape(value) else f"an array of shape {np.shape(value)}"


def _told_apart(wanted: float, came: float) -> tuple[str, str]:
    """Return two numbers with as many digits as it takes to see that they differ."""
    for digits in range(4, 17):
        pair = f"{wanted:.{digits}g}", f"{came:.{digits}g}"
        if pair[0] != pair[1]:
            break
    return pair


def separated(
    generator: np.random.Generator,
    draw: Callable[[np.random.Generator], list[dict]],
    formulas: Sequence[Callable[[dict], float]],
) -> list[dict]:
    """Draw cases until no two of the formulas agree in all of them: nearly always at once."""
    while True:
        cases = draw(generator)
        values = {tuple(round(float(formula(each)), 9) for each in cases) for formula in formulas}
        if len(values) == len(formulas):
            return cases
