"""nbgrader's marks on the cells of a notebook, where a student's file may hold anything at all."""

from collections.abc import Iterable, Mapping
from typing import Any


def mark_on(cell: Mapping[str, Any]) -> dict[str, Any]:
    """Return nbgrader's mark on a cell; an empty one if nothing there is a mark."""
    found = cell["metadata"].get("nbgrader")
    return found if isinstance(found, dict) else {}


def grade_id(cell: Mapping[str, Any]) -> str | None:
    """Return the name in a cell's mark; None if there is none."""
    name = mark_on(cell).get("grade_id")
    return name if isinstance(name, str) and name else None


def cell_name(notebook: str, name: str, *, several: bool) -> str:
    """Return the name of a cell in a chapter: its grade_id, or NOTEBOOK/grade_id.

    Args:
      several: whether the chapter has several notebooks.
    """
    return f"{notebook}/{name}" if several else name


def gives_points(cell: Mapping[str, Any]) -> bool:
    """Tell whether a cell is a test, an answer that a person reads, or a task."""
    mark = mark_on(cell)
    return bool(mark.get("grade") or mark.get("task"))


def by_name(cells: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the cells that have a name, by it, in order; the last one of each name."""
    return {name: cell for cell in cells if (name := grade_id(cell))}


def is_test(cell: Mapping[str, Any]) -> bool:
    """Tell whether the machine gives the points for a cell."""
    mark = mark_on(cell)
    return bool(mark.get("grade") and not mark.get("solution")) and cell["cell_type"] == "code"
