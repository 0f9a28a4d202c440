"""Recognises the course's cells in a submission: copies, parts, and cells without a mark.

An editor may lose nbgrader's marks, and a student may copy a cell, split it, or write an answer
into a cell of their own. Here each cell of the assignment gets its mark once.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from autograder.marked_cells import grade_id

SCHEMA = 3  # of nbgrader's metadata; nbgrader refuses cells of another schema
FLAGS = ("grade", "solution", "task", "locked")
_TEXT = ("markdown", "raw")


@dataclass(frozen=True)
class Original:
    """One cell as the instructor made it, from the gradebook and source/.

    Attributes:
      source: for an answer, what students get.
      cell_id: the notebook format's own id of the cell; "" where source/ is missing.
      released: the text without hidden tests.
      defines: the names that an answer in code must define.
      own_mark: nbgrader's mark as it stands in source/.
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
    released: str | None = None
    defines: frozenset[str] = frozenset()
    own_mark: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def is_read(self) -> bool:
        """Tell whether it is an answer in words, for a person to read."""
        return self.grade and self.solution and self.cell_type in _TEXT


def mark_of(original: Original) -> NotebookNode:
    """Return the metadata that nbgrader gives such a cell."""
    mark = {name: getattr(original, name) for name in FLAGS}
    mark |= {"grade_id": original.name, "schema_version": SCHEMA}
    if original.points is not None:
        mark["points"] = original.points
    return NotebookNode(mark)


def recognise(nb: NotebookNode, originals: Sequence[Original]) -> None:
    """Leave each mark on one cell, and mark the cells that are known without a mark."""
    by_name = {each.name: each for each in originals}
    _drop_copies(nb, by_name)
    _mark_again(nb, by_name)


def home(nb: NotebookNode, original: Original) -> int | None:
    """Return the place of the last cell that defines a name of an answer; None if none does."""
    found = [
        place
        for place, cell in enumerate(nb.cells)
        if cell.cell_type == "code"
        and any(_defines(cell.source, name) for name in original.defines)
    ]
    return found[-1] if found else None


def _drop_copies(nb: NotebookNode, by_name: Mapping[str, Original]) -> None:
    """Keep each mark on one cell: for a locked one the original by id or by text, else the last.

    nbgrader itself takes the last copy of an answer. One in words keeps the others' words, as it
    may have been split.
    """
    found: dict[str, list[NotebookNode]] = {}
    for cell in nb.cells:
        if grade_id(cell) in by_name:
            found.setdefault(grade_id(cell), []).append(cell)
    for name, cells in found.items():
        original = by_name[name]
        if original.is_read and len(cells) > 1:
            _join(cells, original)
        likeness = [_likeness(cell, original) if original.locked else 0 for cell in cells]
        kept = max(range(len(cells)), key=lambda place: (likeness[place], place))
        for cell in [*cells[:kept], *cells[kept + 1 :]]:
            del cell.metadata["nbgrader"]


def _join(cells: Sequence[NotebookNode], original: Original) -> None:
    """Put the text of an answer's parts into the last of them, in order, with their pictures."""
    parts: list[str] = []
    pictures: dict[str, NotebookNode] = {}
    for cell in cells:
        text = _with_pictures(cell, pictures)
        if text.strip() and text not in parts and text.strip() != original.source.strip():
            parts.append(text)
        cell.source = ""
    last = cells[-1]
    last.source = "\n\n".join(parts) or original.source
    if pictures and last.cell_type == "markdown":
        last.attachments = NotebookNode(pictures)


def _with_pictures(cell: NotebookNode, pictures: dict[str, NotebookNode]) -> str:
    """Return a part's text, and take over its pictures; one whose name is taken gets another."""
    text = cell.source
    for name, picture in cell.pop("attachments", {}).items():
        new = name
        while pictures.get(new, picture) != picture:
            new = f"part-{new}"
        pictures[new] = picture
        text = text.replace(f"attachment:{name}", f"attachment:{new}")
    return text


def _likeness(cell: NotebookNode, original: Original) -> int:
    same_id = bool(original.cell_id) and cell.get("id") == original.cell_id
    return 2 * same_id + (cell.source in (original.source, original.released))


def _mark_again(nb: NotebookNode, by_name: Mapping[str, Original]) -> None:
    """Give a cell its mark back if it shows which it is: a locked one then gets its text, too.

    It shows it by its id, by the text of a locked cell, or by the names that an answer defines: of
    several cells that define them, the last.
    """
    there = {grade_id(cell) for cell in nb.cells}
    missing = [each for name, each in by_name.items() if name not in there]
    if not missing:
        return
    by_id = {each.cell_id: each for each in missing if each.cell_id}
    texts = _by_text(missing)
    answers = [each for each in missing if each.defines]
    for known, cells in (
        (lambda cell: by_id.get(cell.get("id")), nb.cells),
        (lambda cell: _first(texts.get(_plain(cell.source), ()), there), nb.cells),
        (lambda cell: _answer(cell, answers, there), reversed(nb.cells)),
    ):
        _mark(cells, by_name, known, there)


def _by_text(missing: Iterable[Original]) -> dict[str, list[Original]]:
    """Return the locked cells by their texts: students have it without hidden tests."""
    found: dict[str, list[Original]] = {}
    for each in missing:
        for text in {each.source, each.released}:
            if each.locked and text:
                found.setdefault(_plain(text), []).append(each)
    return found


def _first(some: Iterable[Original], there: Collection[str | None]) -> Original | None:
    return next((each for each in some if each.name not in there), None)


def _mark(
    cells: Sequence[NotebookNode],
    by_name: Mapping[str, Original],
    known: Callable[[NotebookNode], Original | None],
    there: set[str | None],
) -> None:
    for cell in cells:
        original = None if grade_id(cell) in by_name else known(cell)
        if original and original.name not in there and cell.cell_type == original.cell_type:
            cell.metadata["nbgrader"] = mark_of(original)
            there.add(original.name)


def _answer(
    cell: NotebookNode, answers: Sequence[Original], there: set[str | None]
) -> Original | None:
    """Return the answer that a cell holds, by the names that it defines; None for none."""
    found = (
        each
        for each in answers
        if cell.cell_type == each.cell_type
        and all(_defines(cell.source, name) for name in each.defines)
    )
    return _first(found, there)


def _defines(source: str, name: str) -> bool:
    """Tell whether code defines a name at its top level, as far as its lines show."""
    word = re.escape(name)
    made = rf"^(?:async[ \t]+)?(?:def|class)[ \t]+{word}\b|^{word}[ \t]*(?::[^=\n]*)?=(?!=)"
    imported = rf"^(?:from|import)[ \t].*\b{word}\b"
    return name in source and bool(re.search(f"{made}|{imported}", source, re.MULTILINE))


def _plain(source: str) -> str:
    """Return a text without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
