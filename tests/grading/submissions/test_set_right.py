"""A teacher learns which cells of the course a student's notebook had otherwise, and how."""

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import compute_checksum

from autograder.course_folders.restore import Restore
from autograder.grading import grade
from autograder.releases import Earlier
from autograder.report.write import report


def with_checksums(notebook):
    """Return a notebook as nbgrader releases it, hidden tests aside."""
    for cell in notebook.cells:
        if toy.name(cell):
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return notebook


def without_hidden_tests(**cells):
    return toy.answers(double_hidden="", **cells)


def marked(grade_id, /, **mark):
    """Return a right notebook with another mark on one cell."""
    notebook = toy.answers()
    toy.cell(notebook, grade_id).metadata.nbgrader.update(mark)
    return notebook


def unmarked(grade_id):
    notebook = toy.answers()
    del toy.cell(notebook, grade_id).metadata["nbgrader"]
    return notebook


def with_cell(**metadata):
    notebook = toy.answers()
    notebook.cells.append(new_code_cell("1", metadata=metadata))
    return notebook


def with_copy(grade_id):
    notebook = toy.answers()
    notebook.cells.append(new_code_cell("try", metadata=toy.cell(notebook, grade_id).metadata))
    return notebook


def older_release():
    """The tests and points of another day, as nbgrader released them, and a cell of then."""
    notebook = toy.answers(double_visible="assert double(5) == 10")
    toy.cell(notebook, "half_parts").metadata.nbgrader.points = 7
    notebook.cells.append(new_code_cell("old", metadata=toy.mark("of_then", points=1)))
    return with_checksums(notebook)


def edited_after(grade_id, source):
    """A released notebook with another text in one cell."""
    notebook = with_checksums(without_hidden_tests())
    toy.cell(notebook, grade_id).source = source
    return notebook


HONEST = {
    "right": toy.answers,
    "released": toy.released,
    "without hidden tests": without_hidden_tests,
    "spaces at the end": lambda: toy.answers(half_visible="assert half(4) == 2  \n\n"),
    "with checksums": lambda: with_checksums(without_hidden_tests()),
    "an answer that is edited": lambda: edited_after("double", "def double(x):\n    return x"),
    "of an older release": older_release,
    "an answer in words to an older release": lambda: marked("written", points=3),
    "an own cell": with_cell,
    "an own cell with a mark of no kind": lambda: with_cell(
        nbgrader={**toy.mark("cell-1")["nbgrader"], "locked": False}
    ),
    "an answer copied to try it": lambda: with_copy("double"),
    "a test copied to try it": lambda: with_copy("half_visible"),
    "an answer deleted": lambda: toy.answers(double=None),  # that is said as such
}
OTHERWISE = {
    "a test deleted": (lambda: toy.answers(double_hidden=None), {"double_hidden": "missing"}),
    "a test edited": (
        lambda: toy.answers(half_visible="assert True"),
        {"half_visible": "another text"},
    ),
    "a released test edited": (
        lambda: edited_after("half_visible", "assert True"),
        {"half_visible": "another text"},
    ),
    "more points": (lambda: marked("half_parts", points=100), {"half_parts": "another mark"}),
    "points in words": (lambda: marked("half_parts", points="all"), {"half_parts": "another mark"}),
    "an answer that is a test": (
        lambda: marked("double", grade=True, points=9),
        {"double": "another mark"},
    ),
    "a test renamed": (
        lambda: marked("half_visible", grade_id="other"),
        {"half_visible": "another mark"},
    ),
    "a mark taken off": (lambda: unmarked("half_visible"), {"half_visible": "without its mark"}),
    "a test added": (
        lambda: with_cell(**toy.mark("mine", points=9)),
        {"mine": "added with a mark"},
    ),
    "a name that speaks to the terminal": (
        lambda: with_cell(**toy.mark("\x1b[2K", points=9)),
        {"�[2K": "added with a mark"},
    ),
}


def said(course, notebook) -> dict[str, str]:
    where = {"notebook": toy.CHAPTER, "assignment": toy.CHAPTER}
    where["db_url"] = f"sqlite:///{course / 'gradebook.db'}"
    step = Restore(course / "source" / toy.CHAPTER, Earlier(course, toy.CHAPTER))
    step.parent = None
    step.preprocess(notebook, {"nbgrader": where})
    return step.seen[toy.CHAPTER].set_right


@pytest.mark.parametrize("what", HONEST)
def test_nothing_is_said_of_an_honest_notebook(course, what):
    assert said(course, HONEST[what]()) == {}


@pytest.mark.parametrize(("make", "words"), OTHERWISE.values(), ids=OTHERWISE)
def test_what_was_otherwise_is_named(course, make, words):
    assert said(course, make()) == words


@pytest.mark.long
def test_the_table_the_report_and_the_page_say_it(course):
    words = "cells were not as in the course, and were set right: "
    both = toy.answers(double_hidden=None, half_visible="assert True")
    toy.submit(course, "dora", both)
    toy.submit(course, "eve", new_notebook(cells=[new_code_cell("")]))  # nothing of the course
    toy.submit(course, "finn", toy.answers(written=None))  # nbgrader's setting puts it back
    alice, dora, eve, finn = grade(toy.CHAPTER, root=course)
    listed = f"{words}double_hidden (missing), half_visible (another text)"
    assert (dora.score, dora.status) == (8, f"graded; 1 to grade by hand; {listed}")
    assert words not in alice.status + eve.status
    assert f"{words}written (missing)" in finn.status
    (again,) = grade(toy.CHAPTER, root=course, students=["dora"])
    assert again.status == dora.status.replace("graded", "graded before", 1)
    page, _ = report(toy.CHAPTER, root=course)
    text = page.read_text("utf-8")
    assert (text.count(words), text.count(listed)) == (2, 1)
    assert f"These {listed}." in toy.page(course, "dora")
    assert words not in toy.page(course, "alice")


@pytest.mark.long
def test_a_cell_of_one_of_several_notebooks_is_named_with_its_notebook(tmp_path):
    """Also where the student handed in one of them only."""
    root = toy.make(tmp_path)
    nbformat.write(toy.source(), root / "source" / toy.CHAPTER / "more.ipynb")
    toy.submit(root, "alice", toy.answers(double=None, half_visible="assert True"))
    (alice,) = grade(toy.CHAPTER, root=root)
    assert "the cell with the answer is missing: 01_toy/double" in alice.notes
    words = "cells were not as in the course, and were set right: "
    assert f"{words}01_toy/half_visible (another text)" in alice.notes
