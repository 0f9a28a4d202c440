"""What the test cells of a graded notebook said, read from its file. Nothing is executed.

A student may have made the file say anything: every part of it is taken as text, cut, or left out.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat

from autograder.classroom import marks
from autograder.classroom.execute import problems
from autograder.classroom.report_data import Said
from autograder.classroom.report_said import errors_of, failure_of, text_of

__all__ = ["Graded", "cut", "read"]

_WEAK = re.compile(r"✓ [^\n]*?[(;] ?(weak: [^\n]*)")
_MEASURED = re.compile(r"\b\d+(\.\d+)? ×")  # "the spread is 1.32 × what it must be": new each time
HEADLINE, TEXT, LINES = 160, 1_500, 15  # characters, characters, lines


class Graded:
    """A notebook below autograded/.

    Attributes:
      said: what its test cells said, in order.
      notes: what kept its cells from their end.
      fingerprint: of what was handed in, when it was graded by us.
      checks: the version of the checks that judged it, when it was graded by us.
      opinion: the second opinion's points by cell; None without one.
      order: the names of its graded cells, from top to bottom.
      notebook: all of it.
    """

    def __init__(self, notebook: nbformat.NotebookNode, prefix: str, exercises: Mapping[str, str]):
        tests = [cell for cell in notebook.cells if _mark(cell).get("grade")]
        self.order = [prefix + str(_mark(cell).get("grade_id")) for cell in tests]
        self.notebook, mark = notebook, marks.read(notebook)
        self.notes = [*problems(notebook), *map(str, mark.get("notes", []))]
        self.fingerprint = mark.get("submitted_sha256")
        self.checks = str(mark["checks"]) if mark.get("checks") else None
        opinion = mark.get("opinion")
        points = dict(opinion["points"]) if opinion else {}
        self.opinion = {prefix + cell: given for cell, given in points.items()} if opinion else None
        self.said = [
            said
            for name, cell in zip(self.order, tests, strict=True)
            if cell.cell_type == "code" and not _mark(cell).get("solution")
            for said in _said(name, exercises.get(name, name), cell)
        ]


def read(path: Path, *, prefix: str, exercises: Mapping[str, str]) -> Graded:
    """Read one notebook.

    Args:
      prefix: what comes before the names of its cells.
      exercises: the exercise of each test cell.

    Raises:
      ValueError: it is not a notebook.
    """
    try:
        return Graded(nbformat.from_dict(json.loads(path.read_bytes())), prefix, exercises)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read") from error


def cut(text: str, characters: int, lines: int = 1) -> str:
    """Return `text` as plain characters, no longer than this; what was left out is marked by …."""
    kept = text[: characters + 1]  # first, so that no step meets a hundred megabytes
    rows = "".join(map(_plain, kept)).splitlines()
    short = "\n".join(rows[:lines])[:characters].rstrip()
    whole = len(text) <= characters and len(rows) <= lines
    return short if whole else f"{short} …"


def _plain(character: str) -> str:
    """Return the character, or � for one that is no text or turns the direction of writing."""
    turns = character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    no_text = unicodedata.category(character) in ("Cc", "Cs", "Cn") and character not in "\n\t"
    return "�" if turns or no_text else character


def _mark(cell: Any) -> dict:
    return cell.metadata.get("nbgrader") or {}


def _said(name: str, exercise: str, cell: nbformat.NotebookNode) -> Iterator[Said]:
    """Yield the error of a test cell, if it has one, and the weak passes that it shows."""
    failure, errors = failure_of(cell), errors_of(cell)
    if failure:
        headline = _MEASURED.sub("… ×", failure.problem)
        yield _make(name, "failure", failure.exercise, headline, failure.text)
    elif errors:
        kind, text = text_of(errors[-1].get("ename")), text_of(errors[-1].get("evalue"))
        words = f"{kind}: {text}" if text.strip() else kind
        yield _make(name, "error", exercise, words, words)
    for text in _shown(cell):
        for found in _WEAK.finditer(text):
            yield _make(name, "weak", exercise, found[1].rstrip(")"), found[0])


def _make(name: str, kind: str, exercise: str, headline: str, text: str) -> Said:
    return Said(
        name, kind, cut(exercise, HEADLINE), cut(headline, HEADLINE), cut(text, TEXT, LINES)
    )


def _shown(cell: nbformat.NotebookNode) -> list[str]:
    """Return the texts that a cell shows, each cut: a pass says what it has to say in one line."""
    outputs = cell.get("outputs", [])
    texts = [output.get("text") for output in outputs if output.output_type == "stream"]
    texts += [output.get("data", {}).get("text/plain") for output in outputs]
    return [text_of(text)[:100_000] for text in texts]
