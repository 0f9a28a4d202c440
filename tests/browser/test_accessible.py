"""The site for those who cannot see it, or use no mouse: axe finds nothing, the keyboard goes all.

axe-core is fetched by npm, as the pages' own scripts are, and checked by its hash.
"""

import pytest
from answers import come_near
from notebooks import EXAMPLE, RELEASED
from sites import violations, wait_until

pytestmark = pytest.mark.site

PAGES = ["index", *RELEASED]
SECONDS = 60_000  # milliseconds: a busy machine draws a page with twenty sliders slowly
# What Tab must reach: it is marked here, and again when it has been reached.
STOPS = """() => {
  const all = 'a[href], button, summary, input, select, textarea, [tabindex="0"]';
  const stops = [...document.querySelectorAll(all)].filter(each => each.tabIndex >= 0
    && !each.disabled && each.checkVisibility({visibilityProperty: true})
    && !each.closest('dialog:not([open])'));
  stops.forEach(each => each.dataset.stop = 'yes');
  return stops.length;
}"""
HERE = """() => {
  const here = document.activeElement, style = getComputedStyle(here);
  here.dataset.stop = 'reached';
  const seen = style.outlineStyle !== 'none' || style.boxShadow !== 'none'
    || style.textDecorationLine !== 'none';
  return here === document.body || seen ? '' : here.outerHTML.slice(0, 120);
}"""
LEFT = "() => [...document.querySelectorAll('[data-stop=yes]')].map(each => each.outerHTML)"


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_a_page_in_light_or_dark(browser, address, axe, name):
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{address}/{name}.html", timeout=SECONDS)
        for colors in ("light", "dark"):
            page.emulate_media(color_scheme=colors)
            wait_until(page, f"document.documentElement.dataset.theme === '{colors}'")
            page.wait_for_timeout(500)  # the theme fades from one to the other
            assert violations(page, axe) == [], colors


def test_axe_finds_what_is_wrong(browser, axe):
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(
            "<h1>A</h1><h3>B</h3><img src='data:,'><p style='color:#ccc'>Pale words</p>"
        )
        found = {line.split()[0] for line in violations(page, axe)}
        assert {"heading-order", "image-alt", "color-contrast"} <= found


@pytest.mark.parametrize("name", ["index", EXAMPLE])
def test_the_keyboard_reaches_everything_and_one_sees_where_it_is(browser, address, name):
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{address}/{name}.html", timeout=SECONDS)
        if name in RELEASED:
            page.locator(".dplib-stop input").first.wait_for(timeout=SECONDS)
        if page.locator("#answering").count():
            come_near(page)  # so that all editors are there
        page.wait_for_timeout(1000)
        unseen = []
        for _ in range(page.evaluate(STOPS) + 20):
            page.keyboard.press("Tab")
            unseen.append(page.evaluate(HERE))
        assert not any(unseen)
        assert page.evaluate(LEFT) == []


def test_an_answer_unfolds_with_the_keyboard(browser, address):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{EXAMPLE}.html", timeout=SECONDS)
        answer = page.locator("details.hide").first
        if not answer.count():
            pytest.skip("NOT TESTED: ANSWERS THAT UNFOLD: no answers (make site ARGS=--open)")
        assert answer.get_attribute("open") is None
        answer.locator("summary").focus()
        page.keyboard.press("Enter")
        assert answer.get_attribute("open") is not None
