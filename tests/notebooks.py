"""What tests of chapters share: reading them, and running them once."""

from __future__ import annotations

import functools
from pathlib import Path

import nbclient
import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "source").glob("*/*.ipynb"))
NAMES = [path.stem for path in SOURCES]
# A page is course/NN_name.md: the start and the close of the course. It has no exercises.
PAGES = [name for name in NAMES if (ROOT / "course" / f"{name}.md").exists()]
CHAPTERS = [name for name in NAMES if name not in PAGES]
# Chapters of the first edition: `test_book.py` holds the others to more. This list only shrinks.
FIRST_EDITION = [
    "05_sensitivity",
    "06_approximate_dp",
    "07_propose_test_release",
    "08_sample_and_aggregate",
    "09_variants",
    "10_exponential",
    "11_sparse_vector",
    "12_machine_learning",
    "13_local_dp",
    "14_synthetic_data",
    "15_range_queries",
    "16_audit",
]


def read(name: str, top: str = "source") -> NotebookNode:
    """Return one chapter's notebook from source/ or release/."""
    return nbformat.read(ROOT / top / name / f"{name}.ipynb", as_version=4)


@functools.cache
def executed(name: str) -> NotebookNode:
    """Return one chapter's source notebook after a run; a cell that fails raises."""
    notebook = read(name)
    folder = str(ROOT / "source" / name)
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": folder}}
    ).execute()
    return notebook


def mark(cell: NotebookNode) -> dict:
    """Return nbgrader's metadata of a cell, or an empty dict."""
    return cell.metadata.get("nbgrader", {})


def code_blocks(notebook: NotebookNode, language: str) -> list[str]:
    """Return the fenced blocks of one language in the text of a notebook."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    parts = text.split(f"```{language}\n")[1:]
    return [part.split("```")[0] for part in parts]
