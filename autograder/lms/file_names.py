"""Whose each file of a zip is: what Canvas and Moodle write into the names of files.

Canvas: app/models/content_zipper and assignment.rb of https://github.com/instructure/canvas-lms:
`doejane_LATE_4711_90210_answers.ipynb` is a name, the student's number, the file's, and its name.
Moodle: mod/assign/feedback/file/importziplib.php of https://github.com/moodle/moodle:
`Jane Doe_815_assignsubmission_file/answers.ipynb`, the last part in a folder or behind a `_`.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.gradebook_io.grades import ListedStudent
from autograder.lms.archive import Entry

_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<order>\d+)_(?P<file>.+)")
_CANVAS_TEXT = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<number>\d+)_(text|link)\.html?")
# Canvas writes this where the assignment is graded anonymously: five signs for the student.
_CANVAS_HIDDEN = re.compile(r"(?P<name>anon_\w{5})(?P<late>_LATE)?_(?P<number>\d+)_(?P<file>.+)")
_MOODLE = re.compile(
    r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?(?P<file>.*)"
)
_ROSTER = "import a newer class list: autograder roster FILE.csv"
_HIDDEN = re.compile(r"Participant \d+|anon_\w{5}")


@dataclass(frozen=True)
class Sent:
    """One file that a student sent.

    Attributes:
      name, number: the student's, as the system writes them.
      prefix: how the names of files begin that go back to this student.
      path: the file's own name, folders first.
      order: a number that grows with each file that is sent; 0 where the system has none.
      late: whether the system calls it late.
    """

    name: str
    number: str
    prefix: str
    path: tuple[str, ...]
    entry: Entry
    order: int = 0
    late: bool = False


def sent(system: str, entry: Entry) -> Sent | None:
    """Return whose a file is; None if its name is not the system's."""
    for place, part in enumerate(entry.parts):
        rest = entry.parts[place + 1 :]
        if system == "canvas" and (found := _canvas(part)):
            return _of_canvas(found, rest, entry)
        if system == "moodle" and (found := _MOODLE.fullmatch(part)):
            path = (*filter(None, [found["file"]]), *rest)
            prefix = f"{found['name']}_{found['number']}"
            return Sent(found["name"], found["number"], prefix, path or ("",), entry)
    return None


def sender(system: str, parts: tuple[str, ...]) -> object:
    """Return the same for all files of one student, by their paths."""
    piece = sent(system, Entry(parts, datetime.min, None))
    return piece and (piece.name, piece.number)


def _canvas(name: str) -> re.Match | None:
    kinds = (_CANVAS_HIDDEN, _CANVAS, _CANVAS_TEXT)
    return next(filter(None, (kind.fullmatch(name) for kind in kinds)), None)


def _of_canvas(found: re.Match, rest: tuple[str, ...], entry: Entry) -> Sent:
    parts = found.groupdict()
    prefix = f"{found['name']}{found['late'] or ''}_{found['number']}"
    order = parts.get("order")
    prefix = f"{prefix}_{order}" if order else prefix
    path = (parts.get("file") or "a text in Canvas itself", *rest)
    return Sent(
        *(found["name"], found["number"], prefix, path, entry),
        order=int(order or 0),
        late=bool(found["late"]),
    )


def owner(
    system: str, piece: Sent, students: Sequence[ListedStudent], whose: Mapping[str, str]
) -> tuple[list[str], str]:
    """Return the students that may have sent a file, and why it is not known which; "" if it is.

    Args:
      whose: by the system's number, the students whom the instructor has named.
    """
    if piece.number in whose:
        return [whose[piece.number]], ""
    found = [each.id for each in students if piece.number == each.lms_user_id]
    if system == "moodle" or not found:  # Moodle's number is of this assignment alone
        found = [each.id for each in students if _plain(piece.name) in _names(each)]
        after = piece.name.partition("-")[2]
        if not found and after:  # Moodle puts the group in front
            found = [each.id for each in students if _plain(after) in _names(each)]
    say = f"say who with --whose {piece.number}=STUDENT"
    if len(found) == 1:
        return found, ""
    if found:
        return found, f"{', '.join(found)} have this name: {say}"
    if _HIDDEN.fullmatch(piece.name):
        hid = f"{system.capitalize()} hid the names"
        return [], f"{hid}: reveal them there and download again, or {say}"
    return [], f"nobody in the class list has this name or number; {say}, or {_ROSTER}"


def _names(student: ListedStudent) -> set[str]:
    first, last = student.first_name, student.last_name
    return {_plain(f"{first} {last}"), _plain(f"{last} {first}")} - {""}


def _plain(name: str) -> str:
    """Return a name without case, spaces and signs: Canvas writes `oneilseán` for O'Neil, Seán."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\W_]", "", folded)
