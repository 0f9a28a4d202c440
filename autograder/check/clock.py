"""A stopwatch for patience. It counts work: a busy machine must not make a check lenient."""

from __future__ import annotations

# Names of our own: an answer, or a check that stops the clock, may replace the module's functions.
from time import perf_counter, process_time

__all__ = ["Stopwatch"]

# The weight of waiting against work, so that an answer that sleeps cannot last without end.
_WAITING = 3.0


class Stopwatch:
    """Counts the seconds for which this process has worked, and a third of those it has waited.

    Args:
      elsewhere: another process does the work: then all seconds count.
    """

    def __init__(self, *, elsewhere: bool = False) -> None:
        self._waiting = 1.0 if elsewhere else _WAITING
        self._started, self._worked = perf_counter(), process_time()

    def seconds(self) -> float:
        """Return the seconds since it was made, never more than have passed."""
        passed = perf_counter() - self._started
        # Several threads may work at once.
        worked = min(process_time() - self._worked, passed)
        return worked + (passed - worked) / self._waiting
