"""The notebooks of all chapters, and which of them a file is, by the names of its cells."""

import json
from pathlib import Path
from typing import Any

from autograder.marked_cells import by_name, mark_on
from autograder.nbgrader.course import Course

_MARK = b"\xef\xbb\xbf"  # that some editors put in front of UTF-8
_SHARE = 1 / 2  # of a notebook's cells: who has more of them has that notebook


def without_mark(content: bytes) -> bytes:
    """Return a file's bytes without a byte order mark, which no notebook may have."""
    return content.removeprefix(_MARK)


def cells_of(content: bytes) -> set[str]:
    """Return the names of a notebook's cells; none if it cannot be read."""
    return set(by_name(_cells(content)))


def chapters(course: Course) -> dict[str, dict[str, Path]]:
    """Return the notebooks of source/, or of release/, by chapter and name."""
    found: dict[str, dict[str, Path]] = {}
    for step in ("release", "source"):
        for path in sorted(course.folder(step, ".", "*").parent.glob("*/*.ipynb")):
            found.setdefault(path.parent.name, {})[path.stem] = path
    return found


def has_no_exercises(course: Course, chapter: str) -> bool:
    """Tell whether the chapter is there, and nothing in it gives points."""
    contents = [path.read_bytes() for path in chapters(course).get(chapter, {}).values()]
    marks = [mark_on(cell) for each in contents for cell in _cells(each)]
    return bool(contents) and not any(mark.get("grade") or mark.get("task") for mark in marks)


def strange(course: Course, chapter: str, name: str, content: bytes) -> str:
    """Return what a file is that was handed in under a chapter's name, and is not that chapter's.

    Returns:
      The end of a sentence, as "is the notebook of 04_composition"; "" if it may be the right one.
    """
    try:
        found = json.loads(without_mark(content))
    except (ValueError, RecursionError):  # grading says what is wrong with it
        return ""
    if not isinstance(found, dict) or "cells" not in found:  # as in format 3
        return ""
    if not any("".join(map(str, cell.get("source", ""))).strip() for cell in _cells(content)):
        return "has no cells, or nothing in them"
    cells = cells_of(content)
    shares = {
        (other, stem): len(cells & own) / len(own)
        for other, notebooks in chapters(course).items()
        for stem, path in notebooks.items()
        if (own := cells_of(path.read_bytes()))
    }
    likely = max(shares, key=shares.__getitem__, default=(chapter, name))
    own = shares.get((chapter, name), 0)
    if likely[0] == chapter or shares[likely] <= _SHARE or own >= _SHARE:
        return ""
    return f"is the notebook of {likely[0]}"


def _cells(content: bytes) -> list[dict[str, Any]]:
    """Return a notebook's cells, as they stand in the file; none if it cannot be read."""
    try:
        cells = json.loads(without_mark(content))["cells"]
        return [cell for cell in cells if isinstance(cell["metadata"], dict)]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
