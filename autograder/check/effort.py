"""How long a check looks at an answer, in draws and in work. No verdict depends on the clock.

There are two lengths. In a notebook every look is short. When points are given, an answer in
another process gets one long look, for the check that students see and the hidden one. In one
process, where the answer may change between the two, the first is short, and each later one long.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace

# Names of our own: an answer, or a check that stops the clock, may replace the module's functions.
from os import open as open_file
from time import perf_counter, process_time

# How long a thread was ready and had no core: docs.kernel.org/scheduler/sched-stats.html.
_SCHEDULE = "/proc/thread-self/schedstat"
_NANOSECOND = 1e-9
# It is read at each draw. To open it takes as long as many an answer, so it stays open: by thread,
# as it is about one thread. A child of this process may have a thread of the same number.
_schedules: dict[int, int] = {}
# Not every system has these; where they are missing, there is no such file either.
_read = getattr(os, "pread", None)
# A browser has neither: to ask again whether the file is there takes as long as many an answer.
_missing = _read is None or not os.path.exists(_SCHEDULE)  # noqa: PTH110
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_schedules.clear)


def queued() -> float:
    """Return the seconds that this thread was ready and waited for a core; 0 if nothing says so."""
    if _missing:
        return 0.0
    thread = threading.get_ident()
    try:
        if thread not in _schedules:
            _schedules[thread] = open_file(_SCHEDULE, os.O_RDONLY)
        return int(_read(_schedules[thread], 80, 0).split()[1]) * _NANOSECOND
    except (OSError, ValueError, IndexError):
        _schedules.pop(thread, None)
        return 0.0


def _nothing() -> tuple[float, float]:
    return 0.0, 0.0


class Stopwatch:
    """Counts the seconds for which an answer and its check have worked, and have waited.

    Args:
      elsewhere: returns the seconds that an answer's own process has worked and was queued so far.
    """

    def __init__(self, elsewhere: Callable[[], tuple[float, float]] = _nothing) -> None:
        self._elsewhere = elsewhere
        self._started, self._own, self._other = perf_counter(), self._here(), elsewhere()

    def worked(self) -> float:
        """Return the seconds of processor time since it was made, never more than have passed."""
        return min(self._used(), self._passed())

    def idle(self) -> float:
        """Return the seconds in which nobody worked, and nobody waited for a core."""
        busy = self._used() + queued() - self._own[1] + self._elsewhere()[1] - self._other[1]
        return max(0.0, self._passed() - busy)

    def seconds(self) -> float:
        """Return the seconds since it was made, without those in the queue for a core."""
        return self.worked() + self.idle()

    def within(self, seconds: float) -> bool:
        """Say whether fewer seconds than these are counted. It costs little while few have passed.

        What is counted has passed, so the clock alone says yes; to ask the system takes as long as
        many an answer.
        """
        return self._passed() < seconds or self.seconds() < seconds

    def _here(self) -> tuple[float, float]:
        return process_time(), queued()

    def _passed(self) -> float:
        return perf_counter() - self._started

    def _used(self) -> float:
        # Several threads may work at once.
        return process_time() - self._own[0] + self._elsewhere()[0] - self._other[0]


@dataclass(frozen=True)
class Effort:
    """The length of one look.

    Attributes:
      answers: this many draws are enough ...
      work: ... and so is this much processor time, in seconds.
      most_answers: no more are drawn, even if a mistake is still not ruled out.
      patience: nor are they after this much processor time.
      idle: seconds for which an answer may neither work nor be queued for a core, in all.
      rounds: how many looks are taken, each at inputs drawn anew, while the work allows it.
      level: the share of a claim's level that this look may use.
      graded: whether points are given.
      long: whether it waits until every mistake is ruled out that answers tell anything about.
    """

    answers: int
    work: float
    most_answers: int
    patience: float
    idle: float
    rounds: int = 1
    level: float = 1.0
    graded: bool = False
    long: bool = False

    def looks(self) -> Iterator[Effort]:
        """Yield the length of each look: half of the work for the first, the rest for short ones.

        Their levels add up to this one's.
        """
        if self.rounds == 1:
            yield self
            return
        others, short = self.rounds - 1, min(SHORT.work, self.work / 2)
        yield replace(self, rounds=1, work=self.work / 2, level=self.level / 2)
        brief = replace(self, rounds=1, work=short, patience=short, long=False)
        for _ in range(others):
            yield replace(brief, level=self.level / 2 / others)

    def over(self, watch: Stopwatch) -> bool:
        """Say whether no patience is left."""
        return watch.worked() >= self.patience or self.waited(watch)

    def waited(self, watch: Stopwatch) -> bool:
        """Say whether the answer has waited for as long as it may."""
        return watch.idle() >= self.idle


SHORT = Effort(answers=20_000, work=0.125, most_answers=60_000, patience=4.0, idle=4.0)
# A browser's Python makes a tenth as many draws in that work, and fewer while it is cold. There a
# look ends with so many draws that noise off by 15 % is seen, and it may work for them.
SLOW = sys.platform == "emscripten"
if SLOW:
    SHORT = replace(SHORT, answers=6_000, work=1.0)
LONG = Effort(
    answers=200_000,
    work=1.0,
    most_answers=400_000,
    patience=10.0,
    idle=12.0,
    rounds=5,
    graded=True,
    long=True,
)
# No words are worth a longer wait: seconds of work and of waiting, but not in the queue for a core.
FOR_WORDS = 1.0
# An exam's only look: 300 people with four tasks each are to be graded within minutes.
EXAM = replace(SHORT, work=0.25, idle=LONG.idle, graded=True)

# Read before any answer runs, because an answer could change it.
_GRADED = os.environ.get("NBGRADER_EXECUTION") == "autograde"
_current: ContextVar[Effort] = ContextVar("effort", default=SHORT)
# By exercise, the number of draws that each of its parts got at the first look.
_seen: dict[str, dict[int, int]] = {}


def effort() -> Effort:
    """Return the length of the look that is being taken."""
    return _current.get()


@contextlib.contextmanager
def at_length(
    exercise: str, length: Effort | None = None, *, only: bool = False
) -> Iterator[Effort]:
    """Look at an exercise: for this long, or as long as its turn in this process allows.

    Args:
      only: whether this look is the only one, which serves the check that students see and the
        hidden one.
    """
    length = length or _next_length(exercise, only=only)
    token = _current.set(length)
    try:
        yield length
    finally:
        _current.reset(token)


def _next_length(exercise: str, *, only: bool) -> Effort:
    if not _GRADED:
        return SHORT
    first = exercise not in _seen and not only
    _seen.setdefault(exercise, {})
    return replace(SHORT, idle=LONG.idle, graded=True) if first else LONG


def saw(exercise: str, part: int, draws: int) -> None:
    """Remember how many draws a part of an exercise got at the first look."""
    _seen.setdefault(exercise, {}).setdefault(part, draws)


def of_parts(exercise: str, parts: Sequence[object]) -> list[Effort]:
    """Share a look out among an exercise's parts: most to those that the first look saw least of.

    A short look is as long for each part as for an exercise of one. A part without chance has no
    level, and no use for more.
    """
    whole, seen = effort(), _seen.get(exercise, {})
    chance = [getattr(part, "level", 0.0) > 0 for part in parts]
    few = chance if any(chance) else [True] * len(parts)
    weights = [each / max(seen.get(place, 1), 1) for place, each in enumerate(few)]
    shares = [weight / sum(weights) for weight in weights]
    return [
        replace(
            whole,
            work=max(SHORT.work, share * whole.work) if whole.long else whole.work,
            patience=max(SHORT.patience, share * whole.patience),
            idle=whole.idle / len(parts),
        )
        for share in shares
    ]
