"""Work on an earlier release: what the course has changed since is nobody's doing."""

import nbformat
import pytest
import toy
from nbformat.v4 import new_markdown_cell
from nbgrader.utils import compute_checksum

from autograder.graded_notebook.sentences import NO_ANSWER
from autograder.grading import grade

QUESTION = "What does a taxi ride tel?"


def with_question(notebook, question=QUESTION):
    place = notebook.cells.index(toy.cell(notebook, "written"))
    notebook.cells.insert(place, new_markdown_cell(question, id="question"))
    return notebook


def with_checksums(notebook):
    for cell in notebook.cells:
        if toy.name(cell):
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return notebook


@pytest.fixture
def mended(tmp_path):
    """A course whose question was mended after alice was graded, and the text for an answer."""
    root = toy.make(tmp_path)
    with toy.edited(root) as source:
        with_question(source)
    toy.submit(root, "alice", with_question(toy.answers()))
    grade(toy.CHAPTER, root=root)
    with toy.edited(root) as source:
        (question,) = (cell for cell in source.cells if cell.source == QUESTION)
        question.source = QUESTION.replace("tel?", "tell?")
    return root


@pytest.mark.long
def test_a_question_of_an_earlier_release_is_no_answer(mended):
    toy.submit(
        mended, "old", with_checksums(with_question(toy.answers(written="YOUR ANSWER HERE")))
    )
    unmarked = with_question(toy.answers(written="YOUR ANSWER HERE"))
    unmarked.cells.remove(toy.cell(unmarked, "written"))
    toy.submit(mended, "without", unmarked)
    other = with_question(toy.answers(written="Write here."))
    toy.cell(other, "written").metadata.nbgrader.checksum = compute_checksum(
        toy.cell(other, "written")
    )
    toy.submit(mended, "stub", other)  # of a release whose answers began with other words
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=mended)}
    for student in ("old", "without", "stub"):
        assert not [note for note in outcomes[student].notes if "hand" in note], student
        assert NO_ANSWER in toy.page(mended, student)
    assert "1 to grade by hand" in outcomes["alice"].notes


@pytest.mark.long
def test_a_question_that_the_student_has_written_into_is_read(mended):
    toy.submit(
        mended, "bo", with_question(toy.answers(written="YOUR ANSWER HERE"), f"{QUESTION}\n\nMuch.")
    )
    _, bo = grade(toy.CHAPTER, root=mended)
    assert "1 to grade by hand" in bo.notes


@pytest.mark.long
def test_nothing_is_said_of_a_notebook_that_equals_the_source(tmp_path):
    """Also where the source marks a test as not locked: nbgrader locks it all the same."""
    root = toy.make(tmp_path)
    with toy.edited(root) as source:
        for name in ("double_visible", "double_hidden", "half_visible"):
            toy.cell(source, name).metadata.nbgrader.locked = False
    same = nbformat.read(toy.file_of(root, "source"), as_version=4)
    toy.submit(root, "same", same)
    changed = nbformat.from_dict(same)
    for name in ("half_visible", "written"):
        toy.cell(changed, name).source += "\n# more"
    toy.submit(root, "changed", changed)
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=root)}
    assert not [note for note in outcomes["same"].notes if "not as in" in note]
    assert [note for note in outcomes["changed"].notes if "not as in" in note] == [
        "cells were not as in the course, and were set right: half_visible (another text)"
    ]


@pytest.mark.long
def test_an_answer_that_a_person_reads_now_was_none_then(tmp_path):
    """The course has made an answer one that is read: the student's mark is of before."""
    root = toy.make(tmp_path)
    toy.submit(root, "alice", toy.answers())
    grade(toy.CHAPTER, root=root)
    with toy.edited(root) as source:
        toy.cell(source, "half").metadata.nbgrader |= {"grade": True, "points": 2}
    toy.submit(root, "bo", toy.answers())
    _, bo = grade(toy.CHAPTER, root=root)
    assert not [note for note in bo.notes if "not as in" in note]
