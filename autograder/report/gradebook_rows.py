"""Reads a chapter's cells and everyone's marks from nbgrader's gradebook, in a few queries."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.engine import make_url

from autograder.graded_notebook.sentences import exercise_of
from autograder.nbgrader.course import Course, GradingError
from autograder.nbgrader.terms import lateness
from autograder.report.data import Cell, Marks


def read(course: Course, chapter: str) -> tuple[list[Cell], dict[str, Marks | None], list[str]]:
    """Read all that the gradebook knows of `chapter`.

    Returns:
      Its graded cells, by name; the marks of each student in the gradebook (None: no submission);
      the names of its notebooks.

    Raises:
      GradingError: there is no gradebook, or it does not know the chapter.
    """
    _raise_if_missing(course, chapter)
    with course.gradebook() as gradebook:
        try:
            assignment = gradebook.find_assignment(chapter)
        except MissingEntry as error:
            raise GradingError(
                f"the gradebook does not know {chapter}: {_first(chapter)}"
            ) from error
        notebooks = sorted(notebook.name for notebook in assignment.notebooks)
        students = [name for (name,) in gradebook.db.query(api.Student.id)]
        marks = dict.fromkeys(students) | _marks(gradebook, assignment)
        return _cells(assignment), marks, notebooks


def _first(chapter: str) -> str:
    return f"run `autograder grade {chapter}` first"


def _raise_if_missing(course: Course, chapter: str) -> None:
    """Refuse to open a missing database: nbgrader would make an empty one."""
    url = make_url(course.app.coursedir.db_url)
    if url.drivername.startswith("sqlite") and not Path(url.database or "").is_file():
        raise GradingError(f"there is no gradebook {url.database}: {_first(chapter)}")


def _cells(assignment: api.Assignment) -> list[Cell]:
    """Return the graded cells, each with the answer that it belongs to."""
    found = []
    for notebook in assignment.notebooks:
        answers = [cell.name for cell in notebook.solution_cells]
        sources = {cell.name: cell.source for cell in notebook.source_cells}
        for cell in _graded(notebook):
            exercise = _name(exercise_of(cell.name, answers), notebook)
            scored = _is_scored(sources.get(cell.name) or "")
            found.append(Cell(_name(cell.name, notebook), exercise, cell.max_score, scored))
    return sorted(found, key=lambda cell: cell.name)


def _graded(notebook: api.Notebook) -> list:
    return [*notebook.grade_cells, *notebook.task_cells]


def _name(grade_id: str, notebook: api.Notebook) -> str:
    alone = len(notebook.assignment.notebooks) == 1
    return grade_id if alone else f"{notebook.name}/{grade_id}"


def _is_scored(source: str) -> bool:
    """Tell whether a test cell, as the instructor wrote it, ends in .points(3) or float(.share)."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):  # it is no Python: `%%bash`
        return False
    match body and body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="points"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="float"), args=[number])):
            parts = ast.walk(number)
            return any(isinstance(part, ast.Attribute) and part.attr == "share" for part in parts)
    return False


def _marks(gradebook: Gradebook, assignment: api.Assignment) -> dict[str, Marks]:
    """Return the marks of everyone with a submission."""
    grades: dict[str, list[_Grade]] = {}
    for student, grade in _grades(gradebook, assignment):
        grades.setdefault(student, []).append(grade)
    totals = gradebook.db.query(
        api.SubmittedAssignment.student_id,
        api.SubmittedAssignment.score,
        api.SubmittedAssignment.max_score,
        api.SubmittedAssignment.late_submission_penalty,
        api.SubmittedAssignment.timestamp,
        api.SubmittedAssignment.extension,
    ).filter(api.SubmittedAssignment.assignment_id == assignment.id)
    return {
        student: replace(
            _mark(grades.get(student, []), *numbers, penalty),
            lateness=lateness(time, assignment.duedate, extension, penalty or 0),
        )
        for student, *numbers, penalty, time, extension in totals
    }


@dataclass(frozen=True)
class _Grade:
    """One grade.

    Attributes:
      points: None until it has any.
      waits: whether nbgrader wants a person to look at it.
      lost: whether the machine owes them.
      automatic: the machine's points; None where a person has decided.
    """

    cell: str
    points: float | None
    waits: bool
    lost: bool
    automatic: float | None


def _grades(gradebook: Gradebook, assignment: api.Assignment) -> Iterator[tuple[str, _Grade]]:
    """Yield every grade of the chapter, with the student's name."""
    cells = {}
    for notebook in assignment.notebooks:
        answers = {cell.name for cell in notebook.solution_cells}
        for cell in _graded(notebook):
            by_machine = cell.cell_type == "code" and cell.name not in answers
            cells[cell.id] = _name(cell.name, notebook), by_machine
    query = gradebook.db.query(
        api.SubmittedAssignment.student_id, api.Grade.cell_id, api.Grade.score,
        api.Grade.auto_score, api.Grade.manual_score, api.Grade.needs_manual_grade,
    )  # fmt: skip
    notebooks, grades = api.SubmittedNotebook, api.Grade
    query = query.select_from(grades).join(notebooks, notebooks.id == grades.notebook_id)
    query = query.join(api.SubmittedAssignment, notebooks.assignment)
    chapter = api.SubmittedAssignment.assignment_id == assignment.id
    for student, cell, score, auto, manual, waits in query.filter(chapter):
        name, by_machine = cells[cell]
        ungraded = auto is None and manual is None
        # Ungraded by the machine means that nbgrader was killed before it wrote the score.
        points = None if ungraded else score
        automatic = auto if manual is None else None
        yield student, _Grade(name, points, bool(waits), ungraded and by_machine, automatic)


def _mark(grades: list[_Grade], score: float, most: float, penalty: float | None) -> Marks:
    points = {grade.cell: grade.points for grade in grades}
    waiting = sorted(grade.cell for grade in grades if grade.waits)
    complete = bool(grades) and not any(grade.lost for grade in grades)
    automatic = {each.cell: each.automatic for each in grades if each.automatic is not None}
    return Marks(score, most, penalty or 0.0, points, tuple(waiting), complete, automatic)
