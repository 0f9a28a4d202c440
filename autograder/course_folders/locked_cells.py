"""Puts the instructor's locked cells back into a submission: each once, and in its place.

A notebook may come back with locked cells deleted, moved, copied, or without their nbgrader mark.
The names that tests use come from locked cells too (`from autograder import check`), so all of them
are put back, whether they give points or not. The student's own cells stay where they are.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.marked_cells import grade_id

SCHEMA = 3  # of nbgrader's metadata; nbgrader refuses cells of another schema
FLAGS = ("grade", "solution", "task", "locked")
_IDS_SINCE = 5  # minor version of the notebook format
_NEW = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}


@dataclass(frozen=True)
class Original:
    """One cell as the instructor made it, from the gradebook and source/.

    Attributes:
      cell_id: the notebook format's own id of the cell; "" where source/ is missing.
    """

    name: str
    cell_type: str
    source: str
    locked: bool
    grade: bool
    solution: bool
    task: bool
    points: float | None
    tags: tuple[str, ...]
    cell_id: str = ""


def mark_of(original: Original) -> NotebookNode:
    """Return the metadata that nbgrader gives such a cell."""
    mark = {name: getattr(original, name) for name in FLAGS}
    mark |= {"grade_id": original.name, "schema_version": SCHEMA}
    if original.points is not None:
        mark["points"] = original.points
    return NotebookNode(mark)


def put_back(nb: NotebookNode, originals: Sequence[Original], needed: Collection[str]) -> None:
    """Put the cells that a notebook must have into their places.

    Args:
      nb: the submission; the flags of the cells that are marked are right.
      originals: the cells of the assignment, in the instructor's order.
      needed: names of those that must be there: the locked ones, and maybe others.
    """
    by_name = {each.name: each for each in originals}
    _drop_copies(nb, by_name)
    _mark_again(nb, by_name)
    placed = -1
    for number, original in enumerate(originals):
        answered = original.solution and any(grade_id(cell) == original.name for cell in nb.cells)
        if original.name in needed and not answered:
            before, after = originals[:number], originals[number + 1 :]
            placed = _place(nb, original, placed, before, after)


def _drop_copies(nb: NotebookNode, by_name: Mapping[str, Original]) -> None:
    """Keep each mark on one cell: for a locked one the original by id or by text, else the last.

    nbgrader itself takes the last copy of an answer.
    """
    found: dict[str, list[NotebookNode]] = {}
    for cell in nb.cells:
        if grade_id(cell) in by_name:
            found.setdefault(grade_id(cell), []).append(cell)
    for name, cells in found.items():
        original = by_name[name]
        likeness = [_likeness(cell, original) if original.locked else 0 for cell in cells]
        kept = max(range(len(cells)), key=lambda place: (likeness[place], place))
        for cell in [*cells[:kept], *cells[kept + 1 :]]:
            del cell.metadata["nbgrader"]


def _likeness(cell: NotebookNode, original: Original) -> int:
    same_id = bool(original.cell_id) and cell.get("id") == original.cell_id
    return 2 * same_id + (cell.source == original.source)


def _mark_again(nb: NotebookNode, by_name: Mapping[str, Original]) -> None:
    """Give a cell its mark back if its id shows which it is; for a locked one also its text."""
    there = {grade_id(cell) for cell in nb.cells}
    missing = [each for name, each in by_name.items() if name not in there]
    by_id = {each.cell_id: each for each in missing if each.cell_id}
    texts = {(each.cell_type, each.source): each for each in missing if each.locked}
    for known in (
        lambda cell: by_id.get(cell.get("id")),
        lambda cell: texts.get((cell.cell_type, cell.source)),
    ):
        for cell in nb.cells:
            original = None if grade_id(cell) in by_name else known(cell)
            if original and original.name not in there and cell.cell_type == original.cell_type:
                cell.metadata["nbgrader"] = mark_of(original)
                there.add(original.name)


def _place(
    nb: NotebookNode,
    original: Original,
    placed: int,
    before: Sequence[Original],
    after: Sequence[Original],
) -> int:
    """Put a cell into its place; return the place.

    It comes after the locked cell before it and after the answers before it, and, as far as that
    leaves a choice, before the answers after it.

    Args:
      placed: the place of the last cell that was put into its place; -1 for none.
    """
    places = {grade_id(cell): place for place, cell in enumerate(nb.cells)}
    earlier, later = (
        [places[each.name] for each in some if each.solution and each.name in places]
        for some in (before, after)
    )
    lowest = max([placed, *earlier])
    highest = min([place for place in later if place > lowest], default=len(nb.cells))
    if earlier and later and min(later) < max(earlier):
        highest = len(nb.cells)  # the student has put the answers into another order
    now = places.get(original.name)
    if now is not None and lowest < now < highest:
        return now
    cell = made(original, nb.nbformat_minor) if now is None else nb.cells.pop(now)
    lowest -= now is not None and now < lowest
    place = lowest + 1 if lowest >= 0 else _start(nb, original, highest)
    nb.cells.insert(place, cell)
    return place


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
