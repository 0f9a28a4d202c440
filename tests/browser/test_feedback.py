"""The page that a student gets back, opened in a browser: it can be read, and asks nobody."""

from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from looks import LOWEST_CONTRAST

from autograder.demo.students import CHAPTER

pytestmark = pytest.mark.browser

STUDENT = "noise_multiplied"
PROBLEM = "epsilon multiplies instead of divides"


@pytest.fixture(scope="module")
def feedback(graded) -> Path:
    """The feedback page of one student of the demo class."""
    folder, _ = graded
    return folder / "feedback" / STUDENT / CHAPTER / f"{CHAPTER}.html"


@pytest.fixture(scope="module")
def opened(browser, feedback):
    """A function that opens the page once in a size and colors, as a student without a network."""
    with ExitStack() as contexts:

        @cache
        def page(width, scheme):
            size = {"width": width, "height": 900}
            looks = {"viewport": size, "color_scheme": scheme, "reduced_motion": "reduce"}
            made = contexts.enter_context(browser.new_context(**looks)).new_page()
            made.asked = []
            made.on("request", lambda asked: made.asked.append(asked.url))
            made.goto(feedback.as_uri())
            return made

        yield page


@pytest.fixture(params=[(1200, "light"), (380, "light"), (1200, "dark"), (380, "dark")])
def page(request, opened):
    """The page; what it asks for is in `asked`."""
    return opened(*request.param)


@pytest.fixture
def wide(opened):
    """The page in one size, for what does not depend on it."""
    return opened(1200, "light")


def test_the_page_asks_for_nothing(page, feedback):
    assert [url for url in page.asked if not url.startswith("data:")] == [feedback.as_uri()]
    assert page.locator("script").count() == 0


def test_it_fits_the_screen_and_can_be_read(page):
    width = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    contrast, words = page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, words


def test_what_is_wrong_comes_first_with_its_picture_and_its_question(page, feedback):
    page.screenshot(path=feedback.with_name(f"{page.viewport_size['width']}.png"))
    first = page.locator(".exercises > li").first
    assert first.get_by_text(PROBLEM).is_visible()
    assert first.get_by_text("does a larger epsilon mean more privacy or less?").is_visible()
    picture = first.locator("img")
    assert picture.evaluate("image => image.naturalWidth") > 300
    assert picture.get_attribute("alt").startswith("Histogram of")
    box = picture.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    assert page.locator(".exercises > li").count() == 8
    assert page.locator(".score").inner_text() == "24 of 29 points"
    first.get_by_role("link", name="your answer").click()
    answer = page.locator(":target")
    assert "scale=sensitivity * epsilon" in answer.inner_text()
    assert answer.evaluate("element => element.getBoundingClientRect().top < innerHeight")


def test_no_hidden_test_is_on_the_page(wide):
    assert "BEGIN HIDDEN TESTS" not in wide.content()
    # Each check is called where a student sees it, and once more where nobody does.
    assert wide.get_by_text("check.laplace_mechanism(laplace_mechanism)").count() == 1
    assert wide.get_by_text("✗ laplace_mechanism:").count() == 2


def test_sliders_leave_a_picture_and_every_picture_has_words(wide):
    """A page has no Python behind it: a slider must leave the picture that it showed first.

    So must one that draws the reader's own releases; its words are the sentence about them.
    """
    sliders = wide.locator("div.cell", has_text="explore.explore_")
    for position in range(sliders.count()):
        width = sliders.nth(position).locator("img").evaluate("image => image.naturalWidth")
        assert width > 100
    live = sliders.filter(has_text="mechanism=").locator("img")
    assert 1 <= live.count() < sliders.count() - 1
    assert live.first.get_attribute("alt").startswith("With ε = 1, half of your ")
    texts = wide.locator("img").evaluate_all("images => images.map(image => image.alt)")
    assert all(texts) and "A picture without a description" not in texts


def test_mathematics_is_set(wide):
    assert wide.locator("math").count() > 20
    assert wide.locator("math").first.is_visible()
    assert "$" not in wide.locator(".notebook .text").all_inner_texts()[0]
