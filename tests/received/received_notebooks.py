"""Runs a notebook as a person does who has only what was handed out."""

from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from notebooks import mark, read
from received.away import Away


def answers(name: str) -> dict[str, str]:
    """Return the course's own answers to a chapter, by grade_id."""
    cells = [cell for cell in read(name).cells if cell.cell_type == "code"]
    return {mark(cell)["grade_id"]: cell.source for cell in cells if mark(cell).get("solution")}


def ran(away: Away, notebooks: Mapping[Path, NotebookNode]) -> list[NotebookNode]:
    """Run each notebook in a fresh kernel of an environment; return them with their outputs.

    Args:
      away: the environment.
      notebooks: by the place where each is written, beside what belongs to it. An error in a cell
        does not stop it.
    """
    for path, notebook in notebooks.items():
        nbformat.write(notebook, path)
    options = ["--execute", "--allow-errors", "--inplace", "--ExecutePreprocessor.timeout=600"]
    folder = next(iter(notebooks)).parent
    away.run("-m", "nbconvert", "--to", "notebook", *options, *notebooks, cwd=folder)
    return [nbformat.read(path, as_version=4) for path in notebooks]


def errors(cell: NotebookNode) -> list[str]:
    """Return what the errors of a cell say, each with its kind."""
    outputs = cell.get("outputs", ())
    return [f"{each.ename}: {each.evalue}" for each in outputs if each.output_type == "error"]


def shown(cell: NotebookNode) -> str:
    """Return all that a cell shows, as text."""
    found = []
    for each in cell.outputs:
        found.append(each.get("text", "") or "".join(each.get("data", {}).get("text/plain", "")))
    return "\n".join(found)
