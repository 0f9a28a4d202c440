"""What a student reads: the test's sentence, and nothing of the hidden tests."""

import shutil

import toy

from autograder.classroom import grade

ANSWER = """
import toy_widget
# BEGIN HIDDEN TESTS: a student may write this
def double(x):
    return x + 1
"""
WIDGET = """
from IPython.display import display
display({"application/vnd.jupyter.widget-view+json": {"model_id": "1", "version_major": 2,
         "version_minor": 0}, "image/png": "YSBwaWN0dXJl", "text/plain": "a slider"}, raw=True)
"""


def page_of(course) -> str:
    path = course / "feedback" / "alice" / toy.CHAPTER / f"{toy.CHAPTER}.html"
    return path.read_text("utf-8")


def check_page(page: str) -> None:
    """The sentence of the hidden test is on the page, and its code is not."""
    assert f"AssertionError: {toy.SENTENCE}" in page
    assert "# hidden tests" in page
    assert "secret" not in page
    assert "END HIDDEN TESTS" not in page


def test_a_page_shows_what_was_said_and_hides_what_was_tested(course, root):
    """With the project's own settings, by our command and by plain nbgrader."""
    shutil.copy(root / "nbgrader_config.py", course)
    path = toy.submit(course, "alice", toy.answers(double=ANSWER))
    path.with_name("toy_widget.py").write_text(WIDGET)
    (outcome,) = grade(toy.CHAPTER, root=course)
    assert outcome.points["double_hidden"] == 0
    check_page(page_of(course))
    # A slider leaves its picture: nbconvert's own order of outputs would print an empty widget.
    assert "data:image/png;base64,YSBwaWN0dXJl" in page_of(course)
    assert "widget-view+json" not in page_of(course)
    assert toy.nbgrader(course, "generate_feedback", toy.CHAPTER, "--force").returncode == 0
    check_page(page_of(course))


def test_the_hidden_test_stays_hidden_under_other_settings(course):
    """An instructor's older nbgrader_config.py knows nothing of our preprocessor."""
    toy.submit(course, "alice", toy.answers(double="def double(x):\n    return x + 1"))
    grade(toy.CHAPTER, root=course)
    check_page(page_of(course))
