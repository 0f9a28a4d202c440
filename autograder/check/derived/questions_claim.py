"""Claims about numbers to be derived: three questions that were drawn for a student."""

from collections.abc import Sequence
from typing import Any

from autograder.check.answers import BadAnswer, as_read, parts_of
from autograder.check.claim import Claim, OpenDoor
from autograder.check.derived.question import NUMBER, DrawnQuestion, Kind, three
from autograder.check.effort import effort
from autograder.check.leaks.owner import EXAMPLE, plain, raise_unless_named
from autograder.check.result import Result

_LATER = "grading says whether the numbers are right: here that would be the answer key"


class QuestionsClaim(Claim):
    """One exercise with three questions of a student's own, each with one right number.

    A number is judged only where points are given: a check that refuses it would be the answer
    key. The questions of the example are judged at once, and earn nothing.

    Args:
      name: the exercise.
      kinds: what draws its questions.
      about_numbers: what is to be returned of each question, in words, for `help`.
    """

    def __init__(self, name: str, kinds: Sequence[Kind], about_numbers: str = "a number"):
        super().__init__(
            name=name,
            about=(
                f"Check `{name}()`: your answers to the three questions that your name draws.\n\n"
                f"The function returns (name, first, second, third): of each {about_numbers}.\n"
                "A number is judged when the exercise is graded, for a third of the points;\n"
                "those of Karrie Trusslove's questions are judged at once, for practice."
            ),
            established="three questions are answered",
            situation=lambda parameters: "",
            read=lambda answer, parameters: answer,
            repeats=False,
        )
        object.__setattr__(self, "kinds", tuple(kinds))

    def questions(self, name: str) -> list[DrawnQuestion]:
        """Return the three questions of a name."""
        return three(f"{self.name} {name}", self.kinds)

    def _judge(self, open_door: OpenDoor) -> Result:
        with open_door([{}]) as door:
            name, said = as_read(_read, door.call(0))
        asked = self.questions(name)
        numbers = [_number(*each) for each in enumerate(zip(asked, said, strict=True), 1)]
        wrong = [
            (place, *question.mistake(number))
            for place, (question, number) in enumerate(zip(asked, numbers, strict=True), 1)
            if not question.is_right(number)
        ]
        example = plain(name) == EXAMPLE
        if example or (effort().graded and len(wrong) == NUMBER):
            raise _failing(wrong, example=example)
        if not effort().graded:
            return Result(self.name, self._words(name), NUMBER, _LATER)
        note = "; ".join(f"question {place}: {problem}" for place, problem, _ in wrong)
        return Result(self.name, self._words(name), NUMBER, note, 1 - len(wrong) / NUMBER)

    def _words(self, name: str) -> str:
        return f"{self.established} (those of {name!r:.40})"


def _number(place: int, asked: tuple[DrawnQuestion, Any]) -> float:
    question, said = asked
    try:
        return as_read(question.read, said)
    except BadAnswer as bad:
        bad.problem = f"question {place}: {bad.problem}"
        raise


def _failing(wrong: list[tuple[int, str, str]], *, example: bool) -> BadAnswer:
    """Return the words for numbers of which the first wrong one is told; none may be wrong."""
    if not wrong:
        return BadAnswer(
            "these are not your questions",
            seen="they are Karrie's, the example: all three numbers are right",
            ask="draw your own: give `questions` your name, and answer what comes.",
        )
    place, problem, ask = wrong[0]
    seen = "all three are wrong"
    if example:
        seen = f"right of Karrie's three numbers, for practice: {NUMBER - len(wrong)}"
    return BadAnswer(f"question {place}: {problem}", seen=seen, ask=ask)


def _read(answer: Any) -> tuple[str, list]:
    """Return the name, and what is said of each question; or raise BadAnswer."""
    name, *said = parts_of(answer, "four things", "name, first, second, third")
    raise_unless_named(name)
    return name, said
