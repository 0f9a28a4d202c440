"""The site that `make site` has made: every link, every page, every slider, and no other host."""

import functools
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from notebooks import EXAMPLE, RELEASED
from places import ROOT
from sites import SITE, wait_until, watch

from dplib.plots.parts.ink import unbroken

pytestmark = pytest.mark.site

LITE = SITE / "lite"


# How large the letters of each figure are: the middle one, as some stand above the line.
LETTERS = """() => [...document.querySelectorAll('.dplib-picture svg, .text_html > svg')]
  .map(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const sizes = [...svg.querySelectorAll('text')]
      .map(each => parseFloat(getComputedStyle(each).fontSize) * scale);
    return sizes.sort((one, other) => one - other)[sizes.length >> 1];
  })"""

# Put a slider at its other end, unsaid: what it says next is of the key that moves it back.
FAR = """(slider, end) => {
  slider.value = slider[end];
  slider.ariaValueText = null;
}"""


class _Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.found.append((tag, value))
            if name in ("id", "name") and value:
                self.names.add(value)


def pages():
    """All pages of the book; the theme keeps a template among its own files."""
    others = {LITE, SITE / "_static"}
    return sorted(path for path in SITE.rglob("*.html") if others.isdisjoint(path.parents))


@functools.cache
def links(page: Path) -> _Links:
    return _Links(page.read_text("utf-8"))


def broken(page: Path, tag: str, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme in ("data", "mailto"):
        return False
    if parts.scheme or parts.netloc:
        return tag != "a"  # a reader may follow a link to elsewhere; a page may load nothing there
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target = target / "index.html"
    if not target.exists():
        return True
    if not parts.fragment or target.suffix != ".html" or LITE in target.parents:
        return False
    return unquote(parts.fragment) not in links(target).names


def test_no_link_is_broken(address):
    found = [
        f"{page.relative_to(SITE)}: {link}"
        for page in pages()
        for tag, link in links(page).found
        if broken(page, tag, link)
    ]
    assert not found
    assert broken(SITE / "index.html", "a", "no_such_page.html")
    assert broken(SITE / "index.html", "script", "https://example.org/script.js")


def test_no_page_gives_a_hidden_test_away(address):
    for page in [*pages(), *SITE.rglob("*.js")]:
        text = page.read_text("utf-8", errors="replace")
        assert "HIDDEN TESTS" not in text and "BEGIN SOLUTION" not in text, page


@pytest.mark.parametrize("name", RELEASED)
def test_every_slider_moves_without_a_kernel(browser, address, name):
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        page = context.new_page()
        faults = watch(page, address)
        page.goto(f"{address}/{name}.html")
        sliders = len(re.findall(r"explore\.explore_|explore_\w+\(", executed(name)))
        boxes = page.locator("figure.dplib-slider")
        assert boxes.count() >= sliders
        for place in range(boxes.count()):
            box = boxes.nth(place)
            before = box.locator("figcaption").first.text_content()
            control, ends = box.locator("input[type=range]"), []
            for key, other in (("Home", "max"), ("End", "min")):
                control.evaluate(FAR, other)
                control.press(key)
                wait_until(page, "it => it.ariaValueText", control.element_handle())
                ends.append(box.locator("figcaption").first.text_content())
                words = box.locator("svg").get_attribute("aria-label")
                assert unbroken(words) == ends[-1]
            assert len({before, *ends}) > 1
            assert " = " in control.get_attribute("aria-valuetext")
        assert not faults


def test_a_stop_can_be_sent_to_a_friend(browser, address):
    slider = "figure.dplib-slider[data-key=epsilon]"
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html")
        page.locator(f"{slider} input").first.press("Home")
        wait_until(page, "() => location.hash === '#epsilon=0.01'")
        friend = context.new_page()
        friend.goto(page.url)
        first = friend.locator(slider).first
        first.locator("figcaption", has_text="With ε = 0.01 the release").wait_for()
        assert first.locator("output").text_content() == "0.01"


def test_a_slider_plays_to_its_end_and_can_be_paused(browser, address):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html")
        slider = page.locator("figure.dplib-slider").first
        button, control = slider.get_by_role("button", name="Play"), slider.locator("input")
        control.press("Home")
        button.press("Enter")
        slider.get_by_role("button", name="Pause").press("Enter")
        paused = control.input_value()
        page.wait_for_timeout(1200)  # more than two stops
        assert control.input_value() == paused
        # Nobody is read every stop on the way, but everybody the last one.
        button.press("Enter")
        assert slider.locator("figcaption").get_attribute("aria-live") == "off"
        button.wait_for(timeout=60_000)
        last = control.get_attribute("max")
        assert control.input_value() == last and control.get_attribute("aria-valuetext")
        assert slider.locator("figcaption").get_attribute("aria-live") == "polite"
        # From the end it begins anew, and a hand on the slider stops it.
        button.press("Enter")
        control.press("End")
        assert button.is_visible() and control.input_value() == last


def test_who_wants_no_motion_is_given_no_button_for_it(browser, address):
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html")
        slider = page.locator("figure.dplib-slider").first
        slider.locator("input").wait_for()
        assert slider.locator("button").is_hidden()


def test_without_scripts_the_first_picture_and_the_formulas_are_there(browser, address):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html")
        assert page.locator("figure.dplib-slider svg").first.bounding_box()["height"] > 100
        assert page.locator("figure.dplib-slider input").first.is_hidden()
        assert page.locator("math").count() > 20


# How far the middle of each displayed formula lies from the middle of its line, as a share of it.
OFF_CENTRE = """() => [...document.querySelectorAll('div.math')].map(line => {
  const [whole, formula] = [line, line.querySelector('math')].map(e => e.getBoundingClientRect());
  return Math.abs(whole.left + whole.right - formula.left - formula.right) / 2 / whole.width;
})"""


def test_formulas_are_centred_and_have_a_font_of_their_own(browser, address):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html", wait_until="networkidle")
        found = page.evaluate(OFF_CENTRE)
        assert found and max(found) < 0.02
        assert page.evaluate("() => document.fonts.ready.then(f => f.check('16px Formulas', '∑ε'))")
        assert "loaded" in page.evaluate(
            "() => [...document.fonts].filter(f => f.family === 'Formulas').map(f => f.status)"
        )


def test_the_list_of_contents_has_names_and_is_not_cut(browser, address):
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html")
        entries = page.locator("nav.page-toc a")
        words = entries.all_inner_texts()
        assert len(words) > 10 and not any("point" in each for each in words)
        assert entries.evaluate_all("all => all.every(a => a.scrollWidth <= a.clientWidth)")


@pytest.mark.parametrize("name", ["01_deidentification", EXAMPLE])
def test_a_page_loads_less_than_a_megabyte(browser, address, name):
    with browser.new_context() as context:
        page = context.new_page()
        sizes = []
        page.on("response", lambda response: sizes.append(len(response.body())))
        page.goto(f"{address}/{name}.html", wait_until="networkidle")
        assert sum(sizes) < 1_000_000


def executed(name: str) -> str:
    """The chapter's lines that make a slider."""
    text = (ROOT / "release" / name / f"{name}.ipynb").read_text("utf-8")
    return "\n".join(
        line for line in text.splitlines() if "explore" in line and "import" not in line
    )


def test_a_narrow_page_is_not_wider_than_its_screen(browser, address):
    with browser.new_context(viewport={"width": 380, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html")
        page.locator("figure.dplib-slider input").first.wait_for()
        wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 1
        letters = page.evaluate(LETTERS)
        assert len(letters) >= 5 and min(letters) >= 12  # pixels: 9 points


def test_the_search_finds_a_chapter(browser, address):
    with browser.new_context() as context:
        page = context.new_page()
        faults = watch(page, address)
        page.goto(f"{address}/search.html?q=propose")
        page.locator("ul.search li a", has_text="Local sensitivity").first.wait_for()
        assert not faults
