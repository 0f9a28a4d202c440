"""nbgrader's own autograde, taken apart: its steps are called one at a time."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbconvert.writers import FilesWriter
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter

from autograder.course_folders.instructors_notebook import Instructors
from autograder.course_folders.restore import Restore
from autograder.course_folders.set_right import Seen
from autograder.marked_cells import by_name
from autograder.nbgrader.exporters import Exporters, classes
from autograder.releases import Earlier


class StepwiseAutograde(Autograde):
    """nbgrader's own converter, one step at a time."""

    def sanitise(self, chapter: str, student: str, notebooks: list[str]) -> list[str]:
        self._sanitizing = True
        self.notebooks = notebooks
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporters.of([self._restore, *classes(self.sanitize_preprocessors)])
        self.run_pre_convert_hook()
        self.init_assignment(chapter, student)
        for notebook in self.notebooks:
            BaseConverter.convert_single_notebook(self, notebook)
        return [Path(notebook).stem for notebook in self.notebooks]

    def instructors(self, chapter: str, names: Sequence[str]) -> dict[str, str]:
        """Return the instructor's notebooks, as JSON."""
        return {name: self._instructors(chapter, name).text for name in names}

    def given(self, chapter: str, name: str) -> frozenset[str]:
        """Return the hashes of the texts that students were given in a notebook."""
        return self._instructors(chapter, name).given

    def title(self, chapter: str, name: str) -> str:
        """Return the first heading of the instructor's notebook; "" if it has none."""
        return self._instructors(chapter, name).title

    def _instructors(self, chapter: str, name: str) -> Instructors:
        return self._restore.instructors(self.coursedir.db_url, chapter, name)

    def seen(self, names: Sequence[str]) -> dict[str, Seen]:
        """Return by notebook what the student had otherwise who was sanitised last."""
        return {name: self._restore.seen[name] for name in names if name in self._restore.seen}

    def missing(self, chapter: str, name: str, notebook: NotebookNode) -> list[str]:
        """Return the answers whose cell a notebook lacks."""
        there = by_name(notebook.cells)
        cells = self._instructors(chapter, name).originals.values()
        return [each.name for each in cells if each.solution and each.name not in there]

    @cached_property
    def exporters(self) -> Exporters:
        return Exporters(self)

    @cached_property
    def _restore(self) -> Restore:
        directory = self.coursedir
        source = directory.format_path(directory.source_directory, ".", directory.assignment_id)
        earlier = Earlier(Path(directory.root), directory.assignment_id)
        return Restore(Path(source), earlier, parent=self)

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
