"""A hidden test that nobody can pass: said before it is written, and no student's fault."""

import pytest
import toy
from marks import hidden

from autograder.cli import main
from autograder.grading import grade
from autograder.grading.source_tried import failures

pytestmark = pytest.mark.long

ERROR = "KeyError: 'age'"
BROKEN = hidden("assert {'Age': double(1)}['age'] == 2")


@pytest.fixture
def broken(course):
    """Alice is right, bob is graded too, blank answers nothing; then a hidden test is changed."""
    with toy.edited(course) as notebook:
        toy.cell(notebook, "double_hidden").source = BROKEN
    return course


def test_the_preview_says_it_before_the_question(broken):
    _, _, (shown,) = toy.run_again(broken, answer=False)
    words = f"LOOK FIRST: the teacher's own answer does not pass double_hidden ({ERROR})"
    assert words in shown
    assert f"alice 8 → 6 double_hidden 2 → 0 {ERROR}" in toy.rows(shown)


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


def test_beside_the_answers_it_is_nobodys_fault_either(broken):
    toy.submit(broken, "alice", toy.answers(written="New words."))
    (outcome,) = grade(toy.CHAPTER, root=broken, apart=False)
    words = "double_hidden: the teacher's own answer does not pass it, look at the test first"
    assert f"{words} ({ERROR})" in outcome.notes
    assert "this test itself is wrong" in toy.page(broken, "alice")
    assert "'age'" not in toy.page(broken, "alice")


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
        said = toy.page(broken, student)
        assert "this test itself is wrong: your teacher's own answer does not pass it" in said
        assert "KeyError" not in said and "'age'" not in said
