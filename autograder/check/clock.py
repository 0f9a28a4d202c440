"""A stopwatch of work. Neither a busy machine nor an answer that waits may shorten a look."""

from __future__ import annotations

from collections.abc import Callable

# Names of our own: an answer, or a check that stops the clock, may replace the module's functions.
from time import perf_counter, process_time

__all__ = ["Stopwatch", "queued"]

# How long a thread was ready and had no core: docs.kernel.org/scheduler/sched-stats.html.
_SCHEDULE = "/proc/thread-self/schedstat"
_NANOSECOND = 1e-9
_open = open


def queued() -> float:
    """Return the seconds that this thread was ready and waited for a core; 0 if nothing says so."""
    try:
        with _open(_SCHEDULE) as file:
            return int(file.read().split()[1]) * _NANOSECOND
    except (OSError, ValueError, IndexError):
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

    def _here(self) -> tuple[float, float]:
        return process_time(), queued()

    def _passed(self) -> float:
        return perf_counter() - self._started

    def _used(self) -> float:
        # Several threads may work at once.
        return process_time() - self._own[0] + self._elsewhere()[0] - self._other[0]
