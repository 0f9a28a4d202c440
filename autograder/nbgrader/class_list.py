"""The class list beside the gradebook: what nbgrader has no column for, and the list before.

`class_list.csv` has a line for each student of the last import: who is not in it is a folder in
submitted/ that no class list knows.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from nbgrader.api import Gradebook

from autograder.course_folders import csv_table
from autograder.course_folders.course import Course, GradingError
from autograder.files import write_whole
from autograder.printable import printable

FIELDS = ("first_name", "last_name", "email", "lms_user_id")  # of nbgrader's gradebook
LISTED = ("section", "sis_user_id", "sis_login_id")  # of class_list.csv
OWN = ("student", *LISTED)  # its columns
_FILE, _BEFORE = "class_list.csv", ".class_list_before.json"

Fields = Mapping[str, str]


def read(root: Path) -> dict[str, dict[str, str]]:
    """Return what a course's class list says of each student; nothing if there is none."""
    path = root / _FILE
    if not path.exists():
        return {}
    try:
        header, lines = csv_table.read(path)
        rows = [dict(zip(header, row, strict=False)) for _, row in lines]
        return {row["student"]: {name: row.get(name, "") for name in LISTED} for row in rows}
    except (KeyError, GradingError) as error:
        raise GradingError(
            f"{path} is not what `autograder roster` wrote ({error}): import the list again"
        ) from error


def unlisted(listed: Mapping[str, Fields], students: Iterable[str]) -> tuple[str, ...]:
    """Return who is not in the class list; nobody if there is no list."""
    return tuple(each for each in students if listed and each not in listed)


def said_unlisted(students: Iterable[str], done: str) -> list[str]:
    """Return a line on those who are not in the class list, if there are any.

    Args:
      done: what was done to them all the same.
    """
    names = ", ".join(students)
    words = f"Not in the class list, and {done} by their folders' names: {names}"
    return [printable(words)] if names else []


class Called(NamedTuple):
    """A student's name in full, and section; "" where it is not known."""

    name: str = ""
    section: str = ""


def full_name(first: str | None, last: str | None) -> str:
    """Return a student's name in full; "" where it is not known."""
    return " ".join(filter(None, (first, last)))


def names(course: Course) -> defaultdict[str, Called]:
    """Return how each student is called."""
    found = defaultdict(Called)
    if course.has_gradebook():
        with course.gradebook() as gradebook:
            for student, each in known(gradebook, read(course.root)).items():
                name = full_name(each["first_name"], each["last_name"])
                found[student] = Called(name, each.get("section", ""))
    return found


def known(gradebook: Gradebook, listed: Mapping[str, Fields]) -> dict[str, dict[str, str]]:
    """Return all that is known of each student in the gradebook.

    Args:
      listed: what the class list says, as `read` returns it.
    """
    return {
        each.id: {
            **{name: getattr(each, name) or "" for name in FIELDS},
            **listed.get(each.id, {}),
        }
        for each in gradebook.students
    }


def write(course: Course, students: Mapping[str, Fields]) -> None:
    """Write the class list."""
    write_whole(course.root / _FILE, _text(students))


def _text(students: Mapping[str, Fields]) -> bytes:
    target = io.StringIO()
    rows = csv.writer(target, lineterminator="\n")
    rows.writerow(OWN)
    for name, fields in sorted(students.items()):
        rows.writerow([name, *(fields.get(each, "") for each in LISTED)])
    return target.getvalue().encode()


def doubles(before: Mapping[str, Fields], students: Mapping[str, Fields]) -> list[str]:
    """Return in words who would be in the gradebook twice, under an old and a new id."""
    found = []
    for field, what in (("lms_user_id", "number"), ("email", "address"), ("", "name")):
        ids = {_key(fields, field): name for name, fields in before.items()}
        found = [
            f"{name} would be {ids[key]} a second time: the same {what} {' '.join(key)}"
            for name, fields in students.items()
            if name not in before and (key := _key(fields, field)) in ids and all(key)
        ]
        # Two people may share a name, most of a class does not.
        if found and (field or 2 * len(found) > len(students)):
            break
        found = []
    mend = "if another column is what the folders in submitted/ are called by: --id COLUMN"
    return [mend, *found] if found else []


def _key(fields: Fields, field: str) -> tuple[str, ...]:
    wanted = (field,) if field else ("first_name", "last_name")
    return tuple(fields.get(each, "").casefold() for each in wanted)


def keep_for_undo(course: Course, before: Mapping[str, Fields]) -> None:
    """Keep the class as it is, for `undo`."""
    state = {"students": before, "listed": read(course.root)}
    write_whole(course.root / _BEFORE, json.dumps(state).encode())


@dataclass(frozen=True)
class Undo:
    """What taking an import back changes in the gradebook, in words, and what writes it."""

    said: tuple[str, ...]
    write: Callable[[], None]


def undo(root: Path) -> Undo:
    """Look what taking the last import back changes; it can then be written.

    Who came with it leaves the gradebook, unless there is a submission by now.

    Raises:
      GradingError: there is no import to take back.
    """
    course = Course(root)
    try:
        state = json.loads((course.root / _BEFORE).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise GradingError("there is no import of a class list to take back") from error
    with course.environment(), course.gradebook() as gradebook:
        said = _restore(gradebook, state["students"])
        gradebook.db.rollback()
    said += _of_file(course.root / _FILE, state["listed"])
    return Undo(tuple(said), partial(_take_back, course, state))


def _of_file(path: Path, listed: Mapping[str, Fields]) -> list[str]:
    """Return in words what taking an import back changes in the file of the class list."""
    if not path.exists() or (listed and path.read_bytes() == _text(listed)):
        return []
    if listed:
        return [f"{path.name}: sections and SIS numbers as before"]
    return [f"{path.name} is removed: nobody has a section or an SIS number any more"]


def _take_back(course: Course, state: Mapping[str, Mapping[str, Fields]]) -> None:
    with course.environment(), course.gradebook() as gradebook:
        _restore(gradebook, state["students"])
        gradebook.db.commit()
    (course.root / _FILE).unlink(missing_ok=True)
    if state["listed"]:
        write(course, state["listed"])
    (course.root / _BEFORE).unlink()


def _restore(gradebook: Gradebook, students: Mapping[str, Fields]) -> list[str]:
    """Give the gradebook these students again, without a commit; say what that changes."""
    said = []
    for student in list(gradebook.students):
        before = students.get(student.id)
        if before is None and student.submissions:
            said.append(f"{student.id} stays: there is a submission in the gradebook")
        elif before is None:
            gradebook.db.delete(student)
            said.append(f"{student.id} is out of the gradebook again")
        else:
            changed = [each for each in FIELDS if (getattr(student, each) or "") != before[each]]
            for each in changed:
                setattr(student, each, before[each] or None)
            said += [f"{student.id}: {', '.join(changed)} as before"] if changed else []
    return said
