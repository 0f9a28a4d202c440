"""Says which cells of the course a student's notebook had otherwise, before they were set right.

It accuses nobody: a cell is quickly deleted by mistake, and an editor may lose nbgrader's marks.
A cell that is as some release had it is not named, so that points or tests may change in between:
nbgrader's checksum says so. Who computes a new checksum is not named either, and gains nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.course_folders.locked_cells import FLAGS, SCHEMA, Original
from autograder.marked_cells import by_name, grade_id, mark_on
from autograder.printable import cut

_LONGEST = 80  # characters of a name that a student gave
_MISSING, _UNMARKED, _TEXT = "missing", "without its mark", "another text"
_MARKED, _ADDED = "another mark", "added with a mark"


class _Came(NamedTuple):
    """A cell as it was handed in. While it is kept, no other object gets its `id()`."""

    cell: NotebookNode
    name: str | None
    mark: Mapping
    text: str
    as_released: bool


def handed_in(nb: NotebookNode) -> dict[int, _Came]:
    """Return what a notebook's cells are before anything is set right, by their `id()`."""
    return {
        id(cell): _Came(
            cell, grade_id(cell), dict(mark_on(cell)), cell.source, _is_as_released(cell)
        )
        for cell in nb.cells
    }


def set_right(
    nb: NotebookNode,
    came: Mapping[int, _Came],
    originals: Iterable[Original],
    released: Mapping[str, str],
) -> dict[str, str]:
    """Return the cells that were not as in the course, by name, and what was different.

    Args:
      nb: the notebook in which all is as it must be.
      came: what `handed_in` returned of it.
      originals: the cells of the assignment.
      released: by name, the text of the locked ones without hidden tests.
    """
    there = by_name(nb.cells)
    known = {each.name: each for each in originals}
    found = {}
    for name, original in known.items():
        if name in there:  # else it is an answer: whose cell is missing is said elsewhere
            words = _words(came.get(id(there[name])), original, released.get(name))
            found |= {name: words} if words else {}
    placed = {id(cell) for cell in there.values()}
    for place, each in came.items():
        if place not in placed and each.name not in known and _claims(each):
            found[cut(each.name, _LONGEST)] = _ADDED
    return found


def _words(came: _Came | None, original: Original, released: str | None) -> str:
    """Return what of a cell was different; "" if nothing was."""
    if came is None:
        return _MISSING
    if not came.mark:
        return _UNMARKED
    if came.name != original.name or _flags(came.mark) != _flags(vars(original)):
        return _MARKED
    if came.as_released:
        return ""
    texts = (_lines(original.source), _lines(released or ""))
    if original.locked and _lines(came.text) not in texts:
        return _TEXT
    kind = came.mark.get("cell_type", original.cell_type)
    same = kind == original.cell_type == came.cell.cell_type
    # No checksum fits an answer that was written: other points may be those of an older release.
    points = came.mark.get("points", 0) if original.locked else original.points
    return "" if same and (points or 0) == (original.points or 0) else _MARKED


def _flags(mark: Mapping) -> list:
    return [mark.get(name, False) for name in FLAGS]


def _claims(came: _Came) -> bool:
    """Tell whether a cell says that it is a test, an answer or another cell of the course."""
    of_course = came.mark.get("schema_version") == SCHEMA and any(_flags(came.mark))
    return bool(came.name) and of_course and not came.as_released


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def _is_as_released(cell: NotebookNode) -> bool:
    """Tell whether a cell is as nbgrader wrote it for students, at whatever time."""
    try:
        return mark_on(cell).get("checksum") == compute_checksum(cell)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return False  # it has no mark, or one that says anything at all
