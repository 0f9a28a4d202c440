"""The plan of a run: which cells of a notebook run with the answers, which with the tests."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_locked, is_solution

from autograder.marked_cells import grade_id
from autograder.second_opinion.instructor import Instructor
from autograder.second_opinion.names import Names


@dataclass(frozen=True)
class Step:
    """One code cell.

    Attributes:
      cell: the cell.
      answers: whether it runs with the answers.
      tests: whether it runs with the tests.
    """

    cell: NotebookNode
    answers: bool
    tests: bool


def steps(
    notebook: NotebookNode,
    *,
    lean: bool,
    instructor: Instructor | None = None,
    left_out: Collection[str] = (),
) -> list[Step]:
    """Return a notebook's code cells in order, each with the place where it runs.

    Locked cells run with the tests: they are the instructor's. Those that give no points, such as
    imports, run with the answers too. All other cells run with the answers alone. The instructor's
    cells that a test needs run with the tests, whatever the submission made of them.

    Args:
      notebook: sanitised.
      lean: leave out display-only cells: those that neither ask for an answer nor make a name that
      an answer, a test or another cell in use mentions. A cell may do more than its text tells,
      so if this costs points, the notebook is run again with all cells.
      instructor: the facts about the instructor's notebook.
      left_out: tests that are not run, by grade_id.
    """
    before = instructor.before if instructor else {}
    extra = [cell for cells in before.values() for cell in cells]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    needed = _needed(cells, extra) if lean else [True] * len(cells)
    chosen = [cell for cell, wanted in zip(cells, needed, strict=True) if wanted]
    return [step for cell in chosen for step in _steps_of(cell, before, left_out)]


def _steps_of(cell: NotebookNode, before, left_out: Collection[str]) -> Iterator[Step]:
    name = grade_id(cell)
    if is_locked(cell):
        yield from (Step(each, answers=False, tests=True) for each in before.get(name, ()))
    if not (is_grade(cell) and name in left_out):
        yield Step(cell, answers=not is_grade(cell) or is_solution(cell), tests=is_locked(cell))


def _needed(cells: Sequence[NotebookNode], extra: Sequence[NotebookNode]) -> list[bool]:
    """Say of each cell whether something depends on it, as far as its text tells."""
    names = [Names(cell.source) for cell in cells]
    always = set().union(*(Names(cell.source).read for cell in extra))
    needed = [
        is_locked(cell) or is_solution(cell) or each.unclear
        for cell, each in zip(cells, names, strict=True)
    ]
    while True:
        read = always.union(*(each.read for each in itertools.compress(names, needed)))
        more = [
            known or not each.made.isdisjoint(read)
            for known, each in zip(needed, names, strict=True)
        ]
        if more == needed:
            return needed
        needed = more
