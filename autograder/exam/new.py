"""Makes an exam: its key, the assignment that nbgrader knows, and each student's notebook."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.course_folders.course import GradingError
from autograder.exam import key as keys
from autograder.exam import notebook, tasks
from autograder.exam.key import Key
from autograder.gradebook_io.roster import read as read_roster
from autograder.printable import printable

_POINTS = 5.0


@dataclass(frozen=True)
class Made:
    """What was made.

    Attributes:
      key: the exam's key.
      path: where it lies.
      handouts: the folder that holds STUDENT/EXAM/EXAM.ipynb.
      added: the students who are new in it.
    """

    key: Key
    path: Path
    handouts: Path
    added: tuple[str, ...]


def new(
    exam: str,
    *,
    root: Path,
    students: Path,
    tasks_of_each: int | None = None,
    levels: Sequence[int] | None = None,
    points: float | None = None,
    id_column: str | None = None,
) -> Made:
    """Make an exam, or add the students who are new in a class list to one that is there.

    Args:
      exam: its name.
      root: the course's folder.
      students: a class list, as for `autograder roster`.
      tasks_of_each: how many tasks each student has; 4 for a new exam if None.
      levels: the levels of the tasks, which take turns; 2, 3 and 4 if None.
      points: of each task; 5 if None.
      id_column: the column that names a student's folder in submitted/.

    Raises:
      GradingError: the class list cannot be read, an argument is out of range, or the exam is there
        and was made with other settings.
    """
    names = list(read_roster(students, id_column=id_column)[1])
    before = keys.read(root, exam) if keys.exists(root, exam) else None
    asked = {"tasks": tasks_of_each, "levels": levels, "points": points}
    given = [f"--{name}" for name, value in asked.items() if value is not None]
    if before and given:
        raise GradingError(
            f"{exam} is there, and its tasks stay as they are: leave out {' and '.join(given)} "
            f"to add students, or choose another name"
        )
    key = before or _fresh(exam, root, tasks_of_each, levels, points)
    key = tasks.with_students(key, [_checked(name) for name in names])
    path = keys.write(root, key)
    _write(root / "source" / exam / f"{exam}.ipynb", notebook.source(key))
    handouts = root / keys.FOLDER / exam
    for student in key.students:
        place = handouts / student / exam / f"{exam}.ipynb"
        if not place.exists():  # what was handed out stays as it is
            _write(place, notebook.handout(key, student, tasks.plans_of(key, student)))
    added = sorted(set(key.students) - set(before.students if before else ()))
    return Made(key, path, handouts, tuple(added))


def _fresh(exam: str, root: Path, number: int | None, levels, points: float | None) -> Key:
    for top in ("course", "source"):
        if (root / top / exam).exists():
            raise GradingError(f"{top}/{exam} is there, and is no exam: choose another name")
    points = _POINTS if points is None else points
    if not 0 < points < 1000:
        raise GradingError(f"points must lie between 0 and 1000, not at {points:g}")
    key = Key(exam, keys.new_secret(), [], points)
    slots = tasks.slots_of(list(levels or (2, 3, 4)), 4 if number is None else number, key.seed())
    return dataclasses.replace(key, slots=slots)


def _checked(name: str) -> str:
    if name in (".", "..") or any(sign in name for sign in "/\\\0"):
        raise GradingError(f"{printable(name)!r:.80} cannot be the name of a student's folder")
    return name


def _write(path: Path, made: nbformat.NotebookNode) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.writes(made) + "\n", "utf-8")
