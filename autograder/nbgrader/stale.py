"""Grades that no longer fit their chapter: given on other points or dates, or above the most."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    GradeCell,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import func, select

from autograder.course_folders.course import Course, GradingError
from autograder.graded_notebook.marks import in_files
from autograder.marked_cells import cell_name, gives_points, grade_id, mark_on
from autograder.nbgrader.terms import Terms
from autograder.printable import named

_ROUNDING = 1e-9
_CELL, _TASK = GradeCell.__table__, TaskCell.__table__
_GIVEN = (
    select(
        SubmittedAssignment.student_id,
        Notebook.name,
        BaseCell.name,
        Grade.auto_score,
        Grade.manual_score,
        func.coalesce(_CELL.c.max_score, _TASK.c.max_score, 0),
    )
    .select_from(Grade)
    .join(BaseCell, BaseCell.id == Grade.cell_id)
    .outerjoin(_CELL, _CELL.c.id == Grade.cell_id)
    .outerjoin(_TASK, _TASK.c.id == Grade.cell_id)
    .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
    .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
    .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
    .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
)


class _Given(NamedTuple):
    """A student's points for a cell, and the most that it gives; extra credit is left out."""

    notebook: str
    cell: str
    automatic: float | None
    by_hand: float | None
    most: float

    @property
    def points(self) -> float:
        return (self.automatic if self.by_hand is None else self.by_hand) or 0

    @property
    def is_too_much(self) -> bool:
        return self.points > self.most + _ROUNDING


def stale(course: Course, chapter: str, students: Iterable[str]) -> tuple[str, ...]:
    """Return who of these students was graded on other points or another date than now.

    That is by the gradebook's points and dates, and by the points in source/, which the gradebook
    takes over when somebody is graded.
    """
    terms, present = Terms(course, chapter), _points(course, chapter)
    marks = {each: in_files(course.graded_notebooks(chapter, each)) for each in students}
    return tuple(
        student
        for student, found in marks.items()
        if terms.changed(student, found) or (present and _graded_on(found) not in (None, present))
    )


def _points(course: Course, chapter: str) -> dict[str, float]:
    """Return the points of the cells in source/, by NOTEBOOK/cell; nothing if it is missing."""
    found = {}
    for path in course.source_notebooks(chapter):
        for cell in json.loads(path.read_bytes())["cells"]:
            if gives_points(cell):
                found[f"{path.stem}/{grade_id(cell)}"] = mark_on(cell).get("points", 0)
    return found


def _graded_on(marks: Mapping[str, Mapping[str, Any]]) -> dict[str, float] | None:
    """Return the points that a student was graded on, if that is known."""
    terms = [mark["terms"] for mark in marks.values() if mark.get("terms")]
    return terms[0].get("points") if terms else None


def mend(chapter: str, students: Iterable[str]) -> str:
    """Return in words who was graded on other points or dates, and the command that mends it."""
    return (
        f"Graded on other points, dates or costs of late work than those of now, {chapter}: "
        f"{named(students)}. "
        f"autograder grade {chapter} --again shows what would change."
    )


def refuse_above(course: Course, chapters: Iterable[str]) -> None:
    """Raise GradingError where somebody has more points than can be had, extra credit aside."""
    lines = [line for chapter in chapters for line in _refusals(course, chapter)]
    if lines:
        raise GradingError(
            "somebody has more points for a cell than it gives: the points of an exercise have "
            "changed since the grading.\n  "
            + "\n  ".join(lines)
            + "\nTo write it all the same: --anyway"
        )


def _refusals(course: Course, chapter: str) -> Iterator[str]:
    """Yield in words who has too many points, and the mend: another one for points by hand."""
    given = _given(course, chapter)
    by_checks, by_hand = _above_by_checks(given), _above_by_hand(given)
    if by_checks:
        yield f"{chapter}: {named(by_checks)}: autograder grade {chapter} --again"
    if by_hand:
        yield mend_by_hand(chapter, by_hand.values())


def mend_by_hand(chapter: str, who: Iterable[str]) -> str:
    """Return in words who has too many points by hand, and what mends it."""
    return (
        f"{chapter}: more points by hand than there are, and grading again leaves them: "
        f"{named(who)}. Give others in formgrader; or, for answers in words, by "
        f"autograder read {chapter}"
    )


def above_by_hand(course: Course, chapter: str) -> dict[str, str]:
    """Return in words who has points by hand that do not fit, as "ann (written: 2 of 1)"."""
    return _above_by_hand(_given(course, chapter))


def _given(course: Course, chapter: str) -> dict[str, list[_Given]]:
    rows = defaultdict(list)
    with course.gradebook() as gradebook:
        for student, *given in gradebook.db.execute(_GIVEN.where(Assignment.name == chapter)):
            rows[student].append(_Given(*given))
    return dict(sorted(rows.items()))


def _above_by_checks(given: Mapping[str, Sequence[_Given]]) -> list[str]:
    """Return in words who has more points from a check than its cell has, and for which cells."""
    found = {student: list(_surplus(cells, by_hand=False)) for student, cells in given.items()}
    return [f"{student} ({', '.join(cells)})" for student, cells in found.items() if cells]


def _above_by_hand(given: Mapping[str, Sequence[_Given]]) -> dict[str, str]:
    """Return whose points would not fit either if the checks gave no more than they now may."""
    found = {}
    for student, cells in given.items():
        most = sum(each.most for each in cells)
        least = sum(
            min(each.points, each.most) if each.by_hand is None else each.points for each in cells
        )
        if least > most + _ROUNDING:
            found[student] = f"{student} ({', '.join(_surplus(cells, by_hand=True))})"
    return found


def _surplus(cells: Sequence[_Given], *, by_hand: bool) -> Iterator[str]:
    """Yield in words the cells for which a person, or a check, gave more than they have."""
    several = len({each.notebook for each in cells}) > 1
    for each in cells:
        if (each.by_hand is not None) == by_hand and each.is_too_much:
            name = cell_name(each.notebook, each.cell, several=several)
            yield f"{name}: {each.points:g} of {each.most:g}"
