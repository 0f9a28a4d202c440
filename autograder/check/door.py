"""The one door to the answer: every call of a student's function is made here.

It runs beside the answer. Settings go in by their place, plain arrays and words come out, so the
judge may sit in another process.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import secrets
import time
import warnings
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.library import LibraryCalled, without_library
from autograder.check.replay import repeated_chance, still_clock

__all__ = [
    "BadAnswer",
    "Door",
    "NotAnswered",
    "as_number",
    "as_whole_number",
    "fresh_generator",
    "opened",
]

_LONGEST_SAMPLE = 1.0  # seconds


class BadAnswer(Exception):
    """What came back breaks a rule: what is wrong, what came, a question, and at which setting.

    `sure` says how sure that is, where a right answer may break the rule by chance.
    """

    def __init__(
        self,
        problem: str,
        *,
        seen: str = "",
        ask: str = "",
        parameters: dict | None = None,
        sure: str = "",
    ):
        self.problem, self.seen, self.ask, self.parameters = problem, seen, ask, parameters
        self.sure = sure
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
    """Calls one answer, at settings that are known by their place.

    A call's arguments are made once for each setting, so that a change the answer makes to them is
    seen. What comes back is read into numbers, or becomes a BadAnswer.
    """

    def __init__(self, claim, function: Callable, settings: Sequence[dict[str, Any]]):
        """Take a claim (how to call and to read), the answer, and the settings' parameters."""
        self._claim, self._function, self._settings = claim, function, settings
        self._made: dict[int, tuple[tuple, dict]] = {}
        self._kept: dict[int, tuple[tuple, dict]] = {}
        self._readers: dict[int, Callable[[Any], Any]] = {}
        self._mishaps = 0
        self._sink = _Sink()

    @property
    def printed(self) -> bool:
        """Say whether the answer has printed something."""
        return self._sink.used

    def call(self, place: int) -> Any:
        """Return what the answer gives, read; what cannot be read becomes a `BadAnswer`."""
        positional, keywords = self._arguments(place)
        try:
            given = _called(self._claim.use, self._function, positional, keywords)
            return self._readers[place](given)
        except BadAnswer as bad:
            bad.parameters = self._settings[place]
            raise

    def sample(self, place: int, number: int) -> np.ndarray:
        """Return `number` answers in the order in which they were given: (number,) or wider.

        A slow answer gives fewer in the seconds that one sample may take, and at least one.

        Floating point gives even a right answer something that is not a number, or log(0), once in
        about 2**53 calls. So the first such mishap of a run is let through, as NaN: at most 60,000
        answers make two of them with probability below 1e-22.
        """
        answers, until = [], time.perf_counter() + _LONGEST_SAMPLE
        while len(answers) < number and (not answers or time.perf_counter() < until):
            try:
                answers.append(self.call(place))
            except NotAnswered:
                raise
            except BadAnswer:
                if self._mishaps:
                    raise
                self._mishaps += 1
                answers.append(None)
        return _stacked(answers)

    def changed(self, place: int) -> bool:
        """Say whether the answer has changed what it was given."""
        return not _same(self._arguments(place), self._kept[place])

    def inspect(self, place: int) -> None:
        """Raise BadAnswer if the claim finds fault with what became of a call's arguments."""
        try:
            self._claim.inspect(*self._arguments(place))
        except BadAnswer as bad:
            bad.parameters = self._settings[place]
            raise

    def reseeds(self, place: int) -> str:
        """Return the global seed function that an answer calls on itself, or "".

        Two calls from two different states that leave one state have set it themselves.
        """
        states = []
        for _ in range(2):
            np.random.seed([secrets.randbits(32) for _ in range(8)])  # noqa: NPY002
            random.seed(secrets.randbits(128))
            with contextlib.suppress(BadAnswer):
                self.call(place)
            numpy_state = np.random.get_state()[1].tobytes()  # noqa: NPY002
            states.append((numpy_state, random.getstate()))
        if states[0][0] == states[1][0]:
            return "np.random.seed"
        return "random.seed" if states[0][1] == states[1][1] else ""

    def replay(
        self, place: int, changes: Sequence[dict[str, Any]], seeds: Sequence[int]
    ) -> list[list[np.ndarray | None]]:
        """Return answers whose chance comes from given seeds, with some parameters changed.

        One list for each change of the setting's parameters, one answer in it for each seed; None
        where there is no answer to read. All generators are put back.
        """
        return [[self._replayed(place, change, seed) for seed in seeds] for change in changes]

    def _replayed(self, place: int, change: dict[str, Any], seed: int) -> np.ndarray | None:
        parameters = {**self._settings[place], **change}
        positional, keywords = self._claim.arguments(parameters)
        with contextlib.suppress(BadAnswer), repeated_chance(self._function, seed):
            given = _called(self._claim.use, self._function, positional, keywords)
            return np.asarray(self._claim.reader(parameters)(given), dtype=float)
        return None

    def follows_the_clock(self, place: int) -> bool:
        """Say whether two calls give one answer when the clock stands still between them.

        Two draws of a continuous law are equal as floats with probability below 1e-12, so this
        says something about continuous laws only.
        """
        with contextlib.suppress(BadAnswer), still_clock(self._function):
            return bool(np.array_equal(self.call(place), self.call(place)))
        return False

    def _arguments(self, place: int) -> tuple[tuple, dict]:
        if place not in self._made:
            self._readers[place] = self._claim.reader(self._settings[place])
            self._made[place] = self._claim.arguments(self._settings[place])
            self._kept[place] = copy.deepcopy(self._made[place])
        return self._made[place]


def _stacked(answers: list) -> np.ndarray:
    """Return answers as one array; a mishap (None) is NaN in each entry."""
    if all(type(answer) is float for answer in answers):
        return np.array(answers)
    shape = next((np.shape(answer) for answer in answers if answer is not None), ())
    mishap = np.full(shape, np.nan)
    return np.array([mishap if answer is None else answer for answer in answers], dtype=float)


def _called(use: Callable, function: Callable, positional: tuple, keywords: dict) -> Any:
    try:
        return use(function, *positional, **keywords)
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


def as_number(answer: Any, parameters: dict | None = None) -> float:
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


def as_whole_number(answer: Any, parameters: dict | None = None) -> float:
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
def opened(claim, function: Callable, settings: Sequence[dict[str, Any]]):
    """Open the door: global generators reseeded, output and warnings hidden, dplib's version shut.

    All of it is put back afterwards.
    """
    door = Door(claim, function, settings)
    kept = np.random.get_state(), random.getstate()  # noqa: NPY002
    with (
        contextlib.redirect_stdout(door._sink),
        contextlib.redirect_stderr(door._sink),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        without_library(claim.library or claim.name),
    ):
        warnings.simplefilter("ignore")
        np.random.seed([secrets.randbits(32) for _ in range(8)])  # noqa: NPY002
        random.seed(secrets.randbits(128))
        try:
            yield door
        finally:
            np.random.set_state(kept[0])  # noqa: NPY002
            random.setstate(kept[1])
