"""nbgrader's autograde in its three steps: sanitise, execute, record.

The middle step needs no gradebook and may run beside others. The first and the last open it, so
they run one at a time, in one thread. Nothing reaches autograded/ before it is complete.
"""

import contextlib
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import InvalidEntry
from nbgrader.utils import find_all_files, rmtree
from sqlalchemy.exc import DBAPIError

from autograder.course_folders.course import Course
from autograder.course_folders.known_chapters import strange
from autograder.course_folders.set_right import MISSING, Seen
from autograder.course_folders.submissions import Submission
from autograder.execution.execute import Execute
from autograder.execution.job import Done, Job, Settings
from autograder.graded_notebook import marks
from autograder.graded_notebook.marks import MARK
from autograder.graded_notebook.own_cells import beside
from autograder.nbgrader import by_hand
from autograder.nbgrader.changed_cells import ask, somebody_lacks
from autograder.nbgrader.exporters import split
from autograder.nbgrader.gradebook import Gradebooks
from autograder.nbgrader.refused import forget
from autograder.nbgrader.stepwise import StepwiseAutograde
from autograder.nbgrader.terms import Terms
from autograder.nbgrader.unjudged import Unjudged


class Grader:
    """One run's grading of one chapter, with the preprocessors that the settings name.

    Args:
      books: the gradebooks that the steps write to.
      again: whether it is known that the very work was graded before.
      own_cells: whether each student has cells of an own text, as in an exam.
    """

    def __init__(
        self,
        course: Course,
        chapter: str,
        books: Gradebooks,
        *,
        again: bool = False,
        own_cells: bool = False,
    ):
        self.course, self.chapter, self.books, self.again = course, chapter, books, again
        self._own_cells = own_cells
        self._seen: dict[str, dict[str, Seen]] = {}  # by student and notebook
        self._begun: set[str] = set()  # students with a row in the gradebook that has no marks yet
        self.directory = course.staging(chapter)
        self.terms = Terms(course, chapter)
        self.converter = StepwiseAutograde(coursedir=self.directory, parent=course.app)
        self.before, self.executes, self.after = split(self.converter.autograde_preprocessors)
        self.after = [*self.after, Unjudged]
        for steps in (self.before, self.after):
            self.converter.exporters.make(
                steps
            )  # a wrong setting ends the run here, not at every student

    def traits(self) -> dict[str, Any] | None:
        """Return the settings of nbgrader's Execute as plain data; None if it is switched off."""
        if not self.executes:
            return None
        return Execute(parent=self.converter.exporters.make([])).trait_values(config=True)

    def take(self, submission: Submission) -> Submission:
        """Return a copy of the present submission: the copy is graded.

        Raises:
          UnreadableError: it cannot be copied.
        """
        folder = self._taken(submission.student)
        remove(folder)
        return submission.take(folder)

    def sanitise(self, submission: Submission, settings: Settings) -> Job:
        """Put a submission into staging, its locked cells as the instructor wrote them.

        Args:
          submission: one that was taken.

        Returns:
          The job to execute.
        """
        student = submission.student
        self.directory.student_id = student
        self._begun.add(student)
        remove(self._staged(student))
        found = [str(path) for path in submission.notebooks()]
        with self.books.together():
            names = self.converter.sanitise(self.chapter, student, found)
            with self.course.gradebook() as gradebook:
                self.terms.extend(gradebook, student)
                if self._somebody_lacks:
                    ask(gradebook, self.chapter, student)
        self._seen[student] = {} if self._own_cells else self.converter.seen(names)
        staged = self._staged(student)
        notebooks = {name: self._prepared(staged / f"{name}.ipynb") for name in names}
        return Job(
            notebooks,
            _files(staged, names),
            settings,
            trusted=self._trusted,
            submitted_sha256=submission.fingerprint(),
            instructors=self.converter.instructors(self.chapter, names),
            with_answers=frozenset(names) & self._with_answers,
        )

    def _prepared(self, path: Path) -> str:
        """Return a staged notebook after the steps before its execution: usually none."""
        if not self.before:
            return path.read_text("utf-8")
        return self.converter.exporters.of(self.before).from_filename(str(path))[0]

    def record(self, submission: Submission, done: Done, fingerprint: str) -> None:
        """Write the scores to the gradebook; then, in one rename, the notebooks to autograded/.

        Args:
          submission: one that was taken.
          fingerprint: the submission's, as its job has it.
        """
        student = submission.student
        self.directory.student_id = student
        staged, final = self._staged(student), self._final(student)
        again = self.again or by_hand.works(self.course, self.chapter, student) == {fingerprint}
        # Half-written scores must never look finished: the old work is removed before the first.
        retire(final, staged.with_name(f"{staged.name}.old"))
        exporter = self.converter.exporters.of(self.after)
        paths = [staged / f"{name}.ipynb" for name in done.notebooks]
        # All scores are in the gradebook before the notebooks are in autograded/.
        with self.books.together(), self.course.gradebook() as gradebook:
            decided = by_hand.decided(gradebook, self.chapter, student) if again else {}
            for path in paths:
                notebook = nbformat.reads(done.notebooks[path.stem], as_version=4)
                mark = marks.make(path.stem, done, submitted_sha256=fingerprint)
                mark["terms"] = self.terms.of(student)
                mark["title"] = self.converter.title(self.chapter, path.stem)
                notebook.metadata[MARK] = mark | self._noted(submission, path.stem, notebook)
                self.converter.record(path, notebook, exporter)
            by_hand.keep(gradebook, self.chapter, student, decided)
        self.converter.finish(self.chapter, student, [str(path) for path in paths])
        publish(staged, final)
        self._begun.discard(student)

    def _noted(self, submission: Submission, name: str, notebook: NotebookNode) -> dict[str, Any]:
        """Return what the mark says of a notebook's cells: missing, set right, the student's own.

        Another chapter's notebook, or an empty one, holds nobody's words to this chapter, and
        none of its cells.
        """
        seen = self._seen.get(submission.student, {}).get(name, Seen())
        gone = self.converter.missing(self.chapter, name, notebook)
        found: dict[str, Any] = {"missing": [each for each in gone if each not in seen.later]}
        found |= {"set_right": seen.set_right, "later": sorted(seen.later)}
        if name in self._with_answers:
            given = self.converter.given(self.chapter, name)
            lost = [cell for cell, words in seen.set_right.items() if words == MISSING]
            found["beside"] = beside(notebook, given, lost)
        if any(found.values()):
            content = (submission.folder / f"{name}.ipynb").read_bytes()
            found["strange"] = strange(self.course, self.chapter, name, content)
        if found.get("strange"):
            found["beside"] = found["set_right"] = {}
            found["later"] = []
        return found

    def discard(self, submission: Submission) -> None:
        """Forget the copy of a submission, and the staged work on one that could not be graded."""
        self._seen.pop(submission.student, None)
        remove(self._staged(submission.student))
        remove(self._taken(submission.student))

    def forget_begun(self, *students: str) -> None:
        """Take back what was begun for these students and not recorded; for all if none is named.

        Where the gradebook cannot be written to, the next run does it.
        """
        for student in students or sorted(self._begun):
            self._begun.discard(student)
            with contextlib.suppress(DBAPIError, InvalidEntry):
                forget(self.course, self.chapter, student)

    @cached_property
    def _trusted(self) -> frozenset[str]:
        """Return the files that come from source/, whatever was handed in under their names."""
        folder = self.course.folder("source", ".", self.chapter)
        ignored = [*self.directory.ignore, "*.ipynb"]
        found = [Path(path).relative_to(folder) for path in find_all_files(str(folder), ignored)]
        theirs = self.converter.exclude_overwriting.get(self.chapter, [])
        return frozenset(path.as_posix() for path in found) - frozenset(theirs)

    @cached_property
    def _somebody_lacks(self) -> bool:
        """Tell whether somebody's submission is older than a cell; nobody's becomes so in a run."""
        with self.course.gradebook() as gradebook:
            return somebody_lacks(gradebook, self.chapter)

    @cached_property
    def _with_answers(self) -> frozenset[str]:
        """Return the names of the notebooks that are in source/."""
        return frozenset(path.stem for path in self.course.source_notebooks(self.chapter))

    def _staged(self, student: str) -> Path:
        directory = self.directory
        return Path(directory.format_path(directory.autograded_directory, student, self.chapter))

    def _taken(self, student: str) -> Path:
        directory = self.directory
        return Path(directory.format_path(directory.submitted_directory, student, self.chapter))

    def _final(self, student: str) -> Path:
        return self.course.folder("autograded", student, self.chapter)


def _files(folder: Path, names: list[str]) -> dict[str, bytes]:
    """Return the files of a folder, without the notebooks `names`."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    for name in names:
        del paths[f"{name}.ipynb"]
    return {name: path.read_bytes() for name, path in paths.items() if path.is_file()}


def retire(folder: Path, aside: Path) -> None:
    """Remove a folder that may be missing: by a rename, so that it never exists in part."""
    if folder.exists():
        remove(aside)
        aside.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(aside)
        remove(aside)


def publish(staged: Path, final: Path) -> None:
    """Move a finished folder to its place in one rename, so that it never exists in part."""
    remove(final)
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.rename(final)


def remove(folder: Path) -> None:
    """Remove a folder that may be missing."""
    if folder.exists():
        rmtree(str(folder))
