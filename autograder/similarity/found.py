"""What a comparison of a class's answers has found, kept for the report."""

import json
from dataclasses import dataclass
from pathlib import Path

from autograder.course_folders.course import Course


@dataclass(frozen=True)
class AlikePair:
    """Two students.

    Attributes:
      share: of the shorter one's own text, the part that is alike.
      excerpts: the longest part that is alike, as each has written it.
      kind: "code" or "words".
    """

    one: str
    other: str
    share: float
    excerpts: tuple[str, str]
    kind: str = "code"


@dataclass(frozen=True)
class Similar:
    """What was found in a class.

    Attributes:
      students: how many were compared.
      unread: whose notebooks could not be read.
      earlier: how many answers of earlier terms they were compared with.
    """

    students: int
    pairs: tuple[AlikePair, ...]
    unread: tuple[str, ...] = ()
    earlier: int = 0


def file_of(course: Course, chapter: str) -> Path:
    """Return where the findings on a chapter are kept."""
    return course.root / "reports" / f".similar_{chapter}.json"


def read(course: Course, chapter: str) -> Similar | None:
    """Return what the last comparison has found; None if there was none."""
    try:
        kept = json.loads(file_of(course, chapter).read_text("utf-8"))
        pairs = tuple(AlikePair(**each) for each in kept["pairs"])
        return Similar(kept["students"], pairs, tuple(kept["unread"]), kept.get("earlier", 0))
    except (OSError, ValueError, KeyError, TypeError):
        return None
