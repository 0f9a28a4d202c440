"""What benchmarks share: they time calls, and print each figure beside its target."""

import os
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORES = 2


def on_two_cores() -> None:
    """Run on two cores from now on, with all programs that are started from here."""
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:CORES]))


def seconds(
    action: Callable[[], object],
    *,
    repeats: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Return how long each of some calls takes."""
    found = []
    for _ in range(repeats):
        start = clock()
        action()
        found.append(clock() - start)
    return found


def figure(
    name: str, measured: float, target: float, *, least: bool = False, form: str = ".4g"
) -> None:
    """Print the line that `make bench` collects.

    Args:
      target: the most that is wanted.
      least: the target is the least instead.
      form: how the figure is written.
    """
    good = measured >= target if least else measured <= target
    print(f"{name} measured={measured:{form}} target={target:g} {'ok' if good else 'short'}")
