"""One call of an answer: what it raises becomes words, and one that works for too long is ended.

The limit is of the process's work, so a busy machine ends no call. It is far above what any right
answer takes. The timer itself is of the time that passes: with one of work, Linux's clock of work
would stand still for ten milliseconds at a time, for all who read it. Windows and the browser have
no such timer: there a notebook is interrupted by hand.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

# A name of our own: an answer may replace the module's function.
from time import process_time
from typing import Any

from autograder.check.answers import BadAnswer, NotAnswered, stopped
from autograder.check.library import LibraryCalled

LONGEST_CALL = 20  # seconds of work; nbgrader lets a cell run for 30
_TICK = 1.0  # seconds


class CallEnded(BaseException):
    """The call has worked for too long. Not an Exception: an answer may catch those."""


class NotReturned(BadAnswer):
    """The answer works without end, or nearly so, at some input."""

    def __init__(self) -> None:
        super().__init__(
            "a call does not return",
            seen=f"it had worked for {LONGEST_CALL} seconds and was ended",
            ask="which loop or call never ends, or how many rounds does it have at this input?",
        )


class Calls:
    """Counts an answer's calls, and ends one that works for longer than `longest`, in seconds."""

    def __init__(self) -> None:
        self.longest = LONGEST_CALL
        self._number, self._running = 0, False
        self._latest, self._since = 0, 0.0

    def __enter__(self) -> None:
        self._number += 1
        self._running = True

    def __exit__(self, *error: object) -> None:
        self._running = False

    def tick(self, *_signal: object) -> None:
        """Raise CallEnded in a call that has worked for too long, at each tick anew."""
        if not self._running or self._number != self._latest:
            self._latest, self._since = self._number, process_time()
        elif process_time() - self._since >= self.longest:
            raise CallEnded


@contextlib.contextmanager
def calls_that_end() -> Iterator[Calls]:
    """Yield what to enter for each call: one that works too long ends with CallEnded."""
    calls = Calls()
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield calls
        return
    handler = signal.signal(signal.SIGALRM, calls.tick)
    timer = _timed(_TICK, _TICK)
    try:
        yield calls
    finally:
        _timed(0)
        signal.signal(signal.SIGALRM, handler)
        _timed(*timer)


def _timed(*timer: float) -> tuple[float, ...]:
    """Set the timer, and return what it was; 0 where there is none."""
    with contextlib.suppress(OSError):
        return signal.setitimer(signal.ITIMER_REAL, *timer)
    return (0.0,)


def called(use: Callable, function: Callable, positional: tuple, keywords: dict) -> Any:
    """Return what a use of an answer returns; a BadAnswer says what it raised instead."""
    try:
        return use(function, *positional, **keywords)
    except BadAnswer:
        # One of our own arguments, for example a predicate, reports an error.
        raise
    except NotImplementedError:
        raise NotAnswered from None
    except CallEnded:
        raise NotReturned from None
    except LibraryCalled:
        raise BadAnswer(
            "this calls the library's own version",
            ask="which steps does the task describe? Write them yourself.",
        ) from None
    except (Exception, SystemExit) as error:
        raise stopped(error, function) from None
