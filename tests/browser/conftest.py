"""What the browser tests share: one Chromium, and JupyterLab servers that end with the tests."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import labserver
import pytest
from places import ROOT
from sites import SITE, served

from autograder.demo.demo_class import make
from autograder.demo.students import CHAPTER
from autograder.grading import grade

sys.path.insert(0, str(ROOT / "deploy" / "site"))
from vendored import SiteError, vendor

STUDENTS = ["noise_multiplied", "perfect", "rounded"]


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium, driven by playwright."""
    if labserver.CHROMIUM is None:
        pytest.skip(f"NOT TESTED IN A BROWSER: {labserver.NO_CHROMIUM}")
    pytest.importorskip(
        "playwright.sync_api", reason="NOT TESTED IN A BROWSER: playwright is not installed"
    )
    with labserver.chromium() as chromium:
        yield chromium


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the site is served that `make site` has made."""
    if not (SITE / "index.html").exists():
        pytest.skip("THE SITE IS NOT TESTED: there is none (make site)")
    with served(SITE) as address:
        yield address


@pytest.fixture(scope="session")
def lab(tmp_path_factory) -> Iterator[Callable[[Path], str]]:
    """A function that serves a folder in JupyterLab and returns the address, token and all."""
    with ExitStack() as servers:

        @cache
        def serve(folder: Path) -> str:
            home = tmp_path_factory.mktemp("jupyter")
            return servers.enter_context(labserver.jupyterlab(folder, home))

        yield serve


@pytest.fixture(scope="session")
def lab_folder(tmp_path_factory) -> Path:
    """The folder of all tests' folders: one JupyterLab serves it."""
    return tmp_path_factory.getbasetemp()


@pytest.fixture(scope="session")
def desk(browser, lab, lab_folder):
    """A page with JupyterLab: to load it costs as much as to run a chapter in it."""
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page = labserver.patient_page(context)
        page.goto(lab(lab_folder).replace("/lab?", "/lab?reset&"))
        labserver.wait_until(page, "() => window.jupyterapp?.shell?.currentWidget")
        yield page


@pytest.fixture
def open_notebook(desk, lab_folder) -> Iterator[Callable[[Path], object]]:
    """A function that opens a notebook in JupyterLab, runs all its cells, and returns the page."""

    def run(notebook: Path):
        labserver.close_all(desk)
        labserver.run_beside(desk, notebook.relative_to(lab_folder).as_posix())
        return desk

    yield run
    desk.emulate_media(reduced_motion="no-preference")
    labserver.close_all(desk)


@pytest.fixture(scope="session")
def graded(tmp_path_factory, root):
    """A course with a graded class: its folder, and each student's outcome."""
    folder = make(root, tmp_path_factory.mktemp("graded") / "demo", STUDENTS)
    outcomes = {outcome.student: outcome for outcome in grade(CHAPTER, root=folder)}
    assert all(outcome.graded for outcome in outcomes.values())
    return folder, outcomes


@pytest.fixture(scope="session")
def axe():
    """The program that looks for what bars people out."""
    folder = ROOT / "build" / "axe"
    try:
        vendor(folder, ROOT / "tests" / "browser" / "axe.json")
    except SiteError as error:
        pytest.skip(f"ACCESSIBILITY IS NOT TESTED: {error}")
    return (folder / "axe.min.js").read_text("utf-8")
