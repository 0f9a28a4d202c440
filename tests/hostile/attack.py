"""The definition of an attack, and of its observed result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import class_under_attack as course
import nbformat
from nbformat import NotebookNode

TOKEN = "token-of-the-instructor"  # a secret in the grader's environment
HONEST = ("aa_honest", "mm_honest", "zz_honest")  # before, among and after the attackers
VICTIM = HONEST[-1]


@dataclass(frozen=True)
class World:
    """Where an attack took place, after the grader has ended."""

    root: Path
    home: Path
    student: str
    chapter: str
    heard: bytes  # what a listener on this machine was sent
    said: str  # what the grader printed

    def path(self, step: str, student: str = "", suffix: str = "ipynb") -> Path:
        name = f"{self.chapter}.{suffix}"
        return self.root / step / (student or self.student) / self.chapter / name

    def outputs(self, student: str = "") -> str:
        """Return all that the student's graded notebook shows."""
        path = self.path("autograded", student)
        if not path.exists():
            return ""
        cells = nbformat.read(path, as_version=4).cells
        return "".join(json.dumps(cell.get("outputs", [])) for cell in cells)


def harmless(world: World) -> str:
    """Look for no harm beside the score."""
    return ""


@dataclass(frozen=True)
class Attack:
    """One submission that does what it should not.

    Attributes:
      name: the student's.
      does: what it does, in one sentence.
      plain: what plain nbgrader makes of it, in the table's words.
      ours: what `autograder grade` makes of it.
      code: added to the first answer. PORT and ROOT stand for the listener's port and the course.
      friend: the first answer's code of a student who is graded later.
      answers: other answers than the wrong ones, by name.
      change: gives the notebook that is handed in, or its bytes.
      place: puts files into the submission's folder.
      harm: what harm was done, in words; "" for none.
      alone: whether plain nbgrader gets a course of its own for it: it would harm the others.
      feedback: whether plain nbgrader makes feedback pages too.
      patience: seconds after which plain nbgrader is taken to have no end; 0 for the usual ones.
      sometimes: what may be seen in place of `plain` and `ours`, where the moment decides.
    """

    name: str
    does: str
    plain: str
    ours: str
    code: str = ""
    friend: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    chapter: str = course.COURSE
    change: Callable[[NotebookNode], NotebookNode | bytes] | None = None
    place: Callable[[Path], None] | None = None
    harm: Callable[[World], str] = harmless
    alone: bool = False
    feedback: bool = False
    patience: float = 0
    sometimes: Mapping[str, str] = field(default_factory=dict)

    def usual(self, grader: str, words: str) -> str:
        """Return what was seen, in the usual words where the moment decides between two."""
        return getattr(self, grader) if words == self.sometimes.get(grader) else words

    def hand_in(self, root: Path, port: int) -> None:
        """Write the submission, and the friend's."""
        self._write(root, port, self.name, self.code, self.change, self.place)
        if self.friend:
            self._write(root, port, self.friend_name, self.friend)

    @property
    def friend_name(self) -> str:
        return f"{self.name}_friend"

    def _write(self, root, port, student, code, change=None, place=None) -> None:
        first = next(name for name in course.WRONG if name in course.answers(self.chapter))
        code = code.replace("PORT", str(port)).replace("ROOT", str(root))
        given = {first: course.WRONG[first] + code, **self.answers}
        notebook = course.wrong(root, self.chapter, **given)
        folder = course.hand_in(
            root, student, self.chapter, change(notebook) if change else notebook
        )
        if place:
            place(folder)


@dataclass(frozen=True)
class Seen:
    """What one grader made of one attack."""

    score: float | None  # None: not graded
    harm: str = ""
    reason: str = ""
    flagged: bool = False
    batch: str = ""  # what became of the others, where that is not what they deserve

    def words(self) -> str:
        """Return what the table says."""
        score = "no score" if self.score is None else f"{self.score:g} / {course.POINTS}"
        if self.flagged:
            score += ", flagged"
        parts = [self.harm, self.batch, score + (f" ({self.reason})" if self.reason else "")]
        return "; ".join(part for part in parts if part)


@dataclass
class Measured:
    """What was seen in one run of one grader, by attack."""

    seen: dict[str, Seen] = field(default_factory=dict)
    honest: list[float | None] = field(default_factory=list)  # the scores of those who are right
    finished: bool = True

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def read(cls, path: Path) -> Measured:
        return cls.of(json.loads(path.read_text("utf-8")))

    @classmethod
    def of(cls, found: dict) -> Measured:
        """Return what `dataclasses.asdict` made of it."""
        found = dict(found)
        seen = {name: Seen(**each) for name, each in found.pop("seen").items()}
        return cls(seen=seen, **found)
