"""A chapter's two forms: the text in course/, and the notebook in source/ made from it."""

import copy
import functools
import hashlib
import re
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.authoring.numbering import renumbered
from autograder.marked_cells import grade_id, mark_on
from autograder.printable import first_line
from autograder.problem import Problem

SOLUTION_MARK = "### BEGIN SOLUTION"
# Where a source notebook keeps the fingerprint of the text it was built from. jupytext leaves the
# key out of the text, and build leaves it out of release/.
BUILT = "autograder_build"

# JupyterLab and other editors keep here how a cell looks or ran, not what it says.
_VIEW = (
    "ExecuteTime autoscroll collapsed execution heading_collapsed jupyter scrolled trusted vscode"
)
# What JupyterLab writes when its property panel is merely looked at.
_UNSET = {"editable": True, "deletable": True, "slideshow": {"slide_type": ""}, "tags": []}
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_MARK_ORDER = ("grade", "grade_id", "locked", "schema_version", "solution", "task", "points")


class BuildError(Problem):
    """A chapter cannot be built; the message names the file, the cell and the reason."""


def source_notebook(markdown: Path) -> NotebookNode:
    """Return nbgrader's instructor notebook for one course file.

    Raises:
      BuildError: the text cannot be parsed, or a cell breaks a rule of the assignment format.
    """
    notebook = _parsed(markdown.read_text("utf-8"), markdown)
    check_cells(markdown, notebook)
    for position, cell in enumerate(notebook.cells):
        cell.id = _cell_id(markdown.stem, position, cell)
    return notebook


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook of source/.

    Raises:
      BuildError: the file is missing, or no notebook.
    """
    if not path.exists():
        raise BuildError(f"{path} is missing")
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # whatever makes it unreadable is the reason
        raise BuildError(f"{path}: not a readable notebook: {error}") from error


def course_text(notebook: NotebookNode, where: Path) -> str:
    """Return the text of a notebook for course/, without the traces of running and viewing it.

    Outputs, execution counts, ids, widget states, the kernel's name, how a cell is shown, empty
    cells and the empty lines at both ends of a cell stay behind.

    Args:
      notebook: one from source/.
      where: its file, for the error.

    Raises:
      BuildError: the text would not give the same cells again; the message names the first cell.
    """
    cells = [_plain(cell) for cell in notebook.cells]
    plain = nbformat.v4.new_notebook(cells=[cell for cell in cells if cell.source or cell.metadata])
    plain.metadata["kernelspec"] = dict(_KERNEL)
    plain.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    text = jupytext.writes(plain, fmt="md:myst")
    # The version would change every chapter at each update of jupytext.
    text = re.sub(r"(?m)^ +jupytext_version: .*\n", "", text, count=1)
    _check_same(where, plain, _parsed(text, where))
    return text


def fingerprint(notebook: NotebookNode, where: Path) -> str:
    """Return a hash of a notebook's content, equal to that of the text that it was built from.

    How exercises are numbered makes no difference: the build numbers them.
    """
    return hashlib.sha256(renumbered(course_text(notebook, where))[0].encode()).hexdigest()


def check_cells(where: Path, notebook: NotebookNode) -> None:
    """Raise BuildError for cells that nbgrader would accept in silence and get wrong."""
    seen = set()
    for cell in notebook.cells:
        mark = mark_on(cell)
        if not mark:
            continue
        name = mark["grade_id"]
        place = f"{where}: cell {name!r}"
        if name in seen:
            raise BuildError(f"{place}: this grade_id is used twice")
        seen.add(name)
        if cell.cell_type == "code" and mark["solution"] and SOLUTION_MARK not in cell.source:
            raise BuildError(
                f"{place}: a solution cell without {SOLUTION_MARK!r} loses its signature on release"
            )
        if mark["grade"] and "points" not in mark:
            raise BuildError(f"{place}: a graded cell needs points")


def _parsed(text: str, where: Path) -> NotebookNode:
    try:
        notebook = copy.deepcopy(_read(text))
    except Exception as error:  # the parser's errors have no common base
        raise BuildError(f"{where}: not valid MyST Markdown: {first_line(error)}") from error
    # jupytext.toml sets the pairing. In the notebook it would reach every student's copy.
    notebook.metadata.pop("jupytext", None)
    return notebook


@functools.lru_cache(maxsize=32)
def _read(text: str) -> NotebookNode:
    """Return the notebook of a text: the same one is asked for again, for a zip or a preview."""
    return jupytext.reads(text, fmt="md:myst")


def _plain(cell: NotebookNode) -> NotebookNode:
    """Return a cell with only its content, without traces of its view."""
    source = re.sub(r"^(\s*\n)+", "", cell.source).rstrip()
    made = getattr(nbformat.v4, f"new_{cell.cell_type}_cell")(source)
    if cell.get("attachments"):
        made["attachments"] = cell.attachments
    for name, value in cell.metadata.items():
        if name not in _VIEW.split() and _UNSET.get(name) != value:
            made.metadata[name] = copy.deepcopy(value)
    mark = mark_on(made)
    if mark:
        known = [name for name in _MARK_ORDER if name in mark]
        names = [*known, *sorted(mark.keys() - set(known))]
        made.metadata["nbgrader"] = {name: mark[name] for name in names}
    return made


def _check_same(where: Path, notebook: NotebookNode, back: NotebookNode) -> None:
    """Raise BuildError if the text does not hold the notebook's whole content."""
    for position, cell in enumerate(notebook.cells):
        other = back.cells[position] if position < len(back.cells) else None
        place = f"{where}: cell {position} ({grade_id(cell) or 'no grade_id'})"
        if cell.get("attachments"):
            raise BuildError(
                f"{place}: text holds no attached picture; put it in course/ beside the text"
            )
        if other is None or _said(cell) != _said(other):
            raise BuildError(
                f"{place}: text cannot hold this cell. A line that begins with +++ or ```, or code "
                "that begins with a colon, would be read as something else"
            )
    if len(back.cells) != len(notebook.cells):
        raise BuildError(f"{where}: its text gives {len(back.cells)} cells")


def _said(cell: NotebookNode) -> tuple:
    return cell.cell_type, cell.source, cell.metadata


def _cell_id(chapter: str, position: int, cell: NotebookNode) -> str:
    """Return an id that each rebuild repeats: from the grade_id, else chapter and position."""
    name = grade_id(cell) or f"{chapter}-{position}"
    return hashlib.sha256(name.encode()).hexdigest()[:12]
