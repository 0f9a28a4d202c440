"""Which notebook of which chapter a file is, by its name, and else by the cells in it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from autograder.authoring.chapter_list import in_course
from autograder.course_folders.course import Course
from autograder.course_folders.known_chapters import cells_of, chapters
from autograder.problem import Problem

# What browsers, Canvas and people put behind a name: (2), -1, _copy, " - Copy".
_AGAIN = re.compile(r"( ?\(\d{1,3}\)|-\d{1,2}|[ _-]*copy ?\d*)$", re.IGNORECASE)


def plain_stem(name: str) -> str:
    """Return a file's name without ".ipynb" and without what was put behind it."""
    stem = PurePosixPath(name).stem.strip()
    while (shorter := _AGAIN.sub("", stem).strip()) != stem and shorter:
        stem = shorter
    return stem.casefold()


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
            listed = ", ".join(in_course(course.root, known)) or "none"
            raise Problem(f"the zip does not tell the chapter: name it after FILE, one of {listed}")
        given = best[0]
    if given not in known:
        raise Problem(f"there is no chapter {given} in source/ or release/")
    return given, {name: cells_of(path.read_bytes()) for name, path in known[given].items()}
