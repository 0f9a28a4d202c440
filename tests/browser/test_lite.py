"""The chapters in the browser alone: JupyterLite with dplib and the checks inside."""

import pytest
from notebooks import CHAPTERS, ROOT
from sites import served, watch

pytestmark = pytest.mark.site

SITE = ROOT / "build" / "site" / "html"
SECONDS = 1000  # milliseconds in one
# What a student writes into the first exercise of chapter 3, first wrong, then right.
ANSWERS = (
    "def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):\n"
    "    return value + np.random.default_rng().laplace(scale={})\n"
)
COUNT = """() => {
  const cells = [...jupyterapp.shell.currentWidget.context.model.cells]
    .filter(cell => cell.type === 'code' && cell.sharedModel.source.trim());
  const outputs = cell => [...Array(cell.outputs.length).keys()]
    .map(place => cell.outputs.get(place).toJSON());
  return {
    all: cells.length,
    run: cells.filter(cell => cell.executionCount && cell.executionState !== 'running').length,
    errors: cells.flatMap(outputs).filter(each => each.output_type === 'error')
      .map(each => `${each.ename}: ${each.evalue}`),
  };
}"""
REPLACE = """([name, source]) => {
  const cells = [...jupyterapp.shell.currentWidget.context.model.cells];
  const own = cell => cell.getMetadata('nbgrader')?.grade_id === name;
  cells.find(own).sharedModel.setSource(source);
}"""
SAID = """name => {
  const cells = [...jupyterapp.shell.currentWidget.context.model.cells];
  const cell = cells.find(each => each.getMetadata('nbgrader')?.grade_id === name);
  return JSON.stringify(cell.outputs.toJSON());
}"""


@pytest.fixture(scope="module")
def address():
    if not (SITE / "lite").exists():
        pytest.skip("NOT TESTED IN THE BROWSER ALONE: no JupyterLite (make site PYODIDE=ARCHIVE)")
    with served(SITE) as address:
        yield address


def opened(context, address, name):
    page = context.new_page()
    page.set_default_timeout(300 * SECONDS)
    faults = watch(page, address)
    page.goto(f"{address}/lite/notebooks/index.html?path={name}.ipynb")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.wait_for_function(
        "() => jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel"
    )
    return page, faults


def run_all(page):
    """Run all cells, also after one that stops; return what is known of them at the end."""
    page.evaluate(
        "() => { for (const cell of jupyterapp.shell.currentWidget.context.model.cells) "
        "cell.setMetadata('tags', ['raises-exception']); }"
    )
    page.evaluate("() => { void jupyterapp.commands.execute('notebook:run-all-cells'); }")
    page.wait_for_function(f"() => (({COUNT})()).run === (({COUNT})()).all")
    return page.evaluate(COUNT)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_runs_to_its_end(browser, address, name):
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page, faults = opened(context, address, name)
        done = run_all(page)
        # An answer that is not written yet is told so by its check; nothing else stops.
        unwritten = ("NotImplementedError", "CheckFailure", "AssertionError")
        assert [words for words in done["errors"] if not words.startswith(unwritten)] == []
        page.locator(".noUi-handle").first.wait_for()
        assert [fault for fault in faults if not fault.startswith("404")] == []


def test_a_students_answer_is_checked_kept_and_can_be_downloaded(browser, address, tmp_path):
    with browser.new_context(accept_downloads=True) as context:
        page, _ = opened(context, address, "03_laplace")
        said = []
        for scale in ("sensitivity * epsilon", "sensitivity / epsilon"):
            page.evaluate(REPLACE, ["laplace_mechanism", ANSWERS.format(scale)])
            run_all(page)
            said.append(page.evaluate(SAID, "laplace_mechanism_visible"))
        assert "is it multiplied" in said[0] or "multipl" in said[0]
        assert "✓" in said[1]
        page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
        page.reload()
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        page.get_by_text("scale=sensitivity / epsilon").first.wait_for()
        with page.expect_download() as waiting:
            page.evaluate("() => jupyterapp.commands.execute('docmanager:download')")
        waiting.value.save_as(tmp_path / "mine.ipynb")
        assert "scale=sensitivity / epsilon" in (tmp_path / "mine.ipynb").read_text("utf-8")
