"""Imports a class list into nbgrader's gradebook: a CSV file of Canvas, Moodle, nbgrader or ours.

The columns that are understood:
autograder: those of the class_list.csv that an import leaves in the course's folder.
nbgrader: those of `nbgrader db student import --help`.
Canvas: those that Grades → Export writes, lib/gradebook_exporter.rb of
https://github.com/instructure/canvas-lms.
Moodle: those of the participants and of the grades that one can download, and those of the file for
https://docs.moodle.org/en/Upload_users.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from nbgrader.api import Gradebook, Student

from autograder.course_folders import csv_table
from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.known_chapters import chapters
from autograder.gradebook_io import canvas_columns
from autograder.nbgrader import class_list
from autograder.nbgrader.class_list import FIELDS, LISTED, OWN

# For each field the columns that may hold it: the first present one counts. A "name" is
# "Last, First".
_SYSTEMS = {
    "autograder": {"id": ["student"], **{field: [field] for field in LISTED}},
    "nbgrader": {"id": ["id"], **{field: [field] for field in (*FIELDS, *LISTED)}},
    "Canvas": {
        "id": ["sis login id", "sis user id"],
        "name": ["student"],
        "first_name": ["firstname"],
        "last_name": ["lastname"],
        "lms_user_id": ["id"],
        "section": ["section"],
        "sis_user_id": ["sis user id"],
        "sis_login_id": ["sis login id"],
    },
    "Moodle": {
        "id": ["username", "id number", "idnumber"],
        "first_name": ["first name", "firstname"],
        "last_name": ["last name", "surname", "lastname"],
        "email": ["email address", "email"],
        "lms_user_id": ["id number", "idnumber"],
        "section": ["groups", "group", "section"],
    },
}
# Lines of Canvas that are no person.
_NOBODY = ("points possible", "student, test", "manual posting")
_MOST_PROBLEMS = 10
_KEPT = (*FIELDS, *LISTED)


@dataclass(frozen=True)
class Changes:
    """The changes that a class list makes in the gradebook."""

    system: str
    new: tuple[str, ...]
    changed: Mapping[str, Sequence[str]]  # what changes, in words, by student
    same: int
    left: tuple[str, ...]  # in the gradebook, not in the list; they stay
    columns: tuple[str, ...] = ()  # Canvas's own, of chapters
    write: Callable[[], None] = lambda: None  # writes them, all at once

    def __str__(self) -> str:
        lines = [f"A list of {len(self.new) + len(self.changed) + self.same} from {self.system}."]
        if self.new:
            lines.append(f"  new: {', '.join(self.new)}")
        lines += [f"  changed: {name}: {', '.join(what)}" for name, what in self.changed.items()]
        if self.left:
            lines.append(f"  not in the list, kept in the gradebook: {', '.join(self.left)}")
        if self.columns:
            lines.append(f"  exports go into these columns: {', '.join(self.columns)}")
        return "\n".join([*lines, f"  {self.same} as before"])


def roster(path: Path, *, root: Path, id_column: str | None = None) -> Changes:
    """Compare a class list with the gradebook; it can then be written. Nobody is ever removed.

    A cell that is empty, or a column that is missing, leaves what the gradebook has.

    Args:
      path: a CSV file, UTF-8, its cells separated by commas, semicolons or tabs.
      root: the course's folder.
      id_column: the column that names a student's folder in submitted/; None for the system's own
        (Canvas: SIS Login ID; Moodle: Username, else ID number).

    Raises:
      GradingError: the file cannot be read, or lines are wrong: the message gives their numbers.
    """
    system, students = read(path, id_column=id_column)
    course = Course(root)
    before = {}
    if course.has_gradebook():
        with course.environment(), course.gradebook() as gradebook:
            before = class_list.known(gradebook, class_list.read(course.root))
    _refuse(path, class_list.doubles(before, students))
    found: dict[str, str] = {}
    if system == "Canvas":
        found = canvas_columns.columns(csv_table.read(path)[0], chapters(course))
    write = partial(_write, course, students, found)
    return replace(_compare(before, system, students), columns=tuple(found.values()), write=write)


def read(path: Path, *, id_column: str | None = None) -> tuple[str, dict[str, dict[str, str]]]:
    """Return which system wrote a class list, and each student's fields by id, without empty ones.

    Raises:
      GradingError: the file cannot be read, has no column for the id, or has wrong lines.
    """
    header, rows = csv_table.read(path)
    columns = [" ".join(column.lower().split()) for column in header]
    system = _system(columns)
    places = _places(path, header, columns, system, id_column)
    students: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    problems = []
    for number, cells in rows:
        if len(cells) != len(header):
            problems.append(f"line {number} has {len(cells)} cells, the first line {len(header)}")
            continue
        # A name is one, however its accents are written.
        given = {field: cells[place].strip() for field, place in places.items()}
        fields = {field: unicodedata.normalize("NFC", text) for field, text in given.items()}
        if system == "Canvas" and _is_nobody(fields):
            continue
        name = fields.pop("id")
        problem = _problem(name, lines, header[places["id"]])
        if problem:
            problems.append(f"line {number}: {problem}")
        lines.setdefault(name, number)
        students[name] = _named(fields)
    _refuse(path, problems or ([] if students else ["there is no student in it"]))
    return system, students


def _system(columns: Sequence[str]) -> str:
    if "student" in columns and set(columns) <= set(OWN):
        return "autograder"
    if {"student", "sis login id", "sis user id"} & set(columns):
        return "Canvas"
    return "nbgrader" if "id" in columns else "Canvas" if "section" in columns else "Moodle"


def _places(path, header, columns, system: str, id_column: str | None) -> dict[str, int]:
    """Return the position of each field's column."""
    wanted = dict(_SYSTEMS[system])
    if id_column is not None:
        wanted["id"] = [" ".join(id_column.lower().split())]
    places = {
        field: next(columns.index(name) for name in names if name in columns)
        for field, names in wanted.items()
        if any(name in columns for name in names)
    }
    if "id" not in places:
        there = ", ".join(column for column in header if column.strip())
        missing = id_column or "id, SIS Login ID, Username or ID number"
        raise GradingError(
            f"{path}: no column {missing}. It has {there}: name the one that students' folders in "
            "submitted/ are called by, with --id COLUMN"
        )
    return places


def _is_nobody(fields: Mapping[str, str]) -> bool:
    name = fields.get("name") or f"{fields.get('last_name')}, {fields.get('first_name')}"
    return name.lower().startswith(_NOBODY)


def _problem(name: str, lines: Mapping[str, int], column: str) -> str:
    """Return what is wrong with an id, or nothing."""
    if not name:
        return f"{column.strip()} is empty"
    if name in lines:
        return f"{name} was on line {lines[name]} already"
    if re.fullmatch(r"\d[.,]?\d*E\+\d+", name):
        return f"{name}: a spreadsheet has rounded this number; format the column as text"
    if name.startswith(".") or not name.isprintable() or set(name) & set('/\\:*?"<>|'):
        return f"{name!r} cannot be the name of a folder in submitted/"
    return ""


def _named(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of the gradebook; Canvas writes a name as `Last, First`."""
    last, comma, first = fields.get("name", "").partition(",")
    whole = {"last_name": last.strip(), "first_name": first.strip()} if comma else {}
    if fields.get("name") and not comma:
        whole = {"last_name": fields["name"]}
    found = {**whole, **{name: value for name, value in fields.items() if name in _KEPT}}
    return {name: value for name, value in found.items() if value}


def _refuse(path: Path, problems: Sequence[str]) -> None:
    if problems:
        shown = list(problems[:_MOST_PROBLEMS])
        if len(problems) > _MOST_PROBLEMS:
            shown.append(f"and {len(problems) - _MOST_PROBLEMS} more")
        raise GradingError(f"{path}: nothing was written.\n  " + "\n  ".join(shown))


def _compare(before: Mapping[str, Mapping[str, str]], system: str, students: Mapping) -> Changes:
    changed = {
        name: [
            f"{field} {before[name].get(field) or 'empty'} → {value}"
            for field, value in fields.items()
            if before[name].get(field, "") != value
        ]
        for name, fields in students.items()
        if name in before
    }
    return Changes(
        system=system,
        new=tuple(name for name in students if name not in before),
        changed={name: what for name, what in changed.items() if what},
        same=sum(not what for what in changed.values()),
        left=tuple(sorted(before.keys() - students.keys())),
    )


def _write(
    course: Course, students: Mapping[str, Mapping[str, str]], columns: Mapping[str, str]
) -> None:
    """Write a class list into the gradebook and beside it, and keep what was there for `undo`."""
    with course.environment(), course.gradebook() as gradebook:
        before = class_list.known(gradebook, class_list.read(course.root))
        class_list.keep_for_undo(course, before)
        _enter(gradebook, students)
        listed = {name: {**before.get(name, {}), **each} for name, each in students.items()}
        class_list.write(course, {**class_list.read(course.root), **listed})
        canvas_columns.keep(course.root, columns)


def _enter(gradebook: Gradebook, students: Mapping[str, Mapping[str, str]]) -> None:
    """Write all of them in one transaction: nbgrader's own functions commit after each."""
    known = {student.id: student for student in gradebook.students}
    for name, fields in students.items():
        student = known.get(name) or Student(id=name)
        for field in FIELDS:
            if field in fields:
                setattr(student, field, fields[field])
        gradebook.db.add(student)
    gradebook.db.commit()
