"""Students' marks on a chapter, as nbgrader's gradebook has them, in a few queries."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Row, Select, func, select

from autograder.course_folders.course import Course
from autograder.course_folders.submitted_files import is_utf8
from autograder.graded_notebook.outcome import less_penalty
from autograder.marked_cells import cell_name
from autograder.nbgrader.terms import lateness


@dataclass(frozen=True)
class Marks:
    """One student's marks in the gradebook, in nbgrader's own numbers.

    A cell is named by its grade_id; where a chapter has several notebooks, by NOTEBOOK/grade_id.

    Attributes:
      score: before any late penalty.
      max_score: of the cells that were asked for when the student was graded.
      points: by cell; None until a person has graded it.
      waiting: the cells that nbgrader wants a person to look at.
      complete: whether every cell that the machine grades has been graded.
      automatic: by cell, the machine's points, where no person has decided.
      lateness: by how much it is late and what that costs, in words; "" if it is in time.
      again: the cells with a person's points that were graded anew since.
      several: whether the chapter has several notebooks.
    """

    score: float
    max_score: float
    late_penalty: float
    points: Mapping[str, float | None]
    waiting: tuple[str, ...]
    complete: bool
    automatic: Mapping[str, float] = field(default_factory=dict)
    lateness: str = ""
    again: tuple[str, ...] = ()
    several: bool = False

    @property
    def counted(self) -> float:
        """Return the score that is exported."""
        return less_penalty(self.score, self.late_penalty)

    @property
    def is_whole(self) -> bool:
        """Tell whether grading has ended: else these are no marks of anybody's work."""
        return bool(self.points) and self.complete


def marks_of(course: Course, chapter: str, student: str) -> Marks | None:
    """Return one student's marks, or None when the gradebook knows no submission."""
    if not is_utf8(student):  # the database cannot be asked
        return None
    with course.gradebook() as gradebook:
        return read(gradebook, chapter, student).get(student)


def read(gradebook: Gradebook, chapter: str, student: str | None = None) -> dict[str, Marks]:
    """Return the marks of everyone with a submission, or of one student alone, by student."""
    answers = set(map(tuple, gradebook.db.execute(_of(_ANSWERS, chapter))))
    sums, grades = (
        gradebook.db.execute(_of(query, chapter, student)) for query in (_SUMS, _GRADES)
    )
    found: dict[str, list[Row]] = {}
    for grade in grades:
        found.setdefault(grade.student_id, []).append(grade)
    return {each.student_id: _marks(each, found.get(each.student_id, []), answers) for each in sums}


def of_class(gradebook: Gradebook, chapter: str) -> dict[str, Marks | None]:
    """Return the marks of everyone in the gradebook, by student; None without a submission."""
    students = [name for (name,) in gradebook.db.query(Student.id)]
    return dict.fromkeys(students) | read(gradebook, chapter)


def _of(query: Select, chapter: str, student: str | None = None) -> Select:
    query = query.where(Assignment.name == chapter)
    return query if student is None else query.where(SubmittedAssignment.student_id == student)


_SUMS = select(
    SubmittedAssignment.student_id,
    SubmittedAssignment.score,
    SubmittedAssignment.max_score,
    SubmittedAssignment.late_submission_penalty.label("penalty"),
    SubmittedAssignment.timestamp,
    SubmittedAssignment.extension,
    Assignment.duedate,
    select(func.count(Notebook.id))
    .where(Notebook.assignment_id == Assignment.id)
    .scalar_subquery()
    .label("notebooks"),
).join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
_GRADES = (
    select(
        SubmittedAssignment.student_id,
        Notebook.name.label("notebook"),
        BaseCell.name.label("cell"),
        Grade.cell_type,
        Grade.score,
        Grade.auto_score,
        Grade.manual_score,
        Grade.needs_manual_grade,
        Grade.max_score.label("most"),
    )
    .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
    .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
    .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
    .join(BaseCell, BaseCell.id == Grade.cell_id)
    .order_by(Notebook.name)
)
_ANSWERS = (
    select(Notebook.name, SolutionCell.name)
    .join(Notebook, Notebook.id == SolutionCell.notebook_id)
    .join(Assignment, Assignment.id == Notebook.assignment_id)
)


def _marks(sums: Row, grades: Sequence[Row], answers: Collection[tuple[str, str]]) -> Marks:
    several = sums.notebooks > 1
    named = [(cell_name(each.notebook, each.cell, several=several), each) for each in grades]
    ungraded = {name for name, g in named if g.auto_score is None and g.manual_score is None}
    by_machine = {
        name for name, g in named if g.cell_type == "code" and (g.notebook, g.cell) not in answers
    }
    penalty = sums.penalty or 0.0
    return Marks(
        score=sums.score,
        max_score=sum(each.most for each in grades) if grades else sums.max_score,
        late_penalty=penalty,
        points={name: None if name in ungraded else g.score for name, g in named},
        waiting=tuple(sorted(name for name, g in named if g.needs_manual_grade)),
        # A score that is missing because nbgrader was killed does not wait for a person.
        complete=ungraded.isdisjoint(by_machine),
        automatic={
            name: g.auto_score
            for name, g in named
            if g.auto_score is not None and g.manual_score is None
        },
        lateness=lateness(sums.timestamp, sums.duedate, sums.extension, penalty),
        again=tuple(
            name for name, g in named if g.manual_score is not None and g.needs_manual_grade
        ),
        several=several,
    )
