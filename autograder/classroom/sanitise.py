"""What a student may not change in a notebook is put back before nbgrader looks at it.

nbgrader puts back a locked cell's text and its points. Where a cell's own flags were changed it
drops the student, and it obeys a tag that keeps a test from being run. Here every cell of the
assignment gets the instructor's flags again, and every locked one the instructor's tags. An honest
notebook passes through unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, Notebook
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

__all__ = ["Restore"]

_SCHEMA = 3  # of nbgrader's metadata; a cell of another is for nbgrader to refuse
_FLAGS = ("grade", "solution", "task", "locked")
_KEYS = {*_FLAGS, "schema_version", "grade_id", "points", "checksum", "cell_type"}


@dataclass(frozen=True)
class _Original:
    """One cell as the instructor made it: what the gradebook and source/ say of it."""

    name: str
    cell_type: str
    source: str
    checksum: str | None
    locked: bool
    grade: bool
    solution: bool
    task: bool
    points: float | None
    tags: tuple[str, ...]


class Restore(NbGraderPreprocessor):
    """Gives the cells of the assignment their flags and tags back.

    Args:
      source: the folder of the instructor's notebooks; it may be missing, and then no cell of the
        assignment has a tag.
    """

    def __init__(self, source: Path, **kwargs):
        super().__init__(**kwargs)
        self._source = source
        self._kept: dict[str, tuple[dict[str, _Original], list[str]]] = {}

    def preprocess(self, nb, resources):
        originals, graded = self._originals(resources["nbgrader"])
        for cell in nb.cells:
            _restore(cell, originals)
        overwrite = OverwriteCells(parent=self)
        if overwrite.add_missing_cells:
            _add_missing(nb, originals, graded, overwrite)
        return nb, resources

    def _originals(self, where: Mapping[str, str]) -> tuple[dict[str, _Original], list[str]]:
        """Return a notebook's cells by grade_id in order, and the graded ones as nbgrader has them.

        They stay as they are during a run, so they are read once.
        """
        name = where["notebook"]
        if name not in self._kept:
            tags = _tags(self._source / f"{name}.ipynb")
            with Gradebook(where["db_url"]) as gradebook:
                found = gradebook.find_notebook(name, where["assignment"])
                self._kept[name] = _read(found, tags), [cell.name for cell in found.grade_cells]
        return self._kept[name]


def _read(notebook: Notebook, tags: Mapping[str, tuple[str, ...]]) -> dict[str, _Original]:
    tasks = {cell.name: cell.max_score for cell in notebook.task_cells}
    points = tasks | {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    return {
        cell.name: _Original(
            name=cell.name,
            cell_type=cell.cell_type,
            source=cell.source,
            checksum=cell.checksum,
            locked=cell.locked,
            grade=cell.name in points and cell.name not in tasks,
            solution=cell.name in solutions,
            task=cell.name in tasks,
            points=points.get(cell.name),
            tags=tags.get(cell.name, ()),
        )
        for cell in notebook.source_cells
    }


def _tags(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the tags of the instructor's cells, by grade_id."""
    if not path.exists():
        return {}
    cells = nbformat.read(path, as_version=4).cells
    return {
        cell.metadata.nbgrader["grade_id"]: tuple(cell.metadata.get("tags", ()))
        for cell in cells
        if cell.metadata.get("nbgrader", {}).get("grade_id")
    }


def _restore(cell: NotebookNode, originals: Mapping[str, _Original]) -> None:
    """Make a cell of the assignment what the instructor made it; leave all others."""
    mark = cell.metadata.get("nbgrader")
    if not mark or mark.get("schema_version") != _SCHEMA:
        return
    original = originals.get(mark.get("grade_id"))
    if original is None:
        # It says that it belongs to the assignment, and does not; or it is of no kind, and then
        # nbgrader would take its name away, and stumble over it.
        del cell.metadata["nbgrader"]
        return
    if cell.cell_type != original.cell_type:
        _change_type(cell, original.cell_type)
    if not _is_sound(cell, original):
        cell.metadata["nbgrader"] = _mark(original)
    if original.locked:
        cell.metadata.pop("tags", None)
        if original.tags:
            cell.metadata["tags"] = list(original.tags)


def _flags(cell: NotebookNode) -> list:
    """Return a cell's flags as nbgrader reads them."""
    return [is_grade(cell), is_solution(cell), is_task(cell), is_locked(cell)]


def _is_sound(cell: NotebookNode, original: _Original) -> bool:
    """Tell whether nbgrader can mend the rest: the text of a locked cell, and how many points."""
    mark = cell.metadata.nbgrader
    wanted = [getattr(original, name) for name in _FLAGS]
    # A 1 or a "yes" would do for nbgrader's functions, and not for its schema.
    same = all(found is flag for found, flag in zip(_flags(cell), wanted, strict=True))
    points = mark.get("points", 0 if original.points is None else None)
    counts = type(points) in (int, float) and 0 <= points < math.inf
    typed = mark.get("cell_type", original.cell_type) == original.cell_type
    return same and counts and typed and mark.keys() <= _KEYS


def _mark(original: _Original) -> NotebookNode:
    """Return the metadata that nbgrader gives such a cell."""
    mark = {name: getattr(original, name) for name in _FLAGS}
    mark |= {"grade_id": original.name, "schema_version": _SCHEMA}
    if original.points is not None:
        mark["points"] = original.points
    return NotebookNode(mark)


def _change_type(cell: NotebookNode, cell_type: str) -> None:
    """Make a code cell of a text cell, or the other way round, with what each may have."""
    cell.cell_type = cell_type
    for name in ("outputs", "execution_count", "attachments"):
        cell.pop(name, None)
    if cell_type == "code":
        cell.outputs, cell.execution_count = [], None


def _add_missing(
    nb: NotebookNode,
    originals: Mapping[str, _Original],
    graded: list[str],
    overwrite: OverwriteCells,
) -> None:
    """Put back the deleted tests that nbgrader cannot: those whose neighbor was deleted, too.

    nbgrader puts a test behind the cell that comes before it in the source, and needs that cell to
    be there, and to be a graded one or an answer.
    """
    order = list(originals)
    marks = [cell.metadata.get("nbgrader", {}) for cell in nb.cells]
    known = {mark.get("grade_id") for mark in marks if mark.get("grade") or mark.get("solution")}
    for name in [name for name in graded if name not in known]:
        place = order.index(name)
        if place and order[place - 1] not in known:
            original = originals[name]
            made = overwrite.missing_cell_transform(
                original, original.points, is_solution=original.solution
            )
            nb.cells.insert(_behind(nb, set(order[:place])), nbformat.from_dict(made))
        known.add(name)


def _behind(nb: NotebookNode, names: set[str]) -> int:
    """Return the place behind the last of these cells; at the end when there is none."""
    places = [
        place
        for place, cell in enumerate(nb.cells, start=1)
        if cell.metadata.get("nbgrader", {}).get("grade_id") in names
    ]
    return max(places, default=len(nb.cells))
