"""Answers in words that stand in a cell of the student's own, beside the one that asks for them."""

from collections.abc import Collection, Iterable, Iterator

from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_grade, is_solution

from autograder.marked_cells import grade_id, mark_on
from autograder.printable import cut
from autograder.releases import digest

_TEXT = ("markdown", "raw")
_LONGEST = 20_000  # characters


def beside(
    notebook: NotebookNode, given: frozenset[str], gone: Collection[str] = ()
) -> dict[str, str]:
    """Return by grade_id the student's own text next to each answer in words that is untouched.

    Args:
      notebook: a student's, with nbgrader's marks and checksums.
      given: the hashes of the texts that students were given.
      gone: the answers whose cell the student had not. Where nothing is next to such a one, all of
        the student's own text may be meant.
    """
    found = {}
    for place, cell in enumerate(notebook.cells):
        if _is_untouched(cell):
            around = [reversed(notebook.cells[:place]), iter(notebook.cells[place + 1 :])]
            before, after = (list(_own(_near(cells, given), given)) for cells in around)
            texts = [*reversed(before), *after]
            if not texts and grade_id(cell) in gone:
                texts = list(_own(notebook.cells, given))
            if texts:
                found[str(grade_id(cell))] = cut("\n\n".join(texts), _LONGEST, 1_000)
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


def _near(cells: Iterable[NotebookNode], given: frozenset[str]) -> Iterator[NotebookNode]:
    """Yield the cells from here to the next one that everybody has."""
    for cell in cells:
        if mark_on(cell) or (_plain(cell) and digest(cell.source) in given):
            return
        yield cell


def _own(cells: Iterable[NotebookNode], given: frozenset[str]) -> Iterator[str]:
    """Yield the student's own text in some cells."""
    for cell in cells:
        text = cell.cell_type in _TEXT and _plain(cell)
        if text and not mark_on(cell) and digest(cell.source) not in given:
            yield cell.source


def _plain(cell: NotebookNode) -> str:
    return cell.source.strip()
