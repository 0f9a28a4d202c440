"""The one door to the answer: every call of a student's function is made here.

It runs beside the answer and hands back plain arrays, so that the judge may sit elsewhere.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import secrets
import warnings
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.judge import Setting
from autograder.check.library import LibraryCalled, without_library

__all__ = [
    "BadAnswer",
    "Door",
    "NotAnswered",
    "as_number",
    "as_whole_number",
    "fresh_generator",
    "opened",
    "repeats_after_reseeding",
]


class BadAnswer(Exception):
    """What came back breaks a rule: what is wrong, what came, a question, and at which setting."""

    def __init__(
        self, problem: str, *, seen: str = "", ask: str = "", setting: Setting | None = None
    ):
        self.problem, self.seen, self.ask, self.setting = problem, seen, ask, setting
        super().__init__(problem)


class NotAnswered(BadAnswer):
    """The exercise is still as it was handed out."""

    def __init__(self):
        super().__init__(
            "not answered yet",
            ask="replace `raise NotImplementedError` with your answer, then run this cell again.",
        )


def fresh_generator() -> np.random.Generator:
    """Return a generator that the answer cannot foresee: seeded by the operating system."""
    return np.random.Generator(np.random.PCG64(secrets.randbits(128)))


class _Sink(io.StringIO):
    """Takes what an answer prints and keeps none of it."""

    def __init__(self):
        super().__init__()
        self.used = False

    def write(self, text: str) -> int:
        self.used = True
        return len(text)


class Door:
    """Calls one answer.

    `arguments` makes a setting's positional and keyword arguments from its plain parameters; they
    are made once, so that a change the answer makes to them is seen. `read` makes a float of what
    comes back, or raises BadAnswer.
    """

    def __init__(
        self,
        function: Callable,
        arguments: Callable[[dict], tuple[tuple, dict]],
        read: Callable[[Any], float],
    ):
        self._function, self._arguments, self._read = function, arguments, read
        self._made: dict[int, tuple[tuple, dict]] = {}
        self._kept: dict[int, tuple[tuple, dict]] = {}
        self._mishaps = 0
        self.sink = _Sink()

    def arguments(self, setting: Setting) -> tuple[tuple, dict]:
        """Return what the answer is called with at one setting."""
        if id(setting) not in self._made:
            self._made[id(setting)] = self._arguments(setting.parameters)
            self._kept[id(setting)] = copy.deepcopy(self._made[id(setting)])
        return self._made[id(setting)]

    def call(self, setting: Setting) -> Any:
        """Return what the answer gives, read; what cannot be read becomes a `BadAnswer`."""
        positional, keywords = self.arguments(setting)
        try:
            return self._read(_called(self._function, positional, keywords))
        except BadAnswer as bad:
            bad.setting = setting
            raise

    def sample(self, setting: Setting, number: int) -> np.ndarray:
        """Return `number` answers, each one number, in the order in which they were given.

        Floating point gives even a right answer something that is not a number, or log(0), once in
        about 2**53 calls. So the first such mishap of a run is let through, as NaN: at most 60,000
        answers make two of them with probability below 1e-22.
        """
        positional, keywords = self.arguments(setting)
        answers = np.empty(number)
        for place in range(number):
            try:
                answers[place] = self._read(_called(self._function, positional, keywords))
            except NotAnswered:
                raise
            except BadAnswer as bad:
                if self._mishaps:
                    bad.setting = setting
                    raise
                self._mishaps += 1
                answers[place] = np.nan
        return answers

    def changed(self, setting: Setting) -> bool:
        """Say whether the answer has changed what it was given."""
        return not _same(self.arguments(setting), self._kept[id(setting)])


def _called(function: Callable, positional: tuple, keywords: dict) -> Any:
    try:
        return function(*positional, **keywords)
    except BadAnswer:
        # An argument of ours, a predicate for example, has something to say.
        raise
    except NotImplementedError:
        raise NotAnswered from None
    except LibraryCalled:
        raise BadAnswer(
            "this calls the library's own version",
            ask="which steps does the docstring describe? Write them yourself.",
        ) from None
    except (Exception, SystemExit) as error:
        words = " ".join(str(error).split())[:160]
        raise BadAnswer(
            f"it stops with {type(error).__name__}",
            seen=f"{type(error).__name__}: {words}" if words else "",
            ask="call it yourself with the numbers above and read the last line of the error.",
        ) from None


def as_number(answer: Any) -> float:
    """Return the answer as a float, or raise BadAnswer with what is wrong with it."""
    if type(answer) is not float:
        answer = _unpacked(answer)
    if answer - answer != 0:
        raise BadAnswer(
            "the answer is not a finite number",
            seen=f"it returned {answer!r}",
            ask="which step divides by zero, or takes the logarithm of zero?",
        )
    return answer


def as_whole_number(answer: Any) -> float:
    """Return the answer as a float that is a whole number, or raise BadAnswer."""
    read = as_number(answer)
    if read != round(read):
        raise BadAnswer(
            "the answer is not a whole number",
            seen=f"it returned {answer!r}",
            ask="which law puts all its probability on whole numbers?",
        )
    return read


def _unpacked(answer: Any) -> float:
    """Return the one number in `answer`: a number, or an array that holds exactly one."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if isinstance(answer, Real) and not isinstance(answer, bool):
        return float(answer)
    # An array, a list or a Series; a list whose rows differ in length is no array.
    with contextlib.suppress(ValueError):
        array = np.asarray(answer)
        if array.size == 1 and array.dtype.kind in "iuf":
            return float(array.reshape(-1)[0])
        if array.size != 1 and array.dtype.kind in "iufb":
            raise BadAnswer(
                "one number is wanted",
                seen=f"it returned {array.size} numbers, of shape {array.shape}",
                ask="how many draws of noise does one answer need?",
            )
    raise BadAnswer(
        "one number is wanted",
        seen=f"it returned {_shortened(answer)}, a {type(answer).__name__}",
        ask="what does the docstring say the function returns?",
    )


def _shortened(answer: Any) -> str:
    words = " ".join(repr(answer).split())
    return words if len(words) <= 60 else words[:57] + "..."


def _same(one: Any, other: Any) -> bool:
    """Say whether two arguments are equal, tables and arrays included. Functions always are."""
    if callable(one):
        return True
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if hasattr(one, "equals"):
        # A table: `equals` does not look at the names of rows.
        return one.equals(other) and one.index.equals(other.index)
    return type(one) is type(other) and np.array_equal(one, other)


@contextlib.contextmanager
def opened(
    name: str,
    function: Callable,
    arguments: Callable[[dict], tuple[tuple, dict]],
    read: Callable[[Any], Any] = as_number,
):
    """Open the door: global generators reseeded, output and warnings hidden, dplib's version shut.

    All of it is put back afterwards.
    """
    door = Door(function, arguments, read)
    kept = np.random.get_state(), random.getstate()  # noqa: NPY002
    with (
        contextlib.redirect_stdout(door.sink),
        contextlib.redirect_stderr(door.sink),
        warnings.catch_warnings(),
        without_library(name),
    ):
        warnings.simplefilter("ignore")
        np.random.seed([secrets.randbits(32) for _ in range(8)])  # noqa: NPY002
        random.seed(secrets.randbits(128))
        try:
            yield door
        finally:
            np.random.set_state(kept[0])  # noqa: NPY002
            random.setstate(kept[1])


def repeats_after_reseeding(door: Door, setting: Setting) -> str:
    """Return the global seed function that an answer calls on itself, or "".

    Two calls from two different states that leave one and the same state have set it themselves.
    """
    states = []
    for _ in range(2):
        np.random.seed([secrets.randbits(32) for _ in range(8)])  # noqa: NPY002
        random.seed(secrets.randbits(128))
        with contextlib.suppress(BadAnswer):
            door.call(setting)
        numpy_state = np.random.get_state()[1].tobytes()  # noqa: NPY002
        states.append((numpy_state, random.getstate()))
    if states[0][0] == states[1][0]:
        return "np.random.seed"
    return "random.seed" if states[0][1] == states[1][1] else ""
