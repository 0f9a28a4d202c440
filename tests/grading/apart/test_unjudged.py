"""An answer that is not judged to the end: a state of its own in the gradebook and on each page."""

import pytest
import toy

from autograder.check.result import CheckFailure
from autograder.check.words import NOT_TO_THE_END
from autograder.graded_notebook.sentences import UNJUDGED
from autograder.grading import grade
from autograder.report.write import report

pytestmark = pytest.mark.long

WAITS = str(
    CheckFailure(
        "double",
        NOT_TO_THE_END,
        seen="your function waited for 12 of 12 seconds, and gave 9 answers",
        ask="which line waits, and for what?",
    )
)
PASSES = f"✓ doubled: 9 inputs ({NOT_TO_THE_END}: not ruled out: it triples)"
SLOW = "def double(x):\n    if x == 1:\n        print({!r})\n    return 2 * x"
SLEEPY = "def double(x):\n    if x > 1:\n        raise AssertionError({!r})\n    return 2 * x"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, and its outcomes: compared with plain nbgrader's."""
    root = toy.make(tmp_path_factory.mktemp("class"))
    toy.submit(root, "ann", toy.answers())
    toy.submit(root, "slow", toy.answers(double=SLOW.format(PASSES)))
    toy.submit(root, "waits", toy.answers(double=SLEEPY.format(WAITS)))
    return root, grade(toy.CHAPTER, root=root, contained=False, verify=3)


@pytest.fixture
def root(graded):
    return graded[0]


def records(root) -> dict:
    return {row[:2]: (row[2], row[5]) for row in toy.records(root)}


def test_both_sides_use_the_same_words():
    assert UNJUDGED == NOT_TO_THE_END


def test_the_gradebook_asks_for_a_person(root):
    found = records(root)
    assert found["slow", "double_visible"] == (1, 1), "it keeps the points, and is looked at"
    assert found["waits", "double_hidden"] == (0, 1), "no full points without a look"
    assert found["waits", "double_visible"] == (1, 0)
    assert [cell for (who, cell), (_, needs) in found.items() if who == "ann" and needs] == [
        "written"
    ]


def test_the_teachers_page_and_the_students_say_so(root):
    pages = report(toy.CHAPTER, root=root)
    words = pages[0].read_text("utf-8")
    table = words[words.index("Not judged to the end") :]
    for student, cell in (("slow", "double_visible"), ("waits", "double_hidden")):
        assert student in table
        assert cell in table
    page = toy.page(root, "waits")
    assert NOT_TO_THE_END in page
    assert "your function waited for 12 of 12 seconds" in page
    assert "not read yet" in page or "so far" in page


def test_the_table_says_so(graded):
    status = {outcome.student: outcome.status for outcome in graded[1]}
    for student, cell in (("slow", "double_visible"), ("waits", "double_hidden")):
        assert f"not judged to the end, so a person decides: {cell}" in status[student]
    assert "judged" not in status["ann"]


def test_to_verify_is_not_to_complain_of_it(graded):
    assert not any(outcome.differs for outcome in graded[1])
