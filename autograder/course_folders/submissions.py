"""Students' submissions: found in nbgrader's folders, read, and refused with a reason."""

from __future__ import annotations

import difflib
import glob
import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.utils import parse_utc

from autograder.course_folders import submitted_notebook
from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.groups import groups
from autograder.course_folders.submitted_files import SubmittedFiles, UnreadableError, is_utf8
from autograder.files import fingerprint_of
from autograder.printable import cut

# Put beside the work by nbgrader's exchange: its time, and what only the student has.
FOR_EXCHANGE = ("timestamp.txt", "submission_secret.txt")
NOTHING = "nothing was handed in"  # the reason of a student without a folder
_FIRST_SIGN = ord(" ")


@dataclass(frozen=True)
class Submission:
    """One student's submission for one chapter: a folder of notebooks, read or not."""

    student: str
    folder: Path
    files: SubmittedFiles = field(default_factory=SubmittedFiles, compare=False, repr=False)
    known_as: str = ""  # the gradebook's name of the student, if it writes accents in another way

    def notebooks(self) -> list[Path]:
        """Return the notebooks of the folder, in order, without names that are no text.

        The gradebook cannot store such names, and no chapter has one.
        """
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.glob("*.ipynb") if is_utf8(path.name))

    def check(self, expected: Sequence[str]) -> None:
        """Read everything that grading needs.

        Args:
          expected: the names of the assignment's notebooks, without ".ipynb".

        Raises:
          UnreadableError: something there is not a plain file or is too large, no expected
            notebook is there, or one of them cannot be read.
        """
        self._check_folder()
        self.files.check(self.folder)
        found = self.notebooks()
        if not any(path.stem in expected for path in found):
            wanted = " or ".join(f"{name}.ipynb" for name in expected)
            raise UnreadableError(f"no notebook named {wanted}; {self._what_is_there(expected)}")
        for path in found:
            if path.stem in expected:
                submitted_notebook.check(path, most_cells=self.files.cells)
        _check_timestamp(self.folder / "timestamp.txt")

    def take(self, folder: Path) -> Submission:
        """Copy the present submission to the new folder `folder`.

        Files handed in afterwards are another submission, and do not affect this one's grading.

        Returns:
          The submission that the copy is.

        Raises:
          UnreadableError: something there is not a plain file or is too large.
        """
        self._check_folder()
        self.files.copy(self.folder, folder)
        return replace(self, folder=folder)

    def fingerprint(self) -> str:
        """Return a hash of everything handed in: another one means a new submission.

        Raises:
          UnreadableError: something there is not a plain file or is too large.
        """
        self.files.check(self.folder)
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return fingerprint_of(
            (path.relative_to(self.folder).as_posix(), path.read_bytes()) for path in paths
        )

    def fingerprint_or_none(self) -> str | None:
        """Return the fingerprint; None if the submission cannot be read."""
        try:
            return self.fingerprint()
        except (OSError, UnreadableError):
            return None

    def _check_folder(self) -> None:
        if not is_utf8(self.student):
            raise UnreadableError("the name of its folder is not UTF-8: rename it")
        if any(ord(each) < _FIRST_SIGN for each in self.student):
            raise UnreadableError("the name of its folder holds control characters: rename it")
        self._refuse_second_spelling()
        if _is_closed(self.folder.parent):
            raise UnreadableError(
                f"you may not open {self.folder.parent}: give yourself the right to (chmod u+rwx)"
            )
        if not os.path.lexists(self.folder):
            raise UnreadableError(NOTHING)

    def _refuse_second_spelling(self) -> None:
        """Raise UnreadableError if the student has two names: "é" is one sign, or two."""
        if self.known_as:
            raise UnreadableError(
                f"the gradebook knows {self.known_as}, with the accents written in another way: "
                "give the folder that name, typed anew"
            )
        own = self.folder.parent
        other = own.with_name(unicodedata.normalize("NFC", own.name))
        if other.name != own.name and other.exists() and not other.samefile(own):
            raise UnreadableError(
                "another folder has the same name, with its accents written in another way: put "
                "the work into that one"
            )

    def _what_is_there(self, expected: Sequence[str]) -> str:
        """Return what lies there instead, and how to rename it if it is a notebook."""
        names = sorted(path.name for path in self.folder.iterdir())
        names = [name for name in names if name not in FOR_EXCHANGE]
        said = f"found {', '.join(names[:5])}" if names else "the folder is empty"
        return said + _rename([name for name in names if name.endswith(".ipynb")], expected)


def _rename(found: Sequence[str], expected: Sequence[str]) -> str:
    """Return the end of a sentence on notebooks that have other names, or ""."""
    wanted = {f"{name}.ipynb".casefold(): name for name in expected}
    for name in found:
        if name.casefold() in wanted:
            return f": capital letters count, rename it to {wanted[name.casefold()]}.ipynb"
    which = "it" if len(found) == 1 else "the right one"
    known = bool(found) and len(expected) == 1  # else nobody knows which is which
    return f": rename {which} to {expected[0]}.ipynb" if known else ""


def find(course: Course, chapter: str, students: Sequence[str] | None = None) -> list[Submission]:
    """Return everyone's submission for `chapter`, by name.

    A group's work is that of one member.

    Args:
      students: only these; those who handed in nothing are returned too, with a missing folder.
      None means everyone with a folder, except students that the settings leave out.
    """
    if students is None:
        followers = groups(course, chapter).followers
        names = [each for each in _students(course, chapter) if each not in followers]
    else:
        names = sorted(set(students))
    files, other = SubmittedFiles(course, chapter), _other_spellings(course, names)
    return [
        Submission(name, course.folder("submitted", name, chapter), files, other.get(name, ""))
        for name in names
    ]


def _other_spellings(course: Course, names: Sequence[str]) -> dict[str, str]:
    """Return the gradebook's names of those whom it knows with accents of one sign only.

    A folder from a Mac may have them as two. Whoever has such a name in the gradebook keeps it.
    """
    composed = {name: unicodedata.normalize("NFC", name) for name in names}
    apart = {name: other for name, other in composed.items() if name != other}
    if not apart or not course.has_gradebook():
        return {}
    with course.environment(), course.gradebook() as gradebook:
        known = {each.id for each in gradebook.students}
    return {name: other for name, other in apart.items() if other in known and name not in known}


def known_students(course: Course, chapter: str) -> set[str]:
    """Return everyone who has a folder for `chapter`, or is in the gradebook."""
    found = set(_students(course, chapter))
    if course.has_gradebook():
        with course.environment(), course.gradebook() as gradebook:
            found |= {each.id for each in gradebook.students}
    return found


def refuse_unknown(course: Course, chapter: str, students: Sequence[str]) -> None:
    """Refuse a name that no folder has and nobody in the gradebook.

    Raises:
      GradingError: with the names that are near it, if there are any.
    """
    known = known_students(course, chapter)
    for name in sorted(set(students) - known):
        near = ", ".join(difflib.get_close_matches(name, known, n=3))
        folder = course.folder("submitted", name, chapter)
        more = f"Is it one of these? {near}" if near else f"There is no folder {folder}"
        raise GradingError(f"nobody is called {name}. {more}")


def _students(course: Course, chapter: str) -> list[str]:
    """Return the students who have a folder for `chapter`, as nbgrader would find them.

    And those whose folder may not be opened: nobody knows what is in it.
    """
    directory = course.app.coursedir
    step = directory.submitted_directory
    # The pattern is an absolute path, with the student's part anywhere in it: not for Path.glob.
    folders = glob.glob(directory.format_path(step, directory.student_id, chapter))  # noqa: PTH207
    pattern = directory.format_path(step, "(?P<student_id>.*)", re.escape(chapter), escape=True)
    folders += _closed(directory.format_path(step, directory.student_id, chapter))
    found = [re.fullmatch(pattern, folder, re.DOTALL) for folder in folders]
    return sorted({m["student_id"] for m in found if m} - course.left_out)


def _closed(pattern: str) -> list[str]:
    """Return the folders that a pattern may mean inside folders that may not be opened."""
    above, name = os.path.split(pattern)
    found = [folder for folder in glob.glob(above) if _is_closed(folder)]  # noqa: PTH207
    return [os.path.join(folder, name) for folder in found]  # noqa: PTH118


def _is_closed(folder: Path | str) -> bool:
    """Tell whether a folder is there, and nothing in it may be reached."""
    return os.path.isdir(folder) and not os.access(folder, os.X_OK)  # noqa: PTH112


# The format that nbgrader writes, and ISO 8601. nbgrader's parser accepts much more, and never ends
# on some of it.
_TIMESTAMP = re.compile(
    r"\d{4}-\d\d?-\d\d?([ T]\d\d?:\d\d(:\d\d(\.\d{1,9})?)?)?"
    r"( ?(Z|[+-]\d\d:?(\d\d)?|[A-Za-z]{1,20}([_/+-][A-Za-z0-9]{1,20}){0,5}))?"
)
_LONGEST_TIMESTAMP = 200  # bytes


def _check_timestamp(path: Path) -> None:
    """Raise UnreadableError when nbgrader would fail on the submission's time."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST_TIMESTAMP + 1).decode("utf-8").strip()
        if not text:
            return
        if len(text) > _LONGEST_TIMESTAMP or not _TIMESTAMP.fullmatch(text):
            raise ValueError(f"{text} is none like 2027-03-02 12:00:00 UTC")
        parse_utc(text)
    except (OSError, ValueError, OverflowError) as error:
        words = cut(str(error), 100)
        raise UnreadableError(f"timestamp.txt does not hold a date: {words}") from error
