"""The table that `grade --again` shows before it writes."""

from collections.abc import Iterator, Mapping, Sequence

from nbformat import NotebookNode
from nbgrader.utils import is_grade
from rich.console import Console

from autograder.execution.notebooks import error_line
from autograder.grading.terminal import print_rows, say
from autograder.printable import counted
from autograder.regrade.changes import Preview
from autograder.version import version

PASSED = "passed"


def said(notebooks: Mapping[str, NotebookNode]) -> dict[str, str]:
    """Return the first line of each test cell's sentence about the answer.

    Returns:
      By grade_id, and by NOTEBOOK/grade_id, from top to bottom.
    """
    found = {}
    for notebook, content in notebooks.items():
        for cell in filter(is_grade, content.cells):
            name, words = cell.metadata.nbgrader.grade_id, _first_line(cell)
            found |= {name: words, f"{notebook}/{name}": words}
    return found


def _first_line(cell: NotebookNode) -> str:
    if line := error_line(cell):
        return line
    if any(output.get("name") == "stderr" for output in cell.get("outputs", [])):
        return "it printed a warning, which nbgrader takes for a failure"
    return PASSED


def show(preview: Preview, console: Console) -> None:
    """Print the students who would get other points, and why."""
    if preview.changes:
        columns = [{"header": name, "no_wrap": True} for name in _NAMES] + [{"header": "why"}]
        print_rows(console, "What would change", columns, _rows(preview))
        say(console, "Scores as exported: late penalties are taken off. Points of cells: before.")
    for line in _lines(preview):
        say(console, line)


_NAMES = ("student", "score", "cell", "points")


def _rows(preview: Preview) -> Iterator[tuple[Sequence[str], None]]:
    shown = None
    for change in preview.changes:
        first = change.student != shown
        shown = change.student
        cells = (
            change.student if first else "",
            _arrow(*preview.scores[change.student]) if first else "",
            change.cell,
            _arrow(change.before, change.after),
            change.why,
        )
        yield cells, None


def _arrow(before: float | str | None, after: float | str | None) -> str:
    return " → ".join(map(_points, (before, after)))


def _points(points: float | str | None) -> str:
    if isinstance(points, str):
        return points
    return "by hand" if points is None else f"{points:g}"


def _how_many(number: int, what: str) -> str:
    return counted(number, what) if number else f"no {what}s"


def _lines(preview: Preview) -> Iterator[str]:
    changed = {change.student for change in preview.changes}
    # A new date may leave a score as it is, and so may points that move from cell to cell.
    same = {name for name in changed if len(set(preview.scores[name])) == 1}
    what = _how_many(len(changed - same), "score")
    what += f" and {_how_many(len(same), 'other record')}" if same else ""
    yield f"{len(preview.graded)} graded again in a copy; {what} would change."
    others = preview.checks.total() - preview.checks[version()]
    if others:
        yield f"{others} of them were graded with other checks than this version's ({version()})."
    if preview.not_graded:
        yield f"{preview.not_graded} not graded:"
    for outcome in preview.refused:
        yield f"{outcome.student} cannot be graded: {outcome.notes[0]}"
    for outcome in preview.failed:
        yield f"{outcome.student} cannot be graded now and keeps the score: {outcome.notes[0]}"
    for student in preview.left:
        yield f"{student} has handed in something new: grade it without --again."
    yield from preview.above
