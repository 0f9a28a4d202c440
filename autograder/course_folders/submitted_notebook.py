"""The check of one submitted notebook: refused with a reason if nbgrader would fail on it.

Later steps rely on its form: cells are cells, and nbgrader's marks are marks.
"""

import json
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, reader, validator

from autograder.course_folders.submitted_files import UnreadableError
from autograder.odd_text import HALF_A_CHARACTER
from autograder.printable import cut

# Each bracket may become an object of some 500 bytes: 50 megabytes of "{}," would fill any memory.
# A notebook that a person wrote has about a thousand.
_MOST_BRACKETS = 1_000_000
_CELLS = {"cells", "worksheets"}  # of format 4, and of format 3
_SCHEMA = 3  # of nbgrader's marks
_ENCODINGS = {  # by the bytes that a file begins with
    b"\xef\xbb\xbf": "begins with a byte order mark: save it as UTF-8 without one (`autograder "
    "collect` takes it off)",
    b"\xff\xfe": 'is UTF-16, which Windows calls "Unicode": save it as UTF-8',
    b"\xfe\xff": "is UTF-16: save it as UTF-8",
}
_KINDS = ("code", "markdown", "raw")
_LONGEST_NAME = 200  # characters of a cell's name
_LONGEST_REASON = 100  # characters of what a library says


def check(path: Path, *, most_cells: int) -> None:
    """Raise UnreadableError, with the reason, when the notebook cannot be graded."""
    text = _text(path)
    data = _json(path.name, text)
    if not isinstance(data, dict) or "nbformat" not in data or not data.keys() & _CELLS:
        raise UnreadableError(f"{path.name} is JSON, but not a notebook: it has no cells")
    notebook = _notebook(path.name, text)
    if not isinstance(notebook.get("cells"), list) or len(notebook.cells) > most_cells:
        raise UnreadableError(f"{path.name} has more than {most_cells} cells")
    for number, cell in enumerate(notebook.cells, start=1):
        wrong = _wrong(cell)
        if wrong:
            raise UnreadableError(f"cell {number} of {path.name} {wrong}")
    light = _without_outputs(notebook)
    if HALF_A_CHARACTER.search(text) and not _is_whole(light):
        raise UnreadableError(f"{path.name} {_half(notebook)}")
    _validate(path.name, light)


def encoding(content: bytes) -> str:
    """Return what is wrong with a file's encoding, and the mend; "" if nothing is seen."""
    return next((words for mark, words in _ENCODINGS.items() if content.startswith(mark)), "")


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        if words := encoding(content):
            raise UnreadableError(f"{path.name} {words}")
        text = content.decode("utf-8")
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be opened: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path.name} {_no_utf8(content)}") from error
    if not text.strip():
        raise UnreadableError(f"{path.name} is empty")
    if content.count(b"{") + content.count(b"[") > _MOST_BRACKETS:
        raise UnreadableError(f"{path.name} has more than {_MOST_BRACKETS} brackets in its JSON")
    return text


def _no_utf8(content: bytes) -> str:
    """Return what bytes are that are no UTF-8: a notebook in a western encoding, or no text."""
    try:
        found = json.loads(content.decode("latin-1"))
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and found.keys() & _CELLS:
        return "is in Latin-1 or Windows-1252: open it in an editor, and save it as UTF-8"
    return "is not text: a binary file, renamed?"


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise UnreadableError(f"{name} is not valid JSON: it is nested too deeply") from error
    except ValueError as error:
        reason = f"{name} is not valid JSON: {cut(str(error), _LONGEST_REASON)}"
        raise UnreadableError(reason) from error


def _notebook(name: str, text: str) -> NotebookNode:
    try:
        return nbformat.convert(reader.reads(text), 4)
    except Exception as error:  # whatever nbformat raises on it is the reason
        words = cut(f"{type(error).__name__}: {error}", _LONGEST_REASON)
        reason = f"{name} is not a notebook that nbformat can read: {words}"
        raise UnreadableError(reason) from error


def _wrong(cell: Any) -> str:
    """Return what is wrong with a cell, as the end of a sentence; "" if nothing is."""
    if not isinstance(cell, dict) or cell.get("cell_type") not in _KINDS:
        return "is no cell of a notebook"
    if not isinstance(cell.get("source"), str):
        return "has a source that is no text"
    if not isinstance(cell.get("metadata"), dict):
        return "has damaged metadata"
    if "attachments" in cell and not _can_be_shown(cell.attachments):
        return "has damaged attachments"
    if "nbgrader" not in cell.metadata:
        return ""
    mark = cell.metadata.nbgrader
    if not isinstance(mark, dict):
        return "has a damaged nbgrader mark"
    name, version = mark.get("grade_id"), mark.get("schema_version", 0)
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        return f"has an nbgrader mark without a name of 1 to {_LONGEST_NAME} characters"
    if type(version) is not int:
        return f"has an nbgrader mark of no known version: {cut(str(version), _LONGEST_REASON)}"
    if version != _SCHEMA:
        age = "new" if version > _SCHEMA else "old"
        mend = "; bring it up to date with nbgrader update FILE" if age == "old" else ""
        said = f"has an nbgrader mark of a version that is too {age}: {version}, not {_SCHEMA}"
        return f"{said}{mend}"
    return ""


def _can_be_shown(attachments: Any) -> bool:
    """Tell whether a cell may have them: nbformat does not look where unknown fields may pass."""
    cell = {"id": "any", "cell_type": "markdown", "metadata": {}, "source": ""}
    cell["attachments"] = attachments
    return validator.isvalid(cell, ref="markdown_cell", version=4, version_minor=5)


def _without_outputs(notebook: NotebookNode) -> NotebookNode:
    """Return a copy without outputs and kernel, which the first steps of grading replace."""
    cells = [_to_validate(cell) for cell in notebook.cells]
    metadata = notebook.get("metadata", {})
    if isinstance(metadata, dict):
        metadata = {key: value for key, value in metadata.items() if key != "kernelspec"}
    return nbformat.from_dict({**notebook, "cells": cells, "metadata": metadata})


def _half(notebook: NotebookNode) -> str:
    """Return where half of a character is, as the end of a sentence with the mend."""
    cells = [number for number, cell in enumerate(notebook.cells, 1) if not _is_whole(cell)]
    where = f" in cell {cells[0]}" if cells else ""
    return (
        f"holds half of a character{where}, as when an emoji is cut in two, and no file can hold "
        "that: delete it there, and save"
    )


def _is_whole(notebook: NotebookNode) -> bool:
    """Tell whether all of its text can be written to a file."""
    try:
        json.dumps(notebook, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _validate(name: str, notebook: NotebookNode) -> None:
    try:
        _, notebook = validator.normalize(notebook)
        nbformat.validate(notebook, relax_add_props=True)
    except Exception as error:  # the validator itself fails on some odd values
        words = cut(str(error), _LONGEST_REASON)
        raise UnreadableError(f"{name} is not a valid notebook: {words}") from error


def _to_validate(cell: NotebookNode) -> dict:
    """Return a cell without its outputs and, if it is the assignment's, without its tags."""
    kept = {**cell}
    if "nbgrader" in cell.metadata:
        kept["metadata"] = {key: each for key, each in cell.metadata.items() if key != "tags"}
    if cell.cell_type == "code":
        kept |= {"outputs": [], "execution_count": None}
    return kept
