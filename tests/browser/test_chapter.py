"""A student's first hour: open a released chapter in JupyterLab, answer, press Validate."""

import re

import nbformat
import pytest
from notebooks import NAMES, ROOT, mark

pytestmark = pytest.mark.browser
LONG = 120_000  # milliseconds: a busy machine with two cores starts a kernel slowly


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Chapter 03 as released, its first exercise answered with the scale turned over."""
    folder = tmp_path_factory.mktemp("student")
    notebook = nbformat.read(ROOT / "release/03_laplace/03_laplace.ipynb", as_version=4)
    for cell in notebook.cells:
        if mark(cell).get("grade_id") == "laplace_mechanism":
            cell.source = re.sub(
                r"# YOUR CODE HERE\n\s+raise NotImplementedError\(\)",
                "return value + np.random.laplace(scale=sensitivity * epsilon)",
                cell.source,
            )
            assert "sensitivity * epsilon" in cell.source
    nbformat.write(notebook, folder / "03_laplace.ipynb")
    return folder


def test_validate_names_the_mistake_and_the_unanswered_exercises(browser, lab, folder):
    page = browser.new_page(viewport={"width": 1300, "height": 1200})
    page.goto(lab(folder).replace("/lab?", "/lab/tree/03_laplace.ipynb?"))
    page.locator(".jp-Notebook h1").first.wait_for(timeout=LONG)
    page.get_by_role("button", name="Validate").first.click()
    dialog = page.locator(".nbgrader-ErrorDialog, .jp-Dialog-content").first
    dialog.wait_for(timeout=LONG)
    page.wait_for_function("document.body.innerText.includes('laplace_mechanism:')", timeout=LONG)
    words = dialog.inner_text()
    page.screenshot(path=folder / "validate.png")
    assert "✗ laplace_mechanism:" in words and "Try:" in words
    assert "not answered yet" in words
    page.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_released_chapter_runs_up_to_the_exercises_and_shows_its_sliders(
    browser, lab, tmp_path, name
):
    """Nothing in the text depends on an answer: only check cells fail."""
    (tmp_path / f"{name}.ipynb").write_bytes(
        (ROOT / "release" / name / f"{name}.ipynb").read_bytes()
    )
    page = browser.new_page(viewport={"width": 1300, "height": 1200})
    page.goto(lab(tmp_path).replace("/lab?", f"/lab/tree/{name}.ipynb?"))
    page.locator(".jp-Notebook h1").first.wait_for(timeout=LONG)
    for cell in nbformat.read(tmp_path / f"{name}.ipynb", as_version=4).cells:
        assert cell.cell_type != "code" or not cell.outputs
    page.evaluate("jupyterapp.commands.execute('runmenu:run-all')")
    page.wait_for_selector(".jp-OutputArea-output img", timeout=LONG)
    assert page.locator(".jp-OutputArea-output img:not([alt])").count() == 0
    page.close()
