"""What a chapter asks and pays, read from its source notebook."""

import ast
from dataclasses import dataclass

from nbformat import NotebookNode
from notebooks import CHAPTERS, mark, read

__all__ = ["CHAPTERS", "Chapter", "Exercise", "chapter"]


@dataclass(frozen=True)
class Exercise:
    """One exercise that the machine grades.

    Attributes:
      name: of its answer's cell, and of its check.
      object: what the answer must define.
      cells: the points of each of its test cells.
      scored: whether they give a part of the points for a part of the task.
    """

    name: str
    object: str
    cells: dict[str, float]
    scored: bool


@dataclass(frozen=True)
class Chapter:
    """A chapter's exercises, from top to bottom."""

    name: str
    exercises: tuple[Exercise, ...]

    @property
    def points(self) -> dict[str, float]:
        """Return the points of every test cell."""
        return {cell: most for each in self.exercises for cell, most in each.cells.items()}


def chapter(name: str) -> Chapter:
    """Read one chapter from source/."""
    found: dict[str, Exercise] = {}
    for cell in read(name).cells:
        if mark(cell).get("grade") and not mark(cell)["solution"]:
            given = mark(cell)
            call = _call(cell)
            one = found.setdefault(
                call.func.attr, Exercise(call.func.attr, call.args[0].id, {}, _is_scored(cell))
            )
            one.cells[given["grade_id"]] = given["points"]
    return Chapter(name, tuple(found.values()))


def _call(cell: NotebookNode) -> ast.Call:
    """Return the call of a check in a test cell: check.EXERCISE(ANSWER)."""
    (call,) = (
        node
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "check"
    )
    return call


def _is_scored(cell: NotebookNode) -> bool:
    return ".share" in cell.source or ".points(" in cell.source
