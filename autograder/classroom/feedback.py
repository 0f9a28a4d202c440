"""What a student gets back: a page on the graded notebook, with the hidden tests kept hidden."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from nbconvert.exporters import Exporter
from nbconvert.writers import FilesWriter
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import GetGrades
from traitlets import Type

from autograder.classroom.autograde import classes, publish, remove
from autograder.classroom.course import Course
from autograder.classroom.feedback_grades import Grades
from autograder.classroom.feedback_hidden import HideHiddenTests
from autograder.classroom.feedback_page import FeedbackExporter
from autograder.classroom.warm import system

# nbgrader_config.py names all but the first and the last.
__all__ = ["Feedback", "FeedbackExporter", "Grades", "HideHiddenTests", "Pages"]


class Feedback:
    """One run's feedback pages for one chapter, with the settings of GenerateFeedback."""

    def __init__(self, course: Course, chapter: str):
        self.course, self.chapter = course, chapter
        self.directory = course.directory(
            chapter, feedback_directory=course.staging(chapter).feedback_directory
        )
        self.converter = _Converter(coursedir=self.directory, parent=course.app)

    def exists(self, student: str, names: list[str]) -> bool:
        """Tell whether the student's pages for the notebooks `names` are there."""
        final = self.course.folder("feedback", student, self.chapter)
        return all((final / f"{name}.html").exists() for name in names)

    def generate(self, student: str) -> None:
        """Write feedback/STUDENT/CHAPTER/ from autograded/ and the gradebook's scores."""
        self.directory.student_id = student
        step = self.directory.feedback_directory
        staged = Path(self.directory.format_path(step, student, self.chapter))
        remove(staged)
        graded = self.course.folder("autograded", student, self.chapter)
        notebooks = sorted(str(path) for path in graded.glob("*.ipynb"))
        self.converter.write(self.chapter, student, notebooks)
        publish(staged, self.course.folder("feedback", student, self.chapter))


class Pages:
    """Makes feedback pages in processes of their own, while notebooks are being graded.

    A process is a fork of this one, with all settings read. Make it before any thread is started.

    Args:
      workers: how many notebooks are graded at the same time.
    """

    def __init__(self, feedback: Feedback, workers: int):
        global _pages
        _pages = feedback
        self._pool = None
        if sys.platform == "linux":
            # A page takes a tenth of a grading's time, and each process half a second to begin.
            processes = -(-workers // 4)
            # A grader that is killed must not leave them waiting for it.
            self._pool = ProcessPoolExecutor(
                processes, multiprocessing.get_context("fork"), initializer=system.die_with_parent
            )
            self._pool.submit(int).result()  # they start now, not when threads run

    def make(self, student: str) -> Future[None]:
        """Begin on one student's pages."""
        if self._pool:
            return self._pool.submit(_make, student)
        done: Future[None] = Future()
        try:
            done.set_result(_make(student))
        except Exception as error:
            done.set_exception(error)
        return done

    def close(self) -> None:
        """End the processes; pages that nobody waits for are not made."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


_pages: Feedback | None = None


def _make(student: str) -> None:
    _pages.generate(student)


class _Converter(GenerateFeedback):
    """nbgrader's own converter, one student at a time, with our page and hidden tests hidden."""

    exporter_class = Type(FeedbackExporter, klass=Exporter).tag(config=True)

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        for step in _steps(classes(self.preprocessors)):
            self.exporter.register_preprocessor(step)

    def write(self, chapter: str, student: str, notebooks: list[str]) -> None:
        self.notebooks = notebooks
        self.run_pre_convert_hook()
        # Other files stay behind: the page needs none, and they may be anything.
        for notebook in notebooks:
            self.convert_single_notebook(notebook)
        self.set_permissions(chapter, student)
        self.run_post_convert_hook()


def _steps(steps: list[type]) -> list[type]:
    """Return the preprocessors of the settings, made safe: an older file may not name ours."""
    steps = [Grades if step is GetGrades else step for step in steps]
    return steps if HideHiddenTests in steps else [*steps, HideHiddenTests]
