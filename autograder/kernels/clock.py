"""A sandbox's own time: the time that has passed, less the time its processes waited for a core.

A cell's limit counts this time, so that neither a busy machine nor another submission takes from
it. Linux reports how long each thread ran, and how long it was ready and had to wait:
docs.kernel.org/scheduler/sched-stats.html. A sandbox that has used a whole core has waited only
for itself. A cell that sleeps waits for no core, so its sleep counts in full.
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

_FIRST, _USUAL = 0.1, 1.0  # seconds between two looks at the clock; few cells come to the first
_LEAST = 0.001  # seconds: less counts as nothing
_LONGEST = 3  # times its own time that a sandbox may take
_LOOKS, _BETWEEN = 20, 0.05  # for a sandbox to come to rest: a number, and seconds
_NANOSECOND = 1e-9


@dataclass(frozen=True)
class _Reading:
    """Seconds since some moment: passed, used by a sandbox, and waited for in it."""

    wall: float
    used: float
    waited: float


class Clock:
    """Measures how long the processes of a sandbox have waited for a core.

    Args:
      processes: the sandbox's first processes; the ones that they start are found.
    """

    def __init__(self, *processes: int):
        self._processes, self.lost = processes, 0.0
        self._last = _Reading(0.0, 0.0, 0.0)

    def start(self) -> None:
        """Start to measure: seconds lost before do not count."""
        self._last = self._read()

    def look(self) -> float:
        """Return the seconds that were lost since the last look or start; `lost` counts all."""
        before, now = self._last, self._read()
        idle = (now.wall - before.wall) - (now.used - before.used)
        lost = max(0.0, min(now.waited - before.waited, idle))
        self._last, self.lost = now, self.lost + lost
        return lost

    def comes_to_rest(self) -> bool:
        """Say whether all threads of the sandbox stop for a moment, as between cells."""
        for _ in range(_LOOKS):
            if not any(_runs(task) for _, tasks in self._room() for task in tasks):
                return True
            sleep(_BETWEEN)
        return False

    def _read(self) -> _Reading:
        room = list(self._room())
        used = sum(_used(process) for process, _ in room)
        waited = sum(_waited(task) for _, tasks in room for task in tasks)
        return _Reading(monotonic(), used, waited)

    def _room(self) -> Iterator[tuple[int, list[Path]]]:
        """Yield the sandbox's processes, each with its threads."""
        found, left = set(), list(self._processes)
        while left:
            process = left.pop()
            if process not in found:
                found.add(process)
                tasks = _tasks(process)
                yield process, tasks
                left += [child for task in tasks for child in _children(task)]


class Allowance:
    """A limited number of seconds of a sandbox's own time.

    Attributes:
      cut: whether they ended because the sandbox got next to no time on its core.
    """

    def __init__(self, seconds: float, clock: Clock):
        self._left, self._clock, self.cut = seconds, clock, False
        self._began, self._started = monotonic(), False
        self._end = self._began + _LONGEST * seconds

    def next(self) -> float:
        """Return how long to wait now; 0 if nothing is left."""
        self._began = monotonic()
        self.cut = self._left > 0 and self._began >= self._end
        pause = _USUAL if self._started else _FIRST
        return 0.0 if self.cut or self._left < _LEAST else min(self._left, pause)

    def spend(self) -> None:
        """Subtract the time that passed. Few cells run to the second look; the first is free."""
        self._left -= monotonic() - self._began
        if self._started:
            self._left += self._clock.look()
        else:
            self._started = True
            self._clock.start()


def _used(process: int) -> float:
    """Return the seconds that a process has run, and those of its children that have ended."""
    with contextlib.suppress(OSError, ValueError):  # it has just ended
        numbers = Path(f"/proc/{process}/stat").read_text("latin-1").rpartition(")")[2].split()
        return sum(map(int, numbers[11:15])) / os.sysconf("SC_CLK_TCK")  # <man 5 proc_pid_stat>
    return 0.0


def _tasks(process: int) -> list[Path]:
    with contextlib.suppress(OSError):
        return list(Path(f"/proc/{process}/task").iterdir())
    return []


def _runs(task: Path) -> bool:
    with contextlib.suppress(OSError, IndexError):
        return (task / "stat").read_text("latin-1").rpartition(")")[2].split()[0] == "R"
    return False


def _waited(task: Path) -> float:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int((task / "schedstat").read_text().split()[1]) * _NANOSECOND
    return 0.0


def _children(task: Path) -> list[int]:
    with contextlib.suppress(OSError, ValueError):
        return [int(number) for number in (task / "children").read_text().split()]
    return []
