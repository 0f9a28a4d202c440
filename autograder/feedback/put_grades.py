"""A student's points and comments, put into the graded notebook before its page is made."""

import hashlib
from functools import cache

import sqlalchemy
from nbgrader import api
from nbgrader.preprocessors import GetGrades
from nbgrader.utils import is_solution, is_task
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from autograder.marked_cells import gives_points, mark_on
from autograder.nbgrader.class_list import full_name
from autograder.nbgrader.late_rules import rule_in_words
from autograder.nbgrader.terms import lateness

_IN_HASH = 3  # of what is known of a cell's grade: all but who gave it


class Grades(GetGrades):
    """nbgrader's GetGrades in three queries instead of one for each cell; it writes nothing.

    It also says in `waits` whether a person still has to grade the cell, and in `by_hand` whether
    one has given its points.
    """

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        notebook, grades, comments = recorded(where)
        for cell in nb.cells:
            self._mark(cell, grades, comments)
        penalty = notebook.late_submission_penalty or 0
        where["score"] = notebook.score - penalty
        where["max_score"] = notebook.max_score
        where["late_penalty"] = penalty
        where["record"] = fingerprint(notebook, grades, comments)
        where["called"] = full_name(notebook.first_name, notebook.last_name)
        where["lateness"] = lateness(
            notebook.timestamp, notebook.duedate, notebook.extension, penalty
        )
        where["late_rule"] = self._late_rule(where) if where["lateness"] else ""
        return nb, resources

    def _late_rule(self, where: dict[str, str]) -> str:
        with Session(_engine(where["db_url"])) as session:
            return rule_in_words(self.config, session, where["student"], where["assignment"])

    def _mark(self, cell, grades: dict, comments: dict) -> None:
        mark = mark_on(cell)
        if is_solution(cell) or is_task(cell):
            mark["comment"] = comments.get(mark["grade_id"])
        if gives_points(cell):
            mark["score"], mark["points"], mark["waits"], mark["by_hand"] = grades[mark["grade_id"]]


def recorded(where: dict[str, str]) -> tuple[sqlalchemy.Row, dict, dict]:
    """Return what the gradebook says of a student's notebook, its cells' grades and comments.

    Args:
      where: nbgrader's names: `db_url`, `assignment`, `notebook` and `student`.

    Raises:
      MissingEntry: nothing of it is in the gradebook.
    """
    with Session(_engine(where["db_url"])) as session:
        notebook = _notebook(session, where)
        return notebook, _grades(session, notebook.id), _comments(session, notebook.id)


def fingerprint(notebook: sqlalchemy.Row, grades: dict, comments: dict) -> str:
    """Return a hash of what `recorded` returned: a page with another one is out of date."""
    given = sorted((name, each[:_IN_HASH]) for name, each in grades.items())
    words = repr((tuple(notebook[1:]), given, sorted(comments.items())))
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()


@cache
def _engine(url: str) -> Engine:
    # No connection is kept: this process may fork, or another may write.
    return sqlalchemy.create_engine(url, poolclass=NullPool)


def _notebook(session: Session, where: dict[str, str]):
    table, assignment = api.SubmittedNotebook, api.SubmittedAssignment
    query = (
        sqlalchemy.select(
            *(table.id, table.score, table.max_score, table.late_submission_penalty),
            *(assignment.timestamp, assignment.extension, api.Assignment.duedate),
            *(api.Student.first_name, api.Student.last_name),
        )
        .join(assignment, table.assignment_id == assignment.id)
        .join(api.Assignment, assignment.assignment_id == api.Assignment.id)
        .join(api.Notebook, table.notebook_id == api.Notebook.id)
        .join(api.Student, assignment.student_id == api.Student.id)
        .where(
            api.Notebook.name == where["notebook"],
            api.Assignment.name == where["assignment"],
            assignment.student_id == where["student"],
        )
    )
    found = session.execute(query).one_or_none()
    if found is None:
        raise api.MissingEntry(
            f"no submission of {where['assignment']}/{where['notebook']} by {where['student']}"
        )
    return found


def _grades(session: Session, notebook: str) -> dict[str, tuple[float, float, bool, bool]]:
    grade = api.Grade
    columns = api.BaseCell.name, grade.score, grade.max_score, grade.needs_manual_grade
    query = sqlalchemy.select(*columns, grade.manual_score).join(
        api.BaseCell, grade.cell_id == api.BaseCell.id
    )
    rows = session.execute(query.where(grade.notebook_id == notebook))
    return {
        name: (score, most, bool(waits), by_hand is not None)
        for name, score, most, waits, by_hand in rows
    }


def _comments(session: Session, notebook: str) -> dict[str, str | None]:
    comment = api.Comment
    query = sqlalchemy.select(api.BaseCell.name, comment.comment)
    query = query.join(api.BaseCell, comment.cell_id == api.BaseCell.id)
    return dict(session.execute(query.where(comment.notebook_id == notebook)).all())
