"""Claims about functions without chance: the right function, its inputs, and wrong functions.

An author writes:

    def doubled(value):
        \"\"\"Twice the value.\"\"\"
        return 2 * value

    CLAIM = FunctionClaim(doubled)

    @CLAIM.inputs
    def three(rng):
        return [{"value": number} for number in rng.integers(1, 9, 3)]

    CLAIM.mistake("it is squared", "what is twice 3?", lambda value: value**2)
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check import contract
from autograder.check.answers import as_number, near
from autograder.check.claim import Claim, OpenDoor, call
from autograder.check.designed import unreached
from autograder.check.designed.cases import NamedGiven, judge_designed
from autograder.check.door import fresh_generator
from autograder.check.result import CheckFailure, Result
from autograder.check.signature import Given, Signature, copied
from autograder.check.wording.in_words import (
    arguments_in_words,
    asked_of,
    first_paragraph,
    help_of,
    in_turn,
    side_by_side,
    to_show,
)
from autograder.check.wording.smallest import small_enough
from autograder.check.wording.unnamed import words_of_values
from autograder.check.words import counted

# Two mistakes agree at one draw of inputs in at most 2 of 100 cases. After this many further draws
# they still agree with probability below 1e-9.
_MORE_DRAWS = 6
_MOST_REMEMBERED = 2  # wrong values that are asked for once more, as the first of a session


@dataclass(frozen=True)
class WrongFunction:
    """A misconception: its name in a few words, a question, and a function that has it."""

    name: str
    ask: str
    function: Callable


class FunctionClaim(Claim):
    """One exercise whose answer has no chance in it.

    Args:
      reference: the right function, worked out independently of dplib. Its name, signature and
        docstring are those of the exercise: they make the words of `help`.
      established: the text of a pass; by default the first paragraph of the docstring.
      name: the exercise, if its name is not the reference's.
      situation: the arguments in words.
      read: makes a float, or an array of fixed shape, of the result; or raises BadAnswer.
      use, inspect, library: as in `Claim`.
      tolerance: largest relative error that is accepted; rounding errors stay far below it.
      absolute: largest absolute error that is accepted too, where 0 may be the right value.
      chance: whether two answers to one input may differ by as much (a mechanism whose epsilon is
      so large that its noise is far below the tolerance).
      show: makes the words of a failure from two values (wanted, came) and the arguments, if
      numbers side by side do not say enough.
      in_turn: two answers to one input in words, if numbers do not say enough.
      outside: the edges of its parameters that the task rules out, as `unreached` calls them.
      ask: the question where no mistake fits, if nobody can compute the value by hand.

    Attributes:
      cases: draws the inputs; each is {name: argument}, with real arrays and tables.
      mistakes: the catalogue; the first that explains every answer is named.
    """

    def __init__(
        self,
        reference: Callable,
        *,
        established: str = "",
        name: str = "",
        situation: Callable[[Given], str] | None = None,
        read: Callable[[Any, Given], Any] = as_number,
        use: Callable[..., Any] = call,
        inspect: Callable[[tuple, dict], None] = lambda positional, keywords: None,
        library: str = "",
        tolerance: float = 1e-6,
        absolute: float = 0.0,
        chance: bool = False,
        show: Callable[[Any, Any, Given], str] | None = None,
        in_turn: Callable[[Any, Any, Given], tuple[str, str]] = in_turn,
        outside: Sequence[str] = (),
        ask: str = "",
    ):
        super().__init__(
            name=name or reference.__name__,
            about=help_of(reference),
            established=established or first_paragraph(reference),
            arguments=self._arguments,
            situation=situation or arguments_in_words,
            read=read,
            use=use,
            inspect=inspect,
            library=library,
        )
        self.reference, self.mistakes = reference, []
        self.tolerance, self.absolute, self.chance, self.show = tolerance, absolute, chance, show
        self._signature = Signature(reference, use)
        self._draw: Callable[[np.random.Generator], Iterable[Given]] | None = None
        self._draw_designed: Callable[[np.random.Generator], Iterable[NamedGiven]] | None = None
        self.in_turn, self.outside, self.ask = in_turn, outside, ask

    def inputs(self, draw: Callable[[np.random.Generator], Iterable[Given]]) -> Callable:
        """Take the function that draws the inputs, anew at every run. Use it as a decorator."""
        self._draw = draw
        return draw

    def designed(self, draw: Callable[[np.random.Generator], Iterable[NamedGiven]]) -> Callable:
        """Take the function that draws designed inputs, as a decorator: pairs (what, input).

        They are asked last: at an edge many mistakes stop with an error, and would not be named.
        """
        self._draw_designed = draw
        return draw

    def designed_cases(self, generator: np.random.Generator) -> list[NamedGiven]:
        """Return fresh designed inputs, with what is special about each; there may be none."""
        named = list(self._draw_designed(generator)) if self._draw_designed else []
        self._signature.raise_unless_fitting([given for _, given in named], self.name)
        return named

    def cases(self, generator: np.random.Generator) -> list[Given]:
        """Return fresh inputs.

        Raises:
          ValueError: none were ever given, or one does not fit the signature.
        """
        if self._draw is None:
            raise ValueError(f"claim {self.name}: no inputs; write a function under @CLAIM.inputs")
        cases = list(self._draw(generator))
        self._signature.raise_unless_fitting(cases, self.name)
        return cases

    def mistake(
        self,
        name: str,
        ask: str,
        function: Callable | None = None,
        *,
        then: Callable | None = None,
        given: Given | None = None,
    ) -> Callable:
        """Add a wrong function to the catalogue.

        Args:
          name: what is wrong, in a few words.
          ask: a question that leads on.
          function: called as an answer is. Without it, use this as a decorator of the function.
          then: for a mistake at the end: takes the right value, gives the wrong one.
          given: for a mistake at the start: arguments that take the place of those given.

        Raises:
          ValueError: it is given in more than one of these ways.
        """
        if sum(each is not None for each in (function, then, given)) > 1:
            raise ValueError(f"mistake {name!r}: give one of function, then, given")
        if then is not None:
            function = lambda *some, **named: then(self.reference(*some, **named))  # noqa: E731
        elif given is not None:
            function = self._called_with(given)
        elif function is None:
            return lambda decorated: self.mistake(name, ask, decorated)
        self.mistakes.append(WrongFunction(name, ask, function))
        return function

    def value(self, function: Callable, given: Given) -> Any:
        """Return a function's value at an input, read; each call has its own arguments."""
        positional, keywords = self.arguments(given)
        return self.read(self.use(function, *positional, **keywords), given)

    @np.errstate(all="ignore")
    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that give the right value at every input of a fresh draw.

        A claim with designed inputs reports the edges that no input is at, too.
        """
        rng = fresh_generator()
        designed = [given for _, given in self.designed_cases(rng)]
        cases = [*self.cases(rng), *designed]
        right = [self.value(self.reference, given) for given in cases]
        blind = [mistake.name for mistake in self.explaining(self.mistakes, cases, right)]
        never = unreached(cases) if designed else []
        return dict.fromkeys([*blind, *(name for name in never if name not in self.outside)], 0.0)

    def _arguments(self, given: Given) -> tuple[tuple, dict]:
        """Return a call's arguments, copies of their own."""
        return self._signature.call({name: copied(value) for name, value in given.items()})

    def _called_with(self, changed: Given) -> Callable:
        def function(*positional, **keywords):
            named = self._signature.named(positional, keywords)
            positional, keywords = self._signature.call({**named, **changed})
            return self.reference(*positional, **keywords)

        return function

    def _judge(self, open_door: OpenDoor) -> Result:
        rng = fresh_generator()
        cases, designed = self.cases(rng), self.designed_cases(rng)
        came = self.asked(open_door, cases)
        right, wrong = self.right_and_wrong(cases, came)
        if wrong:
            raise self._failure(open_door, cases, came, right, wrong)
        if designed:
            judge_designed(self, open_door, designed, cases, right)
        number = len(cases) + len(designed)
        return Result(self.name, f"{self.established}: right at {counted(number, 'input')}", number)

    def right_and_wrong(self, cases: list[Given], came: list) -> tuple[list, list[int]]:
        """Return the right values, and the places of those that were not met."""
        right = [self.value(self.reference, given) for given in cases]
        return right, [k for k in range(len(cases)) if not self.close(came[k], right[k])]

    def asked(self, open_door: OpenDoor, cases: list[Given]) -> list:
        """Return the answer's value at each input."""
        with open_door(cases) as door:
            came = [door.call(place) for place in range(len(cases))]
            # Before a second call, which would see the arguments as the first has left them.
            contract.raise_if_changed(door, cases)
            if not self.chance:
                contract.raise_if_two_answers(door, came[0], cases[0], self.in_turn)
        return came

    def close(self, came: Any, wanted: Any) -> bool:
        """Say whether a value is as good as the right one."""
        return near(came, wanted, relative=self.tolerance, absolute=self.absolute)

    def _failure(self, open_door, cases, came, right, wrong: list[int]) -> CheckFailure:
        """Return the words: the mistake that explains every answer, or one wrong answer."""
        self.raise_if_it_remembers(open_door, cases, came, right, wrong)
        values = [(cases[k], came[k], right[k], self.situation(cases[k])) for k in wrong]
        shown = to_show(values)
        if known := self._named(open_door, cases, came):
            problem, ask = known.name, known.ask
        else:
            shown = small_enough(self, open_door, cases, shown)
            problem, ask = words_of_values(self, open_door, cases, came, right, wrong, shown[0])
        given, one_came, wanted, situation = shown
        seen = (self.show or side_by_side)(wanted, one_came, given)
        ask = asked_of(situation, ask, self.ask)
        return CheckFailure(self.name, problem, seen=f"{situation}: {seen}", ask=ask)

    def raise_if_it_remembers(self, open_door: OpenDoor, cases, came, right, wrong) -> None:
        """Raise BadAnswer if what is wrong is right where nothing was asked before."""
        for place in wrong[:_MOST_REMEMBERED]:
            with open_door([cases[place]]) as door:
                values = came[place], right[place], self.close, cases[place]
                contract.raise_if_right_at_first(door, *values, self.in_turn)

    def _named(self, open_door: OpenDoor, cases, came) -> WrongFunction | None:
        """Return the mistake that explains all answers; if several do, further inputs decide."""
        known = self.explaining(self.mistakes, cases, came)
        for _ in range(_MORE_DRAWS):
            if len(known) < 2:
                break
            further = self.cases(fresh_generator())
            known = self.explaining(known, further, self.asked(open_door, further)) or known[:1]
        return known[0] if known else None

    def explaining(self, mistakes, cases: list[Given], came: list) -> list[WrongFunction]:
        """Return the mistakes that give what came, at every input."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [each for each in mistakes if self._explains(each, cases, came)]

    def _explains(self, mistake: WrongFunction, cases: list[Given], came: list) -> bool:
        """Say whether a mistake gives every answer; where it gives none, it explains nothing."""
        try:
            return all(
                self.close(each, self.value(mistake.function, given))
                for each, given in zip(came, cases, strict=True)
            )
        except Exception:
            return False
