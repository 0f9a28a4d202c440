"""Puts the instructor's locked cells back into a submission: each once, and in its place.

A notebook may come back with locked cells deleted, moved, copied, or without their nbgrader mark.
The names that tests use come from locked cells too (`from autograder import check`), so all of them
are put back, whether they give points or not. The student's own cells stay where they are.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.course_folders.known_again import Original, home, mark_of, recognise
from autograder.marked_cells import grade_id

_IDS_SINCE = 5  # minor version of the notebook format
_NEW = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}


class Landmark(NamedTuple):
    """A cell of the instructor's notebook, marked or not, by which a student's is known."""

    name: str | None
    cell_id: str
    text: str


def landmark(cell: NotebookNode) -> Landmark:
    """Return what a cell is known by."""
    return Landmark(grade_id(cell), cell.get("id", ""), cell.source.strip())


def put_back(
    nb: NotebookNode,
    originals: Sequence[Original],
    needed: Collection[str],
    landmarks: Sequence[Landmark] = (),
) -> None:
    """Put the cells that a notebook must have into their places.

    Args:
      nb: the submission; the flags of the cells that are marked are right.
      originals: the cells of the assignment, in the instructor's order.
      needed: names of those that must be there: the locked ones, and maybe others.
      landmarks: all cells of the instructor's notebook, in order.
    """
    recognise(nb, originals)
    placed = -1
    for number, original in enumerate(originals):
        answered = original.solution and any(grade_id(cell) == original.name for cell in nb.cells)
        if original.name in needed and not answered:
            before, after = originals[:number], originals[number + 1 :]
            placed = _place(nb, original, _bounds(nb, before, after, placed), before, landmarks)


def _bounds(
    nb: NotebookNode, before: Sequence[Original], after: Sequence[Original], placed: int
) -> tuple[int, int]:
    """Return the places between which a cell belongs.

    It comes after the locked cell before it and after the answers before it, and, as far as that
    leaves a choice, before the answers after it.

    Args:
      before, after: the cells before and after it, in the instructor's order.
      placed: the place of the last cell that was put into its place; -1 for none.
    """
    earlier, later = (list(_answers(nb, some)) for some in (before, after))
    lowest = max([placed, *earlier])
    highest = min([place for place in later if place > lowest], default=len(nb.cells))
    if earlier and later and min(later) < max(earlier):
        highest = len(nb.cells)  # the student has put the answers into another order
    return lowest, highest


def _answers(nb: NotebookNode, some: Iterable[Original]) -> Iterator[int]:
    """Yield the places of answers: of their cells, or of cells that define the same names."""
    places = {grade_id(cell): place for place, cell in enumerate(nb.cells)}
    for each in some:
        if each.solution:
            place = places[each.name] if each.name in places else home(nb, each)
            if place is not None:
                yield place


def _place(
    nb: NotebookNode,
    original: Original,
    bounds: tuple[int, int],
    before: Sequence[Original],
    landmarks: Sequence[Landmark],
) -> int:
    """Put a cell between its bounds; return its place."""
    lowest, highest = bounds
    now = {grade_id(cell): place for place, cell in enumerate(nb.cells)}.get(original.name)
    if now is not None and lowest < now < highest:
        return now
    if now is None:
        cell = made(original, nb.nbformat_minor)
        lowest = max(lowest, min(_followed(nb, original, before, landmarks), highest - 1))
    else:
        cell = nb.cells.pop(now)
        lowest -= now < lowest
    place = lowest + 1 if lowest >= 0 else _start(nb, original, highest)
    nb.cells.insert(place, cell)
    return place


def _followed(
    nb: NotebookNode,
    original: Original,
    before: Sequence[Original],
    landmarks: Sequence[Landmark],
) -> int:
    """Return the place of the cell after which a deleted one comes back; -1 for none.

    It is the nearest cell before it, as the instructor has them. A test whose answer is nowhere
    comes as late as it can, and code that no test or answer precedes before all other code.
    """
    answers = [each for each in before if each.solution]
    if original.grade and answers and not list(_answers(nb, answers[-1:])):
        return len(nb.cells)
    if original.cell_type == "code" and not answers and not original.grade:
        return -1
    names = [each.name for each in landmarks]
    earlier = landmarks[: names.index(original.name)] if original.name in names else ()
    there: dict[str, int] = {}
    for place, cell in enumerate(nb.cells):
        for key in _keys(landmark(cell)):
            there.setdefault(key, place)
    found = (there[key] for each in reversed(earlier) for key in _keys(each) if key in there)
    return next(found, -1)


def _keys(cell: Landmark) -> list[str]:
    """Return what a cell is known by, what says most first."""
    known = (("name", cell.name), ("id", cell.cell_id), ("text", cell.text))
    return [f"{kind} {key}" for kind, key in known if key]


def _start(nb: NotebookNode, original: Original, highest: int) -> int:
    """Return the place of a cell that comes before all others: before any code of the student's."""
    if original.cell_type != "code":
        return 0
    codes = (place for place, cell in enumerate(nb.cells) if cell.cell_type == "code")
    return min(next(codes, 0), highest)


def made(original: Original, minor: int = _IDS_SINCE) -> NotebookNode:
    """Return a new cell, for a notebook of this minor version of the format."""
    cell = _NEW[original.cell_type](original.source)
    if minor < _IDS_SINCE:
        del cell["id"]
    cell.metadata["nbgrader"] = mark_of(original)
    cell.metadata |= {"deletable": False, "editable": not original.locked}
    return cell
