"""The chapter in the gradebook: its graded cells from source/, each student's scores out of it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from nbgrader.api import MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.utils import capture_log

from autograder.classroom.course import Course, GradingError


@dataclass(frozen=True)
class Score:
    """What the gradebook says of one submission, in nbgrader's own numbers."""

    score: float
    max_score: float
    late_penalty: float
    points: Mapping[str, float | None]  # by cell; None until a person has graded it
    complete: bool  # whether every cell that the machine grades has been graded


def prepare(course: Course, chapter: str) -> list[str]:
    """Bring the gradebook's copy of `chapter` in step with source/; leave release/ alone.

    Without source/CHAPTER the gradebook must know the chapter already.

    Returns:
      The names of the chapter's notebooks.

    Raises:
      GradingError: nbgrader refuses the source, or the chapter is nowhere.
    """
    source = course.folder("source", ".", chapter)
    if source.is_dir():
        _generate(course, chapter)
    with course.gradebook() as gradebook:
        try:
            return sorted(
                notebook.name for notebook in gradebook.find_assignment(chapter).notebooks
            )
        except MissingEntry as error:
            reason = f"{chapter} is neither in the gradebook nor in {source.parent}"
            raise GradingError(reason) from error


def _generate(course: Course, chapter: str) -> None:
    """Run nbgrader's own generate_assignment, its notebooks thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        directory = course.directory(chapter, release_directory=folder)
        result = capture_log(GenerateAssignment(coursedir=directory, parent=course.app))
    if not result["success"]:
        # nbgrader keeps the reason for its log: the last line that names an error.
        lines = [line.strip() for line in (result.get("log", "") + result["error"]).splitlines()]
        reasons = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Entry): ", line)]
        raise GradingError(
            f"nbgrader refuses source/{chapter}: {reasons[0] if reasons else lines[-1]}\n"
            "If graded cells came or went after students were graded, nbgrader keeps the old "
            f"ones. To start afresh: nbgrader db assignment remove {chapter} --force"
        )


def score(course: Course, chapter: str, student: str) -> Score | None:
    """Return what the gradebook holds for one student, or None when it knows no submission."""
    with course.gradebook() as gradebook:
        try:
            submission = gradebook.find_submission(chapter, student)
        except MissingEntry:
            return None
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        return Score(
            score=submission.score,
            max_score=submission.max_score,
            late_penalty=submission.late_submission_penalty,
            points={_name(g): None if _by_hand(g) else g.score for g in grades},
            complete=not any(_never_graded(g) for g in grades),
        )


def _name(grade) -> str:
    """Return the cell's grade_id; where a chapter has several notebooks, NOTEBOOK/grade_id."""
    notebook = grade.notebook
    alone = len(notebook.assignment.notebooks) == 1
    return grade.name if alone else f"{notebook.name}/{grade.name}"


def _by_hand(grade) -> bool:
    return grade.auto_score is None and grade.manual_score is None


def _never_graded(grade) -> bool:
    """Tell a score that nbgrader was killed before writing from one that it leaves to a person."""
    solutions = {cell.name for cell in grade.notebook.notebook.solution_cells}
    return _by_hand(grade) and grade.cell_type == "code" and grade.name not in solutions
