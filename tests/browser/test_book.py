"""The site that `make site` has made: every link, every page, every slider, and no other host."""

import functools
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from notebooks import NAMES, ROOT
from sites import SITE, watch

pytestmark = pytest.mark.site

LITE = SITE / "lite"
MINUTES = 60_000  # milliseconds


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


@pytest.mark.parametrize("name", NAMES)
def test_every_slider_moves_without_a_kernel(browser, address, name):
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        page = context.new_page()
        faults = watch(page, address)
        page.goto(f"{address}/{name}.html")
        sliders = len(re.findall(r"explore\.explore_|explore_\w+\(", executed(name)))
        page.wait_for_function(
            f"() => document.querySelectorAll('.noUi-handle').length >= {sliders}", timeout=MINUTES
        )
        boxes = page.locator(".dplib-figure")
        for place in range(boxes.count()):
            box = boxes.nth(place)
            before = box.locator("figcaption").first.text_content()
            box.locator(".noUi-handle").focus()
            ends = []
            for key in ("Home", "End"):
                box.locator(".noUi-handle").press(key)
                page.wait_for_timeout(150)
                ends.append(box.locator("figcaption").first.text_content())
            assert len({before, *ends}) > 1
            assert " = " in box.locator(".noUi-handle").get_attribute("aria-valuetext")
        assert not faults


def executed(name: str) -> str:
    """The chapter's lines that make a slider."""
    text = (ROOT / "release" / name / f"{name}.ipynb").read_text("utf-8")
    return "\n".join(
        line for line in text.splitlines() if "explore" in line and "import" not in line
    )


def test_a_narrow_page_is_not_wider_than_its_screen(browser, address):
    with browser.new_context(viewport={"width": 380, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{address}/03_laplace.html")
        page.locator(".noUi-handle").first.wait_for()
        wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 1


def test_the_search_finds_a_chapter(browser, address):
    with browser.new_context() as context:
        page = context.new_page()
        faults = watch(page, address)
        page.goto(f"{address}/search.html?q=propose")
        page.locator("ul.search li a", has_text="Local sensitivity").first.wait_for()
        assert not faults
