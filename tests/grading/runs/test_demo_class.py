"""The demo class: `make grade-demo` keeps its promises, and notices a broken one."""

from dataclasses import replace

import nbformat
import pytest

from autograder.demo.demo_class import make, run, surprises
from autograder.demo.students import CHAPTER, STUDENTS
from autograder.grading import Outcome


@pytest.fixture(scope="module")
def points(request) -> dict[str, float]:
    """The points of each test cell of the chapter."""
    root = request.getfixturevalue("root")
    notebook = nbformat.read(root / "source" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    return {mark["grade_id"]: mark["points"] for mark in marks if _is_test(mark)}


def _is_test(mark) -> bool:
    return bool(mark.get("grade")) and not mark["solution"]


def as_promised(points) -> dict[str, Outcome]:
    """What each student must get, put together by hand."""
    outcomes = {}
    for name, student in STUDENTS.items():
        lost = {f"{exercise}_{which}" for exercise in student.loses for which in _PARTS}
        got = {cell: 0 if student.blank or cell in lost else p for cell, p in points.items()}
        notes = (f"timed out: {student.timed_out}_visible",) if student.timed_out else ()
        graded = student.unreadable is None
        outcomes[name] = Outcome(name, graded, notes=notes, points=got)
    return outcomes


_PARTS = ("visible", "hidden")


@pytest.mark.long
def test_the_demo_class_gets_what_was_promised(root, tmp_path, capsys):
    for name in ("source", "release", "nbgrader_config.py"):
        (tmp_path / name).symlink_to(root / name)
    assert run(tmp_path) == 0
    said = capsys.readouterr().out
    assert "Everyone got exactly what they should" in said
    assert all(name in said for name in STUDENTS)


def test_the_demo_is_content_with_what_was_promised(points):
    assert surprises(points, list(as_promised(points).values())) == []


@pytest.mark.parametrize(
    ("student", "change"),
    [
        ("perfect", {"graded": False}),
        ("perfect", {"notes": ("timed out: private_count_visible",)}),
        ("loops_for_ever", {"notes": ()}),
        ("loops_for_ever", {"notes": ("timed out: private_count_visible",)}),
        ("broken_file", {"graded": True}),
    ],
)
def test_the_demo_notices_a_wrong_row(points, student, change):
    outcomes = as_promised(points)
    outcomes[student] = replace(outcomes[student], **change)
    found = surprises(points, list(outcomes.values()))
    assert found
    assert all(line.startswith(student) for line in found)


def test_the_demo_notices_each_wrong_cell(points):
    promised = as_promised(points)
    for name, outcome in promised.items():
        for cell in points if outcome.graded else ():
            wrong = {**outcome.points, cell: 0.5}
            changed = {**promised, name: replace(outcome, points=wrong)}
            (line,) = surprises(points, list(changed.values()))
            assert line.startswith(f"{name}: {cell} must give ")


def test_the_demo_notices_who_is_missing(points):
    outcomes = as_promised(points)
    del outcomes["blank"]
    assert surprises(points, list(outcomes.values())) == ["blank: not in the table"]


def test_every_mistake_is_put_into_the_notebook(root, tmp_path, points):
    """A renamed exercise must not turn a wrong answer into a right one."""
    folder = make(root, tmp_path / "demo")
    for name, student in STUDENTS.items():
        handed_in = folder / "submitted" / name / CHAPTER / f"{CHAPTER}.ipynb"
        if student.unreadable is not None:
            assert handed_in.read_bytes() == student.unreadable
            continue
        sources = [cell.source for cell in nbformat.read(handed_in, as_version=4).cells]
        assert all(answer in sources for answer in student.answers.values())
        assert not any("BEGIN SOLUTION" in source for source in sources)
        assert any("NotImplementedError" in source for source in sources) == student.blank
        assert {f"{exercise}_visible" for exercise in student.loses} <= points.keys()
