"""A question with one right number, and what a student sees of three."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from autograder.check.answers import BadAnswer, as_number, shortened
from autograder.check.leaks.fixed_chance import FixedChance
from autograder.check.leaks.owner import chance_of

_TOLERANCE, _NEAR = 1e-3, 0.02  # relative
_SMALL = "which person, or which table, is worse than the one that you thought of?"
_LARGE = "can what you added up happen at once, and to one person?"
NUMBER = 3  # of the questions of a name


@dataclass(frozen=True)
class Misstep:
    """A wrong number that a misconception gives, its name and a question."""

    value: float
    name: str
    ask: str


@dataclass(frozen=True)
class DrawnQuestion:
    """One question.

    Attributes:
      text: Markdown.
      answer: the right number; it may be infinite.
      mistakes: what wrong numbers mean.
      ask: a question about a number that is wrong in another way; None stands for one about people.
    """

    text: str
    answer: float
    mistakes: tuple[Misstep, ...]
    ask: str | None = field(default=None, kw_only=True)

    def read(self, said: Any) -> float:
        """Return the number that an answer gives.

        Raises:
          BadAnswer: it gives none, or what it gives beside it does not bear it out.
        """
        if isinstance(said, Real) and math.isinf(said) and said > 0:
            return math.inf
        number = as_number(said)
        if number < 0:
            raise BadAnswer(
                "a negative number cannot be right here",
                seen=f"you gave {shortened(said)}",
                ask="what is asked for: a cost, a size, a probability?",
            )
        return number

    def is_right(self, number: float) -> bool:
        """Say whether a number is the right one."""
        return _alike(number, self.answer)

    def mistake(self, number: float) -> tuple[str, str]:
        """Return the name of what is wrong with a number, and a question."""
        for each in self.mistakes:
            if _alike(number, each.value) and not self.is_right(each.value):
                return each.name, each.ask
        if math.isinf(self.answer):
            return "no finite number is enough", "which outputs can come from one table only?"
        small = number < self.answer
        problem = f"the number is too {'small' if small else 'large'}"
        if _alike(number, self.answer, _NEAR) and not float(self.answer).is_integer():
            rounded = "did you round it? It may be off by one part in a thousand."
            return f"{problem}, but it is near", rounded
        return problem, self.ask or (_SMALL if small else _LARGE)


def _alike(one: float, other: float, tolerance: float = _TOLERANCE) -> bool:
    if math.isinf(one) or math.isinf(other):
        return one == other
    return abs(one - other) <= tolerance * abs(other)


# Draws a question.
Kind = Callable[[FixedChance], DrawnQuestion]


def three(name: str, kinds: Sequence[Kind]) -> list[DrawnQuestion]:
    """Return the three questions of a name, each of another kind: the same ones at every call."""
    chance = chance_of(name)
    return [kind(chance) for kind in chance.permuted(kinds)[:NUMBER]]


class Questions(tuple[DrawnQuestion, ...]):
    """Questions; a notebook shows them as Markdown."""

    def __repr__(self) -> str:
        return "\n\n".join(f"question {n}: {each.text}" for n, each in enumerate(self, 1))

    def _repr_markdown_(self) -> str:
        return "\n\n".join(f"**Question {n}.** {each.text}" for n, each in enumerate(self, 1))


def questions(exercise: str, name: str) -> Questions:
    """Return the three questions that an exercise draws for a name; the same ones at every call.

    Args:
      exercise: the exercise.
      name: yours. Capital letters do not matter.

    Raises:
      ValueError: there is no such exercise, or the name is empty.
    """
    from autograder.check.claims import CLAIMS  # they import the kinds

    drawn = getattr(CLAIMS[exercise], "questions", None) if exercise in CLAIMS else None
    if drawn is None:
        raise ValueError(f"exercise must be one with questions, got {exercise!r}")
    if not name.strip():
        raise ValueError(f"name must be yours, got {name!r}")
    return Questions(drawn(name))
