"""A student's first hour: open a released chapter in JupyterLab, answer, press Validate."""

import re

import labserver
import nbformat
import pytest
from notebooks import PAGES, RELEASED, mark
from places import ROOT

pytestmark = pytest.mark.browser
DRAWS = re.compile(r"described_figure\(|^explore\.explore_", re.M).search


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


@pytest.mark.skipif("03_laplace" not in RELEASED, reason="students do not get chapter 3")
def test_validate_names_the_mistake_and_the_unanswered_exercises(browser, lab, folder, lab_folder):
    page = labserver.patient_page(browser.new_context(viewport={"width": 1300, "height": 1200}))
    place = f"{folder.relative_to(lab_folder)}/03_laplace.ipynb"
    page.goto(lab(lab_folder).replace("/lab?", f"/lab/tree/{place}?reset&"))
    page.locator(".jp-Notebook h1").first.wait_for()
    page.get_by_role("button", name="Validate").first.click()
    dialog = page.locator(".nbgrader-ErrorDialog, .jp-Dialog-content").first
    dialog.wait_for()
    labserver.wait_until(page, "document.body.innerText.includes('laplace_mechanism:')")
    words = dialog.inner_text()
    page.screenshot(path=folder / "validate.png")
    assert "✗ laplace_mechanism:" in words and "Try:" in words
    assert "not answered yet" in words
    page.context.close()


@pytest.fixture(scope="module")
def chapters(tmp_path_factory):
    """One folder for all chapters."""
    return tmp_path_factory.mktemp("released")


@pytest.mark.parametrize("name", RELEASED)
def test_a_released_chapter_runs_and_every_picture_has_a_description(open_notebook, chapters, name):
    """Nothing in the text depends on an answer; a figure of one says that it is missing."""
    # Run all cells stops at the first unanswered exercise: of them only unwritten functions stay.
    content = nbformat.read(ROOT / "release" / name / f"{name}.ipynb", as_version=4)
    content.cells = [
        cell
        for cell in content.cells
        if not mark(cell).get("grade")
        and (not mark(cell).get("solution") or cell.source.startswith("def "))
    ]
    nbformat.write(content, chapters / f"{name}.ipynb")
    page = open_notebook(chapters / f"{name}.ipynb")
    assert page.locator(".jp-OutputArea-output[data-mime-type$=stderr]").count() == 0
    # Each cell that draws a figure or shows a slider has its picture on the page.
    drawing = [cell for cell in content.cells if cell.cell_type == "code" and DRAWS(cell.source)]
    assert drawing or name in PAGES
    pictures = ".jp-OutputArea-output :is(img, svg[role=img])"
    assert page.locator(pictures).count() >= len(drawing)
    assert page.locator(f"{pictures}:not([alt], [aria-label])").count() == 0
