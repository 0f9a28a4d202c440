"""The terms of a submission: the points of each cell, until when it is in time, what late costs.

`extensions.csv` beside nbgrader_config.py gives single students more time: its columns are student,
chapter and until, as in `ann,03_laplace,2027-03-05 23:59 UTC`. nbgrader's own gradebook has a place
for an extension, and its late penalties heed it.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import BaseCell, Gradebook, MissingEntry
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import parse_utc

from autograder.course_folders import csv_table
from autograder.course_folders.course import Course, GradingError, wrong_settings_named
from autograder.course_folders.submissions import known_students
from autograder.graded_notebook.marks import later, missing, read, set_right
from autograder.marked_cells import cell_name
from autograder.nbgrader.zoned_time import names_a_zone, time_of
from autograder.printable import counted

CHANGED = "graded on other points, dates or costs of late work"  # `stale.mend` says it for all
JUST_LATE = timedelta(seconds=1)  # for who is late, nobody knows by how much
_FILE, _COLUMNS = "extensions.csv", ["student", "chapter", "until"]
_YEAR_FIRST = re.compile(r"\d{4}-\d\d?-\d")
SHOWN = "%Y-%m-%d %H:%M UTC"  # how a time is told


def extensions(course: Course, chapter: str) -> dict[str, datetime]:
    """Return until when single students have time for a chapter, in UTC.

    Raises:
      GradingError: extensions.csv cannot be read; the message names its wrong lines.
    """
    lines = _lines(course)
    wrong = [f"line {number}: {row}" for number, row in lines if isinstance(row, str)]
    if wrong:
        path = course.root / _FILE
        raise GradingError(f"{path}: nothing was graded.\n  " + "\n  ".join(wrong[:10]))
    return {row[0]: row[2] for _, row in lines if row[1] == chapter}


def unheeded(course: Course, chapter: str) -> list[str]:
    """Return in words the extensions of nobody, or of a chapter that is not there: typed wrong."""
    students, said = known_students(course, chapter), []
    for number, (student, name, _) in _lines(course):
        if name == chapter and student not in students:
            said.append(f"{_FILE}, line {number}: nobody is called {student}")
        elif name != chapter and not course.folder("source", ".", name).is_dir():
            said.append(f"{_FILE}, line {number}: there is no chapter {name}")
    return said


def _lines(course: Course) -> list[tuple[int, tuple[str, str, datetime] | str]]:
    path = course.root / _FILE
    return list(_rows(path)) if path.exists() else []


def _rows(path: Path) -> Iterator[tuple[int, tuple[str, str, datetime] | str]]:
    """Yield each line's number, and its cells or what is wrong with it."""
    for number, row in csv_table.lines(path):
        cells = [cell.strip() for cell in row]
        if [cell.lower() for cell in cells] == _COLUMNS:
            continue
        if len(cells) != len(_COLUMNS) or not all(cells):
            yield number, "it must hold a student, a chapter, and until when"
            continue
        try:
            if not _YEAR_FIRST.match(cells[2]):  # 04.03.2027 would be the third of April
                raise ValueError(cells[2])
            yield number, (cells[0], cells[1], _until(cells[2]))
        except _NotOneTimeError as error:
            yield number, str(error)
        except (ValueError, OverflowError):
            yield number, f"{cells[2]!r} is no time like 2027-03-05 23:59 UTC"


def _until(text: str) -> datetime:
    """Return a time in UTC; with the name of a zone it must be one that comes there, and once."""
    if not names_a_zone(text):
        return parse_utc(text)
    try:
        return time_of(text)
    except ValueError as error:
        raise _NotOneTimeError(error) from error


class _NotOneTimeError(ValueError):
    """The message says how to write what is meant."""


class Terms:
    """The present terms of a chapter."""

    def __init__(self, course: Course, chapter: str):
        self._course, self._chapter = course, chapter
        self._until = extensions(course, chapter)

    def of(self, student: str) -> dict[str, Any]:
        """Return a student's terms, as plain data."""
        points, due = self._chapters
        until = self._until.get(student, due) if due else None
        return {
            "points": dict(points),
            "until": until.isoformat() if until else "",
            "late": self._rule,
        }

    @property
    def cells(self) -> list[str]:
        """Return the names of the chapter's cells with points, as a student's marks have them."""
        names = [name.split("/", 1) for name in self._chapters[0]]
        several = len({notebook for notebook, _ in names}) > 1
        return [cell_name(*each, several=several) for each in names]

    def changed(self, student: str, marks: Mapping[str, Mapping[str, Any]]) -> bool:
        """Tell whether a graded notebook was graded on other terms.

        Args:
          marks: those of the student's graded notebooks, by name.
        """
        now = self.of(student)
        graded = [mark["terms"] for mark in marks.values() if mark.get("terms")]
        changed = set().union(*(differ(then, now) for then in graded))
        return bool(changed - {"late"}) or ("late" in changed and self._is_late(student))

    def notes(
        self, student: str, graded: Mapping[str, NotebookNode], late: str, *, several: bool
    ) -> list[str]:
        """Return what is to be said of lateness, of cells not as given, and of changed terms.

        Args:
          graded: the student's graded notebooks, by name.
          late: by how much it is late, in words.
          several: whether the chapter has several notebooks.
        """
        found = {name: read(notebook) for name, notebook in graded.items()}
        changed = CHANGED if self.changed(student, found) else ""
        kinds = (missing, set_right, later)
        odd = [words for kind in kinds for words in kind(graded, several=several)]
        return [note for note in (late, *odd, changed) if note]

    def _is_late(self, student: str) -> bool:
        with self._course.gradebook() as gradebook:
            try:
                return gradebook.find_submission(self._chapter, student).total_seconds_late > 0
            except MissingEntry:
                return False

    def extend(self, gradebook: Gradebook, student: str) -> None:
        """Write a student's extension to the gradebook, or that there is none."""
        due, until = self._chapters[1], self._until.get(student)
        submission = gradebook.find_submission(self._chapter, student)
        extension = until - due if until and due else None
        if submission.extension != extension and (until or submission.extension is not None):
            submission.extension = extension

    @cached_property
    def _rule(self) -> str:
        """Return what late work costs, as the settings say it."""
        step = late_step(self._course)
        kind, given = step.plugin_class, step.plugin_inst.trait_values(config=True)
        return f"{kind.__module__}.{kind.__qualname__} {sorted(given.items())}"

    @cached_property
    def _chapters(self) -> tuple[dict[str, float], datetime | None]:
        with self._course.gradebook() as gradebook:
            try:
                assignment = gradebook.find_assignment(self._chapter)
            except MissingEntry:
                return {}, None
            cells = {
                f"{notebook.name}/{cell.name}": cell.max_score
                for notebook in assignment.notebooks
                for cell in [*notebook.grade_cells, *notebook.task_cells]
                if isinstance(cell, BaseCell)
            }
            return dict(sorted(cells.items())), assignment.duedate


def late_step(
    course: Course, kind: type[AssignLatePenalties] = AssignLatePenalties
) -> AssignLatePenalties:
    """Return the step that takes late penalties, with the settings' rule.

    Raises:
      GradingError: there is no such rule.
    """
    with wrong_settings_named():
        step = kind(parent=course.app)
        step.init_plugin()
    return step


def differ(then: Mapping[str, Any], now: Mapping[str, Any]) -> set[str]:
    """Return in what two terms differ: earlier versions noted less."""
    return {name for name in then.keys() & now.keys() if then[name] != now[name]}


def lateness(
    time: datetime | None, due: datetime | None, extension: timedelta | None, penalty: float
) -> str:
    """Return by how much a submission is late, and what that costs, in words; "" if it is in time.

    Args:
      time: of handing in.
      due: the chapter's date; None for none.
      extension: the time that this student has after it.
      penalty: points that are off.
    """
    if time is None or due is None or time <= due:
        return ""
    until = due + (extension or timedelta())
    given = f" the extension until {until:{SHOWN}}" if extension else ""
    if time <= until:
        return f"{_span(time - due)} after the date, within{given}"
    cost = f"{penalty:g} points off" if penalty else "no points off"
    return f"late: {_span(time - until)} after{given or ' the date'}, {cost}"


def _span(time: timedelta) -> str:
    """Return a time in words: two units of it."""
    if time <= JUST_LATE:
        return "a second or more"
    minutes = max(1, round(time.total_seconds() / 60))
    days, hours, left = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [(days, "day"), (hours, "hour"), (left, "minute")]
    words = [counted(number, unit) for number, unit in parts if number]
    return " ".join(words[:2])
