"""Says which cells of the course a student's notebook had otherwise, before they were set right.

It accuses nobody: a cell is quickly deleted by mistake, and an editor may lose nbgrader's marks.
A cell that is as some release had it is not named, so that points or tests may change in between:
nbgrader's checksum says so. Who computes a new checksum is not named either, and gains nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution, is_task

from autograder.course_folders.instructors_notebook import Instructors
from autograder.course_folders.known_again import FLAGS, SCHEMA, Original
from autograder.marked_cells import by_name, grade_id, mark_on
from autograder.printable import cut
from autograder.releases import flagged

_LONGEST = 80  # characters of a name that a student gave
MISSING, _UNMARKED, _TEXT = "missing", "without its mark", "another text"
_MARKED, _ADDED = "another mark", "added with a mark"


class Came(NamedTuple):
    """A cell as it was handed in. While it is kept, no other object gets its `id()`."""

    cell: NotebookNode
    name: str | None
    mark: Mapping
    text: str
    as_released: bool


def handed_in(nb: NotebookNode) -> dict[int, Came]:
    """Return what a notebook's cells are before anything is set right, by their `id()`."""
    return {
        id(cell): Came(
            cell, grade_id(cell), dict(mark_on(cell)), cell.source, _is_as_released(cell)
        )
        for cell in nb.cells
    }


class Seen(NamedTuple):
    """What a notebook had otherwise than the course.

    Attributes:
      set_right: the cells that were not as in the course, by name, and what was different.
      later: the cells that came after the release which the notebook is of.
    """

    set_right: dict[str, str] = {}  # noqa: RUF012
    later: frozenset[str] = frozenset()


def seen(nb: NotebookNode, came: Mapping[int, Came], course: Instructors) -> Seen:
    """Return what a notebook had otherwise than the course.

    Args:
      nb: the notebook in which all is as it must be.
      came: what `handed_in` returned of it.
      course: the instructor's.
    """
    there = by_name(nb.cells)
    later = course.later({each.name for each in came.values() if each.name})
    found = {}
    for name, original in course.originals.items():
        # Whose answer's cell is missing is said elsewhere.
        if name in there and name not in later:
            words = _words(came.get(id(there[name])), original, course.ever)
            found |= {name: words} if words else {}
    placed = {id(cell) for cell in there.values()}
    for place, each in came.items():
        if place not in placed and each.name not in course.originals and _claims(each, course):
            found[cut(each.name, _LONGEST)] = _ADDED
    return Seen(found, later)


def _words(came: Came | None, original: Original, ever: frozenset[str]) -> str:
    """Return what of a cell was different; "" if nothing was.

    Args:
      ever: names and flags that earlier releases' cells had.
    """
    if came is None:
        return MISSING
    if not came.mark:
        return _UNMARKED
    own = _lines(came.text) in (_lines(original.source), _lines(original.released or ""))
    if own and _without_checksum(came.mark) == _without_checksum(original.own_mark):
        return ""
    if came.as_released and came.name == original.name:
        return ""
    if came.name != original.name:
        return _MARKED
    if _flags(came.mark) != [getattr(original, name) for name in FLAGS]:
        return "" if _flagged(came) in ever else _MARKED
    if original.locked and not own:
        return _TEXT
    kind = came.mark.get("cell_type", original.cell_type)
    same = kind == original.cell_type == came.cell.cell_type
    # No checksum fits an answer that was written: other points may be those of an older release.
    points = came.mark.get("points", 0) if original.locked else original.points
    return "" if same and (points or 0) == (original.points or 0) else _MARKED


def _without_checksum(mark: Mapping) -> dict:
    return {key: each for key, each in mark.items() if key != "checksum"}


def _flags(mark: Mapping) -> list[bool]:
    """Return a cell's flags as nbgrader reads them: a test is locked, whatever its mark says."""
    cell = NotebookNode(metadata={"nbgrader": {name: mark.get(name, False) for name in FLAGS}})
    return [is_grade(cell), is_solution(cell), is_task(cell), is_locked(cell)]


def _flagged(came: Came) -> str:
    return flagged({"metadata": {"nbgrader": came.mark}})


def _claims(came: Came, course: Instructors) -> bool:
    """Tell whether a cell says that it is a test, an answer or another cell of the course."""
    of_course = came.mark.get("schema_version") == SCHEMA and any(_flags(came.mark))
    known = came.as_released or _flagged(came) in course.ever
    return bool(came.name) and of_course and not known


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def _is_as_released(cell: NotebookNode) -> bool:
    """Tell whether a cell is as nbgrader wrote it for students, at whatever time."""
    try:
        return mark_on(cell).get("checksum") == compute_checksum(cell)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return False  # it has no mark, or one that says anything at all
