"""Restores the parts of a notebook that a student may not change, before nbgrader reads it.

nbgrader puts back a locked cell's text and its points. But it drops a student whose cell has
changed flags, it obeys a tag that keeps a test from being run, and it lets locked cells without
points be deleted or moved. Here every cell of the assignment gets the instructor's flags again, and
every locked one its tags and its place (`locked_cells.py`). An honest notebook stays unchanged.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from autograder.course_folders.instructors_notebook import Instructors
from autograder.course_folders.known_again import FLAGS, SCHEMA, Original, mark_of
from autograder.course_folders.locked_cells import put_back
from autograder.course_folders.set_right import Came, Seen, handed_in, seen
from autograder.marked_cells import grade_id, mark_on
from autograder.releases import Earlier, digest

_KEYS = {*FLAGS, "schema_version", "grade_id", "points", "checksum", "cell_type"}


class Restore(NbGraderPreprocessor):
    """Gives the cells of the assignment their flags, tags and places back.

    Args:
      source: the folder of the instructor's notebooks. If it is missing, no cell of the
      assignment has a tag, and the order of the cells is the gradebook's.
      earlier: what is kept of the chapter's earlier releases.

    Attributes:
      seen: by notebook, what the last one of this name had otherwise than the course.
    """

    def __init__(self, source: Path, earlier: Earlier, **kwargs):
        super().__init__(**kwargs)
        self._source, self._earlier = source, earlier
        self._kept: dict[str, Instructors] = {}
        self.seen: dict[str, Seen] = {}

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        course = self.instructors(where["db_url"], where["assignment"], where["notebook"])
        originals = course.originals
        came = handed_in(nb)
        for cell in nb.cells:
            _restore(cell, originals)
        _forget_stubs(came.values(), course)
        put_back(nb, list(originals.values()), self._needed(originals), course.landmarks)
        self.seen[where["notebook"]] = seen(nb, came, course)
        for cell in nb.cells:
            _tag(cell, originals)
        return nb, resources

    def _needed(self, originals: Mapping[str, Original]) -> set[str]:
        """Return the names of the cells that must be there: locked ones, and answers in words."""
        answers_too = OverwriteCells(parent=self).add_missing_cells
        return {
            name
            for name, each in originals.items()
            if each.locked or each.is_read or (answers_too and (each.grade or each.task))
        }

    def instructors(self, url: str, assignment: str, name: str) -> Instructors:
        """Return the instructor's notebook. It does not change during a run: it is read once."""
        if name not in self._kept:
            path, clear = self._source / f"{name}.ipynb", ClearHiddenTests(parent=self)
            with Gradebook(url) as gradebook:
                notebook = gradebook.find_notebook(name, assignment)
                self._kept[name] = Instructors(path, notebook, clear, self._earlier)
        return self._kept[name]


def _forget_stubs(came: Iterable[Came], course: Instructors) -> None:
    """Give answers in words that are as an earlier release had them the present text.

    Else nbgrader would take the earlier text for the student's.
    """
    for each in came:
        original = course.originals.get(grade_id(each.cell))
        given = each.as_released or digest(each.text) in course.stubs
        if original and original.is_read and given:
            each.cell.source = original.source


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
