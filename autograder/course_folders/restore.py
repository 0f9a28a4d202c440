"""Restores the parts of a notebook that a student may not change, before nbgrader reads it.

nbgrader puts back a locked cell's text and its points. But it drops a student whose cell has
changed flags, it obeys a tag that keeps a test from being run, and it lets locked cells without
points be deleted or moved. Here every cell of the assignment gets the instructor's flags again, and
every locked one its tags and its place (`locked_cells.py`). An honest notebook stays unchanged.
"""

import math
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, Notebook
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from autograder.course_folders.locked_cells import FLAGS, SCHEMA, Original, made, mark_of, put_back
from autograder.course_folders.set_right import handed_in, set_right
from autograder.marked_cells import by_name, grade_id, mark_on

_KEYS = {*FLAGS, "schema_version", "grade_id", "points", "checksum", "cell_type"}


class Restore(NbGraderPreprocessor):
    """Gives the cells of the assignment their flags, tags and places back.

    Args:
      source: the folder of the instructor's notebooks. If it is missing, no cell of the
      assignment has a tag, and the order of the cells is the gradebook's.

    Attributes:
      set_right: by notebook, the cells that the last one of this name had otherwise, and how.
    """

    def __init__(self, source: Path, **kwargs):
        super().__init__(**kwargs)
        self._source = source
        self._kept: dict[str, dict[str, Original]] = {}
        self._texts: dict[str, str] = {}
        self._without: dict[str, dict[str, str]] = {}
        self.set_right: dict[str, dict[str, str]] = {}

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        originals = self._originals(where["db_url"], where["assignment"], where["notebook"])
        came = handed_in(nb)
        for cell in nb.cells:
            _restore(cell, originals)
        answers_too = OverwriteCells(parent=self).add_missing_cells
        needed = {
            name
            for name, each in originals.items()
            if each.locked or (answers_too and (each.grade or each.task))
        }
        put_back(nb, list(originals.values()), needed)
        texts = self._released(where["notebook"], originals)
        self.set_right[where["notebook"]] = set_right(nb, came, originals.values(), texts)
        for cell in nb.cells:
            _tag(cell, originals)
        return nb, resources

    def instructors(self, url: str, assignment: str, name: str) -> str:
        """Return the instructor's notebook, as JSON.

        If source/ is missing, it holds the cells that the gradebook knows: the locked ones, and
        the released text of the answers.
        """
        if name not in self._texts:
            path = self._source / f"{name}.ipynb"
            if path.exists():
                self._texts[name] = path.read_text("utf-8")
            else:
                cells = map(made, self._originals(url, assignment, name).values())
                self._texts[name] = nbformat.writes(new_notebook(cells=list(cells)))
        return self._texts[name]

    def answers(self, url: str, assignment: str, name: str) -> list[str]:
        """Return the names of a notebook's answers."""
        return [
            each.name for each in self._originals(url, assignment, name).values() if each.solution
        ]

    def _released(self, name: str, originals: Mapping[str, Original]) -> dict[str, str]:
        """Return the text of a notebook's locked cells as students have it: without hidden tests.

        It does not change during a run, so it is made once.
        """
        if name not in self._without:
            cells = {each.name: made(each) for each in originals.values() if each.locked}
            clear = ClearHiddenTests(parent=self)
            for cell in cells.values():
                clear._remove_hidden_test_region(cell)
            self._without[name] = {each: cell.source for each, cell in cells.items()}
        return self._without[name]

    def _originals(self, url: str, assignment: str, name: str) -> dict[str, Original]:
        """Return a notebook's cells by grade_id, in the instructor's order.

        They do not change during a run, so they are read once.
        """
        if name not in self._kept:
            instructors = _cells(self._source / f"{name}.ipynb")
            with Gradebook(url) as gradebook:
                self._kept[name] = _read(gradebook.find_notebook(name, assignment), instructors)
        return self._kept[name]


def _read(notebook: Notebook, instructors: Mapping[str, NotebookNode]) -> dict[str, Original]:
    tasks = {cell.name: cell.max_score for cell in notebook.task_cells}
    points = tasks | {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    order = {name: place for place, name in enumerate(instructors)}
    cells = sorted(notebook.source_cells, key=lambda cell: order.get(cell.name, len(order)))
    found = {}
    for cell in cells:
        own = instructors.get(cell.name, NotebookNode(metadata={}))
        found[cell.name] = Original(
            name=cell.name,
            cell_type=cell.cell_type,
            source=cell.source,
            locked=cell.locked,
            grade=cell.name in points and cell.name not in tasks,
            solution=cell.name in solutions,
            task=cell.name in tasks,
            points=points.get(cell.name),
            tags=tuple(own.metadata.get("tags", ())),
            cell_id=own.get("id", ""),
        )
    return found


def _cells(path: Path) -> dict[str, NotebookNode]:
    """Return the cells of an instructor's notebook that have a mark, by grade_id, in order."""
    if not path.exists():
        return {}
    return by_name(nbformat.read(path, as_version=4).cells)


def _restore(cell: NotebookNode, originals: Mapping[str, Original]) -> None:
    """Give a cell of the assignment the instructor's flags; leave all others."""
    if mark_on(cell).get("schema_version") != SCHEMA:
        return
    original = originals.get(grade_id(cell))
    if original is None:
        # The cell claims to belong to the assignment and does not; or it has no kind, and then
        # nbgrader would remove its name and fail on it.
        del cell.metadata["nbgrader"]
        return
    if cell.cell_type != original.cell_type:
        _change_type(cell, original.cell_type)
    if not _is_sound(cell, original):
        cell.metadata["nbgrader"] = mark_of(original)


def _tag(cell: NotebookNode, originals: Mapping[str, Original]) -> None:
    """Give a locked cell the instructor's tags."""
    original = originals.get(grade_id(cell))
    if original and original.locked:
        cell.metadata.pop("tags", None)
        if original.tags:
            cell.metadata["tags"] = list(original.tags)


def _flags(cell: NotebookNode) -> list:
    """Return a cell's flags as nbgrader reads them."""
    return [is_grade(cell), is_solution(cell), is_task(cell), is_locked(cell)]


def _is_sound(cell: NotebookNode, original: Original) -> bool:
    """Tell whether nbgrader can mend the rest: the text of a locked cell, and how many points."""
    mark = cell.metadata.nbgrader
    wanted = [getattr(original, name) for name in FLAGS]
    # nbgrader's functions accept a 1 or a "yes", its schema does not.
    same = all(found is flag for found, flag in zip(_flags(cell), wanted, strict=True))
    points = mark.get("points", 0 if original.points is None else None)
    counts = type(points) in (int, float) and 0 <= points < math.inf
    typed = mark.get("cell_type", original.cell_type) == original.cell_type
    return same and counts and typed and mark.keys() <= _KEYS


def _change_type(cell: NotebookNode, cell_type: str) -> None:
    """Turn a text cell into a code cell, or the reverse, with the fields that its type allows."""
    cell.cell_type = cell_type
    for name in ("outputs", "execution_count", "attachments"):
        cell.pop(name, None)
    if cell_type == "code":
        cell.outputs, cell.execution_count = [], None
