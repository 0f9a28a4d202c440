"""What is handed in is another chapter's, or empty, or has its words in a cell of its own."""

import csv
import shutil
import zipfile

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.course_folders.course import Course
from autograder.course_folders.known_chapters import strange
from autograder.gradebook_io.written_answers import give_points
from autograder.grading import grade
from autograder.lms.collect import collect
from autograder.reading.reading_table import write_reading
from autograder.report.student_rows import collect as collect_class
from autograder.report.sums import total
from autograder.report.write import report

pytestmark = pytest.mark.long

OTHER = "02_other"
WORDS = "Noise hides one person."


def other(*more: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return another chapter's notebook, answered, with more cells at its end."""
    cells = [
        new_markdown_cell("# Two others"),
        new_code_cell("def third(x):\n    return x / 3", metadata=toy.mark("third", solution=True)),
        new_code_cell("assert third(3) == 1", metadata=toy.mark("third_visible", points=1)),
    ]
    return new_notebook(cells=[*cells, *more])


def own_cell(*, before: bool = False, code: bool = False) -> nbformat.NotebookNode:
    """Return a notebook with the words in a cell of the student's own."""
    notebook = toy.answers(written="YOUR ANSWER HERE")
    (place,) = (k for k, cell in enumerate(notebook.cells) if toy.name(cell) == "written")
    made = new_code_cell("1 + 1") if code else new_markdown_cell(WORDS)
    notebook.cells.insert(place + (not before), made)
    return notebook


HANDED_IN = {
    "ann": toy.answers(),
    "blank": toy.answers(written="YOUR ANSWER HERE"),
    "eva": new_notebook(),
    "mia": own_cell(before=True),
    "nia": own_cell(),
    "pia": own_cell(code=True),
    "qin": other(),
    "rex": other(new_markdown_cell("What a third is, in many words."), new_code_cell("third(9)")),
}


def make(root):
    """Make the course, of two chapters."""
    toy.make(root)
    (root / "source" / OTHER).mkdir()
    nbformat.write(other(), root / "source" / OTHER / f"{OTHER}.ipynb")
    return root


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = make(tmp_path_factory.mktemp("strange"))
    for student, content in HANDED_IN.items():
        toy.submit(root, student, content)
    outcomes = grade(toy.CHAPTER, root=root, apart=False)
    return root, {outcome.student: outcome for outcome in outcomes}


@pytest.mark.parametrize(
    ("student", "words"),
    [("qin", f"is the notebook of {OTHER}"), ("eva", "has no cells, or nothing in them")],
)
def test_what_is_not_this_chapters_is_named_once(graded, student, words):
    root, outcomes = graded
    outcome, said = outcomes[student], toy.page(root, student)
    assert outcome.strange and not outcomes["ann"].strange
    assert f"01_toy.ipynb {words}: ask for it again" in outcome.notes
    assert not any("is missing" in note for note in outcome.notes)
    assert f"Nothing could be graded: the file that you handed in as 01_toy.ipynb {words}." in said
    assert "the cell with your answer is missing" not in said
    assert "Two others</h1>" not in said.replace("\n", "")


def test_a_zip_with_another_chapters_notebook_says_so_before_it_is_written(graded, tmp_path):
    root = toy.copy(graded[0], tmp_path / "course")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("a_1_2_01_toy.ipynb", nbformat.writes(other()))
    found = collect("canvas", tmp_path / "c.zip", root=root, whose={"1": "ann"})
    assert f"01_toy.ipynb is the notebook of {OTHER}: ask for it again" in found.lines["ann"]


def test_a_notebook_without_the_marks_of_its_cells_is_not_called_another_chapters(graded):
    course = Course(graded[0])
    bare = toy.answers()
    for cell in bare.cells:
        cell.metadata = {}
    third = '{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}'
    for content in (nbformat.writes(bare), "{", "[]", third):
        assert strange(course, toy.CHAPTER, toy.CHAPTER, content.encode()) == ""


@pytest.mark.parametrize("student", ["mia", "nia"])
def test_words_in_a_cell_of_the_students_own_wait_for_a_person(graded, tmp_path, student):
    root, outcomes = graded
    assert "1 to grade by hand" in outcomes[student].notes
    assert "the words stand in a cell of the student's own: written" in outcomes[student].notes
    said = toy.page(root, student)
    assert "no answer was given" not in said and "your words stand in a cell of your own" in said
    assert "not read yet (2 points)" in said
    root = toy.copy(root, tmp_path / "course")
    shutil.rmtree(root / "reports", ignore_errors=True)
    reading, table = write_reading(toy.CHAPTER, root=root)
    assert WORDS in reading.read_text("utf-8")
    rows = table.read_text("utf-8-sig").splitlines()
    rows = [row + "1," if row.startswith(student) else row for row in rows]
    table.write_text("\n".join(rows).replace(",2,,1,", ",2,1,"))
    assert give_points(toy.CHAPTER, root=root, path=table) == 1
    (outcome,) = grade(toy.CHAPTER, root=root, students=[student])
    assert outcome.score == 9 and not any("to grade by hand" in note for note in outcome.notes)


@pytest.mark.parametrize("student", ["blank", "pia", "rex"])
def test_no_words_are_no_answer_as_before(graded, student):
    root, outcomes = graded
    assert not any("by hand" in note for note in outcomes[student].notes)
    assert "no answer was given" in toy.page(root, student)
    waits = {row[0] for row in toy.records(root) if row[5]}
    assert waits == {"ann", "mia", "nia"}


def test_the_report_knows_what_waits_and_what_was_not_answered(graded):
    """As the pages: words in an own cell are no 0, and a cell as it was is no answer."""
    root = graded[0]
    course = Course(root)
    with course.environment():
        sums = total(collect_class(course, toy.CHAPTER))
    (written,) = (each for each in sums.exercises if each.name == "written")
    blank = {name for name in HANDED_IN if "no answer was given" in toy.page(root, name)}
    assert blank == {"blank", "eva", "pia", "qin", "rex"}
    assert written.students == written.unanswered == len(blank)
    _, table = report(toy.CHAPTER, root=root)
    with table.open(encoding="utf-8-sig") as file:
        points = {row["student"]: row["written"] for row in csv.DictReader(file)}
    assert points == dict.fromkeys(blank, "0") | dict.fromkeys(["ann", "mia", "nia"], "")


def test_another_chapters_text_is_nobodys_words_where_no_other_answer_is_asked(tmp_path):
    """No answer's cell is missing then: the words alone are a reason to look."""
    root = make(tmp_path)
    with toy.edited(root) as notebook:
        notebook.cells = [notebook.cells[0], toy.cell(notebook, "written")]
    toy.submit(root, "rex", HANDED_IN["rex"])
    (outcome,) = grade(toy.CHAPTER, root=root, apart=False)
    assert f"01_toy.ipynb is the notebook of {OTHER}: ask for it again" in outcome.notes
    assert not any("by hand" in note or "own" in note for note in outcome.notes)
