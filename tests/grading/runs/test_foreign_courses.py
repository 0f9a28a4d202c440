"""Courses of other teachers: the scores are plain nbgrader's, and no honest student is flagged."""

import importlib.util
import io
import json
import os
import shutil
import sys
from pathlib import Path

import foreign_courses
import nbformat
import pytest
import toy
from rich.console import Console

from autograder.course_folders.course import Course
from autograder.grading import GradingError, grade
from autograder.sandbox.containment import unavailable

pytestmark = [
    pytest.mark.load,
    pytest.mark.skipif(bool(unavailable()), reason="nothing is contained here"),
]


@pytest.fixture
def cs555(tmp_path, monkeypatch):
    """Install a kernel of this Python under a name of its own, as a teacher does."""
    folder = tmp_path / "jupyter" / "kernels" / "cs555"
    folder.mkdir(parents=True)
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": start, "display_name": "CS 555", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory) -> tuple[Path, tuple]:
    """What `nbgrader quickstart` makes, with its two students, and what both graders say of it.

    As there, nbgrader has made the gradebook, and it knows a student who handed in nothing.
    """
    root = tmp_path_factory.mktemp("quickstart") / "course"
    package = Path(importlib.util.find_spec("nbgrader").origin).parent
    guide = package / "docs" / "source" / "user_guide"
    for folder in ("source", "submitted"):
        shutil.copytree(guide / folder, root / folder)
    settings = 'c = get_config()\nc.IncludeHeaderFooter.header = "source/header.ipynb"\n'
    (root / "nbgrader_config.py").write_text(settings, "utf-8")
    done = toy.nbgrader(root, "db", "student", "add", "reasoner")
    assert done.returncode == 0, done.stderr
    return root, graded_by_both(root, "ps1")


def graded_by_both(root: Path, chapter: str) -> tuple[list, list, list, str]:
    """Return our records and nbgrader's, our outcomes, and what was printed."""
    plain = toy.copy(root, root.with_name("plain"))
    printed = io.StringIO()
    outcomes = grade(chapter, root=root, console=Console(file=printed, width=250))
    for step in ("generate_assignment", "autograde"):
        done = toy.nbgrader(plain, step, chapter)
        assert done.returncode == 0, done.stderr
    return toy.records(root), toy.records(plain), outcomes, printed.getvalue()


@pytest.mark.parametrize("chapter", foreign_courses.COURSES)
def test_every_score_is_nbgraders_and_nobody_is_flagged(tmp_path, cs555, chapter):
    root = tmp_path / "course"
    root.mkdir()
    course = foreign_courses.COURSES[chapter]
    ours, theirs, outcomes, printed = graded_by_both(course.make(root), chapter)
    assert ours == theirs and ours
    assert [outcome.student for outcome in outcomes if outcome.flagged] == []
    assert len(outcomes) == len(course.students) and all(each.graded for each in outcomes)
    lines = [line for line in printed.splitlines() if line.startswith("not judged apart: ")]
    assert lines and len(lines) == len(set(lines))  # said once, not once for each student


def test_nbgraders_own_quickstart(quickstart):
    _, (ours, theirs, outcomes, _) = quickstart
    assert ours == theirs and ours
    assert not any(outcome.flagged for outcome in outcomes)
    assert [outcome.score for outcome in outcomes] == [1.5, 3]


def test_a_task_is_no_difference_from_plain_nbgrader(quickstart):
    """nbgrader writes no automatic score for a task, so nothing there can differ."""
    printed = io.StringIO()
    root, _ = quickstart
    grade("ps1", root=root, verify=1, console=Console(file=printed, width=250))
    assert ": equal" in printed.getvalue() and "DIFFERS" not in printed.getvalue()


@pytest.mark.slow
@pytest.mark.quick
@pytest.mark.parametrize(
    ("kernel", "says"),
    [
        (
            {"name": "ir", "language": "R", "display_name": "R"},
            "problem.ipynb needs the kernel ir, which runs R",
        ),
        ({}, "problem.ipynb of source/ names no kernel and no language"),
        (
            {"name": "sage", "display_name": "Sage"},
            "problem.ipynb needs the kernel sage, which runs sage",
        ),
    ],
)
def test_another_language_is_refused_with_the_true_reason(tmp_path, kernel, says):
    root = toy.make(tmp_path)
    (path,) = (root / "source" / toy.CHAPTER).glob("*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata = nbformat.from_dict({"kernelspec": kernel} if kernel else {})
    path.unlink()
    nbformat.write(notebook, path.with_name("problem.ipynb"))
    toy.submit(root, "alice", toy.answers())
    with pytest.raises(GradingError, match=says):
        grade(toy.CHAPTER, root=root)


@pytest.mark.quick
def test_a_kernel_of_another_python_is_named(tmp_path, monkeypatch):
    from autograder.grading.languages import language

    folder = tmp_path / "jupyter" / "kernels" / "cs555"
    folder.mkdir(parents=True)
    spec = {"argv": [os.path.join(os.sep, "opt", "cs555", "python")], "language": "python"}  # noqa: PTH118
    (folder / "kernel.json").write_text(json.dumps({**spec, "display_name": "CS 555"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    (root := tmp_path / "course").mkdir()
    foreign_courses.BANK.make(root)
    found = language(Course(root), foreign_courses.BANK.chapter)
    assert found.notes and "/opt/cs555/python" in found.notes[0]
    assert "pandas" in found.given and "money" not in found.given and "pandas" not in found.locked


@pytest.mark.quick
def test_what_a_student_deleted_is_not_in_memory(tmp_path):
    from autograder.grading.languages import language

    foreign_courses.SHELL.make(tmp_path)
    found = language(Course(tmp_path), foreign_courses.SHELL.chapter)
    whole = foreign_courses.SHELL.notebook({})
    without = foreign_courses.SHELL.notebook({"imports": "import matplotlib"})
    assert "matplotlib.pyplot" in found.modules([nbformat.writes(whole)])
    assert found.modules([nbformat.writes(without)]) == ()
