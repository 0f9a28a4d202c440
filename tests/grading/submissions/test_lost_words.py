"""A student's words reach their reader: whatever became of the cell that asks for them."""

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.graded_notebook.sentences import NO_ANSWER
from autograder.grading import grade
from autograder.reading.reading_table import write_reading

WORDS = "A taxi ride has a place and a time."
QUESTION, AFTER = "## In your own words\n\nWhat does a taxi ride tell?", "## What goes wrong"


def with_question(notebook):
    """Return a notebook in which the answer in words has a text before it and one after it."""
    place = notebook.cells.index(toy.cell(notebook, "written"))
    notebook.cells[place:place] = [new_markdown_cell(QUESTION, id="question")]
    notebook.cells += [new_markdown_cell(AFTER, id="after"), new_code_cell("1", id="demo")]
    return notebook


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Everybody of this file, graded at once: what each has handed in, by name."""
    root = toy.make(tmp_path_factory.mktemp("words"))
    with toy.edited(root) as source:
        with_question(source)
    for student, make in STUDENTS.items():
        toy.submit(root, student, make())
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=root)}
    page, _ = write_reading(toy.CHAPTER, root=root)
    return root, outcomes, page.read_text("utf-8")


def right():
    return with_question(toy.answers())


def replaced():
    """The cell for the words is deleted; a new one stands in its place."""
    notebook = right()
    place = notebook.cells.index(toy.cell(notebook, "written"))
    notebook.cells[place] = new_markdown_cell(f"Replaced: {WORDS}")
    return notebook


def elsewhere():
    """The cell for the words is deleted; they stand at the top."""
    notebook = with_question(toy.answers(written=""))
    del notebook.cells[notebook.cells.index(toy.cell(notebook, "written"))]
    notebook.cells.insert(1, new_markdown_cell(f"Elsewhere: {WORDS}"))
    return notebook


def without_metadata():
    """A round trip through text: no mark, no id, no output is left, nor any hidden test."""
    notebook = with_question(toy.answers(double_hidden="# once more", written=f"Round: {WORDS}"))
    for number, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = {}, f"new-{number}"
    return notebook


def split():
    """JupyterLab's command Split Cell: the parts have one mark, and ids of their own."""
    notebook = with_question(toy.answers(written="First: before the ride."))
    first = toy.cell(notebook, "written")
    first.attachments = {"image.png": {"image/png": "AAAA"}}
    first.source += "\n![p](attachment:image.png)"
    place = notebook.cells.index(first)
    for text, picture in (("Second: in it.", "BBBB"), ("Third: after it.", None)):
        place += 1
        part = new_markdown_cell(text, metadata=dict(first.metadata))
        if picture:
            part.source += "\n![p](attachment:image.png)"
            part.attachments = {"image.png": {"image/png": picture}}
        notebook.cells.insert(place, part)
    return notebook


def own_notebook():
    """A notebook of the student's own: a title, the functions and the words; no mark anywhere."""
    return nbformat.v4.new_notebook(
        cells=[
            new_markdown_cell("# Homework of mine"),
            new_code_cell("import math"),
            new_code_cell("def double(x):\n    return 2 * x"),
            new_code_cell("def half(x):\n    return x / 2"),
            new_markdown_cell(f"Own: {WORDS}"),
        ],
        metadata={"kernelspec": toy.KERNEL},
    )


def one_cell():
    """Everything of an own notebook in one cell, and a try after it."""
    notebook = own_notebook()
    notebook.cells[2].source += "\n\nhalf = lambda x: x / 2"
    notebook.cells[3] = new_code_cell("half(4)", outputs=[new_output("stream", text="2")])
    return notebook


def silent():
    """The cell for the words is deleted, and there are none."""
    notebook = right()
    notebook.cells.remove(toy.cell(notebook, "written"))
    return notebook


STUDENTS = {
    "right": right, "replaced": replaced, "elsewhere": elsewhere, "split": split, "silent": silent,
    "without_metadata": without_metadata, "own_notebook": own_notebook, "one_cell": one_cell,
}  # fmt: skip
FOUND = {
    "replaced": "Replaced", "elsewhere": "Elsewhere", "without_metadata": "Round",
    "own_notebook": "Own", "one_cell": "Own",
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("student", FOUND)
def test_words_without_their_cell_wait_for_a_person(graded, student):
    root, outcomes, read = graded
    outcome = outcomes[student]
    assert outcome.score == 8
    assert "1 to grade by hand" in outcome.notes
    assert f"{FOUND[student]}: {WORDS}" in read
    assert NO_ANSWER not in toy.page(root, student)
    assert f"{FOUND[student]}: {WORDS}" in toy.page(root, student)


@pytest.mark.long
def test_an_answer_that_was_split_is_read_whole_and_in_order(graded):
    root, outcomes, read = graded
    assert "1 to grade by hand" in outcomes["split"].notes
    places = [read.index(each) for each in ("First: before", "Second: in", "Third: after")]
    assert places == sorted(places)
    notebook = nbformat.read(toy.file_of(root, "autograded", "split"), as_version=4)
    answer = toy.cell(notebook, "written")
    assert {each["image/png"] for each in answer.attachments.values()} == {"AAAA", "BBBB"}
    assert all(f"attachment:{name})" in answer.source for name in answer.attachments)


@pytest.mark.long
def test_no_words_are_no_answer(graded):
    root, outcomes, _ = graded
    assert not [note for note in outcomes["silent"].notes if "by hand" in note]
    assert NO_ANSWER in toy.page(root, "silent")


@pytest.mark.long
def test_a_deleted_cell_comes_back_after_its_question(graded):
    root, *_ = graded
    for student in ("replaced", "silent", "without_metadata"):
        notebook = nbformat.read(toy.file_of(root, "autograded", student), as_version=4)
        place = notebook.cells.index(toy.cell(notebook, "written"))
        assert notebook.cells[place - 1].source == QUESTION


@pytest.mark.long
def test_the_page_has_the_chapters_title_and_not_the_students(graded):
    root, *_ = graded
    assert "A toy</h1>" in toy.page(root, "own_notebook")


@pytest.mark.long
def test_nobody_is_to_be_read_who_wrote_nothing(graded):
    *_, read = graded
    assert "(silent): nothing was written</h3>" in read
    assert "(right): not read yet</h3>" in read
