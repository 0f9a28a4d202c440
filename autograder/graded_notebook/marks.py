"""The mark in an autograded notebook's metadata: that it is complete, and how it was graded."""

import contextlib
import dataclasses
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.execution.execute import problems
from autograder.execution.job import Done, Findings
from autograder.execution.verdicts import BROKEN
from autograder.marked_cells import cell_name, grade_id
from autograder.printable import named
from autograder.version import version

MARK = "autograder"  # the key in a notebook's metadata
LATER = "this exercise was not yet in the notebook that you handed in: it came later"
NO_CELL = "the cell with your answer is missing"
NOT_AS_IN_COURSE = "cells were not as in the course, and were set right"
_UNREADABLE = "cannot be read in autograded/: no sentences of it"
_LISTED = 6  # cells


def make(name: str, done: Done, *, submitted_sha256: str) -> dict[str, Any]:
    """Return the mark of one executed notebook.

    Args:
      submitted_sha256: the fingerprint of the submission.
    """
    made = {"submitted_sha256": submitted_sha256, "checks": version(), "notes": list(done.notes)}
    if done.wrong.get(name):
        made["wrong"] = dict(done.wrong[name])
    if name in done.findings:
        made["apart"] = dataclasses.asdict(done.findings[name])
    return made


def read(notebook: NotebookNode) -> Mapping[str, Any]:
    """Return the mark of an autograded notebook; nothing if it has none, as after nbgrader."""
    return _read(notebook.metadata)


def _read(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    found = metadata.get(MARK)
    return found if isinstance(found, dict) and "submitted_sha256" in found else {}


def in_files(paths: Iterable[Path]) -> dict[str, Mapping[str, Any]]:
    """Return the marks of autograded notebooks' files, by name; a damaged file is left out."""
    found = {}
    for path in paths:
        with contextlib.suppress(Exception):  # whatever a damaged file raises
            found[path.stem] = _read(json.loads(path.read_bytes())["metadata"])
    return found


def missing(graded: Mapping[str, NotebookNode], *, several: bool) -> list[str]:
    """Return in words which answers' cells are missing in a student's graded notebooks.

    Args:
      several: whether the chapter has several notebooks.
    """
    odd = strange(graded)
    words = [f"{name}.ipynb {what}: ask for it again" for name, what in odd.items()]
    found = [
        cell_name(name, answer, several=several)
        for name, notebook in graded.items()
        for answer in read(notebook).get("missing", ())
        if name not in odd
    ]
    return words + [f"the cell with the answer is missing: {', '.join(found)}"] * bool(found)


def later(graded: Mapping[str, NotebookNode], *, several: bool = False) -> list[str]:
    """Return in words which exercises came after the release that a student's work is of."""
    found = [
        cell_name(name, cell, several=several)
        for name, notebook in graded.items()
        for cell in read(notebook).get("later", ())
    ]
    return [f"of an earlier release, without {named(found, _LISTED)}"] * bool(found)


def set_right(graded: Mapping[str, NotebookNode], *, several: bool = False) -> list[str]:
    """Return in words which cells a student had otherwise than the course, if there are any.

    Args:
      several: whether the chapter has several notebooks, and these are all of a student's.
    """
    found = [
        f"{cell_name(name, cell, several=several)} ({words})"
        for name, notebook in graded.items()
        for cell, words in read(notebook).get("set_right", {}).items()
    ]
    return [f"{NOT_AS_IN_COURSE}: {named(found, _LISTED)}"] * bool(found)


def strange(graded: Mapping[str, NotebookNode]) -> dict[str, str]:
    """Return by name the notebooks that are another chapter's, or empty, and which of the two."""
    found = {name: read(notebook).get("strange") for name, notebook in graded.items()}
    return {name: str(words) for name, words in found.items() if words}


def beside(notebook: NotebookNode) -> dict[str, str]:
    """Return the answers in words that stand in a cell of the student's own, by grade_id."""
    found = read(notebook).get("beside", {})
    return {str(name): str(text) for name, text in found.items()}


def unread_beside(
    graded: Mapping[str, NotebookNode], automatic: Collection[str], *, several: bool
) -> list[str]:
    """Return the answers in a cell of the student's own that nobody has read yet.

    Args:
      graded: autograded notebooks, by name.
      automatic: the cells with the machine's points, where no person has decided.
      several: whether the chapter has several notebooks.
    """
    found = [
        cell_name(name, cell, several=several)
        for name, notebook in graded.items()
        for cell in beside(notebook)
    ]
    return [cell for cell in found if cell in automatic]


def broken(notebook: NotebookNode) -> set[str]:
    """Return the tests that the teacher's own answer does not pass either."""
    beside = read(notebook).get("apart", {}).get("beside", {})
    found = {**beside, **read(notebook).get("wrong", {})}
    return {str(name) for name, words in found.items() if str(words).startswith(BROKEN)}


def findings(
    graded: Mapping[str, NotebookNode], automatic: Mapping[str, float], *, several: bool
) -> Findings | None:
    """Return what a person should know of a student's tests.

    Args:
      graded: autograded notebooks, by name.
      automatic: by cell, the machine's points; no entry where a person has decided.
      several: whether the chapter has several notebooks.

    Returns:
      None if all tests ran beside the answers.
    """
    found: dict[str, dict[str, str]] = {"beside": {}, "doubts": {}, "copied": {}}
    marked = {name: read(notebook).get("apart") for name, notebook in graded.items()}
    if not any(marked.values()):
        return None
    for name, mark in marked.items():
        places = {grade_id(cell): place for place, cell in enumerate(graded[name].cells)}
        for kind, cells in (mark or {}).items():
            for cell in sorted(cells, key=lambda cell: places.get(cell, 0)):
                found[kind][cell_name(name, cell, several=several)] = str(cells[cell])
    doubts = {cell: words for cell, words in found.pop("doubts").items() if automatic.get(cell)}
    return Findings(doubts=doubts, **found)


def noted(notebook: NotebookNode) -> list[str]:
    """Return what was noted when a notebook was executed."""
    mark = read(notebook)
    wrong = [f"{test}: {words}" for test, words in mark.get("wrong", {}).items()]
    return [*problems(notebook), *map(str, mark.get("notes", [])), *wrong]


def notes_of(
    names: Sequence[str], handed_in: Iterable[Path], graded: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return what an instructor should know of a student's notebooks, each note once.

    Args:
      names: the chapter's notebooks.
      handed_in: the notebooks' files that the student handed in.
      graded: by the name of each notebook that was graded and can be read, what was `noted`.
    """
    theirs = {path.stem: path.name for path in handed_in}
    found = [note for each in graded.values() for note in each]
    for name in names:
        if name not in graded:
            what = _UNREADABLE if name in theirs else "was not handed in"
            found.append(f"{name}.ipynb {what}")
    others = [file for name, file in theirs.items() if name not in names]
    found += [f"not graded, as no notebook is called so: {', '.join(others)}"] * bool(others)
    return list(dict.fromkeys(found))
