"""What the notebooks of a chapter held in earlier releases: students hand in work on these, too.

earlier/CHAPTER.txt has a line for each text that students were given, as a hash, and for each set
of names of cells. `make build` writes what it replaces; where no text in course/ is built, `grade`
writes what is there. It belongs to the course, so commit it.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.files import write_whole
from autograder.marked_cells import grade_id, mark_on

_TEXT, _CELLS = "text", "cells"
_FLAGS = {"g": "grade", "s": "solution", "t": "task"}  # a test is locked, an answer is not
_DIGITS = 16  # of a hash in hexadecimal: two of a million texts share it with probability 3e-8


def digest(text: str) -> str:
    """Return the hash of a text, its spaces and ends of lines aside."""
    plain = " ".join(text.split()).encode("utf-8", "replace")
    return hashlib.sha256(plain).hexdigest()[:_DIGITS]


def keep(root: Path, chapter: str, paths: Iterable[Path]) -> None:
    """Keep what a chapter's notebooks hold; where nothing can be written, nothing is kept."""
    with contextlib.suppress(OSError):
        Earlier(root, chapter).add(paths)


class Earlier:
    """What is kept of the earlier releases of a chapter.

    Args:
      root: the course's folder.
    """

    def __init__(self, root: Path, chapter: str):
        self.path = root / "earlier" / f"{chapter}.txt"

    def texts(self, notebook: str) -> frozenset[str]:
        """Return the hashes of the texts that students were given."""
        return frozenset(row[2] for row in self._of(notebook, _TEXT))

    def cells(self, notebook: str) -> list[frozenset[str]]:
        """Return the names and flags of the cells of each release."""
        return [frozenset(row[2:]) for row in self._of(notebook, _CELLS)]

    def add(self, paths: Iterable[Path]) -> bool:
        """Keep what these notebooks hold; return whether any of it is new."""
        return self._add({row for path in paths for row in _rows(path)})

    def add_cells(self, notebook: str, cells: Iterable[str]) -> bool:
        """Keep the names and flags of a release's cells; return whether they are new."""
        return self._add({(notebook, _CELLS, *sorted(cells))})

    def _add(self, rows: set[tuple[str, ...]]) -> bool:
        new = rows - self._rows
        if not new:
            return False
        lines = ["\t".join(row) for row in sorted({*self._rows, *new})]
        self.path.parent.mkdir(exist_ok=True)
        write_whole(self.path, "".join(f"{line}\n" for line in lines).encode())
        del self._rows
        return True

    def _of(self, notebook: str, kind: str) -> Iterator[tuple[str, ...]]:
        return (row for row in sorted(self._rows) if row[:2] == (notebook, kind))

    @cached_property
    def _rows(self) -> set[tuple[str, ...]]:
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return set()
        rows = (tuple(line.split("\t")) for line in lines)
        return {row for row in rows if len(row) > 2}  # a line of another form says nothing


def _rows(path: Path) -> Iterator[tuple[str, ...]]:
    cells = _cells(path)
    for cell in cells:
        text = "".join(cell["source"])
        # In source/ it is the instructor's answer, which nobody was given.
        if text.strip() and not (mark_on(cell).get("solution") and _is_of_source(cells)):
            yield path.stem, _TEXT, digest(text)
    names = sorted(flagged(cell) for cell in cells if grade_id(cell))
    if names:
        yield path.stem, _CELLS, *names


def flagged(cell: Mapping[str, Any]) -> str:
    """Return a cell's name and its flags, as "written:gs" for an answer that a person reads."""
    mark = mark_on(cell)
    return f"{grade_id(cell)}:{''.join(flag for flag, name in _FLAGS.items() if mark.get(name))}"


def name_of(flagged: str) -> str:
    """Return the name alone."""
    return flagged.rpartition(":")[0]


def _cells(path: Path) -> list[dict[str, Any]]:
    try:
        return json.loads(path.read_bytes())["cells"]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _is_of_source(cells: Iterable[dict[str, Any]]) -> bool:
    """Tell whether a notebook is the instructor's: nbgrader gives checksums to released cells."""
    return not any("checksum" in mark_on(cell) for cell in cells)
