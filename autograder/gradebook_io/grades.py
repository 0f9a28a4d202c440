"""Reads everyone's grades from nbgrader's gradebook, for a mark book elsewhere."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from nbgrader import api
from nbgrader.api import Gradebook
from sqlalchemy import func

from autograder.course_folders.course import GradingError
from autograder.graded_notebook.outcome import less_penalty
from autograder.nbgrader import class_list, recorded_marks


@dataclass(frozen=True)
class ListedStudent:
    """A line of the gradebook's class list; "" for unknown fields."""

    id: str
    first_name: str
    last_name: str
    email: str
    lms_user_id: str
    section: str = ""
    sis_user_id: str = ""
    sis_login_id: str = ""

    @property
    def called(self) -> str:
        """The id; with the name where the id is a number."""
        name = class_list.full_name(self.first_name, self.last_name)
        return f"{self.id} ({name})" if name and self.id.isdigit() else self.id


@dataclass(frozen=True)
class Grade:
    """One student's grade for one chapter."""

    score: float  # the late penalty has been subtracted
    waits: bool  # for a person to grade the rest
    comments: tuple[str, ...]


@dataclass(frozen=True)
class MarkBook:
    """A mark book: its chapters with their points, its students, and their grades.

    Attributes:
      unlisted: who is a folder in submitted/ that the class list does not know.
      left_out: the chapters of the gradebook that nobody has a grade for, and nobody asked for.
      ungraded: whose work is there without a grade, as CHAPTER of STUDENT.
      older: whose grade is of work before, as what is there now could not be graded.
      stale: by chapter, who was graded on other points or another date than now.
    """

    chapters: dict[str, float]
    students: tuple[ListedStudent, ...]
    grades: dict[tuple[str, str], Grade]  # by chapter and student; missing if nothing came
    unlisted: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    ungraded: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    stale: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read(
    gradebook: Gradebook,
    chapters: Sequence[str],
    students: Sequence[str],
    listed: Mapping[str, Mapping[str, str]] | None = None,
    without: Container[str] = frozenset(),
) -> MarkBook:
    """Return the grades of these chapters and students; of all if none is named.

    Students in `without` are there only if `students` names them.

    All chapters are those that somebody has a grade for. The gradebook knows others as soon as they
    have a date: a column for them would give everybody 0 for work that is yet to come.

    The score is that of `nbgrader export`: the points less the penalty for late work, at least 0.

    Raises:
      GradingError: the gradebook does not know a chapter or a student, or there is no grade at all.
    """
    known = {each.name: each.max_score for each in gradebook.assignments}
    people = students_of(gradebook, listed)
    _check("chapter", chapters, known)
    _check("student", students, [each.id for each in people])
    of_all = tuple(each for each in people if each.id not in without)
    wanted = tuple(each for each in people if each.id in students) if students else of_all
    ids = {each.id for each in wanted}
    found = {key: grade for key, grade in _grades(gradebook).items() if key[1] in ids}
    names = sorted(set(chapters) or {chapter for chapter, _ in found})
    if not names:
        raise GradingError("nobody has a grade in the gradebook: autograder grade CHAPTER first")
    grades = {key: grade for key, grade in found.items() if key[0] in names}
    left_out = () if chapters else tuple(sorted(known.keys() - set(names)))
    unlisted = class_list.unlisted(listed or {}, [each.id for each in wanted])
    return MarkBook({name: known[name] for name in names}, wanted, grades, unlisted, left_out)


def students_of(
    gradebook: Gradebook, listed: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[ListedStudent, ...]:
    """Return the students of the gradebook, with what the class list says of them."""
    known = class_list.known(gradebook, listed or {})
    return tuple(ListedStudent(student, **fields) for student, fields in known.items())


def _check(what: str, asked: Sequence[str], known) -> None:
    missing = [name for name in asked if name not in known]
    if missing:
        raise GradingError(f"the gradebook has no {what} {', '.join(missing)}")


def _grades(gradebook: Gradebook) -> dict[tuple[str, str], Grade]:
    """Return everyone's grades, by chapter and student.

    It makes a few queries over the whole gradebook: nbgrader's own sums read all grades anew for
    each submission.
    """
    sums = _by_submission(gradebook, func.sum(api.Grade.score), api.SubmittedNotebook.grades)
    waits = _by_submission(
        gradebook, func.max(api.Grade.needs_manual_grade), api.SubmittedNotebook.grades
    )
    penalties = _by_submission(gradebook, func.sum(api.SubmittedNotebook.late_submission_penalty))
    said, begun = _comments(gradebook), _begun(gradebook)
    found = {}
    for key, penalty in penalties.items():
        if key in begun:
            continue
        penalty = penalty or 0.0
        late = [f"late: {penalty:g} points off"] if penalty else []
        score = less_penalty(sums.get(key) or 0.0, penalty)
        comments = (*said.get(key, []), *late)
        found[key] = Grade(score, bool(waits.get(key)), comments)
    return found


def _begun(gradebook: Gradebook) -> set[tuple[str, str]]:
    """Return the submissions without all of the machine's marks: their grading did not end."""
    marks = {each.name: recorded_marks.read(gradebook, each.name) for each in gradebook.assignments}
    return {
        (chapter, student)
        for chapter, everyone in marks.items()
        for student, each in everyone.items()
        if not each.complete
    }


def _by_submission(gradebook: Gradebook, number, *through) -> dict[tuple[str, str], float | None]:
    """Return one number for each submission, by chapter and student."""
    query = _rows(gradebook, number, *through).group_by(api.SubmittedAssignment.id)
    return {(chapter, student): value for chapter, student, value in query}


def _comments(gradebook: Gradebook) -> dict[tuple[str, str], list[str]]:
    """Return the comments that a person wrote to each student.

    Points that wait although a person gave some were given to the work before, with the comment.
    """
    graded = _rows(gradebook, api.BaseCell.name, api.SubmittedNotebook.grades, api.Grade.cell)
    again = graded.filter(api.Grade.needs_manual_grade, api.Grade.manual_score.isnot(None))
    before = {tuple(row) for row in again}
    query = _rows(gradebook, api.BaseCell.name, api.SubmittedNotebook.comments, api.Comment.cell)
    query = query.add_columns(api.Comment.manual_comment).order_by(api.BaseCell.name)
    found: dict[tuple[str, str], list[str]] = {}
    for chapter, student, cell, text in query:
        if text and text.strip():
            about = f"{cell} (the work before)" if (chapter, student, cell) in before else cell
            found.setdefault((chapter, student), []).append(f"{about}: {' '.join(text.split())}")
    return found


def _rows(gradebook: Gradebook, column, *through):
    """Return a query for a column, joined to the submissions, with their chapter and student."""
    submission = api.SubmittedAssignment
    query = gradebook.db.query(api.Assignment.name, submission.student_id, column)
    query = query.select_from(submission).join(submission.assignment)
    query = query.join(submission.notebooks, isouter=True)
    for relation in through:
        query = query.join(relation)
    return query
