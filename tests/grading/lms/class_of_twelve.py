"""A class of twelve, with the files that teachers meet every week, as Canvas and Moodle send them.

Nobody of them is a person.
"""

import csv
import io
import json
import zipfile
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import toy
from nbformat.v4 import new_code_cell

DUE = datetime(2027, 3, 1, 22, 0)
NOTEBOOK = f"{toy.CHAPTER}.ipynb"
COUNT = 1000


@dataclass(frozen=True)
class Student:
    """One of them.

    Attributes:
      files: what was sent, in order: the file's name, its bytes, and hours after the date.
      late: whether Canvas calls it late.
    """

    login: str
    first: str
    last: str
    number: str
    section: str
    files: list[tuple[str, bytes, float]] = field(default_factory=list)
    late: bool = False


def notebook(**cells: str | None) -> bytes:
    return json.dumps(toy.answers(**cells)).encode()


def _with_noise() -> bytes:
    """Return a notebook whose student installs a package, and prints a thousand lines."""
    made = toy.answers(written="I measured it.")
    made.cells[2:2] = [
        new_code_cell("!pip install polars", id="install"),
        new_code_cell(f"for number in range({COUNT}):\n    print('line', number)", id="prints"),
    ]
    return json.dumps(made).encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


RIGHT = notebook(written="Noise hides one person.")
WRONG = notebook(double="def double(x):\n    return 1")
LOOP = (
    "def double(x):\n    total, steps = 0, []\n    for turn in range(2):\n"
    "        steps.append((turn, x))\n        total = total + steps[-1][1]\n"
    "    if len(steps) != 2:\n        raise ValueError(steps)\n    return total"
)
# The same with other names: nobody's names count.
RENAMED = LOOP.replace("total", "sum_of_both").replace("steps", "all_of_it").replace("turn,", "i,")
RENAMED = RENAMED.replace("for turn", "for i").replace("(turn", "(i")
FOLDER = {
    "homework/data.csv": b"a,b\n1,2\n",
    f"homework/{NOTEBOOK}": notebook(half="def half(x):\n    return x"),
    "__MACOSX/._homework": b"junk",
}
STUDENTS = [
    Student("ann", "Ann", "Berg", "101", "A", [(NOTEBOOK, notebook(double=LOOP), -5)]),
    Student("bo", "Bo", "Chen", "102", "A", [(NOTEBOOK, RIGHT, 26)], late=True),
    Student(
        *("cy", "Cy", "Diaz", "103", "A"),
        [(NOTEBOOK, WRONG, -30), (f"{toy.CHAPTER}-1.ipynb", RIGHT, -2)],
    ),
    Student("dee", "Dee", "Evans", "104", "A", [(f"{toy.CHAPTER} (2).ipynb", RIGHT, -3)]),
    Student("eli", "Eli", "Ford", "105", "B", [("my homework.ipynb", RIGHT, -4)]),
    Student("fay", "Fay", "Gray", "106", "B", [(NOTEBOOK, b"\xef\xbb\xbf" + RIGHT, -6)]),
    Student("gus", "Gus", "Haas", "107", "B", [("homework.zip", _zipped(FOLDER), -7)]),
    Student("hal", "Hal", "Ito", "108", "B", [(NOTEBOOK, notebook(double=None), -8)]),
    Student("ivy", "Ivy", "Jung", "109", "B", [(NOTEBOOK, _with_noise(), -9)]),
    Student("sean", "Seán", "O'Neil", "110", "B", [(NOTEBOOK, notebook(double=RENAMED), -1)]),
    Student("kim", "Kim", "Lund", "111", "A", [("report.pdf", b"%PDF-1.4", -10)]),
    Student("lee", "Lee", "Mann", "112", "A"),
]
STRANGER = Student("zoe", "Zoe", "New", "999", "A", [(NOTEBOOK, RIGHT, -11)])


def make(root: Path) -> Path:
    """Write the course, with a date."""
    toy.make(root, toy.CONFIG + "c.Execute.timeout = 60\n")
    (root / "canvas.csv").write_text(canvas_list(), "utf-8")
    (root / "moodle.csv").write_text(moodle_list(), "utf-8")
    (root / "canvas.zip").write_bytes(canvas_zip())
    (root / "moodle.zip").write_bytes(moodle_zip())
    return root


def canvas_list() -> str:
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy (1)"]]
    rows.append(["    Points Possible", "", "", "", "", "10"])
    rows += [
        [f"{each.last}, {each.first}", each.number, f"s{each.number}", each.login, each.section, ""]
        for each in STUDENTS
    ]
    return _csv(rows)


def moodle_list() -> str:
    rows = [["First name", "Last name", "Username", "Email address", "Groups"]]
    rows += [
        [each.first, each.last, each.login, f"{each.login}@example.org", each.section]
        for each in STUDENTS
    ]
    return _csv(rows)


def _csv(rows: list[list[str]]) -> str:
    target = io.StringIO()
    csv.writer(target).writerows(rows)
    return target.getvalue()


def canvas_zip() -> bytes:
    """Return the zip of *Download Submissions*: each file has the time of the download."""
    target, order = io.BytesIO(), 9000
    with zipfile.ZipFile(target, "w") as archive:
        for each in [*STUDENTS, STRANGER]:
            name = "".join(c for c in f"{each.last}{each.first}".lower() if c.isalpha())
            for file, content, _ in each.files:
                order += 1
                late = "_LATE" if each.late else ""
                _add(archive, f"{name}{late}_{each.number}_{order}_{file}", content, DUE)
    return target.getvalue()


def moodle_zip() -> bytes:
    """Return the zip of *Download all submissions*, in folders: files have their times."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number, each in enumerate([*STUDENTS, STRANGER], start=501):
            folder = f"{each.first} {each.last}_{number}_assignsubmission_file"
            for file, content, hours in each.files:
                _add(archive, f"{folder}/{file}", content, DUE + timedelta(hours=hours))
    return target.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes, time: datetime) -> None:
    archive.writestr(zipfile.ZipInfo(name, time.timetuple()[:6]), content)
