"""What a student gets back: nbgrader's feedback page, with the hidden tests kept hidden."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from nbconvert.writers import FilesWriter
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import ClearHiddenTests
from nbgrader.utils import is_grade, is_solution

from autograder.classroom.autograde import classes, publish, remove
from autograder.classroom.course import Course


class HideHiddenTests(ClearHiddenTests):
    """Take hidden tests out of a graded notebook: their source, and the traceback that quotes it.

    What the test said stays: the last line of the error, and every other output.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        # A student's own cell may say anything, these marks too.
        if not is_grade(cell) or is_solution(cell) or not self._remove_hidden_test_region(cell):
            return cell, resources
        cell.source = cell.source.strip() or "# hidden tests"
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                output.traceback = [f"{output.ename}: {output.evalue}"]
        return cell, resources


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
    """

    def __init__(self, feedback: Feedback, processes: int):
        global _pages
        _pages = feedback
        self._pool = None
        if sys.platform == "linux":
            self._pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"))
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
    """nbgrader's own converter, one student at a time, its page template loaded once."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        steps = classes(self.preprocessors)
        if HideHiddenTests not in steps:  # an older nbgrader_config.py must not give them away
            steps.append(HideHiddenTests)
        for step in steps:
            self.exporter.register_preprocessor(step)

    def write(self, chapter: str, student: str, notebooks: list[str]) -> None:
        self.notebooks = notebooks
        self.run_pre_convert_hook()
        self.init_assignment(chapter, student)
        for notebook in notebooks:
            self.convert_single_notebook(notebook)
        self.set_permissions(chapter, student)
        self.run_post_convert_hook()
