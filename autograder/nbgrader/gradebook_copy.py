"""A copy of the gradebook to grade into: the original stays unchanged."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url

from autograder.course_folders.course import Course, GradingError


@contextlib.contextmanager
def trial(root: Path) -> Iterator[Course]:
    """Return the course with a copy of its gradebook and no graded work, in a temporary folder.

    The submissions, source/ and all settings are the course's own.

    Raises:
      GradingError: there is no gradebook, or it is no SQLite file.
    """
    original = database(Course(root))
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as name:
        copy_database(original, Path(name) / "gradebook.db")
        yield Course(root, _arguments(Path(name)))


def _arguments(folder: Path) -> list[str]:
    """Return the settings that put the gradebook and all results into `folder`."""
    places = {"db_url": f"sqlite:///{folder / 'gradebook.db'}"}
    places |= {f"{step}_directory": str(folder / step) for step in ("autograded", "feedback")}
    return [f"--CourseDirectory.{name}={value}" for name, value in places.items()]


def database(course: Course) -> Path:
    """Return the file that a course's gradebook is in.

    Raises:
      GradingError: there is none, or the gradebook is on a database server.
    """
    url = make_url(course.app.coursedir.db_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise GradingError("only a gradebook that is a SQLite file can be copied, to try in it")
    path = course.root / url.database
    if not path.is_file():
        raise GradingError(f"there is no gradebook yet: no file {path}")
    return path


def copy_database(original: Path, copy: Path) -> None:
    """Copy an SQLite database that others may be writing to.

    Raises:
      GradingError: it cannot be read.
    """
    try:
        with (
            contextlib.closing(sqlite3.connect(original)) as here,
            contextlib.closing(sqlite3.connect(copy)) as there,
        ):
            here.backup(there)
    except sqlite3.Error as error:
        raise GradingError(f"{original} cannot be copied: {error}") from error
