"""An exercise added, dropped or moved after students were graded: nothing else is lost."""

import pytest
import toy
from marks import mark, solved
from nbformat.v4 import new_code_cell

from autograder.grading import grade
from autograder.problem import Problem
from autograder.report.write import report

NEW = [
    ("triple", solved("def triple(x):", "return 3 * x"), {"solution": True}),
    ("triple_visible", "assert triple(1) == 3", {"points": 3}),
]
HALF = ("half", "half_visible", "half_parts")


def added(notebook):
    """Put a new exercise behind the first one."""
    place = notebook.cells.index(toy.cell(notebook, "double_hidden")) + 1
    cells = [
        new_code_cell(text, metadata=mark(name, **how), id=f"new-{name}") for name, text, how in NEW
    ]
    notebook.cells[place:place] = cells


def dropped(notebook, *names):
    notebook.cells = [cell for cell in notebook.cells if toy.name(cell) not in names]


def rows(root):
    return {(student, cell): (auto, hand) for student, cell, auto, hand, *_ in toy.records(root)}


@pytest.fixture
def running(course):
    """A course in which alice and the late bo are graded, with points by hand, and a date."""
    toy.due(course, "2027-03-01 12:00:00 UTC")
    work = toy.submit(course, "bo", toy.answers(half="def half(x):\n    return x"))
    (work.parent / "timestamp.txt").write_text("2027-03-01 13:00:00 UTC")
    grade(toy.CHAPTER, root=course)
    toy.give(course, 2)
    return course


def date(root):
    return toy.sql(root, "select duedate from assignment")


@pytest.mark.long
def test_an_added_exercise_is_asked_of_those_who_are_graded_from_then_on(running, capsys):
    before = date(running)
    with toy.edited(running) as source:
        added(source)
    cleo = toy.answers()
    added(cleo)
    toy.submit(running, "cleo", cleo)
    alice, bo, cleo = grade(toy.CHAPTER, root=running)
    said = capsys.readouterr().out
    assert "New in 01_toy since the grading: triple_visible." in said
    assert (cleo.score, cleo.max_score) == (11, 13)
    assert (alice.score, alice.max_score) == (10, 10)
    assert "not asked for until graded again: triple_visible" in alice.notes
    assert not [note for each in (alice, bo, cleo) for note in each.notes if "not as in" in note]
    assert date(running) == before
    wrote, said, _ = toy.run_again(running, answer=True)
    assert wrote
    assert "triple_visible — → 0" in "\n".join(toy.rows(said))
    assert rows(running)["alice", "written"] == (None, 2)
    alice, bo, cleo = grade(toy.CHAPTER, root=running)
    assert (alice.score, alice.max_score) == (10, 13)
    assert "late: 1 hour after the date" in bo.status
    assert not [note for each in (alice, bo, cleo) for note in each.notes if "not as in" in note]
    assert "was not yet in the notebook that you handed in" in toy.page(running)
    assert report(toy.CHAPTER, root=running)


@pytest.mark.long
def test_a_dropped_exercise_leaves_the_sums_and_nothing_else(running, capsys):
    before = date(running)
    with toy.edited(running) as source:
        dropped(source, *HALF)
    wrote, said, asked = toy.run_again(running, answer=False)
    assert not wrote and asked
    assert "half_parts 4 → —" in "\n".join(toy.rows(said))
    assert ("alice", "half_parts") in rows(running)  # nothing is written without a yes
    wrote, *_ = toy.run_again(running, answer=True)
    assert wrote
    alice, bo = grade(toy.CHAPTER, root=running)
    assert (alice.score, alice.max_score) == (5, 5)
    assert ("alice", "half_parts") not in rows(running)
    assert rows(running)["alice", "written"] == (None, 2)
    assert date(running) == before
    assert "late: 1 hour after the date" in bo.status
    assert not [note for each in (alice, bo) for note in each.notes if "not as in" in note]
    assert not list(running.glob("gradebook.db-*"))
    assert report(toy.CHAPTER, root=running)


@pytest.mark.long
def test_the_gradebook_is_kept_where_points_by_hand_go(running, capsys):
    with toy.edited(running) as source:
        dropped(source, "written")
    toy.submit(running, "cleo", toy.answers())
    alice, _, cleo = grade(toy.CHAPTER, root=running)
    assert [each.score for each in (alice, cleo)] == [8, 8]
    (kept,) = running.glob("gradebook.db-01_toy-*")
    assert f"the gradebook as it was is {kept}" in " ".join(capsys.readouterr().out.split())
    assert "not as in" not in cleo.status


@pytest.mark.long
def test_a_moved_exercise_changes_nothing(running):
    toy.run_again(running, answer=True)  # with the date
    before = rows(running)
    with toy.edited(running) as source:
        moved = [cell for cell in source.cells if toy.name(cell) in HALF]
        dropped(source, *HALF)
        source.cells[1:1] = moved
    wrote, said, _ = toy.run_again(running, answer=True)
    assert not wrote and "no scores would change" in said
    assert rows(running) == before


@pytest.mark.long
def test_a_source_that_nbgrader_refuses_leaves_the_gradebook_alone(running):
    before = rows(running)
    with toy.edited(running) as source:
        dropped(source, *HALF)
        toy.cell(source, "double").source = "### BEGIN SOLUTION\n1"
    with pytest.raises(Problem, match="nbgrader refuses source/01_toy"):
        grade(toy.CHAPTER, root=running)
    assert rows(running) == before
