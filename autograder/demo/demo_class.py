"""Makes and grades a small class, and compares it with the expected points."""

import copy
import errno
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from rich.console import Console

from autograder.demo.students import CHAPTER, SECONDS, STUDENTS, DemoStudent
from autograder.graded_notebook.outcome import Outcome
from autograder.grading.run import grade
from autograder.marked_cells import by_name, grade_id, mark_on

_MARKS = re.compile(r"(?m)^ *### (BEGIN|END) SOLUTION\n?")
_README = "README.txt"
_WORDS = "Made by `make grade-demo`, which removes this folder and makes it again each time.\n"


def run(root: Path) -> int:
    """Make the class in root/demo, grade it, and say whether everyone got the expected points.

    Returns:
      0 if everyone did, else 1: an exit status.
    """
    folder, console = make(root, root / "demo"), Console()
    outcomes = grade(CHAPTER, root=folder, console=console)
    wrong = surprises(_points(_source(root)), outcomes)
    for line in wrong:
        console.print(f"WRONG: {line}", style="bold red", markup=False)
    if not wrong:
        console.print("Everyone got exactly what they should: each mistake cost its own exercise.")
    page = folder / "feedback" / "noise_multiplied" / CHAPTER / f"{CHAPTER}.html"
    console.print(f"A student's feedback page: {page}", highlight=False, soft_wrap=True)
    return int(bool(wrong))


def make(root: Path, folder: Path, students: Sequence[str] = tuple(STUDENTS)) -> Path:
    """Make a course in `folder`, from the chapter in `root`, with these students' work handed in.

    Raises:
      FileExistsError: the folder exists, and was not made by this function.
    """
    if folder.exists() and not (folder / _README).exists():
        words = "it was not made by grade-demo; move it out of the way"
        raise FileExistsError(errno.EEXIST, words, str(folder))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "source" / CHAPTER, folder / "source" / CHAPTER)
    (folder / _README).write_text(_WORDS, "utf-8")
    settings = (root / "nbgrader_config.py").read_text("utf-8")
    settings += f"\n# For the demo: do not wait long.\nc.Execute.timeout = {SECONDS}\n"
    (folder / "nbgrader_config.py").write_text(settings, "utf-8")
    release = nbformat.read(root / "release" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    right = _right_answers(_source(root))
    for name in students:
        path = folder / "submitted" / name / CHAPTER / f"{CHAPTER}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(_work(STUDENTS[name], release, right))
    return folder


def surprises(points: Mapping[str, float], outcomes: Sequence[Outcome]) -> list[str]:
    """Return the differences from the demo class's expected points; empty if there are none.

    Args:
      points: the points of each test cell, by grade_id.
    """
    listed = {outcome.student for outcome in outcomes}
    found = [f"{name}: not in the table" for name in STUDENTS if name not in listed]
    for outcome in outcomes:
        student = STUDENTS[outcome.student]
        if outcome.graded == bool(student.unreadable):
            found.append(f"{outcome.student}: {outcome.status}")
        if outcome.graded:
            differences = _differences(student, points, outcome)
            found += [f"{outcome.student}: {line}" for line in differences]
    return found


def _differences(student: DemoStudent, points: Mapping[str, float], outcome: Outcome) -> list[str]:
    """Compare one student's test cells, and the loops that the status names."""
    lost = {f"{name}_{which}" for name in student.loses for which in ("visible", "hidden")}
    unknown = lost - points.keys()
    found = [f"there is no test cell {name}" for name in sorted(unknown)]
    for name, most in points.items():
        expected = 0 if student.blank or name in lost else most
        if outcome.points.get(name) != expected:
            found.append(f"{name} must give {expected:g}, gave {outcome.points.get(name)}")
    if ("timed out" in outcome.status) != bool(student.timed_out):
        found.append(f"the status is {outcome.status!r}")
    if student.timed_out and f"{student.timed_out}_visible" not in outcome.status:
        found.append(f"the status does not name {student.timed_out}: {outcome.status!r}")
    return found


def _source(root: Path) -> NotebookNode:
    return nbformat.read(root / "source" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)


def _points(source: NotebookNode) -> dict[str, float]:
    """Return the points of each cell that the machine grades."""
    marks = [mark_on(cell) for cell in source.cells]
    return {m["grade_id"]: m["points"] for m in marks if m.get("grade") and not m["solution"]}


def _right_answers(source: NotebookNode) -> dict[str, str]:
    """Return the instructor's solutions by grade_id, without nbgrader's marks."""
    return {
        name: _MARKS.sub("", cell.source)
        for name, cell in by_name(source.cells).items()
        if mark_on(cell)["solution"]
    }


def _work(student: DemoStudent, release: NotebookNode, right: Mapping[str, str]) -> bytes:
    """Return the file that one student hands in."""
    if student.unreadable is not None:
        return student.unreadable
    notebook = copy.deepcopy(release)
    if not student.blank:
        for cell in notebook.cells:
            cell.source = {**right, **student.answers}.get(grade_id(cell), cell.source)
    return nbformat.writes(notebook).encode()
