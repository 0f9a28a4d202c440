"""Who read which answer, and what they gave: reports/.reading_CHAPTER.jsonl, a line a reading.

nbgrader's gradebook has one score and one comment for an answer, and not who gave them. Lines are
only ever added: what a reader has sent is not lost when another one sends something else.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace

from autograder.course_folders.course import Course

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

ELSEWHERE = ""  # the reader of points that came by Formgrader or a table


@dataclass(frozen=True)
class Reading:
    """One reader's points and comment for one answer.

    Attributes:
      sent: the page's own name for it: what is sent twice is one reading.
      work: a hash of the answer that was read.
      halves: by place of a rubric's item, how many halves of its points are given.
      decides: whether it settles that readers disagreed.
      kept: the score and the comment that the gradebook has with it.
    """

    sent: str
    reader: str
    student: str
    notebook: str
    cell: str
    work: str
    points: float
    comment: str = ""
    halves: tuple[int, ...] = ()
    decides: bool = False
    time: str = ""
    kept: tuple[float | None, str] = (None, "")

    @property
    def answer(self) -> tuple[str, str, str]:
        """The answer that was read: student, notebook, cell."""
        return self.student, self.notebook, self.cell


@dataclass(frozen=True)
class GivenPoints:
    """What readers gave for an answer as it is now.

    Attributes:
      given: the readings, by reader.
      before: the last reading of work that was handed in before.
    """

    given: dict[str, Reading] = field(default_factory=dict)
    before: Reading | None = None

    @property
    def differ(self) -> bool:
        """Tell whether readers gave different points."""
        return len({each.points for each in self.given.values()}) > 1

    def with_reading(self, reading: Reading) -> "GivenPoints":
        """Return what is given after one more reading; a decision stands for all who have read."""
        others = self.given
        if reading.decides:
            same = {name: getattr(reading, name) for name in ("points", "halves", "comment")}
            others = {reader: replace(each, **same) for reader, each in others.items()}
        return replace(self, given={**others, reading.reader: reading})


def standing(readings: Sequence[Reading], work: str) -> GivenPoints:
    """Return what the readings of one answer, in the order of sending, come to."""
    found = GivenPoints()
    for each in readings:
        found = found.with_reading(each) if each.work == work else replace(found, before=each)
    return found


def merged(comments: Sequence[str]) -> str:
    """Return comments as one, each of them once."""
    return "\n\n".join(dict.fromkeys(each.strip() for each in comments if each.strip()))


class ReadingLog:
    """The file of a chapter's readings; several programs may add to it at the same time."""

    def __init__(self, course: Course, chapter: str):
        self.path = course.root / "reports" / f".reading_{chapter}.jsonl"

    def read(self) -> list[Reading]:
        """Return all readings; a line that a full disk or a crash has cut is left out."""
        try:
            lines = self.path.read_text("utf-8", "replace").splitlines()
        except FileNotFoundError:
            return []
        return [found for line in lines if line.strip() and (found := _read(line))]

    def add(self, reading: Reading) -> None:
        """Add a reading; it is on the disk when this returns."""
        line = json.dumps(asdict(reading), ensure_ascii=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        number = os.open(self.path, flags, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(f"\n{line}\n".encode())  # on a line of its own, whatever was cut before
            file.flush()
            os.fsync(file.fileno())

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other reader's program write between a look and an addition."""
        self.path.parent.mkdir(exist_ok=True)
        if fcntl is None:
            yield
            return
        number = os.open(self.path.with_suffix(".lock"), os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(number, "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _read(line: str) -> Reading | None:
    try:
        given = json.loads(line)
        lists = {name: tuple(given[name]) for name in ("halves", "kept")}
        return Reading(**{**given, **lists})
    except (ValueError, TypeError, KeyError):
        return None
