"""Limits of feedback pages: on time and memory, for each student and each piece of a page."""

import gc
import os
import re
import signal
import sys

import nbformat
import psutil
import pytest
import toy
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from sqlalchemy import event

from autograder.course_folders.course import Course
from autograder.feedback import put_grades, workers
from autograder.feedback.hidden_tests import HideHiddenTests
from autograder.feedback.markdown import markdown
from autograder.feedback.page_time import PageTime
from autograder.feedback.pages import Feedback
from autograder.feedback.pictures import Pictures
from autograder.feedback.student_page import page
from autograder.feedback.summary import _title
from autograder.feedback.workers import PageError, Pages
from autograder.graded_notebook.outputs import Graded
from autograder.grading import grade

pytestmark = pytest.mark.long

linux = pytest.mark.skipif(sys.platform != "linux", reason="pages have processes on Linux")
MISSING = "Something is missing here: it takes too long to lay out."
WHERE = {"student": "alice", "notebook": "toy", "score": 3, "max_score": 8, "late_penalty": 0}


# CPU seconds for a page: a piece has a quarter, many times what an honest piece takes anywhere.
ENOUGH = 6.0


@pytest.fixture(autouse=True)
def _nobody_listens_to_the_collector():
    """What is raised while hypothesis notes the time of the garbage collector is lost."""
    listeners, gc.callbacks[:] = gc.callbacks[:], []
    yield
    gc.callbacks[:] = listeners


@pytest.fixture(scope="module", autouse=True)
def _imported():
    """What the first page imports is nobody's work."""
    made(shown(**{"text/html": "<b>1</b>"}), new_markdown_cell("**1**"), seconds=60)


def made(*cells, seconds=ENOUGH) -> str:
    notebook = toy.source()
    notebook.cells += cells
    return page(notebook, {"nbgrader": WHERE, "metadata": {}}, seconds=seconds)


def shown(**data) -> nbformat.NotebookNode:
    cell = new_code_cell("1")
    cell.outputs = [new_output("display_data", data)]
    return cell


@pytest.mark.parametrize(
    "cell",
    [
        new_markdown_cell("<div>" * 200_000),
        new_markdown_cell("a" + " " * 1_000_000 + "b"),
        new_markdown_cell("> " * 500_000),
        new_markdown_cell("[" * 1_000_000),
        shown(**{"text/html": "<table>" * 300_000}),
        shown(**{"text/markdown": "*a " * 300_000}),
    ],
)
def test_what_takes_too_long_is_shortened_and_the_rest_is_laid_out(cell):
    text = made(cell, new_markdown_cell("the **last** one"))
    assert text.count(MISSING) == 1
    assert "<strong>3</strong> of 8 points" in text
    assert "the <strong>last</strong> one" in text
    assert len(text) < 100_000


def test_a_piece_that_no_library_can_lay_out_is_shortened():
    def fail():
        raise IndexError("in a library")

    html = PageTime(1).laid_out(fail, "the <b> text")
    assert "the &lt;b&gt; text" in html
    assert "it cannot be laid out" in html


def test_without_time_nothing_is_laid_out():
    text = made(new_markdown_cell("**bold**"), seconds=0)
    assert "<strong>3</strong> of 8 points" in text
    assert "**bold**" in text


def test_an_attachment_stands_in_the_page_once():
    cell = new_markdown_cell("![the *plan*](attachment:a.png)\n\n" * 500)
    cell.attachments = {"a.png": {"image/png": "A" * 1_000_000}}
    text = made(cell)
    assert text.count("A" * 1000) == 1000
    assert text.count('href="#picture-0"') == 499
    assert text.count('id="picture-0"') == 1
    assert "The same picture as above: the plan" in text


def test_all_pictures_together_are_bounded():
    pictures = Pictures(most=1000)
    attached = {f"{number}": {"image/png": str(number) * 400} for number in range(4)}
    text = "\n".join(f"![x](attachment:{name})" for name in attached)
    html = pictures.shown(markdown(text, pictures=pictures, attachments=attached))
    assert html.count("data:image/png;base64,") == 2
    assert html.count("A picture is missing here") == 2


@pytest.mark.parametrize("attachment", [None, [], {}, {"text/html": "<b>"}, {"image/png": ["A"]}])
def test_an_odd_attachment_is_no_picture(attachment):
    assert "src" not in markdown("![x](attachment:a)", attachments={"a": attachment})


def test_the_place_of_a_formula_is_none_of_a_students():
    assert markdown("&#xe000;7&#xe001; $x$ &#xe000;" + "9" * 5000 + "&#xe001;").count("<math") == 1


def read_report(text):
    cell = new_code_cell("check.it()", metadata=toy.mark("it", points=1))
    cell.outputs = [new_output("stream", text=text)]
    Graded(nbformat.v4.new_notebook(cells=[cell]), "", {})


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (read_report, "✓ "),
        (read_report, "✓ (not judged to the end:"),
        (lambda text: _title([new_markdown_cell("# Exercise 1" + text + "x")], "n"), " "),
        (lambda text: _title([new_markdown_cell("# Exercise 1" + text + "x")], "n"), " ("),
        (lambda text: made(shown(**{"text/plain": text}), seconds=10**6), "x"),
        (lambda text: made(shown(**{"text/plain": text}), seconds=10**6), "\r"),
    ],
)
def test_the_work_grows_with_the_text_and_no_faster(function, part):
    """It ends: work that grows with the text's square would take hours."""
    function(part * 1_000_000)


def test_a_sign_that_no_computer_has_is_no_secret():
    notebook, output = toy.source(), {"text/plain": "&#" + "9" * 10_000 + ";"}
    notebook.cells.append(shown(**output))
    HideHiddenTests().preprocess(notebook, {})
    assert notebook.cells[-1].outputs[0].data == output


# The processes -----------------------------------------------------------------------------------


@pytest.fixture
def feedback(course):
    grader = Course(course)
    with grader.environment():
        yield Feedback(grader, toy.CHAPTER)


@pytest.fixture
def pages(feedback, monkeypatch):
    monkeypatch.setattr(workers, "_BESIDE_CELLS", 0.0)
    made = []

    def make() -> Pages:
        made.append(Pages(feedback, 1))
        return made[0]

    yield make
    for each in made:
        each.close()


def page_of(course):
    return toy.file_of(course, "feedback", "alice", "html")


def hog_memory():
    return [bytearray(1 << 24) for _ in range(1000)]


def loop():
    while True:
        pass


@linux
@pytest.mark.parametrize("harm", [hog_memory, loop, lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_a_page_that_takes_too_much_is_made_anew_without_its_cells(
    course, feedback, pages, monkeypatch, harm
):
    before = feedback.generate

    def generate(student, *, seconds=None):
        if student == "hog" or seconds is None:
            harm()
        before(student, seconds=seconds)

    page_of(course).unlink()
    feedback._seconds = 1.0
    monkeypatch.setattr(feedback, "generate", generate)
    monkeypatch.setattr(feedback, "limits", lambda: (1.0, 200))
    made = pages()
    lost = made.make("hog")
    made.make("alice").result()
    assert "Something is missing here" in page_of(course).read_text("utf-8")
    with pytest.raises(PageError) as caught:
        lost.result()
    assert re.match("it takes more than 1 seconds, or 200 meg|grading it failed", str(caught.value))


@linux
def test_no_fork_compiles_the_questions_to_the_gradebook_again(
    course, feedback, pages, monkeypatch, tmp_path
):
    """Compiling them costs as much as the rest of a small page."""
    known, before = tmp_path / "known", feedback.generate

    def generate(student, **settings):
        asked = []
        engine = put_grades._engine(feedback.directory.db_url)
        event.listen(
            engine, "before_cursor_execute", lambda *given: asked.append(given[4].cache_hit)
        )
        before(student, **settings)
        known.write_text(" ".join(hit.name for hit in asked))

    monkeypatch.setattr(feedback, "generate", generate)
    pages().make("alice").result()
    assert known.read_text() == "CACHE_HIT CACHE_HIT CACHE_HIT"


@linux
def test_who_makes_pages_may_be_killed(course, feedback, pages):
    """Those that remain go on; when none does, the reason says so, and nothing hangs."""
    made = pages()
    made.make("alice").result()
    for maker in made._all:
        psutil.Process(maker._process.pid).kill()
        maker._process.join()
    for _ in range(2):
        with pytest.raises(PageError, match="was killed"):
            made.make("alice").result()


@linux
def test_one_students_page_costs_nobody_elses(course):
    notebook = toy.answers()
    notebook.cells.append(new_markdown_cell("<div>" * 200_000))
    toy.submit(course, "bob", notebook)
    toy.submit(course, "carol", toy.answers())
    config = course / "nbgrader_config.py"
    config.write_text(toy.CONFIG + "c.FeedbackExporter.seconds = 2\n")
    outcomes = grade(toy.CHAPTER, root=course)
    assert [outcome.score for outcome in outcomes] == [8, 8, 8]
    texts = {name: toy.page(course, name) for name in ("bob", "carol")}
    assert texts["bob"].count(MISSING) == 1
    assert "missing here" not in texts["carol"]
