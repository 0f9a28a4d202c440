"""What a learner sees of their progress in JupyterLab: cards, tiles, and what is announced."""

import json
import os

import labserver
import nbformat
import pytest

pytestmark = pytest.mark.browser

ANSWERS = """
import numpy as np
from autograder import check

def right(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(scale=sensitivity / epsilon)

def wrong(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(scale=1 / epsilon)
"""
FORMULA = "# 3 Some\n\nNoise of scale $b / \\varepsilon$: $$\\frac{1}{2b} e^{-|x| / b}$$"
INK = "svg => [getComputedStyle(svg).color, getComputedStyle(svg).backgroundColor]"
# Words that a line ends within: their first and last letters stand on different lines.
# What all its headlines name: a kernel's chance decides whether one says "is ignored", "does not
# depend on" or "it looks as if".
THE_MISTAKE = "sensitivity"
BROKEN = """() => {
  const broken = [], range = document.createRange();
  for (const output of document.querySelectorAll('.jp-OutputArea-output')) {
    const texts = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      if (!node.parentElement.checkVisibility() || node.parentElement.closest('svg, style'))
        continue;
      for (const found of node.data.matchAll(/[\\p{L}]+/gu)) {
        range.setStart(node, found.index);
        range.setEnd(node, found.index + found[0].length);
        const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
        if (lines.size > 1) broken.push(found[0]);
      }
    }
  }
  return broken;
}"""


@pytest.fixture
def folder(tmp_path):
    """A chapter with a right answer and a wrong one, and a page of tiles beside it."""
    chapter, start = tmp_path / "03_some", tmp_path / "00_start"
    chapter.mkdir()
    start.mkdir()
    cells = (ANSWERS, "check.laplace_mechanism(right)", "check.laplace_mechanism(wrong)")
    path = labserver.write_notebook(chapter / "03_some.ipynb", *cells)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(FORMULA))
    notebook.cells[2].metadata["nbgrader"] = {"grade": True, "solution": False}
    nbformat.write(notebook, path)
    tiles = "from autograder import progress\nprogress.tiles()"
    labserver.write_notebook(start / "00_start.ipynb", tiles)
    return tmp_path


@pytest.fixture
def opened(lab, lab_folder, folder):
    """A function that opens a notebook of the folder and runs it to its end, whatever fails."""
    top = folder.relative_to(lab_folder).as_posix()

    def run(context, notebook):
        page = labserver.patient_page(context)
        page.goto(lab(lab_folder).replace("/lab?", f"/lab/tree/{top}/{notebook}?reset&"))
        labserver.run_all_cells(page)
        return page

    return run


def test_a_pass_a_failure_and_the_tiles(browser, opened, folder, lab_folder, tmp_path):
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page = opened(context, "03_some/03_some.ipynb")
        page.get_by_role("status").get_by_text("Would have seen noise off by").wait_for()
        page.get_by_role("alert").get_by_text(THE_MISTAKE).first.wait_for()
        pictures = page.get_by_role("img", name="Histogram of")
        assert pictures.count() == 2
        light = pictures.first.evaluate(INK)
        page.evaluate(
            "jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
        )
        page.wait_for_function("document.body.dataset.jpThemeLight === 'false'")
        dark = pictures.first.evaluate(INK)
        assert light != dark and dark[0] != dark[1] and light[0] != light[1]
        page.screenshot(path=os.environ.get("SCREENSHOT", tmp_path / "card.png"))
        # A formula is read, and is no place where Tab stops.
        assert page.locator("mjx-container").count() == 2
        assert page.locator("mjx-container:is([tabindex='0'], :has([tabindex='0']))").count() == 0
        kept = json.loads((folder / "03_some/.progress.json").read_text("utf-8"))
        assert kept == {"laplace_mechanism": 1.0}
        page.close()
        page = opened(context, "00_start/00_start.ipynb")
        tiles = page.get_by_role("navigation", name="your progress")
        tiles.get_by_text("✓ 1 of 1 exercises").wait_for()
        tiles.get_by_role("link", name="3 Some").click()
        chapter = (folder / "03_some/03_some.ipynb").relative_to(lab_folder)
        labserver.wait_until(page, labserver.OPEN, chapter.as_posix())


def test_what_is_not_answered_yet_is_not_as_red_as_a_mistake(browser, opened, folder):
    unanswered = (
        "def answer(value, *, sensitivity, epsilon, rng=None):\n    raise NotImplementedError"
    )
    for name, lines in (("mistake", ANSWERS + "answer = wrong"), ("empty", ANSWERS + unanswered)):
        check = "check.laplace_mechanism(answer)"
        labserver.write_notebook(folder / f"{name}.ipynb", lines, check)
    papers = {}
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        for name, words in (("mistake", THE_MISTAKE), ("empty", "not answered yet")):
            page = opened(context, f"{name}.ipynb")
            box = page.locator(".jp-RenderedText", has_text=words)
            papers[name] = box.evaluate("box => getComputedStyle(box).backgroundColor")
            page.close()
    assert papers["empty"] == "rgba(0, 0, 0, 0)" != papers["mistake"]


WIDGETS = (
    "from dplib import explore, guess",
    "guess.number('How many people are there in a county of the census?', unit='people')",
    "asked = guess.choice('Which one is larger?', ['the differentially private median', 'more'])",
    "asked.reveal('more')",
    "guess.mark('Where does the privacy loss of everybody lie?', low=0.01, high=10, log=True)",
    "explore.explore_posterior(prior=0.5, start=0.1)",
    ANSWERS,
    "check.laplace_mechanism(right)",
    "check.laplace_mechanism(wrong)",
)


def test_at_200_per_cent_no_word_of_ours_is_broken(browser, opened, folder, tmp_path):
    labserver.write_notebook(folder / "widgets.ipynb", *WIDGETS)
    # Half the pixels, each twice as large: what a browser does at 200 %.
    half = {"width": 640, "height": 500}
    with browser.new_context(viewport=half, device_scale_factor=2) as context:
        page = opened(context, "widgets.ipynb")
        page.get_by_role("status").get_by_text("Would have seen noise off by").wait_for()
        page.get_by_role("slider", name="ε").wait_for()
        page.get_by_role("alert").wait_for(state="attached")
        page.screenshot(path=tmp_path / "zoomed.png")
        assert page.evaluate(BROKEN) == []
        page.add_style_tag(content=".jp-OutputArea-output * { word-break: break-all !important }")
        assert page.evaluate(BROKEN) != []  # it is seen where it happens
