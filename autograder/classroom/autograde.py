"""nbgrader's autograde in its three steps: sanitise, execute, record.

The middle step needs no gradebook and may run beside others. The first and the last open it, so
they run one at a time, in one thread. Nothing reaches autograded/ before it is complete.
"""

from __future__ import annotations

from pathlib import Path
from threading import Event

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.writers import FilesWriter
from nbformat import NotebookNode
from nbgrader import preprocessors
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.utils import rmtree
from traitlets.utils.importstring import import_item

from autograder.classroom.course import Course
from autograder.classroom.execute import Execute
from autograder.classroom.gradebook import Gradebooks
from autograder.classroom.submissions import Submission
from autograder.classroom.warm import Zygote

MARK = "autograder"  # the key in an autograded notebook's metadata that says it is complete


class Grader:
    """One run's grading of one chapter, with the preprocessors that the settings name.

    Args:
      names: the chapter's notebooks, without ".ipynb".
      books: the gradebooks that the steps write to.
      stop: set from outside to end executions at their next cell.
      zygote: where kernels are forked from; None starts nbgrader's own.
    """

    def __init__(
        self,
        course: Course,
        chapter: str,
        names: list[str],
        books: Gradebooks,
        *,
        stop: Event,
        zygote: Zygote | None = None,
    ):
        self.course, self.chapter, self.names, self.books = course, chapter, names, books
        self.stop, self.zygote = stop, zygote
        self.directory = course.staging(chapter)
        self.converter = _Converter(coursedir=self.directory, parent=course.app)
        self.before, self.execution, self.after = _split(self.converter.autograde_preprocessors)
        for steps in (self.before, self._execute(), self.after):
            self._exporter(steps)  # a wrong setting ends the run here, not at every student

    def sanitise(self, submission: Submission) -> list[Path]:
        """Put a submission into staging, its locked cells as the instructor wrote them.

        Returns:
          The notebooks to execute.
        """
        student = submission.student
        self.directory.student_id = student
        remove(self._staged(student))
        notebooks = [str(path) for path in submission.notebooks()]
        with self.books.together():
            made = self.converter.sanitise(self.chapter, student, notebooks)
        return [self._staged(student) / name for name in made]

    def execute(self, path: Path) -> NotebookNode:
        """Return the staged notebook with its outputs. Any thread may call this."""
        exporter = self._exporter([*self.before, *self._execute()])
        text, _ = exporter.from_filename(str(path))
        return nbformat.reads(text, as_version=4)

    def record(self, submission: Submission, notebooks: dict[Path, NotebookNode]) -> None:
        """Write the scores to the gradebook; then, in one rename, the notebooks to autograded/."""
        student = submission.student
        self.directory.student_id = student
        # Scores half new must never look finished: the old work goes before the first is written.
        remove(self.course.folder("autograded", student, self.chapter))
        exporter = self._exporter(self.after)
        mark = {"submitted_sha256": submission.fingerprint()}
        # All scores are in the gradebook before the notebooks that say so are in autograded/.
        with self.books.together():
            for path, notebook in notebooks.items():
                notebook.metadata[MARK] = mark
                self.converter.record(path, notebook, exporter)
        self.converter.finish(self.chapter, student, [str(path) for path in notebooks])
        publish(self._staged(student), self.course.folder("autograded", student, self.chapter))

    def discard(self, submission: Submission) -> None:
        """Forget the staged work on a submission that could not be graded."""
        remove(self._staged(submission.student))

    def _staged(self, student: str) -> Path:
        directory = self.directory
        return Path(directory.format_path(directory.autograded_directory, student, self.chapter))

    def _exporter(self, steps: list) -> NotebookExporter:
        # An exporter asks for the settings by name: it does not take them from its parent.
        converter = self.converter
        exporter = converter.exporter_class(parent=converter, config=converter.config)
        exporter._preprocessors = []
        for step in steps:
            exporter.register_preprocessor(step)
        return exporter

    def _execute(self) -> list[Execute]:
        """Return the execution step, if the settings have one: a new one for each notebook."""
        exporter = self._exporter([])
        given = {"stop": self.stop, "zygote": self.zygote}
        return [Execute(parent=exporter, **given)] if self.execution else []


class _Converter(Autograde):
    """nbgrader's own converter, one step at a time."""

    def sanitise(self, chapter: str, student: str, notebooks: list[str]) -> list[str]:
        self._sanitizing = True
        self.notebooks = notebooks
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        self.run_pre_convert_hook()
        self.init_assignment(chapter, student)
        self._init_preprocessors()
        for notebook in self.notebooks:
            BaseConverter.convert_single_notebook(self, notebook)
        return [Path(notebook).name for notebook in self.notebooks]

    def record(self, path: Path, notebook: NotebookNode, exporter: NotebookExporter) -> None:
        self._sanitizing = False
        try:
            resources = self.init_single_notebook_resources(str(path))
            resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
            output, resources = exporter.from_notebook_node(notebook, resources=resources)
            self.write_single_notebook(output, resources)
        finally:
            self._sanitizing = True

    def finish(self, chapter: str, student: str, notebooks: list[str]) -> None:
        self.notebooks = notebooks
        self.set_permissions(chapter, student)
        self.run_post_convert_hook()


def _split(steps: list) -> tuple[list, bool, list]:
    """Return what comes before nbgrader's Execute, whether it is there, and what comes after."""
    steps = classes(steps)
    if preprocessors.Execute not in steps:
        return [], False, steps
    at = steps.index(preprocessors.Execute)
    return steps[:at], True, steps[at + 1 :]


def classes(steps: list) -> list:
    """Return preprocessors as classes; the settings may name them in words."""
    return [import_item(step) if isinstance(step, str) else step for step in steps]


def publish(staged: Path, final: Path) -> None:
    """Move a finished folder to its place in one rename: it is there complete, or not at all."""
    remove(final)
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.rename(final)


def remove(folder: Path) -> None:
    """Remove a folder that may not be there."""
    if folder.exists():
        rmtree(str(folder))
