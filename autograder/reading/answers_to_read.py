"""A chapter's answers in words as a reader meets them: without names, in no telling order."""

import functools
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbgrader import api
from nbgrader.api import Gradebook
from sqlalchemy import select

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.groups import groups
from autograder.gradebook_io.written_answers import Question, answer_text, opened, questions
from autograder.nbgrader import class_list
from autograder.reading.rendered_answer import answer_html


@dataclass(frozen=True)
class AnswerToRead:
    """One student's answer.

    Attributes:
      key: its name on the page, which says nothing of the student.
      work: a hash of its text and pictures: new work has another one.
    """

    key: str
    student: str
    notebook: str
    cell: str
    text: str
    work: str
    path: Path

    @property
    def answer(self) -> tuple[str, str, str]:
        """Its place: student, notebook, cell."""
        return self.student, self.notebook, self.cell

    def html(self) -> str:
        """Return the answer, laid out."""
        return answer_html(self.text, self.cell, self.path)


@dataclass(frozen=True)
class RecordedPoints:
    """What the gradebook has for an answer.

    Attributes:
      score: that a person gave; None for none.
      asks: whether it asks for a person.
    """

    score: float | None
    asks: bool
    comment: str


class ClassAnswers:
    """The questions of a chapter that a person reads, and everybody's answers.

    Raises:
      GradingError: nothing of the chapter is graded, or it has nothing to read.
    """

    def __init__(self, course: Course, chapter: str):
        self._course, self._chapter = course, chapter
        course.refuse_without_gradebook(chapter)
        self.questions: list[Question] = list(questions(course, chapter))
        if not any(self.all()):
            raise GradingError(f"{chapter} has no graded answer that a person reads")

    def all(self) -> Iterator[AnswerToRead]:
        """Yield the answers as they are graded now, question by question."""
        for question in self.questions:
            found = (self._answer(student, question) for student in self._students())
            yield from sorted((each for each in found if each), key=lambda each: each.key)

    def recorded(self) -> dict[tuple[str, str, str], RecordedPoints]:
        """Return what the gradebook has for each answer, by its place."""
        with self._course.gradebook() as gradebook:
            comments = dict(_of_answers(gradebook, self._chapter, api.Comment.manual_comment))
            columns = (api.Grade.manual_score, api.Grade.needs_manual_grade)
            grades = dict(_of_answers(gradebook, self._chapter, *columns))
        return {
            place: RecordedPoints(score, bool(asks), (comments.get(place, ("",))[0] or ""))
            for place, (score, asks) in grades.items()
        }

    def names(self) -> dict[str, str]:
        """Return whose each answer is, by its key."""
        people = class_list.names(self._course)
        called = {each: people[each].name for each in self._students()}
        return {
            each.key: f"{called[each.student]} ({each.student})"
            if called[each.student]
            else each.student
            for each in self.all()
        }

    def _students(self) -> list[str]:
        # A group's work is read once.
        unread = self._course.left_out | groups(self._course, self._chapter).followers
        with self._course.gradebook() as gradebook:
            found = gradebook.assignment_submissions(self._chapter)
            return [each.student_id for each in found if each.student_id not in unread]

    def _answer(self, student: str, question: Question) -> AnswerToRead | None:
        folder = self._course.folder("autograded", student, self._chapter)
        path = folder / f"{question.notebook}.ipynb"
        try:
            changed = path.stat().st_mtime_ns
            text, work = _text_and_work(path, question.cell, changed)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        place = student, question.notebook, question.cell
        return AnswerToRead(_key(self._chapter, *place), *place, text, work, path)


@functools.lru_cache(10_000)
def _text_and_work(path: Path, cell: str, _changed: int) -> tuple[str, str]:
    """Return an answer's text and a hash of it with its pictures; read once for each file."""
    notebook = opened(path)
    text = answer_text(notebook, cell)
    carried = [each.get("attachments") for each in notebook.cells if each.source in text]
    whole = json.dumps([text, [each for each in carried if each]], sort_keys=True)
    return text, hashlib.sha256(whole.encode()).hexdigest()[:16]


def _key(chapter: str, student: str, notebook: str, cell: str) -> str:
    words = "\0".join((chapter, notebook, cell, student))
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _of_answers(gradebook: Gradebook, chapter: str, *columns) -> Iterator[tuple[tuple, tuple]]:
    """Yield the place of each cell of a class's work, and columns of its grade or its comment."""
    kind = columns[0].class_
    notebook, submission = api.SubmittedNotebook, api.SubmittedAssignment
    asked = (
        select(submission.student_id, api.Notebook.name, api.BaseCell.name, *columns)
        .select_from(kind)
        .join(api.BaseCell, api.BaseCell.id == kind.cell_id)
        .join(notebook, notebook.id == kind.notebook_id)
        .join(api.Notebook, api.Notebook.id == notebook.notebook_id)
        .join(submission, submission.id == notebook.assignment_id)
        .join(api.Assignment, api.Assignment.id == submission.assignment_id)
        .where(api.Assignment.name == chapter)
    )
    for student, of_notebook, cell, *values in gradebook.db.execute(asked):
        yield (student, of_notebook, cell), tuple(values)


def by_key(answers: Iterator[AnswerToRead]) -> dict[str, AnswerToRead]:
    """Return answers by their keys."""
    return {each.key: each for each in answers}
