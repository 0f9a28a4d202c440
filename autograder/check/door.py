"""The door to the answer: every call of a student's function is made here.

It is in the judge's process. The answer may be an `Elsewhere` for a function in another one: then
the work that must be done beside the answer is done there.
"""

import contextlib
import copy
import math
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, NotAnswered, as_read, raise_if_laden
from autograder.check.calls import Calls, NotReturned, called, calls_that_end
from autograder.check.chance.cells import at_its_beginning
from autograder.check.chance.pool import seeds_of
from autograder.check.chance.replay import repeated_chance, seeder, still_clock
from autograder.check.chance.seeds import fixed_seeds
from autograder.check.effort import Stopwatch
from autograder.check.elsewhere import Elsewhere, said_of, takes_generator
from autograder.check.quiet import Sink, looked_at, quietly
from autograder.check.wording.written_arguments import Written, changed_arguments, written

_STILL_CALLS = 5
_LONGEST_SAMPLE = 1.0  # seconds: a longer one is drawn in parts


def stopwatch(function: Any) -> Stopwatch:
    """Return a new stopwatch for an answer's work."""
    return Stopwatch(function._worked) if isinstance(function, Elsewhere) else Stopwatch()


def fresh_generator() -> np.random.Generator:
    """Return a generator that the answer cannot foresee: seeded by the operating system."""
    return np.random.Generator(np.random.PCG64(secrets.randbits(128)))


class Door:
    """Calls one answer, at settings that are known by their place.

    A call's arguments are made once for each setting: changes by the answer are seen.
    """

    def __init__(
        self,
        claim,
        function: Callable,
        settings: Sequence[dict[str, Any]],
        sink: Sink | None = None,
        calls: Calls | None = None,
    ):
        """Take a claim (how to call and to read), the answer, and the settings' parameters.

        The sink says of itself whether the answer has printed something. `calls` ends those that
        work too long.
        """
        self._claim, self._function, self._settings = claim, function, settings
        self._made: dict[int, tuple[tuple, dict]] = {}
        self._kept: dict[int, tuple[tuple, dict]] = {}
        self._readers: dict[int, Callable[[Any], Any]] = {}
        self._watched: set[int] = set()
        self._mishaps = 0
        self._sink, self._calls = sink or Sink(), calls or Calls()
        self.seeds = seeds_of(function)
        self._rng = fresh_generator() if self._may_take_generator() else None

    @property
    def printed(self) -> bool:
        """Say whether the answer has printed something."""
        return bool(self._sink.used)

    def stopwatch(self) -> Stopwatch:
        """Return a new stopwatch for the answer's work."""
        return stopwatch(self._function)

    def call(self, place: int, **more: Any) -> Any:
        """Return the answer's result, read; a result that cannot be read becomes a `BadAnswer`.

        `more` are keyword arguments beside the claim's own.
        """
        positional, keywords = self._arguments(place)
        keywords = {**keywords, **more} if more else keywords
        try:
            with self._first_look(place):
                given = self._called(positional, keywords)
            raise_if_laden(given)
            return as_read(self._readers[place], given)
        except BadAnswer as bad:
            bad.parameters = self._settings[place]
            raise

    def _called(self, positional: tuple, keywords: dict) -> Any:
        with self._calls:
            return called(self._claim.use, self._function, positional, keywords)

    def asked_at(self, event: Callable, outputs: list) -> list[bool | str]:
        """Return whether each output is in an event that the answer gave, or an error's words."""
        with self._calls:
            return called(said_of, event, (outputs,), {})

    def _may_take_generator(self) -> bool:
        """Say whether calls may be given an `rng`."""
        if not getattr(self._claim, "passes_on", False):
            return False
        with takes_generator(self._function) as takes:
            return bool(takes)

    def sample(self, place: int, number: int) -> np.ndarray:
        """Return `number` answers, the second half of them with an `rng` of their own.

        As `sample_of`, which says the rest.
        """
        if self._rng is None:
            return self.sample_of(place, number)
        first = self.sample_of(place, number - number // 2)
        if number < 2:
            return first
        return np.concatenate([first, self.sample_of(place, number // 2, rng=self._rng)])

    def sample_of(self, place: int, number: int, **more: Any) -> np.ndarray:
        """Return `number` answers in the order in which they were given: (number,) or wider.

        A slow answer gives fewer in the seconds that one sample may take, and at least one.

        Floating point gives even a right answer something that is not a number, or log(0), once in
        about 2**53 calls. So the first such mishap of a run is let through, as NaN: at most 400,000
        answers make two of them with probability below 1e-20.
        """
        answers, watch, longest = [], self.stopwatch(), _LONGEST_SAMPLE
        if isinstance(self._function, Elsewhere):
            # Its process makes as many as fit in that time; here they are only read.
            positional, keywords = self._arguments(place)
            arguments = positional, {**keywords, **more}
            with self._first_look(place):
                number = self._function._call_ahead(number, _LONGEST_SAMPLE, *arguments)
            longest = math.inf
        with self.seeds.watched() as next_call:
            while len(answers) < number and (not answers or watch.within(longest)):
                answers.append(self._answer(place, **more))
                next_call()
        return _stacked(answers)

    def _answer(self, place: int, **more: Any) -> Any:
        """Return an answer, read; None for the first of a run that cannot be read."""
        try:
            return self.call(place, **more)
        except (NotAnswered, NotReturned):
            raise
        except BadAnswer:
            if self._mishaps:
                raise
            self._mishaps += 1
            return None

    def _first_look(self, place: int) -> contextlib.AbstractContextManager:
        """Watch the first calls at a setting for the library's code under another name."""
        if place in self._watched:
            return contextlib.nullcontext()
        self._watched.add(place)
        return looked_at(self._function, self._claim.library or self._claim.name)

    def raise_if_written(self, place: int, then: BadAnswer | None = None) -> None:
        """Raise Written, with what came then, if the answer has changed its arguments here."""
        changed = changed_arguments(self._kept[place], self._arguments(place))
        if changed:
            raise written(changed, self._settings[place], then)

    def raise_if_written_before(self, bad: BadAnswer) -> None:
        """Raise Written if the answer has changed its arguments where it was bad."""
        for place in self._kept:
            if self._settings[place] is bad.parameters:
                self.raise_if_written(place, bad)

    def hurry(self, seconds: float) -> None:
        """End calls that work for longer than this: no words are worth a longer wait."""
        self._calls.longest = seconds

    def inspect(self, place: int) -> None:
        """Raise BadAnswer if the claim finds fault with a call's arguments after the call."""
        try:
            self._claim.inspect(*self._arguments(place))
        except BadAnswer as bad:
            bad.parameters = self._settings[place]
            raise

    def reseeds(self, place: int) -> str:
        """Return the global seed function that an answer calls on itself, or ""."""

        def call():
            with contextlib.suppress(BadAnswer):
                self.call(place)

        return seeder(self._function, call)

    def used_seed(self, place: int) -> str:
        """Return the chosen seed of a generator that the answer holds and draws from, or ""."""
        with contextlib.suppress(BadAnswer), fixed_seeds(self._function) as used:
            self.call(place)
            return next(iter(used()), "")
        return ""

    def first_answers(self, place: int, number: int) -> list[np.ndarray]:
        """Return the first answers of so many sessions, each with chance of its own.

        There are none of an answer that keeps nothing from call to call.
        """
        came = []
        for _ in range(number):
            with contextlib.suppress(BadAnswer), at_its_beginning(self._function) as known:
                if not known:
                    return []
                came.append(np.asarray(self.call(place), dtype=float))
        return came

    def begins_the_same(self, place: int) -> bool:
        """Say whether the first answer of a session is one and the same, whatever chance does.

        Draws of a continuous law are equal as floats with probability below 1e-12. An answer that
        keeps nothing from call to call is not called.
        """
        came = []
        for seed in (1, 2):
            with (
                contextlib.suppress(BadAnswer),
                repeated_chance(self._function, seed),
                at_its_beginning(self._function) as known,
            ):
                if known:
                    came.append(np.asarray(self.call(place), dtype=float))
        return len(came) == 2 and np.array_equal(*came) and bool(np.isfinite(came[0]).all())

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
            given = self._called(positional, keywords)
            return np.asarray(self._claim.reader(parameters)(given), dtype=float)
        return None

    def follows_the_clock(self, place: int) -> bool:
        """Say whether calls give one finite answer while the clock stands still.

        Draws of a continuous law are equal as floats with probability below 1e-12, so this says
        something about continuous laws only. (Many calls, for wrong answers that are often 0.)
        """
        with still_clock(self._function):
            return self.gives_one_answer(place)

    def gives_one_answer(self, place: int) -> bool:
        """Say whether calls give one finite answer, at different times."""
        with contextlib.suppress(BadAnswer):
            first = np.asarray(self.call(place), dtype=float)
            same = all(np.array_equal(first, self.call(place)) for _ in range(_STILL_CALLS))
            return same and bool(np.isfinite(first).all())
        return False

    def _arguments(self, place: int) -> tuple[tuple, dict]:
        if place not in self._made:
            self._readers[place] = self._claim.reader(self._settings[place])
            self._made[place] = self._claim.arguments(self._settings[place])
            self._kept[place] = copy.deepcopy(self._made[place])
        return self._made[place]


def _stacked(answers: list) -> np.ndarray:
    """Return answers as one array; a failed call (None) is NaN in each entry."""
    if all(type(answer) is float for answer in answers):
        return np.array(answers)
    shape = next((np.shape(answer) for answer in answers if answer is not None), ())
    mishap = np.full(shape, np.nan)
    return np.array([mishap if answer is None else answer for answer in answers], dtype=float)


@contextlib.contextmanager
def opened(claim, function: Callable, settings: Sequence[dict[str, Any]]) -> Iterator[Door]:
    """Open the door; afterwards undo the preparations for calling an answer."""
    shut = (claim.library or claim.name, *claim.closed)
    with quietly(function, shut) as sink, calls_that_end() as calls:
        door = Door(claim, function, settings, sink, calls)
        try:
            yield door
        except BadAnswer as bad:
            if not isinstance(bad, NotAnswered | NotReturned | Written):
                door.raise_if_written_before(bad)
            raise
