"""Attacks on the grader's own process and pages, by the files that it reads and lays out."""

import base64
import os
from pathlib import Path

import class_under_attack as course
from attack import Attack, World
from class_under_attack import cell
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

_ORDER = "\x1b[2K"  # to a terminal: forget this line


def _with(*cells: NotebookNode):
    def changed(notebook: NotebookNode) -> NotebookNode:
        notebook.cells += cells
        return notebook

    return changed


def _pages(world: World) -> str:
    """Say so if a student's page is not there, or is larger than a browser can bear."""
    pages = [world.path("feedback", name, "html") for name in (world.student, "zz_honest")]
    whole = world.path("feedback", "zz_honest", "html").parent.parent.is_dir()
    missing = [page.stem for page in pages if not page.exists()] if whole else []
    size = sum(page.stat().st_size for page in pages if page.exists()) / 1e6
    large = f"a page of {round(size, -2):.0f} MB" if size > 50 else ""
    return "no page" if missing else large


def _mentioned(times: int) -> NotebookNode:
    picture = base64.b64encode(os.urandom(1_900_000)).decode()
    made = new_markdown_cell("![a picture](attachment:a.png)\n\n" * times)
    made.attachments = {"a.png": {"image/png": picture}}
    return made


def _no_utf8(folder: Path) -> None:
    (folder / f"{course.COURSE}.ipynb").rename(folder / os.fsdecode(b"r\xe9sum\xe9.ipynb"))


def _folder_no_utf8(folder: Path) -> None:
    """Hand in the same under a second name, whose bytes are no text."""
    twin = folder.parent.parent / os.fsdecode(b"zy_\xe9") / folder.name
    twin.mkdir(parents=True)
    for path in folder.iterdir():
        (twin / path.name).write_bytes(path.read_bytes())


def _dated(folder: Path) -> None:
    (folder / "timestamp.txt").write_text("a" * 5_000_000)


_UPDATES = """
from IPython.display import display, update_display
for _ in range(6000): display("x", display_id="same")
for number in range(6000): update_display("x", display_id="same")
"""


def _size(world: World) -> str:
    path = world.path("autograded")
    megabytes = path.stat().st_size / 1e6 if path.exists() else 0
    return f"a notebook of {round(megabytes, -1):.0f} MB" if megabytes > 20 else ""


_LONG_CELLS = [new_code_cell(f"print('{number % 10}' * 120_000)") for number in range(200)]


def _speaks(world: World) -> str:
    return "the terminal is spoken to" if _ORDER in world.said else ""


def _marked(**mark):
    def changed(notebook: NotebookNode) -> NotebookNode:
        cell(notebook, "double").metadata.nbgrader.update(mark)
        return notebook

    return changed


def _no_mark(notebook: NotebookNode) -> NotebookNode:
    cell(notebook, "double").metadata["nbgrader"] = {}
    return notebook


_SPEAKING_CELL = {"nbgrader": {"grade_id": _ORDER, "schema_version": 3, "solution": False,
                               "grade": False, "locked": False, "task": False}}  # fmt: skip

ATTACKS = [
    Attack(
        "long_markdown",
        "writes two texts of 1 MB: of `<div>`, and of spaces",
        plain="grading never ends; 0 / 10",
        ours="0 / 10",
        change=_with(
            new_markdown_cell("<div>" * 200_000),
            new_markdown_cell("a" + " " * 1_000_000 + "b"),
        ),
        harm=_pages,
        feedback=True,
        alone=True,
        patience=20,
    ),
    Attack(
        "picture_many_times",
        "names one attachment of 2.5 MB 80 times",
        plain="a page of 200 MB; 0 / 10",
        ours="0 / 10",
        change=_with(_mentioned(80)),
        harm=_pages,
        feedback=True,
        alone=True,
    ),
    Attack(
        "name_no_text",
        "hands in a notebook with a name that is not UTF-8",
        plain="no score",
        ours="no score (no notebook named 01_numbers.ipynb; found r�sum�.ipynb: "
        "rename it to 01_numbers.ipynb)",
        place=_no_utf8,
        alone=True,
    ),
    Attack(
        "folder_no_text",
        "has a second folder whose name is not UTF-8",
        plain="0 / 10",
        ours="0 / 10",
        place=_folder_no_utf8,
        alone=True,
    ),
    Attack(
        "endless_date",
        "brings a `timestamp.txt` that the parser of dates reads for minutes",
        plain="grading never ends; no score",
        ours="no score (timestamp.txt does not hold a date: " + "a" * 100 + " …)",
        place=_dated,
        alone=True,
        patience=20,
    ),
    Attack(
        "updated_displays",
        "shows a display in 6,000 places, and shows it anew 6,000 times",
        plain="no score",
        ours="0 / 10",
        sometimes={"plain": "0 / 10", "ours": "0 / 10 (timed out)"},  # five seconds may be enough
        code=_UPDATES,
    ),
    Attack(
        "long_cells",
        "has 200 cells that print 120 kB each (the limit here: 2 MB)",
        plain="a notebook of 20 MB; 0 / 10",
        ours="0 / 10",
        sometimes={"ours": "0 / 10 (timed out; not run)"},
        change=_with(*_LONG_CELLS),
        harm=_size,
    ),
    Attack(
        "speaking_cell",
        "gives a cell of its own orders for the terminal as its name",
        plain="the terminal is spoken to; no score",
        ours="0 / 10",
        change=_with(new_code_cell("1", metadata=_SPEAKING_CELL)),
        harm=_speaks,
        alone=True,
    ),
    Attack(
        "speaking_version",
        "has metadata whose version is orders for the terminal",
        plain="no score",
        ours="no score (cell 3 of 01_numbers.ipynb has an nbgrader mark of no known version: �[2K)",
        change=_marked(schema_version=_ORDER),
        harm=_speaks,
        alone=True,
    ),
    Attack(
        "empty_mark",
        "has metadata in which all is missing",
        plain="no score",
        ours="no score (cell 3 of 01_numbers.ipynb has an nbgrader mark without a name of 1 to 200 "
        "characters)",
        change=_no_mark,
        alone=True,
    ),
]
