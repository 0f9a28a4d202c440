"""Answers in words that stand in a cell of the student's own, beside the one that asks for them."""

import functools
from collections.abc import Iterable

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_grade, is_solution

from autograder.marked_cells import mark_on
from autograder.printable import cut

_TEXT = ("markdown", "raw")
_LONGEST = 20_000  # characters


@functools.lru_cache(64)
def given(instructors: str) -> frozenset[str]:
    """Return the texts of the instructor's cells. They are not a student's answer."""
    return frozenset(map(_plain, nbformat.reads(instructors, as_version=4).cells))


def beside(notebook: NotebookNode, given: frozenset[str]) -> dict[str, str]:
    """Return by grade_id the student's own text next to each answer in words that is untouched.

    Args:
      notebook: a student's, with nbgrader's marks and checksums.
      given: the texts of the instructor's cells.
    """
    found = {}
    for place, cell in enumerate(notebook.cells):
        if _is_untouched(cell):
            around = [reversed(notebook.cells[:place]), iter(notebook.cells[place + 1 :])]
            before, after = (_own(cells, given) for cells in around)
            text = "\n\n".join([*reversed(before), *after])
            if text:
                found[str(cell.metadata.nbgrader.grade_id)] = cut(text, _LONGEST, 1_000)
    return found


def _is_untouched(cell: NotebookNode) -> bool:
    """Tell whether a cell asks for words, and holds none of the student's."""
    return is_read(cell) and cell.cell_type in _TEXT and (not _plain(cell) or is_as_given(cell))


def is_read(cell: NotebookNode) -> bool:
    """Tell whether a cell is an answer that a person reads."""
    return is_grade(cell) and is_solution(cell)


def is_as_given(cell: NotebookNode) -> bool:
    """Tell whether an answer that a person reads is as it was handed out: nbgrader gives it 0."""
    return determine_grade(cell)[0] is not None


def _own(cells: Iterable[NotebookNode], given: frozenset[str]) -> list[str]:
    """Return the student's own text from here to the next cell that everybody has."""
    found = []
    for cell in cells:
        if mark_on(cell) or (_plain(cell) and _plain(cell) in given):
            break
        if cell.cell_type in _TEXT and _plain(cell):
            found.append(cell.source)
    return found


def _plain(cell: NotebookNode) -> str:
    return " ".join(cell.source.split())
