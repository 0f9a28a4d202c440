"""Reasons why submissions could not be graded, kept on disk for later reports.

One small file a student, in a hidden folder beside the graded work, which nbgrader does not see.
"""

import contextlib
import errno
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError, ValidationError

from autograder.course_folders.course import Course
from autograder.course_folders.groups import groups
from autograder.course_folders.submissions import NOTHING, Submission, find
from autograder.course_folders.submitted_files import UnreadableError
from autograder.files import write_whole
from autograder.nbgrader import recorded_marks
from autograder.printable import cut, first_line
from autograder.problem import Problem

_LONGEST = 300  # characters of what an error says
AGAIN = "then run the command again"
FULL = f"the disk is full: make room, {AGAIN}"
LOCKED = f"the gradebook is locked: close what else writes to it (nbgrader, formgrader), {AGAIN}"
DAMAGED = (
    "the gradebook is damaged: put a copy of it back. Without one, move it away and grade again; "
    "points that a person gave are lost with it"
)
_OF_MACHINE = {  # SQLite's words; nbgrader passes them on in errors of its own
    "database or disk is full": FULL,
    "database is locked": LOCKED,
    "readonly database": "the gradebook cannot be written to: its file or folder is read-only",
    "unable to open database file": "the gradebook cannot be opened: is its folder there?",
    "file is not a database": DAMAGED,
    "database disk image is malformed": DAMAGED,
    os.strerror(errno.ENOSPC): FULL,
    os.strerror(errno.EDQUOT): FULL,
    "disk I/O error": "the disk does not take what is written to the gradebook: is it full?",
}
# By name: their libraries need not be installed.
_OF_PROCESSES = {
    "KilledWorker": f"each worker that it was given to ended: is memory short? Look, {AGAIN}",
}


@dataclass(frozen=True)
class Reason:
    """Why one submission has no score.

    Attributes:
      text: the reason, a sentence for the instructor.
      submitted_sha256: the submission's fingerprint; "" if it could not be read.
    """

    text: str
    submitted_sha256: str = ""


def keep(course: Course, chapter: str, submission: Submission, text: str) -> None:
    """Save why a submission could not be graded. A full disk does not stop the run."""
    path = _path(course, chapter, submission.student)
    content = json.dumps(asdict(Reason(text, submission.fingerprint_or_none() or "")))
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content.encode())


def forget(course: Course, chapter: str, student: str) -> None:
    """Remove the reason of a student who has been graded since."""
    path = _path(course, chapter, student)
    with contextlib.suppress(OSError):  # no such file; a folder that still holds other reasons
        path.unlink()
        path.parent.rmdir()
        path.parent.parent.rmdir()


def read(course: Course, chapter: str, submission: Submission) -> str:
    """Return why the last run could not grade the present submission.

    Returns:
      "" when there is no such reason: it was graded, never tried, or handed in anew since.
    """
    try:
        content = _path(course, chapter, submission.student).read_text("utf-8")
        reason = Reason(**json.loads(content))
    except (OSError, ValueError, TypeError):
        return ""
    now = submission.fingerprint_or_none() or ""
    return reason.text if reason.submitted_sha256 == now else ""


def of_present(
    course: Course, chapter: str, submission: Submission, notebooks: Sequence[str]
) -> str:
    """Return why the present submission cannot be graded, or could not be by the last run.

    Args:
      notebooks: the names of the chapter's notebooks.

    Returns:
      "" when there is no such reason.
    """
    return of_files(submission, notebooks) or read(course, chapter, submission)


def of_files(submission: Submission, notebooks: Sequence[str]) -> str:
    """Return what is wrong with what was handed in, whoever grades it; "" if nothing is."""
    try:
        submission.check(notebooks)
    except UnreadableError as error:
        return str(error)
    return ""


def nothing_from(course: Course, chapter: str) -> list[str]:
    """Return who of the class has handed in nothing for a chapter, and has no marks of it.

    The class is everyone in the gradebook, but for students whom the settings leave out.
    """
    with course.environment(), course.gradebook() as gradebook:
        everyone = recorded_marks.of_class(gradebook, chapter)
    followers = groups(course, chapter).followers
    without = [student for student, own in everyone.items() if own is None or not own.is_whole]
    without = [student for student in without if student not in followers]
    theirs = find(course, chapter, sorted(set(without) - course.left_out))
    return [each.student for each in theirs if of_files(each, ()) == NOTHING]


def words(error: Exception) -> str:
    """Return why a submission could not be graded, in a sentence for the instructor."""
    if isinstance(error, UnreadableError | Problem):
        return str(error)
    if isinstance(error, SchemaTooOldError | SchemaTooNewError | ValidationError):
        words = cut(str(error), _LONGEST)
        return f"its nbgrader metadata is damaged, or of another version: {words}"
    if type(error).__name__ in _OF_PROCESSES:
        return _OF_PROCESSES[type(error).__name__]
    kind, said = type(error).__name__, first_line(error)
    plain = kind if said == kind else f"{kind}: {said}"
    return of_machine(str(error)) or f"grading it failed: {cut(plain, _LONGEST)}"


def of_machine(text: str) -> str:
    """Return a sentence if an error's text says that the disk or the database is to blame."""
    return next((sentence for words, sentence in _OF_MACHINE.items() if words in text), "")


def _path(course: Course, chapter: str, student: str) -> Path:
    name = f"{course.app.coursedir.autograded_directory}/.not_graded"
    return course.root / name / chapter / f"{student}.json"
