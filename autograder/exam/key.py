"""An exam's key: the secret from which each student's tasks are drawn.

It is one file, exams/NAME.json in the course's folder, and stays with the instructor: whoever reads
it can draw everybody's tasks.
"""

import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.course_folders.course import GradingError
from autograder.files import write_whole

FOLDER = "exams"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")
_MARK = 24  # hexadecimal digits


@dataclass(frozen=True)
class Key:
    """An exam's key.

    Attributes:
      exam: its name, which is the assignment's.
      secret: 64 hexadecimal digits.
      slots: for each task its level and its number of parts, the same for everybody.
      points: of each task.
      students: by name, the plans of the tasks, as text: a later version of the grammar may draw
        others from the same secret.
    """

    exam: str
    secret: str
    slots: Sequence[tuple[int, int]]
    points: float
    students: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def seed(self, *parts: object) -> int:
        """Return the number that the secret gives for some words."""
        words = "\n".join(map(str, (self.exam, *parts))).encode()
        return int.from_bytes(hmac.digest(bytes.fromhex(self.secret), words, "sha256"))

    def mark(self, student: str) -> str:
        """Return what tells a student's notebook from another's; it says nothing of the tasks."""
        return f"{self.seed('mark', student):064x}"[:_MARK]

    def student_of(self, mark: object) -> str:
        """Return whose notebook bears a mark, or ""."""
        return next((name for name in self.students if self.mark(name) == mark), "")


def path_of(root: Path, exam: str) -> Path:
    """Return where an exam's key lies.

    Raises:
      GradingError: the name cannot be one of an exam.
    """
    if not _NAME.fullmatch(exam):
        raise GradingError(f"{exam!r:.80} is no name for an exam: letters, digits, - and _ only")
    return root / FOLDER / f"{exam}.json"


def exists(root: Path, exam: str) -> bool:
    """Tell whether an assignment is an exam."""
    return bool(_NAME.fullmatch(exam)) and path_of(root, exam).is_file()


def read(root: Path, exam: str) -> Key:
    """Return an exam's key.

    Raises:
      GradingError: there is none, or its file is damaged.
    """
    path = path_of(root, exam)
    try:
        found = json.loads(path.read_text("utf-8"))
        slots = [(int(level), int(parts)) for level, parts in found["slots"]]
        key = Key(**{**found, "slots": slots})
        key.mark("")
    except FileNotFoundError:
        words = f"there is no exam {exam}: {path} is missing"
        raise GradingError(f"{words}. To make it: autograder exam new {exam}") from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise GradingError(
            f"{path} is no key of an exam: {type(error).__name__}: {error}"
        ) from error
    return key


def write(root: Path, key: Key) -> Path:
    """Write an exam's key where only its owner can read it; return the path."""
    path = path_of(root, key.exam)
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(asdict(key), indent=1) + "\n"
    return write_whole(path, text.encode(), mode=0o600)


def new_secret() -> str:
    """Return a new secret."""
    return secrets.token_hex(32)
