"""What students handed in: found by nbgrader's folders, read, and refused by name and reason."""

from __future__ import annotations

import glob
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader.utils import parse_utc

from autograder.classroom.course import Course


class UnreadableError(Exception):
    """A submission cannot be graded; the message says why in a sentence for the instructor."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one chapter: a folder of notebooks, read or not."""

    student: str
    folder: Path

    def notebooks(self) -> list[Path]:
        """Return the notebooks of the folder, in order."""
        return sorted(self.folder.glob("*.ipynb")) if self.folder.is_dir() else []

    def check(self, expected: Sequence[str]) -> None:
        """Read everything that grading needs.

        Args:
          expected: the names of the assignment's notebooks, without ".ipynb".

        Raises:
          UnreadableError: no expected notebook is there, or one of them cannot be read.
        """
        found = self.notebooks()
        if not any(path.stem in expected for path in found):
            wanted = " or ".join(f"{name}.ipynb" for name in expected)
            raise UnreadableError(f"no notebook named {wanted}; {self._what_is_there()}")
        for path in found:
            if path.stem in expected:
                _read(path)
        _check_timestamp(self.folder / "timestamp.txt")

    def fingerprint(self) -> str:
        """Return a hash of everything handed in: another one means a new submission."""
        digest = hashlib.sha256()
        for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            name = path.relative_to(self.folder).as_posix()
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name}\n{content}\n".encode())
        return digest.hexdigest()

    def _what_is_there(self) -> str:
        if not self.folder.is_dir():
            return "nothing was submitted"
        names = sorted(path.name for path in self.folder.iterdir())
        return f"found {', '.join(names[:5])}" if names else "the folder is empty"


def find(course: Course, chapter: str, students: Sequence[str] | None = None) -> list[Submission]:
    """Return everyone's submission for `chapter`, by name.

    Args:
      students: only these; one who handed in nothing is returned too, with a folder that is
        missing. None means everyone with a folder, less those that the settings leave out.
    """
    names = _students(course, chapter) if students is None else sorted(set(students))
    return [Submission(name, course.folder("submitted", name, chapter)) for name in names]


def _students(course: Course, chapter: str) -> list[str]:
    """Return the students who have a folder for `chapter`, as nbgrader would find them."""
    directory = course.app.coursedir
    step = directory.submitted_directory
    # The pattern is an absolute path, with the student's part anywhere in it: not for Path.glob.
    folders = glob.glob(directory.format_path(step, directory.student_id, chapter))  # noqa: PTH207
    pattern = directory.format_path(step, "(?P<student_id>.*)", re.escape(chapter), escape=True)
    found = [re.fullmatch(pattern, folder) for folder in folders]
    left_out = directory.student_id_exclude.split(",")
    return sorted(m["student_id"] for m in found if m and m["student_id"] not in left_out)


def _read(path: Path) -> None:
    """Raise UnreadableError, with the reason in words, unless `path` is a notebook."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be opened: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path.name} is not text: a binary file, renamed?") from error
    if not text.strip():
        raise UnreadableError(f"{path.name} is empty")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{path.name} is not valid JSON: {error}") from error
    if not isinstance(data, dict) or "nbformat" not in data or not data.keys() & _CELLS:
        raise UnreadableError(f"{path.name} is JSON, but not a notebook: it has no cells")
    try:
        notebook = nbformat.reads(text, as_version=4)
        names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    except Exception as error:  # whatever nbformat raises on it is the reason
        reason = f"{path.name} is not a notebook that nbformat can read: {error}"
        raise UnreadableError(reason) from error
    for name in set(names) - {None}:
        if names.count(name) > 1:
            raise UnreadableError(f"{path.name} has {name!r} twice: a copied cell; remove one")


_CELLS = {"cells", "worksheets"}  # of format 4, and of format 3


def _check_timestamp(path: Path) -> None:
    """Raise UnreadableError when nbgrader would stumble over the time of the submission."""
    if not path.exists():
        return
    try:
        text = path.read_text("utf-8").strip()
        if text:
            parse_utc(text)
    except (OSError, ValueError, OverflowError) as error:
        raise UnreadableError(f"timestamp.txt does not hold a date: {error}") from error
