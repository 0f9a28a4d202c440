"""Grades that no longer fit their chapter: given on other points or dates, or above the most."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from nbgrader.api import (
    Assignment,
    Grade,
    GradeCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import func, select

from autograder.graded_notebook.marks import in_files
from autograder.marked_cells import gives_points, grade_id, mark_on
from autograder.nbgrader.course import Course, GradingError
from autograder.nbgrader.terms import Terms
from autograder.printable import named

_ROUNDING = 1e-9
_CELL, _TASK = GradeCell.__table__, TaskCell.__table__
_GIVEN = (
    select(
        SubmittedAssignment.student_id,
        Grade.auto_score,
        Grade.manual_score,
        func.coalesce(_CELL.c.max_score, _TASK.c.max_score, 0),
    )
    .select_from(Grade)
    .outerjoin(_CELL, _CELL.c.id == Grade.cell_id)
    .outerjoin(_TASK, _TASK.c.id == Grade.cell_id)
    .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
    .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
    .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
)


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
    for path in course.folder("source", ".", chapter).glob("*.ipynb"):
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
        f"Graded on other points or dates than those of now, {chapter}: {named(students)}. "
        f"autograder grade {chapter} --again shows what would change."
    )


def refuse_above(course: Course, chapters: Iterable[str]) -> None:
    """Raise GradingError where somebody has more points than can be had, extra credit aside."""
    found = {chapter: above(course, chapter) for chapter in chapters}
    lines = [
        f"{chapter}: {named(who.values())}: autograder grade {chapter} --again"
        for chapter, who in found.items()
        if who
    ]
    if lines:
        raise GradingError(
            "somebody has more points than there are: the points of an exercise have changed since "
            "the grading.\n  " + "\n  ".join(lines) + "\nTo write it all the same: --anyway"
        )


def above(course: Course, chapter: str) -> dict[str, str]:
    """Return in words who has more points than can be had, as "ann (30 of 29)", by student.

    A check cannot give more than its cell has; points by hand may, as long as the sum fits.
    """
    rows = defaultdict(list)
    with course.gradebook() as gradebook:
        for student, *given in gradebook.db.execute(_GIVEN.where(Assignment.name == chapter)):
            rows[student].append(given)
    found = {}
    for student, given in sorted(rows.items()):
        points = [(a if m is None else m) or 0 for a, m, _ in given]
        most = [each for _, _, each in given]
        over = any(
            m is None and got > top + _ROUNDING
            for got, top, (_, m, _) in zip(points, most, given, strict=True)
        )
        if over or sum(points) > sum(most) + _ROUNDING:
            found[student] = f"{student} ({sum(points):g} of {sum(most):g})"
    return found
