"""Each chapter run once, with the course's own solutions, and made fit for reading."""

import ast
import copy
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from autograder.authoring.student_code import student_code
from autograder.marked_cells import by_name, grade_id, mark_on

HIDDEN = "### BEGIN HIDDEN TESTS"
# Tags of a place for an answer, and of its check, before the name: classes of the page.
EXERCISE, CHECK = "exercise-", "check-"
FOLD = '<details class="model-answer"><summary>Show after trying</summary>'
SECONDS = 600  # for one cell; a slow machine draws a figure in a minute


def executed_chapters(root: Path, work: Path) -> list[Path]:
    """Return the notebooks of release/ with answers and outputs, in order; run what has changed.

    Args:
      root: the course's folder, with source/ and release/ as `autograder build` makes them.
      work: where the notebooks are kept from one time to the next.
    """
    sources = sorted(root.glob("source/*/*.ipynb"))
    sources = [each for each in sources if (root / "release" / each.stem / each.name).exists()]
    # What a chapter runs, or reads: the code and data that students get.
    notebooks = [nbformat.read(each, as_version=4) for each in sources]
    code = _fingerprint([root / name for name in student_code(root, notebooks, notebooks)])
    work.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(lambda source: _executed(source, work, code), sources))


def _executed(source: Path, work: Path, code: str) -> Path:
    target = work / source.name
    mark = _fingerprint([source]) + code
    if not target.exists() or nbformat.read(target, 4).metadata.get("made_from") != mark:
        notebook = nbformat.read(source, as_version=4)
        _run(notebook, source.parent)
        notebook.metadata["made_from"] = mark
        nbformat.write(notebook, target)
        print(f"  {source.stem} has run", flush=True)
    return target


def _run(notebook: NotebookNode, folder: Path) -> None:
    """Execute every cell; an error ends the making of the site."""
    # Every figure is to move on a page without a kernel.
    environment = {**os.environ, "DPLIB_STATIC": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as empty:
        resources = {"metadata": {"path": str(folder if any(_support(folder)) else empty)}}
        client = NotebookClient(notebook, timeout=SECONDS, resources=resources)
        client.execute(env=environment, stderr=subprocess.DEVNULL)


def _support(folder: Path):
    return (path for path in folder.iterdir() if path.suffix != ".ipynb")


def _fingerprint(paths: list[Path]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def readable(
    notebook: NotebookNode,
    release: NotebookNode,
    *,
    answers: bool = False,
    editors: bool = False,
) -> NotebookNode:
    """Return the notebook as a page of the book.

    Hidden tests are left out. Where a student has something to write, the page shows the student's
    own cell, and where answers are wanted, the solution, folded.

    Args:
      notebook: the executed chapter, with solutions.
      release: the same chapter as students get it.
      answers: whether the page holds the course's own answers.
      editors: whether places for answers are marked, for the page's script to put editors there.
    """
    given = by_name(release.cells)
    page = copy.deepcopy(notebook)
    # Students' text does not lead to chapters that are left out.
    words = {cell.id: cell.source for cell in release.cells if cell.cell_type == "markdown"}
    for cell in page.cells:
        if not grade_id(cell):
            cell.source = words.get(cell.id, cell.source)
    page.cells = [
        each
        for cell in page.cells
        for each in _cells(cell, given.get(grade_id(cell)), answers=answers, editors=editors)
        if each.source
    ]
    return page


def _cells(
    cell: NotebookNode, given: NotebookNode | None, *, answers: bool, editors: bool
) -> list[NotebookNode]:
    """Return what becomes of one cell of a chapter on its page."""
    if HIDDEN in cell.source:
        return []
    if not mark_on(cell).get("solution"):
        if mark_on(cell).get("grade"):  # what a check says names the answer
            check = [CHECK + grade_id(cell)] if editors else []
            cell.metadata["tags"] = ["hide-output", *check]
        else:
            _fold(cell)
        return [_plain(cell)]
    place = EXERCISE + grade_id(cell)
    if cell.cell_type == "markdown":
        yours = [nbformat.v4.new_markdown_cell(f'<div class="tag_{place}"></div>')]
        yours = yours if editors else []
        if not answers:
            return yours
        folded = f"{FOLD}\n\n{cell.source}\n\n</details>"
        return [*yours, nbformat.v4.new_markdown_cell(folded)]
    yours = nbformat.v4.new_code_cell(given.source)
    yours.metadata["tags"] = [place] if editors else []
    if not answers:
        return [yours]
    cell.source = re.sub(r"^ *### (BEGIN|END) SOLUTION *\n?", "", cell.source, flags=re.MULTILINE)
    cell.metadata["tags"] = ["hide-input"]
    return [yours, _plain(cell)]


def _fold(cell: NotebookNode) -> None:
    """Fold what nobody needs to read: imports, and the code of guesses and sliders."""
    if cell.cell_type != "code":
        return
    if grade_id(cell) == "setup":
        cell.metadata["tags"] = ["hide-input"]
        cell.metadata["mystnb"] = {"code_prompt_show": "Code: the set-up"}
    elif _makes_a_control(cell.source):
        cell.metadata["tags"] = ["remove-input"]
    elif ".reveal(" in cell.source:
        cell.metadata["tags"] = ["hide-input"]
        cell.metadata["mystnb"] = {"code_prompt_show": "Code: how the answer is computed"}


def _makes_a_control(source: str) -> bool:
    """Say whether all that code does is to show a guess or a slider."""
    made = [getattr(each, "value", None) for each in ast.parse(source).body]
    return bool(made) and all(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id in ("guess", "explore")
        for each in made
    )


def _plain(cell: NotebookNode) -> NotebookNode:
    cell.metadata.pop("nbgrader", None)
    if cell.cell_type == "markdown":  # all pages of the book lie in one folder
        cell.source = re.sub(r"\]\(\.\./(\w+)/(\1\.ipynb)", r"](\2", cell.source)
    return cell
