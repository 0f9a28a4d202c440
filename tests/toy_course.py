"""A course of one small chapter, for tests of the commands that make and change chapters."""

import json
from pathlib import Path

import nbformat
from marks import hidden, mark, solved

HEADER = """---
kernelspec:
  display_name: Python 3 (ipykernel)
  language: python
  name: python3
---

# A toy chapter
"""


def code_cell(name, source, **how):
    made = json.dumps(mark(name, **how)["nbgrader"])
    return f"\n```{{code-cell}} ipython3\n:nbgrader: {made}\n\n{source}\n```\n"


ANSWER = solved("def two():", "return 2")
TEST = "assert two() == 2\n" + hidden("assert two() + 1 == 3")
_LIBRARY = ("LICENSE", "pyproject.toml", "dplib", "ville", "autograder")
CHAPTER = (
    HEADER + code_cell("two", ANSWER, solution=True) + code_cell("two_visible", TEST, points=3)
)


def make(root: Path) -> Path:
    """Write course/01_toy, a chapter with a picture beside it."""
    folder = root / "course" / "01_toy"
    folder.mkdir(parents=True)
    (folder / "01_toy.md").write_text(CHAPTER)
    (folder / "picture.png").write_bytes(b"picture")
    return root


def give_library(root: Path, project: Path) -> None:
    """Give a course the project's own code; a bundle takes what its chapters import."""
    for name in _LIBRARY:
        (root / name).symlink_to(project / name)


def as_notebook(code: str) -> nbformat.NotebookNode:
    """Return a notebook of one cell."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])


def write(root: Path, text: str) -> None:
    """Change the chapter's text."""
    (root / "course" / "01_toy" / "01_toy.md").write_text(text)


def notebook(root: Path, top: str = "source", name: str = "01_toy") -> Path:
    """Return the path of a chapter's notebook."""
    return root / top / name / f"{name}.ipynb"
