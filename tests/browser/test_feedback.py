"""The page that a student gets back, opened in a browser: the check's sentence can be read."""

from pathlib import Path

import pytest

from autograder.classroom import grade
from autograder.classroom.demo import make
from autograder.classroom.demo_answers import CHAPTER

pytestmark = pytest.mark.browser

STUDENT = "noise_multiplied"
SENTENCE = "✗ laplace_mechanism:"


@pytest.fixture(scope="module")
def feedback(tmp_path_factory, root) -> Path:
    """The feedback page of one student of the demo class."""
    folder = make(root, tmp_path_factory.mktemp("class") / "demo", [STUDENT])
    (outcome,) = grade(CHAPTER, root=folder)
    assert outcome.graded
    return folder / "feedback" / STUDENT / CHAPTER / f"{CHAPTER}.html"


@pytest.fixture
def page(browser, feedback):
    """The page, opened as a student without a network would."""
    opened = browser.new_page(viewport={"width": 1100, "height": 900})
    opened.route("http*://**", lambda route: route.abort())
    opened.goto(feedback.as_uri())
    yield opened
    opened.close()


def test_the_sentence_can_be_read(page):
    sentences = page.get_by_text(SENTENCE)
    assert sentences.count() == 2  # once for the visible test, once for the hidden one
    for position in range(2):
        sentences.nth(position).scroll_into_view_if_needed()
        assert sentences.nth(position).is_visible()


def test_the_scores_are_on_the_page(page):
    heading = page.locator("h4").first.inner_text()
    assert heading == f"{CHAPTER} (Score: 20.0 / 25.0)"
    assert page.get_by_text("Score: 0.0 / 1.0").first.is_visible()


def test_no_hidden_test_is_on_the_page(page):
    assert "BEGIN HIDDEN TESTS" not in page.content()
    # Each check is called where a student sees it, and once more where nobody does.
    assert page.get_by_text("check.laplace_mechanism(laplace_mechanism)").count() == 1


def test_sliders_leave_a_picture(page):
    """A page has no Python behind it: a slider must leave the picture that it showed first."""
    sliders = page.locator("div.cell", has_text="explore.explore_")
    assert sliders.count() > 0
    for position in range(sliders.count()):
        width = sliders.nth(position).locator("img").evaluate("image => image.naturalWidth")
        assert width > 100
