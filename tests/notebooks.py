"""Reads chapters, and runs each once for all tests."""

import atexit
import functools
import os
import sys

import nbformat
from nbformat import NotebookNode
from places import ROOT

from autograder.authoring.chapter_list import handed_out

SOURCES = sorted((ROOT / "source").glob("*/*.ipynb"))
NAMES = [path.stem for path in SOURCES]
# A page is course/NN_name.md: the start and the close of the course. It has no exercises.
PAGES = [name for name in NAMES if (ROOT / "course" / f"{name}.md").exists()]
CHAPTERS = [name for name in NAMES if name not in PAGES]
# What students get: course/chapters.txt may leave some out. The text of all is tested.
RELEASED = handed_out(ROOT, NAMES)
RELEASED_CHAPTERS = [name for name in RELEASED if name not in PAGES]
# Exercises with points by quality, whose model answer is a good one and not the best: it earns more
# than this share of the points. (In 60 runs the first earned 0.83 to 0.91, its standard deviation
# being 0.016; in 8 runs the second earned 0.77 to 0.85. Half is more than 12 deviations away.)
BY_QUALITY = {"publish_visits": 0.5, "publish_concentrated": 0.5}
# One chapter that students get, where one stands for all.
EXAMPLE = "03_laplace" if "03_laplace" in RELEASED else RELEASED_CHAPTERS[0]


def read(name: str, top: str = "source") -> NotebookNode:
    """Return one chapter's notebook from source/ or release/."""
    return nbformat.read(ROOT / top / name / f"{name}.ipynb", as_version=4)


# What every chapter with exercises imports itself, at its top: to have it in memory hides nothing.
EVERYWHERE = ("autograder.check", "dplib", "dplib.data", "dplib.explore", "dplib.guess")


@functools.cache
def validated(name: str, top: str = "source") -> tuple[dict, NotebookNode]:
    """Return what the Validate button finds in a notebook (nothing if all passes), and its run.

    No hidden test is in it, as in what students have. The first view of each slider is drawn, as
    wherever nobody can move it. On Linux the kernel is forked from one that has the libraries in
    memory; `test_bundle.py` starts one as Validate does.
    """
    # Imported here: most tests read notebooks, and run none.
    from nbgrader.preprocessors import CheckCellMetadata, ClearHiddenTests, ClearOutput, Execute
    from nbgrader.validator import Validator
    from traitlets.config.loader import PyFileConfigLoader

    class Keeping(Validator):
        """What runs behind nbgrader's Validate button; it keeps the notebook that it has run."""

        notebook: NotebookNode

        def _preprocess(self, nb: NotebookNode) -> NotebookNode:
            self.notebook = super()._preprocess(nb)
            return self.notebook

    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    validator = Keeping(config=config)
    execute = _forking() if sys.platform == "linux" else Execute
    validator.preprocessors = [ClearHiddenTests, CheckCellMetadata, ClearOutput, execute]
    found = validator.validate(str(ROOT / top / name / f"{name}.ipynb"))
    return found, validator.notebook


@functools.cache
def _forking() -> type:
    """Return nbgrader's Execute with kernels that are forked from one process."""
    from nbgrader import preprocessors

    from autograder.execution.execute import Execute
    from autograder.kernels import Zygote

    # The checks read this variable when they are imported, as in the kernel that Validate starts.
    before, os.environ["NBGRADER_EXECUTION"] = os.environ.get("NBGRADER_EXECUTION"), "validate"
    try:
        zygote = Zygote(EVERYWHERE)
    finally:
        del os.environ["NBGRADER_EXECUTION"]
        os.environ |= {} if before is None else {"NBGRADER_EXECUTION": before}
    atexit.register(zygote.close)

    class Forking(Execute):
        def __init__(self, **settings):
            super().__init__(zygote=zygote, **settings)

        def start_new_kernel(self, **settings):
            # With the variables of whoever validates, and not those of a grader.
            preprocessors.Execute.start_new_kernel(self, **settings)

    return Forking


def graded(name: str) -> NotebookNode:
    """Return one chapter's run with its answers and hidden tests, as long as a grader looks."""
    from autograder.execution.execute import Execute
    from autograder.kernels import Zygote

    zygote = Zygote(EVERYWHERE)
    try:
        resources = {"metadata": {"path": str(ROOT / "source" / name)}}
        return Execute(zygote=zygote, timeout=120).preprocess(read(name), resources)[0]
    finally:
        zygote.close()


def executed(name: str) -> NotebookNode:
    """Return one chapter's source notebook after a run."""
    return validated(name)[1]


def mark(cell: NotebookNode) -> dict:
    """Return nbgrader's metadata of a cell, or an empty dict."""
    return cell.metadata.get("nbgrader", {})


def code_blocks(notebook: NotebookNode, language: str) -> list[str]:
    """Return the fenced blocks of one language in the text of a notebook."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    parts = text.split(f"```{language}\n")[1:]
    return [part.split("```")[0] for part in parts]
