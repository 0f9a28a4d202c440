"""Groups that hand in one work. groups.csv beside nbgrader_config.py has a line for each member.

Its columns are group and student, as in `red,ann`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course_folders import csv_table
from autograder.course_folders.course import Course, GradingError

_FILE, _COLUMNS = "groups.csv", ["group", "student"]


@dataclass(frozen=True)
class Group:
    """A group that has handed in one work for a chapter.

    Attributes:
      sender: the member whose folder is graded.
      others: the other members, who get the same marks.
    """

    name: str
    sender: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Groups:
    """The groups of a chapter.

    Attributes:
      of: by sender, the groups with one work.
      differing: lines on groups whose members handed in different work.
    """

    of: Mapping[str, Group]
    differing: tuple[str, ...] = ()

    @property
    def followers(self) -> frozenset[str]:
        """Return the members whose marks come from another's work."""
        return frozenset(other for group in self.of.values() for other in group.others)


def groups(course: Course, chapter: str) -> Groups:
    """Return which members have handed in a chapter for their group.

    Raises:
      GradingError: groups.csv cannot be read, has a wrong line, or a student in two groups.
    """
    found, differing = {}, []
    for name, everyone in members(course.root).items():
        present = [student for student in everyone if student not in course.left_out]
        work = {student: _work(course, chapter, student) for student in present}
        senders = [student for student, content in work.items() if content]
        if len({work[student] for student in senders}) > 1:
            differing.append(
                f"{_FILE}: group {name} has handed in different work ({', '.join(senders)}), and "
                "each is graded alone. Leave the folder of one in submitted/, and grade again"
            )
        elif senders:
            others = tuple(student for student in present if student != senders[0])
            found[senders[0]] = Group(name, senders[0], others)
    return Groups(found, tuple(differing))


def members(root: Path) -> dict[str, list[str]]:
    """Return the students of each group, as groups.csv has them; nothing if it is missing."""
    path = root / _FILE
    if not path.exists():
        return {}
    found: dict[str, list[str]] = {}
    where: dict[str, str] = {}
    for number, row in csv_table.lines(path):
        cells = [cell.strip() for cell in row]
        if [cell.lower() for cell in cells] == _COLUMNS:
            continue
        _refuse_wrong(path, number, cells, where)
        group, student = cells
        where[student] = group
        found.setdefault(group, []).append(student)
    return found


def _refuse_wrong(path: Path, number: int, cells: Sequence[str], where: Mapping[str, str]) -> None:
    """Raise GradingError for a line that is no group and student, or a student's second group."""
    if len(cells) != len(_COLUMNS) or not all(cells):
        raise GradingError(f"{path}, line {number}: it must hold a group and a student")
    group, student = cells
    if student in where:
        raise GradingError(
            f"{path}, line {number}: {student} is in {where[student]} already, and cannot be in "
            f"{group} too: remove one of the lines"
        )


def _work(course: Course, chapter: str, student: str) -> str:
    """Return a hash of the notebooks that a student has handed in; "" for none."""
    paths = sorted(course.folder("submitted", student, chapter).glob("*.ipynb"))
    whole = hashlib.sha256()
    for path in paths:
        if path.is_file():
            whole.update(path.name.encode("utf-8", "surrogateescape"))
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest() if paths else ""
