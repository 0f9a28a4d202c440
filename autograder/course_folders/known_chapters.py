"""The notebooks of all chapters, and which of them a file is, by the names of its cells."""

import json
from pathlib import Path
from typing import Any

from autograder.course_folders.course import Course, GradingError
from autograder.marked_cells import by_name, gives_points

_MARK = b"\xef\xbb\xbf"  # that some editors put in front of UTF-8
_SHARE = 1 / 2  # of a notebook's named cells: with more of them, a file is that notebook


def without_mark(content: bytes) -> bytes:
    """Return a file's bytes without a byte order mark, which no notebook may have."""
    return content.removeprefix(_MARK)


def damage(content: bytes) -> str:
    """Return the end of a sentence on a file that is no notebook, as one cut off; "" if it is."""
    found = _parsed(content)
    whole = isinstance(found, dict) and found.keys() & {"cells", "worksheets"}  # format 4, and 3
    return "" if whole else "is no whole notebook, as if it were cut off or damaged"


def cells_of(content: bytes) -> set[str]:
    """Return the names of a notebook's cells; none if it cannot be read."""
    return set(by_name(_cells(_parsed(content))))


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
    cells = [cell for each in contents for cell in _cells(_parsed(each))]
    return bool(contents) and not any(map(gives_points, cells))


def refuse_without_exercises(course: Course, chapter: str) -> None:
    """Raise GradingError if the chapter is there, and nothing in it gives points."""
    if has_no_exercises(course, chapter):
        raise GradingError(f"{chapter} has no exercises: nothing of it is graded")


def strange(course: Course, chapter: str, name: str, content: bytes) -> str:
    """Return what a file is that was handed in under a chapter's name, and is not that chapter's.

    Returns:
      The end of a sentence, as "is the notebook of 04_composition"; "" if it may be the right one.
    """
    found = _parsed(content)
    if not isinstance(found, dict) or "cells" not in found:  # grading says what is wrong with it
        return ""
    cells = _cells(found)
    if not any("".join(map(str, cell.get("source", ""))).strip() for cell in cells):
        return "has no cells, or nothing in them"
    names, known = set(by_name(cells)), chapters(course)
    # Nearly everybody's is the right one: the notebooks of other chapters are not read for it.
    if name in known.get(chapter, {}) and _share(names, known[chapter][name]) >= _SHARE:
        return ""
    shares = {
        (other, stem): _share(names, path)
        for other, notebooks in known.items()
        for stem, path in notebooks.items()
    }
    likely = max(shares, key=shares.__getitem__, default=(chapter, name))
    if likely[0] == chapter or shares[likely] <= _SHARE:
        return ""
    return f"is the notebook of {likely[0]}"


def _share(names: set[str], path: Path) -> float:
    """Return which part of a notebook's cells these are; 0 for one without named cells."""
    own = cells_of(path.read_bytes())
    return len(names & own) / len(own) if own else 0.0


def _parsed(content: bytes) -> Any:
    """Return what a notebook's file holds; None if it cannot be read."""
    try:
        return json.loads(without_mark(content))
    except (ValueError, RecursionError):
        return None


def _cells(notebook: Any) -> list[dict[str, Any]]:
    """Return a notebook's cells, as they stand in the file; none if it is no notebook."""
    try:
        return [cell for cell in notebook["cells"] if isinstance(cell["metadata"], dict)]
    except (KeyError, TypeError):
        return []
