"""A hidden test that nobody can pass: said before it is written, and no student's fault."""

import html
import io

import nbformat
import pytest
import toy
from rich.console import Console

from autograder.cli import main
from autograder.grading import grade
from autograder.grading.options import Options
from autograder.grading.own_answers import failures
from autograder.regrade.preview import again

pytestmark = pytest.mark.long

ERROR = "KeyError: 'age'"
BROKEN = "### BEGIN HIDDEN TESTS\nassert {'Age': double(1)}['age'] == 2\n### END HIDDEN TESTS"


@pytest.fixture
def broken(course):
    """Alice is right, bob is graded too, blank answers nothing; then a hidden test is changed."""
    path = course / "source" / toy.CHAPTER / f"{toy.CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (test,) = [cell for cell in notebook.cells if toy.name(cell) == "double_hidden"]
    test.source = BROKEN
    nbformat.write(notebook, path)
    return course


def page(root, student: str) -> str:
    text = (root / "feedback" / student / toy.CHAPTER / f"{toy.CHAPTER}.html").read_text("utf-8")
    return html.unescape(text[text.index("<main") :])


def test_the_preview_says_it_before_the_question(broken):
    printed, asked = io.StringIO(), []

    def confirm() -> bool:
        asked.append(printed.getvalue())
        return False

    how = {"options": Options(workers=1, second_opinion=False), "confirm": confirm}
    again(toy.CHAPTER, root=broken, **how, console=Console(file=printed, width=250))
    (shown,) = asked
    words = f"LOOK FIRST: the teacher's own answer does not pass double_hidden ({ERROR})"
    assert words in shown
    rows = [" ".join(line.replace("│", " ").split()) for line in shown.splitlines()]
    assert f"alice 8 → 6 double_hidden 2 → 0 {ERROR}" in rows


def test_adopt_refuses_it_and_says_how_to_take_it_all_the_same(broken, capsys):
    before = sorted(broken.rglob("*"))
    assert main(["--root", str(broken), "adopt", toy.CHAPTER]) == 1
    said = capsys.readouterr().err
    assert f"does not pass double_hidden ({ERROR})" in said and "--untried" in said
    assert sorted(broken.rglob("*")) == before
    main(["--root", str(broken), "adopt", toy.CHAPTER, "--untried"])
    assert "double_hidden" not in capsys.readouterr().err


def test_what_the_teacher_passes_is_not_named(course):
    assert failures(course, toy.CHAPTER) == {}
    assert failures(course, "02_nothing") == {}


def test_without_a_second_opinion_it_is_nobodys_fault_either(broken):
    toy.submit(broken, "alice", toy.answers(written="New words."))
    (outcome,) = grade(toy.CHAPTER, root=broken, second_opinion=False)
    words = "double_hidden: the teacher's own answer does not pass it, look at the test first"
    assert f"{words} ({ERROR})" in outcome.notes
    assert "this test itself is wrong" in page(broken, "alice")
    assert "'age'" not in page(broken, "alice")


def test_the_students_page_calls_it_nobodys_fault(broken, capsys):
    stub = "def double(x):\n    raise NotImplementedError"
    half = stub.replace("double", "half")
    toy.submit(broken, "alice", toy.answers(written="New words."))
    toy.submit(broken, "blank", toy.answers(double=stub, half=half, written="YOUR ANSWER HERE"))
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=broken)}
    assert (outcomes["alice"].score, outcomes["alice"].flagged) == (6, False)
    words = "double_hidden, the teacher's own answer does not pass it, look at the test first"
    assert capsys.readouterr().out.replace("\n", " ").count(f"{words} ({ERROR})") == 1
    for student in ("alice", "blank"):
        said = page(broken, student)
        assert "this test itself is wrong: your teacher's own answer does not pass it" in said
        assert "KeyError" not in said and "'age'" not in said
