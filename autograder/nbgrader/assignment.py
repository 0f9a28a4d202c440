"""The chapter in the gradebook: writes its graded cells from source/, reads students' scores."""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    MissingEntry,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.converters import GenerateAssignment
from nbgrader.utils import capture_log
from sqlalchemy import bindparam, func, select

from autograder.nbgrader.course import Course, GradingError
from autograder.nbgrader.reasons import of_machine
from autograder.nbgrader.submitted_files import is_utf8
from autograder.nbgrader.terms import lateness

# nbgrader's words.
_AFTER_GRADING = "submissions associated with"


@dataclass(frozen=True)
class Score:
    """The gradebook's score of one submission, in nbgrader's own numbers."""

    score: float
    max_score: float
    late_penalty: float
    points: Mapping[str, float | None]  # by cell; None until a person has graded it
    complete: bool  # whether every cell that the machine grades has been graded
    automatic: Mapping[str, float]  # by cell: the machine's points, where no person has decided
    lateness: str = ""  # in words
    again: tuple[str, ...] = ()  # cells with a person's points, and graded anew since


def prepare(course: Course, chapter: str) -> list[str]:
    """Update the gradebook's copy of `chapter` from source/; leave release/ alone.

    Without source/CHAPTER the gradebook must know the chapter already.

    Returns:
      The names of the chapter's notebooks.

    Raises:
      GradingError: nbgrader refuses the source, or the chapter is unknown.
    """
    source = course.folder("source", ".", chapter)
    if chapter != source.name:  # nbgrader would make an assignment without a name
        raise GradingError(f"{chapter!r} is no name of a chapter, but a path: give its last part")
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
    """Run nbgrader's own generate_assignment, and discard its notebooks."""
    with tempfile.TemporaryDirectory() as folder:
        directory = course.directory(chapter, release_directory=folder)
        result = capture_log(GenerateAssignment(coursedir=directory, parent=course.app))
    if not result["success"]:
        # nbgrader writes the reason only to its log: the last line that names an error.
        text = result.get("log", "") + result["error"]
        if text.rstrip().endswith("KeyboardInterrupt"):  # nbgrader takes it for an error
            raise KeyboardInterrupt
        if of_machine(text):
            raise GradingError(of_machine(text))
        lines = [line.strip() for line in text.splitlines()]
        reasons = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Entry): ", line)]
        reason = f"nbgrader refuses source/{chapter}: {reasons[0] if reasons else lines[-1]}"
        if _AFTER_GRADING in text:
            reason += (
                "\nGraded cells came or went after students were graded: nbgrader keeps the old "
                "ones. Put them back in source/; or, to lose everybody's grades of this chapter, "
                f"those by hand too: nbgrader db assignment remove {chapter} --force"
            )
        raise GradingError(reason)


def score(course: Course, chapter: str, student: str) -> Score | None:
    """Return one student's score in the gradebook, or None when it knows no submission."""
    if not is_utf8(student):  # the database cannot be asked
        return None
    with course.gradebook() as gradebook:
        sums = gradebook.db.execute(_SUMS, {"chapter": chapter, "student": student}).one_or_none()
        if sums is None:
            return None
        grades = gradebook.db.execute(_GRADES, {"submission": sums.id}).all()
        solutions = {
            (name, cell.name)
            for name in {grade.notebook for grade in grades}
            for cell in gradebook.find_notebook(name, chapter).solution_cells
        }
    alone = sums.notebooks == 1
    names = [g.cell if alone else f"{g.notebook}/{g.cell}" for g in grades]
    named = list(zip(names, grades, strict=True))
    return Score(
        score=sums.score,
        max_score=sums.max_score,
        late_penalty=sums.late_penalty,
        points={name: None if _by_hand(g) else g.score for name, g in named},
        # A score that is missing because nbgrader was killed does not wait for a person.
        complete=all(
            g.cell_type != "code" or (g.notebook, g.cell) in solutions
            for g in filter(_by_hand, grades)
        ),
        automatic={name: g.auto_score for name, g in named if _by_machine(g)},
        again=tuple(name for name, g in named if _by_hand_before(g)),
        lateness=lateness(sums.timestamp, sums.duedate, sums.extension, sums.late_penalty or 0),
    )


# Two queries in place of the dozen that nbgrader's classes make.
_SUMS = (
    select(
        SubmittedAssignment.id,
        SubmittedAssignment.score,
        SubmittedAssignment.max_score,
        SubmittedAssignment.late_submission_penalty.label("late_penalty"),
        SubmittedAssignment.timestamp,
        SubmittedAssignment.extension,
        Assignment.duedate,
        select(func.count(SubmittedNotebook.id))
        .where(SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .scalar_subquery()
        .label("notebooks"),
    )
    .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    .where(Assignment.name == bindparam("chapter"))
    .where(SubmittedAssignment.student_id == bindparam("student"))
)
_GRADES = (
    select(
        Notebook.name.label("notebook"),
        BaseCell.name.label("cell"),
        Grade.cell_type,
        Grade.score,
        Grade.auto_score,
        Grade.manual_score,
        Grade.needs_manual_grade,
    )
    .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
    .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
    .join(BaseCell, BaseCell.id == Grade.cell_id)
    .where(SubmittedNotebook.assignment_id == bindparam("submission"))
    .order_by(Notebook.name)
)


def _by_hand(grade) -> bool:
    return grade.auto_score is None and grade.manual_score is None


def _by_hand_before(grade) -> bool:
    return grade.manual_score is not None and grade.needs_manual_grade


def _by_machine(grade) -> bool:
    return grade.auto_score is not None and grade.manual_score is None
