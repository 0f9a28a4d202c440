"""The points that a chapter's headings promise, beside those that its cells give."""

import re
from pathlib import Path

from nbformat import NotebookNode

from autograder.authoring.pair import read_notebook
from autograder.marked_cells import mark_on

_HEADING = re.compile(
    r"^#{2,3} (Exercise \d+)?[^(\n]*(?:\((\d+(?:\.\d+)?) points?)?.*$", re.MULTILINE
)


def wrong_points(root: Path, chapter: str) -> list[str]:
    """Return in words the exercises of source/ whose heading says other points than their cells."""
    said: dict[str, float] = {}
    given: dict[str, float] = {}
    exercise = ""
    for cell in read_notebook(root / "source" / chapter / f"{chapter}.ipynb").cells:
        for name, points in _headings(cell):
            exercise = name
            said[name] = points
        given[exercise] = given.get(exercise, 0) + (mark_on(cell).get("points") or 0)
    return [
        f"The heading of {name} says {points:g} points, its cells give {given.get(name, 0):g}: "
        "change the heading, and the sums in course/README.md"
        for name, points in said.items()
        if name and points != given.get(name, 0)
    ]


def _headings(cell: NotebookNode) -> list[tuple[str, float]]:
    """Return the headings in a text: the exercise, "" for no exercise, and its points."""
    text = cell.source if cell.cell_type == "markdown" else ""
    found = _HEADING.findall(text)
    return [(name if points else "", float(points or 0)) for name, points in found]
