"""Points of an exercise change after a class was graded: exports and returned pages say so."""

import json
import sqlite3

import nbformat
import pytest
import toy

from autograder.cli import main
from autograder.nbgrader.assignment import prepare
from autograder.nbgrader.course import Course
from autograder.nbgrader.stale import above

pytestmark = pytest.mark.long

AGAIN = f"autograder grade {toy.CHAPTER} --again"


def run(root, *words) -> int:
    return main(["--root", str(root), *words])


def give_points(root, points: float, *, known: bool = True) -> None:
    """Change the most of a cell, in source/ and, if known, in the gradebook; grade nobody."""
    path = root / "source" / toy.CHAPTER / f"{toy.CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (cell,) = [cell for cell in notebook.cells if toy.name(cell) == "double_hidden"]
    cell.metadata.nbgrader.points = points
    nbformat.write(notebook, path)
    if known:
        with Course(root).environment():
            prepare(Course(root), toy.CHAPTER)


def collect(root) -> None:
    """Let alice's work have come from Canvas."""
    path = root / "submitted" / ".collected" / f"{toy.CHAPTER}.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"alice": {"system": "canvas", "prefix": "alice_1_2"}}))


def test_marks_above_their_maximum_are_not_written(course, capsys):
    give_points(course, 1)  # alice has 2
    collect(course)
    for command in (["export", "canvas"], ["return", "canvas", toy.CHAPTER]):
        assert run(course, *command) == 1
        said = capsys.readouterr().err
        assert "somebody has more points than there are" in said
        assert f"{toy.CHAPTER}: alice (8 of 9): {AGAIN}" in said and "--anyway" in said
    assert not (course / "reports").exists()
    assert run(course, "export", "canvas", "--anyway") == 3
    assert run(course, "return", "canvas", toy.CHAPTER, "--anyway") == 3
    assert (course / "reports" / "canvas.csv").exists()


def test_who_was_graded_on_other_points_is_named_with_the_mend(course, capsys):
    collect(course)
    assert run(course, "export", "canvas") == 0
    assert run(course, "return", "canvas", toy.CHAPTER) == 0
    said = capsys.readouterr().out
    assert "other points" not in said
    assert "Not yet read by a person: 1 (alice)." in said
    give_points(course, 3)
    words = f"Graded on other points or dates than those of now, {toy.CHAPTER}: alice. {AGAIN}"
    for command in (["export", "moodle"], ["return", "canvas", toy.CHAPTER]):
        assert run(course, *command) == 3
        assert words in capsys.readouterr().out
    assert run(course, "grade", toy.CHAPTER, "--again", "--no-second-opinion", "--yes") == 0
    assert run(course, "export", "moodle") == 0
    assert words not in capsys.readouterr().out


def test_points_that_are_new_in_source_alone_are_named_too(course, capsys):
    give_points(course, 2, known=False)
    assert run(course, "export", "moodle") == 0
    give_points(course, 3, known=False)
    assert run(course, "export", "moodle") == 3
    assert f"those of now, {toy.CHAPTER}: alice." in capsys.readouterr().out


def test_extra_credit_is_not_above_the_maximum(course):
    """nor is a person's half point more on one cell: the sum fits."""
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("update grade set extra_credit = 5 where auto_score = 4")
        database.execute("update grade set manual_score = 2.5 where auto_score = 2")
    with Course(course).environment():
        assert above(Course(course), toy.CHAPTER) == {}
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("update grade set manual_score = 9 where auto_score = 4")
    with Course(course).environment():
        assert above(Course(course), toy.CHAPTER) == {"alice": "alice (13.5 of 10)"}
