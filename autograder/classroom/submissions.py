"""What students handed in: found by nbgrader's folders, read, and refused by name and reason."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import parse_utc

from autograder.classroom.course import Course
from autograder.classroom.submitted_files import SubmittedFiles, UnreadableError, printable

__all__ = ["NOTHING", "Submission", "UnreadableError", "find"]

NOTHING = "nothing was handed in"  # the reason of who has no folder


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one chapter: a folder of notebooks, read or not."""

    student: str
    folder: Path
    files: SubmittedFiles = field(default_factory=SubmittedFiles, compare=False, repr=False)

    def notebooks(self) -> list[Path]:
        """Return the notebooks of the folder, in order."""
        return sorted(self.folder.glob("*.ipynb")) if self.folder.is_dir() else []

    def check(self, expected: Sequence[str]) -> None:
        """Read everything that grading needs.

        Args:
          expected: the names of the assignment's notebooks, without ".ipynb".

        Raises:
          UnreadableError: something there is not a plain file or is too large, no expected
            notebook is there, or one of them cannot be read.
        """
        if not os.path.lexists(self.folder):
            raise UnreadableError(NOTHING)
        self.files.check(self.folder)
        found = self.notebooks()
        if not any(path.stem in expected for path in found):
            wanted = " or ".join(f"{name}.ipynb" for name in expected)
            raise UnreadableError(f"no notebook named {wanted}; {self._what_is_there()}")
        for path in found:
            if path.stem in expected:
                _check_cells(path.name, _read(path), most=self.files.cells)
        _check_timestamp(self.folder / "timestamp.txt")

    def fingerprint(self) -> str:
        """Return a hash of everything handed in: another one means a new submission."""
        digest = hashlib.sha256()
        found = (path for path in self.folder.rglob("*") if not path.is_symlink())
        for path in sorted(path for path in found if path.is_file()):
            name = path.relative_to(self.folder).as_posix()
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name}\n{content}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _what_is_there(self) -> str:
        names = sorted(printable(path.name) for path in self.folder.iterdir())
        return f"found {', '.join(names[:5])}" if names else "the folder is empty"


def find(course: Course, chapter: str, students: Sequence[str] | None = None) -> list[Submission]:
    """Return everyone's submission for `chapter`, by name.

    Args:
      students: only these; one who handed in nothing is returned too, with a folder that is
        missing. None means everyone with a folder, less those that the settings leave out.
    """
    names = _students(course, chapter) if students is None else sorted(set(students))
    files = SubmittedFiles(course, chapter)
    return [Submission(name, course.folder("submitted", name, chapter), files) for name in names]


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


def _read(path: Path) -> NotebookNode:
    """Return the notebook in `path`, or raise UnreadableError with the reason in words."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8")
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be opened: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path.name} is not text: a binary file, renamed?") from error
    if not text.strip():
        raise UnreadableError(f"{path.name} is empty")
    if content.count(b"{") + content.count(b"[") > _MOST_BRACKETS:
        raise UnreadableError(f"{path.name} has more than {_MOST_BRACKETS} brackets in its JSON")
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise UnreadableError(f"{path.name} is not valid JSON: it is nested too deeply") from error
    except ValueError as error:
        reason = f"{path.name} is not valid JSON: {printable(error)}"
        raise UnreadableError(reason) from error
    if not isinstance(data, dict) or "nbformat" not in data or not data.keys() & _CELLS:
        raise UnreadableError(f"{path.name} is JSON, but not a notebook: it has no cells")
    try:
        return nbformat.reads(text, as_version=4)
    except Exception as error:  # whatever nbformat raises on it is the reason
        words = f"{path.name} is not a notebook that nbformat can read: {printable(error)}"
        raise UnreadableError(words) from error


# Each bracket may become an object of its own, of some 500 bytes: 50 megabytes of "{}," would fill
# any memory. A notebook that a person wrote has some thousand.
_MOST_BRACKETS = 1_000_000
_CELLS = {"cells", "worksheets"}  # of format 4, and of format 3


def _check_cells(name: str, notebook: NotebookNode, *, most: int) -> None:
    """Raise UnreadableError when nbgrader would stumble over a cell."""
    if len(notebook.cells) > most:
        raise UnreadableError(f"{name} has more than {most} cells")
    try:
        for cell in notebook.cells:
            _check_cell(cell)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        reason = f"{name} is not a notebook that nbformat can read: {printable(error)}"
        raise UnreadableError(reason) from error


def _check_cell(cell: NotebookNode) -> None:
    if cell.cell_type not in _KINDS or not isinstance(cell.source, str):
        raise ValueError(f"a cell of the kind {cell.cell_type!r}")
    grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
    if grade_id is not None and not isinstance(grade_id, str):
        raise ValueError(f"a grade_id that is {grade_id!r}")


_KINDS = ("code", "markdown", "raw")


def _check_timestamp(path: Path) -> None:
    """Raise UnreadableError when nbgrader would stumble over the time of the submission."""
    if not path.exists():
        return
    try:
        text = path.read_text("utf-8").strip()
        if text:
            parse_utc(text)
    except (OSError, ValueError, OverflowError) as error:
        raise UnreadableError(f"timestamp.txt does not hold a date: {printable(error)}") from error
