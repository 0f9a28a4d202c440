"""The limit on a page's work, in CPU time of the process that lays it out.

A student's text can keep any converter to HTML busy without end. Such text is shown unconverted and
shortened, with a sentence that says so; the rest of the page is laid out.
"""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator

from autograder.feedback.pieces import piece
from autograder.printable import cut

_EACH = 0.25  # of all the time, for one piece
_REPEAT = 0.5  # seconds; a library may have caught what was raised first
_CHARACTERS, _LINES = 1_000, 20  # of a text that is not laid out
_TOO_LONG = "it takes too long to lay out"
_TOO_LARGE = "it takes too much memory to lay out"
_UNKNOWN = "it cannot be laid out"


class _TooLongError(BaseException):
    """The piece has used its time. Not an Exception: libraries catch those."""


class PageTime:
    """CPU time for the pieces of one page: its texts, its code and its outputs.

    Args:
      seconds: for all of them; with 0 nothing is laid out.
    """

    def __init__(self, seconds: float):
        self._left, self._each = seconds, seconds * _EACH

    def laid_out(self, make: Callable[[], str], text: str) -> str:
        """Return the result of `make`, or the beginning of `text` and why the rest is missing."""
        started = time.process_time()
        try:
            with _limited(min(self._left, self._each)):
                return make()
        except _TooLongError:
            reason = _TOO_LONG
        except MemoryError:
            reason = _TOO_LARGE
        except Exception:  # whatever a library raises on odd text
            reason = _UNKNOWN
        finally:
            self._left -= time.process_time() - started
        return _shortened(text, reason)


def _shortened(text: str, reason: str) -> str:
    return piece("shortened", cut(text, _CHARACTERS, _LINES).strip("\n"), reason)


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise _TooLongError in the block after so much CPU time, on systems that can."""
    if seconds <= 0:
        raise _TooLongError
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, _REPEAT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(*_signal: object) -> None:
    raise _TooLongError
