"""A second run grades only new and lost submissions."""

import signal
import subprocess
import sys

import pytest
import toy
from waiting import until

from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.grading import GradingError, grade, lock
from autograder.imports import nbgrader
from autograder.nbgrader import assignment
from autograder.nbgrader.steps import Grader

pytestmark = pytest.mark.long

OURS = "import sys; from pathlib import Path; from autograder.grading import grade; "
OURS += f"grade({toy.CHAPTER!r}, root=Path.cwd(), workers=1, contained=False)"
COMMANDS = {
    "autograder": [sys.executable, "-c", OURS],
    "nbgrader": nbgrader("autograde", toy.CHAPTER),
}


def scores(root) -> dict[str, float]:
    """Grade; return everyone's score."""
    return {outcome.student: outcome.score for outcome in grade(toy.CHAPTER, root=root)}


def news(root, **options) -> set[str]:
    """Grade; return whom this run graded."""
    outcomes = grade(toy.CHAPTER, root=root, **options)
    assert all(outcome.graded for outcome in outcomes)
    return {outcome.student for outcome in outcomes if outcome.new}


def test_only_what_is_new_is_graded(course):
    toy.submit(course, "bob", toy.answers(double="def double(x):\n    return x"))
    page = toy.file_of(course, "feedback", "bob", "html")
    assert news(course) == {"bob"}
    page.unlink()
    assert news(course) == set()
    assert page.exists()
    toy.submit(course, "bob", toy.answers())  # no timestamp: nbgrader itself would not notice
    assert news(course) == {"bob"}
    assert scores(course) == {"alice": 8, "bob": 8}
    (course / "gradebook.db").unlink()
    assert news(course) == {"alice", "bob"}


@pytest.mark.parametrize("step", ["sanitise", "record"])
def test_what_comes_while_the_old_work_is_graded_is_graded_next(course, monkeypatch, step):
    """What was graded is what was there at one moment, and what is recorded."""
    toy.submit(course, "bob", toy.answers(double="def double(x):\n    return x"))
    before = getattr(Grader, step)

    def late(self, submission, *others):
        toy.submit(course, "bob", toy.answers())
        return before(self, submission, *others)

    with monkeypatch.context() as patched:
        patched.setattr(Grader, step, late)
        (outcome,) = grade(toy.CHAPTER, root=course, students=["bob"])
    assert outcome.score == 5
    assert news(course) == {"bob"}
    assert scores(course) == {"alice": 8, "bob": 8}
    assert not list((course / "autograded").glob(".taken*"))


def test_a_persons_points_outlive_a_new_grading(course):
    toy.give(course, 1.5)
    (outcome,) = grade(toy.CHAPTER, root=course, force=True)
    assert outcome.new
    assert outcome.score == 9.5
    assert outcome.points["written"] == 1.5


def test_a_changed_source_reaches_the_gradebook(course):
    with toy.edited(course) as notebook:
        toy.cell(notebook, "double_visible").source = "assert False, 'a new test'"
    assert news(course) == set()
    (outcome,) = grade(toy.CHAPTER, root=course, force=True)
    assert outcome.score == 7
    with toy.edited(course) as notebook:
        notebook.cells.remove(toy.cell(notebook, "double_visible"))
    (outcome,) = grade(toy.CHAPTER, root=course)
    assert (outcome.score, outcome.max_score) == (7, 9)


def test_stopped_while_the_chapter_is_read_is_stopped(course, monkeypatch, capsys):
    """nbgrader takes Ctrl-C for an error of the notebook; nobody should remove grades for it."""
    error = {"success": False, "error": "Traceback\n  …\nKeyboardInterrupt\n"}
    monkeypatch.setattr(assignment, "capture_log", lambda _app: error)
    assert main(["--root", str(course), "grade", toy.CHAPTER]) == 130
    assert "refuses" not in capsys.readouterr().err


@pytest.mark.load
@pytest.mark.parametrize("command", COMMANDS)
def test_a_killed_run_is_taken_up_again(tmp_path, command):
    """kill -9 in the middle of the second student, by us or by nbgrader: the rerun mends it."""
    root = toy.make(tmp_path / "course", toy.CONFIG.replace("timeout = 3", "timeout = 60"))
    begun, go = tmp_path / "begun", tmp_path / "go"
    waits = f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\n"
    waits += f"while not pathlib.Path({str(go)!r}).exists():\n    time.sleep(0.05)\n"
    toy.submit(root, "alice", toy.answers())
    toy.submit(root, "bob", toy.answers(half=waits + "def half(x):\n    return x / 2"))
    toy.submit(root, "carol", toy.answers())
    if command == "nbgrader":
        toy.nbgrader(root, "generate_assignment", toy.CHAPTER)
    alice = toy.file_of(root, "autograded", "alice")
    _kill_when([begun, alice], root, COMMANDS[command])
    go.touch()
    outcomes = grade(toy.CHAPTER, root=root, contained=False)  # it looks for a file of ours
    assert {outcome.student: outcome.score for outcome in outcomes} == dict.fromkeys(
        ("alice", "bob", "carol"), 8
    )
    assert {outcome.student for outcome in outcomes if outcome.new} == {"bob", "carol"}
    assert news(root) == set()
    assert {path.name for path in (root / "autograded").iterdir()} == {"alice", "bob", "carol"}


def _kill_when(paths, root, command) -> None:
    """Start a grading, and kill it when all these files are there."""
    process = subprocess.Popen(
        command,
        cwd=root,
        env=toy.activated(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: process.poll() is not None or all(path.exists() for path in paths))
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_two_graders_at_once_do_not_meet(course, monkeypatch):
    monkeypatch.setattr(lock, "_PATIENCE", 0.2)
    with (
        lock.alone(Course(course), toy.CHAPTER),
        pytest.raises(GradingError, match="01_toy is being graded already"),
    ):
        grade(toy.CHAPTER, root=course)
    assert news(course) == set()
