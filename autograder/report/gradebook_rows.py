"""Reads a chapter's cells and everyone's marks from nbgrader's gradebook, in a few queries."""

import ast

from nbgrader import api
from nbgrader.api import MissingEntry

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.known_chapters import refuse_without_exercises
from autograder.graded_notebook.sentences import exercise_of
from autograder.marked_cells import cell_name
from autograder.nbgrader import recorded_marks
from autograder.nbgrader.recorded_marks import Marks
from autograder.odd_text import NO_PYTHON
from autograder.report.data import Cell


def read(course: Course, chapter: str) -> tuple[list[Cell], dict[str, Marks | None], list[str]]:
    """Read all that the gradebook knows of `chapter`.

    Returns:
      Its graded cells, by name; the marks of each student in the gradebook (None: no submission);
      the names of its notebooks.

    Raises:
      GradingError: there is no gradebook, or it does not know the chapter.
    """
    course.refuse_without_gradebook(chapter)
    with course.gradebook() as gradebook:
        try:
            assignment = gradebook.find_assignment(chapter)
        except MissingEntry as error:
            refuse_without_exercises(course, chapter)
            first = f"run `autograder grade {chapter}` first"
            raise GradingError(f"the gradebook does not know {chapter}: {first}") from error
        notebooks = sorted(notebook.name for notebook in assignment.notebooks)
        return _cells(assignment), recorded_marks.of_class(gradebook, chapter), notebooks


def _cells(assignment: api.Assignment) -> list[Cell]:
    """Return the graded cells, each with the answer that it belongs to."""
    found = []
    for notebook in assignment.notebooks:
        answers = [cell.name for cell in notebook.solution_cells]
        sources = {cell.name: cell.source for cell in notebook.source_cells}
        for cell in [*notebook.grade_cells, *notebook.task_cells]:
            exercise = _name(exercise_of(cell.name, answers), notebook)
            scored = _is_scored(sources.get(cell.name) or "")
            found.append(Cell(_name(cell.name, notebook), exercise, cell.max_score, scored))
    return sorted(found, key=lambda cell: cell.name)


def _name(grade_id: str, notebook: api.Notebook) -> str:
    return cell_name(notebook.name, grade_id, several=len(notebook.assignment.notebooks) > 1)


def _is_scored(source: str) -> bool:
    """Tell whether a test cell, as the instructor wrote it, ends in .points(3) or float(.share)."""
    try:
        body = ast.parse(source).body
    except NO_PYTHON:  # it is no Python: `%%bash`
        return False
    match body and body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="points"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="float"), args=[number])):
            parts = ast.walk(number)
            return any(isinstance(part, ast.Attribute) and part.attr == "share" for part in parts)
    return False
