"""The chapters in the browser alone: JupyterLite with dplib and the checks inside."""

import json
import re

import nbformat
import pytest
from notebooks import EXAMPLE, RELEASED, mark, read
from sites import SITE, watch

pytestmark = pytest.mark.site

SECONDS = 1000  # milliseconds in one
# What a student writes into the first exercise of chapter 3, first wrong, then right.
ANSWER = (
    "def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):\n"
    "    return value + np.random.default_rng().laplace(scale={})\n"
)
KERNEL = "jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel"
CELLS = """() => [...jupyterapp.shell.currentWidget.context.model.cells].map(cell => ({
  code: cell.type === 'code' && cell.sharedModel.source.trim() !== '',
  name: cell.getMetadata('nbgrader')?.grade_id,
  graded: cell.getMetadata('nbgrader')?.grade ?? false,
}))"""
# One cell at a time, as Shift+Enter does it: "Run All" stops at the first cell with an error.
RUN = """async place => {
  const book = jupyterapp.shell.currentWidget.content, model = book.widgets[place].model;
  book.deselectAll();
  book.activeCellIndex = place;
  await jupyterapp.commands.execute('notebook:run-cell');
  return {run: model.executionCount !== null, outputs: model.outputs.toJSON()};
}"""
WRITE = """([place, source]) =>
  jupyterapp.shell.currentWidget.content.widgets[place].model.sharedModel.setSource(source)"""


@pytest.fixture(scope="module")
def address(address):
    if not (SITE / "lite").exists():
        pytest.skip("NOT TESTED IN THE BROWSER ALONE: no JupyterLite (make site PYODIDE=ARCHIVE)")
    return address


def opened(context, address, name):
    """Open a chapter; return its page and the list of its faults."""
    page = context.new_page()
    page.set_default_timeout(300 * SECONDS)
    faults = watch(page, address)
    page.goto(f"{address}/lite/notebooks/index.html?path={name}/{name}.ipynb")
    ready(page)
    return page, faults


def ready(page):
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.wait_for_function(f"() => {KERNEL}")


@pytest.mark.parametrize("name", RELEASED)
def test_open_and_run_on_a_page_opens_its_own_chapter(address, name):
    page = (SITE / f"{name}.html").read_text("utf-8")
    (path,) = re.findall(r'href="lite/notebooks/index\.html\?path=([^"]+)"', page)
    notebook = nbformat.read(SITE / "lite" / "files" / path, as_version=4)
    given = read(name, "release")
    assert [cell.source for cell in notebook.cells] == [cell.source for cell in given.cells]
    # A link to another chapter leads to a notebook in the browser too.
    text = "\n".join(cell.source for cell in notebook.cells)
    for link in re.findall(r"\]\((\.\./[^)]+\.ipynb)\)", text):
        assert (SITE / "lite" / "files" / name / link).resolve().is_file(), link


def test_the_list_of_chapters_opens_another_one(browser, address):
    with browser.new_context() as context:
        page, faults = opened(context, address, "00_start")
        with context.expect_page() as waiting:
            page.get_by_role("link", name="Sensitivity", exact=True).click()
        waiting.value.locator("h1", has_text="Sensitivity").first.wait_for(timeout=60 * SECONDS)
        assert not faults


def errors(outputs):
    return [each["evalue"] for each in outputs if each["output_type"] == "error"]


@pytest.fixture(scope="module", params=RELEASED)
def chapter(browser, address, request):
    """A chapter as released, each of its cells run: its name, page, faults, cells and results."""
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page, faults = opened(context, address, request.param)
        cells = page.evaluate(CELLS)
        places = [place for place, cell in enumerate(cells) if cell["code"]]
        results = {place: page.evaluate(RUN, place) for place in places}
        yield request.param, page, faults, cells, results


def test_a_released_chapter_runs_to_its_end(chapter):
    name, page, faults, cells, results = chapter
    assert all(result["run"] for result in results.values())
    for place, result in results.items():
        # What is not written yet is told so by its check; nothing else stops.
        told = ["not answered yet" in words for words in errors(result["outputs"])]
        hidden = str(cells[place]["name"]).endswith("_hidden")
        assert told == [True] * (cells[place]["graded"] and not hidden), (place, result)
    if any("explore.explore_" in cell.source for cell in read(name, "release").cells):
        page.locator(".noUi-handle").first.wait_for()
    if results:
        page.wait_for_function(f"() => {KERNEL}.status === 'idle'")
    assert not faults


def test_the_courses_own_answers_pass_there(chapter):
    """The judge works in the browser, in full: 32-bit integers, no threads, no processes."""
    name, page, _, cells, results = chapter
    answers = {mark(cell).get("grade_id"): cell.source for cell in read(name).cells}
    for place in results:
        given = cells[place]["name"]
        if not given or given.endswith("_hidden"):
            continue
        if not cells[place]["graded"]:
            page.evaluate(WRITE, [place, answers[given]])
        outputs = page.evaluate(RUN, place)["outputs"]
        assert errors(outputs) == [], given
        if cells[place]["graded"]:
            said = json.dumps(outputs, ensure_ascii=False)
            # An exercise with a score gives its points.
            assert "✓" in said or float(outputs[-1]["data"]["text/plain"]) > 0, given


def test_a_students_answer_is_checked_kept_and_can_be_downloaded(browser, address, tmp_path):
    with browser.new_context(accept_downloads=True) as context:
        page, _ = opened(context, address, EXAMPLE)
        place = {cell["name"]: place for place, cell in enumerate(page.evaluate(CELLS))}
        page.evaluate(RUN, place["setup"])
        answer, check = place["laplace_mechanism"], place["laplace_mechanism_visible"]
        said = []
        for scale in ("sensitivity * epsilon", "sensitivity / epsilon"):
            page.evaluate(WRITE, [answer, ANSWER.format(scale)])
            page.evaluate(RUN, answer)
            said.append(page.evaluate(RUN, check)["outputs"])
        assert "epsilon multiplies instead of divides" in errors(said[0])[0]
        assert errors(said[1]) == [] and "✓" in json.dumps(said[1], ensure_ascii=False)
        page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
        page.reload()
        ready(page)
        page.get_by_text("scale=sensitivity / epsilon").first.wait_for()
        with page.expect_download() as waiting:
            page.evaluate("() => void jupyterapp.commands.execute('docmanager:download')")
        waiting.value.save_as(tmp_path / "mine.ipynb")
        assert "scale=sensitivity / epsilon" in (tmp_path / "mine.ipynb").read_text("utf-8")
