"""Who asked for a second look: reports/CHAPTER-requests.csv, a list that a person fills in."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.course_folders import csv_table
from autograder.course_folders.course import Course
from autograder.files import write_whole
from autograder.report.data import ClassData


@dataclass(frozen=True)
class RegradeRequest:
    """One line of the list; a request without an answer is open.

    Attributes:
      before, after: the points.
      odd: what is wrong with the line, in words.
    """

    date: str
    student: str
    exercise: str
    request: str
    before: str
    after: str
    answer: str
    odd: str = ""


_COLUMNS = [each.name for each in fields(RegradeRequest)][:-1]


def path_of(course: Course, chapter: str) -> Path:
    """Return where the list of a chapter lies."""
    return course.root / "reports" / f"{chapter}-requests.csv"


def requests(course: Course, data: ClassData) -> tuple[RegradeRequest, ...] | None:
    """Return the requests; begin an empty list where the settings name an address for them.

    Returns:
      None where the settings name none, and there is no list.

    Raises:
      GradingError: the list cannot be read.
    """
    path = path_of(course, data.chapter)
    if path.exists():
        return tuple(_read(path, data))
    if not course.app.config.get("FeedbackExporter", {}).get("regrade_address"):
        return None
    write_whole(path, (",".join(_COLUMNS) + "\n").encode("utf-8-sig"))
    return ()


def _read(path: Path, data: ClassData) -> Iterable[RegradeRequest]:
    students = {row.student for row in data.rows}
    exercises = {cell.exercise for cell in data.cells}
    header, rows = csv_table.read(path)
    names = [name.strip().lower() for name in header]
    for number, row in rows:
        given = dict(zip(names, map(str.strip, row), strict=False))
        line = {name: given.get(name, "") for name in _COLUMNS}
        odd = [] if line["student"] in students else ["nobody is called so"]
        odd += [] if line["exercise"] in exercises else ["no exercise is called so"]
        words = f"line {number}: {', '.join(odd)}" if odd else ""
        yield RegradeRequest(**line, odd=words)
