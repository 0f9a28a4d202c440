"""nbgrader's gradebook, opened once for a run, with one commit for each step of a submission.

Plain nbgrader opens it some ten times for each submission, asks for each cell of the chapter by
name each time, and commits after each cell. Here the chapter's own cells are read once. A student's
rows are forgotten at the end of each step and read anew, as a person may grade meanwhile.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nbgrader import api
from sqlalchemy import Row, Select, bindparam, select
from sqlalchemy.orm import Session, scoped_session, sessionmaker

_CHAPTER = (api.Course, api.Assignment, api.Notebook, api.BaseCell, api.SourceCell)
# Relations to students' rows. They are not copied with a chapter.
_OF_STUDENTS = {"comments", "grades", "needs_manual_grade", "num_submissions", "submissions"}


class _Session(Session):
    """A session whose commits may be delayed, to be made as one.

    Attributes:
      chapter: rows found for the chapter, by question.
      student: rows found for the current student, by question.
    """

    def __init__(self, books: Gradebooks, **settings):
        super().__init__(**settings)
        self._books = books
        self._written = False  # since a sum of scores was read
        self.chapter: dict[tuple, Any] = {}
        self.student: dict[tuple, Any] = {}

    def flush(self, objects=None) -> None:
        self._written |= bool(self.new or self.dirty or self.deleted)
        super().flush(objects)

    def commit(self) -> None:
        if not self._books.putting_off:
            self.chapter.clear()  # nbgrader's build may have changed it
            super().commit()
        elif self.new or self.deleted:
            self.flush()  # changed rows are written before the next question, or at the end

    def end_step(self) -> None:
        """Write everything; keep only the chapter in memory."""
        self.expire_on_commit = False
        super().commit()
        self.expire_on_commit = True
        self.student.clear()
        for row in list(self.identity_map.values()):
            if not isinstance(row, _CHAPTER):
                self.expunge(row)
            elif isinstance(row, api.Assignment | api.Notebook) or vars(row).keys() & _OF_STUDENTS:
                self.expire(row, _OF_STUDENTS & set(row.__mapper__.attrs.keys()))

    def refresh_student(self) -> None:
        """Forget the sums of scores in memory, so that the next question reads the written ones."""
        self.flush()
        if self._written:
            self._written = False
            self.student.clear()
            for row in list(self.identity_map.values()):
                if not isinstance(row, _CHAPTER):
                    self.expire(row)


# nbgrader's own queries about a submission, built once. If one finds nothing, nbgrader's own code
# asks again and says what is missing.
_SUBMISSION = (
    select(api.SubmittedAssignment)
    .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
    .where(api.Assignment.name == bindparam("assignment"))
    .where(api.SubmittedAssignment.student_id == bindparam("student"))
)


def _of_notebook(*wanted) -> Select:
    """Return the query for columns of one submitted notebook."""
    return (
        select(*wanted)
        .select_from(api.SubmittedNotebook)
        .join(api.Notebook, api.Notebook.id == api.SubmittedNotebook.notebook_id)
        .join(
            api.SubmittedAssignment,
            api.SubmittedAssignment.id == api.SubmittedNotebook.assignment_id,
        )
        .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
        .where(api.Notebook.name == bindparam("notebook"))
        .where(api.Assignment.name == bindparam("assignment"))
        .where(api.SubmittedAssignment.student_id == bindparam("student"))
    )


_NOTEBOOK = _of_notebook(api.SubmittedNotebook)
_CELLS = {
    kind: _of_notebook(api.BaseCell.name, kind)
    .join(kind, kind.notebook_id == api.SubmittedNotebook.id)
    .join(api.BaseCell, api.BaseCell.id == kind.cell_id)
    # A task's row is the answer only where no other cell has the name, as in nbgrader.
    .order_by(api.BaseCell.type.desc())
    for kind in (api.Grade, api.Comment)
}


def _of_chapter(name: str) -> Callable:
    """Return nbgrader's question of this name, asked once for each notebook or cell."""
    ask = getattr(api.Gradebook, name)

    @functools.wraps(ask)
    def asked(self, *which: str, **named: str):
        found = self.db().chapter
        if named:
            return ask(self, *which, **named)
        if (name, which) not in found:
            found[name, which] = ask(self, *which)
        return found[name, which]

    return asked


class _Kept(api.Gradebook):
    """A gradebook that survives `close`, which forgets all students and unwritten changes."""

    find_assignment = _of_chapter("find_assignment")
    find_notebook = _of_chapter("find_notebook")
    find_source_cell = _of_chapter("find_source_cell")
    find_graded_cell = _of_chapter("find_graded_cell")

    def __init__(self, books: Gradebooks, *settings):
        super().__init__(*settings)
        self._books = books

    def find_submission(self, assignment: str, student: str):
        self.db().refresh_student()
        found = self._found(_SUBMISSION, assignment=assignment, student=student)
        return found[0][0] if found else super().find_submission(assignment, student)

    def find_submission_notebook(self, notebook: str, assignment: str, student: str):
        self.db().refresh_student()
        which = {"notebook": notebook, "assignment": assignment, "student": student}
        found = self._found(_NOTEBOOK, **which)
        return found[0][0] if found else super().find_submission_notebook(**which)

    def find_grade(self, grade_cell: str, notebook: str, assignment: str, student: str):
        found = self._by_cell(api.Grade, notebook, assignment, student).get(grade_cell)
        return found or super().find_grade(grade_cell, notebook, assignment, student)

    def find_comment(self, solution_cell: str, notebook: str, assignment: str, student: str):
        found = self._by_cell(api.Comment, notebook, assignment, student).get(solution_cell)
        return found or super().find_comment(solution_cell, notebook, assignment, student)

    def _by_cell(self, kind: type, notebook: str, assignment: str, student: str) -> dict[str, Any]:
        """Return all grades or comments of one submitted notebook, by cell, in one query."""
        known, which = self.db().student, (kind, notebook, assignment, student)
        if which not in known:
            known[which] = dict(
                self._found(_CELLS[kind], notebook=notebook, assignment=assignment, student=student)
            )
        return known[which]

    def _found(self, question: Select, **which: str) -> Sequence[Row]:
        return self.db.execute(question, which).all()

    def close(self) -> None:
        if self._books.putting_off:
            return
        session = self.db()
        if session.new or session.dirty or session.deleted or not session.is_active:
            self.db.remove()
        else:
            session.end_step()

    def end(self) -> None:
        """Close it for good."""
        self.db.remove()
        self.engine.dispose()


class Gradebooks:
    """The databases of one run, each opened once. One thread uses them."""

    def __init__(self):
        self.putting_off = False
        self._kept: dict[tuple[str, str], _Kept] = {}

    def open(self, db_url: str, course_id: str = "default_course", authenticator=None):
        """Return the open gradebook in place of a new one of nbgrader's."""
        key = db_url, course_id
        if key not in self._kept:
            made = _Kept(self, db_url, course_id, authenticator)
            same = [kept for (url, _), kept in self._kept.items() if url == db_url]
            # Two connections would wait for each other's locks.
            made.db = same[0].db if same else self._session(made)
            self._kept[key] = made
        return self._kept[key]

    def _session(self, gradebook: api.Gradebook) -> scoped_session:
        gradebook.db.remove()
        return scoped_session(sessionmaker(class_=_Session, books=self, bind=gradebook.engine))

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Commit all changes of the block at once, or none if it fails."""
        self.putting_off = True
        try:
            yield
            for database in {kept.db for kept in self._kept.values()}:
                database().end_step()
        except BaseException:
            for database in {kept.db for kept in self._kept.values()}:
                database.rollback()
                database.remove()
            raise
        finally:
            self.putting_off = False

    def close(self) -> None:
        """Close all of them for good."""
        for kept in self._kept.values():
            kept.end()


@contextlib.contextmanager
def opened_once() -> Iterator[Gradebooks]:
    """Give every step of nbgrader that opens a gradebook the one that is already open."""
    books, original = Gradebooks(), api.Gradebook
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith(("nbgrader.", "autograder."))
        and getattr(module, "Gradebook", None) is original
    ]
    for module in modules:
        module.Gradebook = books.open
    try:
        yield books
    finally:
        for module in modules:
            module.Gradebook = original
        books.close()
