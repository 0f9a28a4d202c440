"""Guesses as a reader meets them: in JupyterLab, and on a page without a kernel."""

import json
import os
import subprocess
import sys

import labserver
import pytest
from places import ROOT

pytestmark = pytest.mark.browser

QUESTIONS = """
from dplib import guess
people = guess.number("How many people?", unit="people")
which = guess.choice("Which of the two?", ["more", "fewer"])
place = guess.mark("Where?", low=0.01, high=10, log=True)
"""
ANSWERS = ["people.reveal(18)", "which.reveal('fewer')", "place.reveal(3)"]


def test_a_guess_in_jupyterlab_by_keyboard(open_notebook, tmp_path):
    """Run all first: the answers wait folded, and each unfolds when its guess is kept."""
    notebook = labserver.write_notebook(tmp_path / "guess.ipynb", QUESTIONS, *ANSWERS)
    page = open_notebook(notebook)
    page.locator("details.dplib-answer").nth(2).wait_for()
    assert page.locator("details.dplib-answer[open]").count() == 0
    field = page.get_by_label("A number (people):")
    field.fill("5")
    field.press("Enter")
    page.get_by_text("You said 5 people, it is 18 people.").wait_for()
    group = page.get_by_role("radiogroup", name="Which of the two?")
    group.get_by_label("more").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Keep my guess").nth(1).press("Enter")
    page.get_by_text("You said “more”, it is “fewer”.").wait_for()
    handle = page.get_by_role("slider", name="Where?")
    handle.focus()
    handle.press("End")
    page.get_by_role("button", name="Keep my guess").nth(2).press("Enter")
    page.get_by_text("You said 10, it is 3.").wait_for()
    assert page.locator("details.dplib-answer").count() == 0
    assert page.locator("svg[role=img][aria-label*='you said']").count() == 2
    kept = json.loads((tmp_path / ".guesses.json").read_text("utf-8"))
    assert kept == {"How many people?": 5, "Which of the two?": "more", "Where?": 10}
    page.screenshot(path=os.environ.get("SCREENSHOT", tmp_path / "guess.png"))


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    """A page as the site has it: what the cells show, and the site's script."""
    code = (
        "import os\nfrom dplib.guess import questions\nparts = []\n"
        "questions.display = lambda thing, **_: parts.append("
        "thing._repr_mimebundle_()['text/html'])\n"
        + QUESTIONS
        + "\n".join(ANSWERS)
        + "\nprint('\\n'.join(parts))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DPLIB_STATIC": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    folder = tmp_path_factory.mktemp("static")
    script = (ROOT / "deploy/site/static/guess.js").read_text("utf-8")
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A chapter</title>'
    (folder / "page.html").write_text(f"{head}{made.stdout}<script>{script}</script>", "utf-8")
    return (folder / "page.html").as_uri()


def test_a_guess_on_a_page_without_a_kernel(browser, static):
    page = browser.new_page()
    page.goto(static)
    assert page.locator("details[open]").count() == 0
    page.get_by_label("A number (people)").fill("5")
    page.get_by_label("A number (people)").press("Enter")
    here, there = page.locator(".dplib-here"), page.locator("details[open] p")
    here.get_by_text("You said 5 people, it is 18 people.").wait_for()
    page.get_by_label("fewer").check()
    page.get_by_role("button", name="Keep my guess").nth(1).click()
    here.get_by_text("You said “fewer”, and it is.").wait_for()
    assert page.locator("details[open]").count() == 2
    slider = page.get_by_role("slider")
    slider.press("Home")
    assert slider.get_attribute("aria-valuetext") == "0.01"
    page.get_by_role("button", name="Keep my guess").nth(2).click()
    here.get_by_text("You said 0.01, it is 3.").wait_for()
    # Where the reader has guessed, and where the page tells the answer, the same is said and drawn.
    assert here.all_inner_texts() and there.all_inner_texts() == here.locator("p").all_inner_texts()
    marks = "e => [...e.querySelectorAll('svg .yours')].map(g => g.getAttribute('transform'))"
    wanted = [f"translate({20 + 320 * 5 / 36})", "translate(20)"]  # 5 of 0 to 36; the left end
    for some in (here, page.locator("details[open]")):
        assert [each for one in some.all() for each in one.evaluate(marks)] == wanted
    page.reload()  # the browser remembers
    here.get_by_text("You said 5 people, it is 18 people.").wait_for()
    assert page.locator("details[open]").count() == 3
    page.close()


def test_without_a_script_the_answers_are_folded(browser, static):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(static)
    assert page.locator("form:visible").count() == 0
    assert "How many people?" in page.locator("body").inner_text()
    assert page.locator("details:not([open])").count() == 3
    page.locator("summary").first.click()
    assert page.get_by_text("It is 18 people.").is_visible()
    context.close()
