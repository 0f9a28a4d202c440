"""Which notebook of which chapter a file is, by its name, and else by the cells in it."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from autograder.marked_cells import by_name
from autograder.nbgrader.course import Course
from autograder.problem import Problem

# What browsers, Canvas and people put behind a name: (2), -1, _copy, " - Copy".
_AGAIN = re.compile(r"( ?\(\d{1,3}\)|-\d{1,2}|[ _-]*copy ?\d*)$", re.IGNORECASE)
_MARK = b"\xef\xbb\xbf"  # that some editors put in front of UTF-8


def plain_stem(name: str) -> str:
    """Return a file's name without ".ipynb" and without what was put behind it."""
    stem = PurePosixPath(name).stem.strip()
    while (shorter := _AGAIN.sub("", stem).strip()) != stem and shorter:
        stem = shorter
    return stem.casefold()


def without_mark(content: bytes) -> bytes:
    """Return a file's bytes without a byte order mark, which no notebook may have."""
    return content.removeprefix(_MARK)


def cells_of(content: bytes) -> set[str]:
    """Return the names of a notebook's cells; none if it cannot be read."""
    try:
        cells = json.loads(without_mark(content))["cells"]
        return set(by_name(cells))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return set()


def chapters(course: Course) -> dict[str, dict[str, Path]]:
    """Return the notebooks of source/, or of release/, by chapter and name."""
    found: dict[str, dict[str, Path]] = {}
    for step in ("release", "source"):
        for path in sorted(course.folder(step, ".", "*").parent.glob("*/*.ipynb")):
            found.setdefault(path.parent.name, {})[path.stem] = path
    return found


def chapter_of(
    course: Course, given: str | None, names: Iterable[str]
) -> tuple[str, Mapping[str, set[str]]]:
    """Return a chapter, and the names of the cells of each of its notebooks.

    Args:
      given: the chapter that was named; None takes the one that most files are called after.
      names: of the files.

    Raises:
      Problem: there is no such chapter, or the files do not tell.
    """
    known = chapters(course)
    listed = ", ".join(sorted(known)) or "none"
    if given is None and len(known) == 1:
        (given,) = known
    if given is None:
        stems = Counter(map(plain_stem, names))
        votes = {
            chapter: sum(stems[name.casefold()] for name in notebooks)
            for chapter, notebooks in known.items()
        }
        best = [each for each, count in votes.items() if count and count == max(votes.values())]
        if len(best) != 1:
            raise Problem(f"the zip does not tell the chapter: name it after FILE, one of {listed}")
        given = best[0]
    if given not in known:
        raise Problem(f"there is no chapter {given} in source/ or release/; there are {listed}")
    return given, {name: cells_of(path.read_bytes()) for name, path in known[given].items()}
