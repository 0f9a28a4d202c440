"""Claims about programs that were drawn for a student: which leak, and how is it shown?"""

from collections.abc import Sequence
from typing import Any

from autograder.check.answers import BadAnswer, as_read, parts_of
from autograder.check.claim import Claim, OpenDoor
from autograder.check.door import Door
from autograder.check.effort import effort
from autograder.check.leaks.drawn_program import Drawn, three
from autograder.check.leaks.judged import refuted
from autograder.check.leaks.owner import EXAMPLE, plain, raise_unless_named
from autograder.check.leaks.vocabulary import Kind
from autograder.check.result import Result

_PRIVATE = "private"
_LATER = 'of a program that you call "private", grading says whether it is'


class ProgramsClaim(Claim):
    """One exercise with three programs of a student's own, which are named as a whole.

    A counterexample is proved or refuted at once. Whether a program is private is said only where
    points are given: before, a check that refuses "private" would give the answer away.

    Args:
      name: the exercise.
      kinds: what leaks in its programs, if something does.
      others: kinds of a second, honest part; none for programs of one part.
      delta: the probability with which each of them may fail.
    """

    def __init__(
        self, name: str, kinds: Sequence[Kind], others: Sequence[Kind] = (), delta: float = 0.0
    ):
        super().__init__(
            name=name,
            about=(
                f"Check `{name}()`: what you say of the three programs that your name draws.\n\n"
                "The function returns (name, first, second, third). Of each program it says\n"
                '"private" or gives (table, neighbor, event): neighbors, and a function that says\n'
                "of an output whether it belongs to the event, which must be more than\n"
                "exp(epsilon) times as likely on the table as on the neighbor."
            ),
            established="the programs that leak are refuted",
            situation=lambda parameters: "",
            read=lambda answer, parameters: answer,
        )
        object.__setattr__(self, "kinds", tuple(kinds))
        object.__setattr__(self, "others", tuple(others))
        object.__setattr__(self, "delta", delta)

    def family(self, name: str) -> list[Drawn]:
        """Return the three programs of a name."""
        return three(f"{self.name} {name}", self.kinds, self.others, self.delta)

    def _judge(self, open_door: OpenDoor) -> Result:
        with open_door([{}]) as door:
            name, said = as_read(_read, door.call(0))
            drawn = self.family(name)
            shown = [
                _refuted(place, each, what, door)
                for place, (each, what) in enumerate(zip(drawn, said, strict=True), 1)
                if what != _PRIVATE
            ]
        _raise_if_all_private(shown)
        if effort().graded:
            _raise_if_called_private(drawn, said)
        words = f"{'; '.join(shown)} (the programs of {name!r:.40})"
        note = "" if effort().graded or len(shown) == len(said) else _LATER
        return Result(self.name, words, len(shown), note)


def _refuted(place: int, drawn: Drawn, said: Any, door: Door) -> str:
    """Return in words how a counterexample refutes a program, or raise BadAnswer."""
    try:
        return f"program {place} is refuted: {refuted(drawn.program, said, door.asked_at)}"
    except BadAnswer as bad:
        bad.problem = f"program {place}: {bad.problem}"
        raise


def _raise_if_all_private(shown: list[str]) -> None:
    if not shown:
        raise BadAnswer(
            "at least one of the three programs leaks",
            seen='you call all of them "private"',
            ask="take each line that reads the rows: does the noise cover what one row changes "
            "there?",
        )


def _raise_if_called_private(drawn: list[Drawn], said: list) -> None:
    for place, (each, what) in enumerate(zip(drawn, said, strict=True), 1):
        if what == _PRIVATE and each.leaks:
            raise BadAnswer(
                f'program {place}: it is not "private"',
                seen=f"there are neighbors and an event that refute epsilon = "
                f"{each.program.epsilon:g}",
                ask="go through its lines: what does each of them make of one row?",
            )


def _read(answer: Any) -> tuple[str, list]:
    """Return the name, and what is said of each program; or raise BadAnswer."""
    name, *said = parts_of(answer, "four things", "name, first, second, third")
    raise_unless_named(name)
    if plain(name) == EXAMPLE:
        raise BadAnswer(
            "these are not your programs",
            seen=f"the name is {name!r}, whose programs are the example",
            ask="draw your own: give `programs` your name, and look at what comes.",
        )
    return name, [_PRIVATE if _says_private(each) else each for each in said]


def _says_private(said: Any) -> bool:
    return isinstance(said, str) and said.strip().casefold() == _PRIVATE
