"""Reserves a core for each submission: all its processes share that core.

A grader takes a core by binding a name that all graders of this machine use. Linux releases the
name when its holder ends, whatever the reason.
"""

import itertools
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_NAME = "\0autograder/core/{}"  # in no folder: <man 7 unix>, abstract sockets
_turns = itertools.count()


@contextmanager
def taken() -> Iterator[int | None]:
    """Reserve one of the cores that this process may use; yield its number.

    If all are taken, submissions share one. Yields None if there is only one core, or no choice.
    """
    cores = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    if len(cores) < 2:
        yield None
        return
    with socket.socket(socket.AF_UNIX) as holder:
        free = (core for core in cores if _bound(holder, core))
        core = next(free, None)
        yield cores[next(_turns) % len(cores)] if core is None else core


def _bound(holder: socket.socket, core: int) -> bool:
    try:
        holder.bind(_NAME.format(core))
    except OSError:
        return False
    return True
