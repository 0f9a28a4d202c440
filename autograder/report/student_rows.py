"""Collects every student's row of a report from the gradebook, autograded/ and submitted/."""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.submissions import Submission, find
from autograder.course_folders.submitted_files import UnreadableError
from autograder.graded_notebook import marks, outputs
from autograder.marked_cells import cell_name
from autograder.nbgrader import class_list, reasons
from autograder.nbgrader.recorded_marks import Marks
from autograder.nbgrader.terms import Terms
from autograder.report import gradebook_rows
from autograder.report.data import Cell, ClassData, Row


def collect(course: Course, chapter: str) -> ClassData:
    """Read a chapter's class. Nothing is executed, and nothing is written.

    Raises:
      GradingError: there is no gradebook, it does not know the chapter, or nobody is in it.
    """
    cells, everyone, names = gradebook_rows.read(course, chapter)
    exercises = {cell.name: cell.exercise for cell in cells}
    people = class_list.names(course)
    reader = _Reader(course, chapter, names, exercises, Terms(course, chapter), people)
    submitted = {submission.student for submission in find(course, chapter)}
    students = (everyone.keys() | submitted) - course.left_out
    if not students:
        raise GradingError(f"nobody is in the gradebook, and nobody handed in {chapter}")
    submissions = find(course, chapter, sorted(students))
    found = [reader.row(each, everyone.get(each.student)) for each in submissions]
    orders = [reader.source_order(), *(order for _, order in found)]
    return ClassData(chapter, tuple(_ordered(cells, orders)), tuple(row for row, _ in found))


@dataclass(frozen=True)
class _Reader:
    """Reads rows of one chapter; `names` are its notebooks, `exercises` those of its cells."""

    course: Course
    chapter: str
    names: Sequence[str]
    exercises: Mapping[str, str]
    terms: Terms
    people: Mapping[str, class_list.Called]

    def row(self, submission: Submission, own: Marks | None) -> tuple[Row, list[str]]:
        """Return a student's row, and the student's graded cells from top to bottom."""
        student = submission.student
        called = self.people[student]._asdict()
        if own is None or not own.is_whole:
            return Row(
                student, reason=self._reason(submission, begun=own is not None), **called
            ), []
        graded = self._graded(student)
        notebooks = {name: each.notebook for name, each in graded.items()}
        noted = {name: each.notes for name, each in graded.items()}
        notes = marks.notes_of(self.names, submission.notebooks(), noted)
        notes += self.terms.notes(student, notebooks, own.lateness, several=own.several)
        prints = {each.fingerprint for each in graded.values()} - {None}
        row = Row(
            student,
            _known(own, notebooks),
            notes=(*notes, *self._news(submission, prints)),
            said=tuple(said for each in graded.values() for said in each.said),
            findings=marks.findings(notebooks, own.automatic, several=own.several),
            checks=tuple(dict.fromkeys(each.checks for each in graded.values() if each.checks)),
            **called,
        )
        return row, [name for each in graded.values() for name in each.order]

    def _graded(self, student: str) -> dict[str, outputs.Graded]:
        """Return the student's graded notebooks that can be read, by name."""
        folder = self.course.folder("autograded", student, self.chapter)
        found = {}
        for name in self.names:
            with contextlib.suppress(ValueError):
                found[name] = self._read(folder / f"{name}.ipynb")
        return found

    def source_order(self) -> list[str]:
        """Return the graded cells of source/, from top to bottom; empty if it is missing."""
        folder = self.course.folder("source", ".", self.chapter)
        order = []
        for name in self.names:
            with contextlib.suppress(ValueError):
                order += self._read(folder / f"{name}.ipynb").order
        return order

    def _read(self, path: Path) -> outputs.Graded:
        prefix = cell_name(path.stem, "", several=len(self.names) > 1)
        return outputs.read(path, prefix=prefix, exercises=self.exercises)

    def _reason(self, submission: Submission, *, begun: bool) -> str:
        """Return why there are no marks, as `autograder grade` would say it."""
        again = f"run `autograder grade {self.chapter}`"
        if refused := self._refused(submission):
            return refused
        return f"its grading did not end: {again}" if begun else f"not graded yet: {again}"

    def _news(self, submission: Submission, prints: set[str]) -> list[str]:
        """Return a note if the present submission is not the graded one."""
        if not prints or not submission.notebooks():
            return []
        try:
            if submission.fingerprint() in prints:
                return []
            refused = self._refused(submission)
        except UnreadableError as error:
            refused = str(error)
        if refused:
            return [f"these are older marks; what is handed in now cannot be graded: {refused}"]
        return [f"handed in anew since: run `autograder grade {self.chapter}`"]

    def _refused(self, submission: Submission) -> str:
        return reasons.of_present(self.course, self.chapter, submission, self.names)


def _known(own: Marks, graded: Mapping[str, NotebookNode]) -> Marks:
    """Return a student's marks without the 0 for words that wait in a cell of the student's own."""
    waiting = marks.unread_beside(graded, own.automatic, several=own.several)
    return replace(own, points={**own.points, **dict.fromkeys(waiting)})


def _ordered(cells: Iterable[Cell], orders: Iterable[Sequence[str]]) -> list[Cell]:
    """Return the cells as they follow each other in the notebooks, others last."""
    place: dict[str, int] = {}
    for order in orders:
        for name in order:
            place.setdefault(name, len(place))
    return sorted(cells, key=lambda cell: (place.get(cell.name, len(place)), cell.name))
