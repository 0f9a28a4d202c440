"""The lock on a chapter: a second grader would remove the first one's unfinished work.

It is the system's lock on the chapter's folder: it leaves no file, and ends with the process.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.course_folders.course import Course, GradingError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

_PATIENCE = 10.0  # seconds: a grader that was killed takes a moment to go


@contextlib.contextmanager
def alone(course: Course, chapter: str) -> Iterator[None]:
    """Lock this chapter for this grader, if the system has locks.

    Raises:
      GradingError: another one is at work.
    """
    folder = course.folder("source", ".", chapter)
    if fcntl is None:
        yield
        return
    number = os.open(folder if folder.is_dir() else course.root, os.O_RDONLY)
    try:
        _lock(number, folder)
        yield
    finally:
        os.close(number)


def _lock(number: int, folder: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise GradingError(f"{folder.name} is being graded already") from error
        except OSError:  # a file system without locks
            return None
        time.sleep(0.1)
