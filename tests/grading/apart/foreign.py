"""Small courses of other teachers, whose tests take more of an answer than numbers."""

from collections.abc import Mapping
from pathlib import Path

import nbformat
import toy
from marks import solved
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

# By grade_id: the text, and the points of a test; None for an answer, 0 for a cell that is only
# locked, and FREE for one that anybody may change.
FREE = -1.0
Cells = Mapping[str, tuple[str, float | None]]

CLASSES: Cells = {
    "setup": ("import numpy as np\n\nclass Shape:\n    sides = 0", 0),
    "square": (
        "class Square(Shape):\n    ### BEGIN SOLUTION\n    sides = 4\n\n"
        "    def __init__(self, side):\n        self.side = side\n\n    def area(self):\n"
        "        return self.side**2\n\n    def __eq__(self, other):\n"
        "        return self.side == other.side\n    ### END SOLUTION",
        None,
    ),
    "square_kind": ("assert isinstance(Square(2), Square)\nassert issubclass(Square, Shape)", 2),
    "square_area": ("assert Square(3).area() == 9", 2),
    "square_equal": ("assert Square(3) == Square(3)", 1),
}
FILES: Cells = {
    "setup": ("from pathlib import Path", 0),
    "write": (
        solved("def write(path, words):", "Path(path).write_text(words)"),
        None,
    ),
    "write_file": ("write('out.txt', 'hello')\nassert Path('out.txt').read_text() == 'hello'", 3),
    "count": (
        solved("def count(words):", "return len(words.split())"),
        None,
    ),
    "count_words": ("assert count('a b c') == 3", 2),
}
# Imports in a cell that anybody may change, a seed that fixes the answer's chance, and a model that
# is trained anew each time.
SEEDS: Cells = {
    "imports": ("import numpy as np\nimport math as m\nlimit = 3", FREE),
    "walk": (
        solved("def walk(n):", "return np.random.normal(size=n).cumsum()"),
        None,
    ),
    "walk_seeded": (
        "np.random.seed(1)\nhere = walk(3)\nnp.random.seed(1)\n"
        "assert np.allclose(here, np.random.normal(size=3).cumsum())",
        2,
    ),
    "root": (
        solved("import statistics\ndef root(x):", "return m.sqrt(x)"),
        None,
    ),
    "root_of_four": ("assert np.isclose(root(4), 2) and limit == 3", 1),
    "root_mean": ("assert statistics.mean([root(4), root(16)]) == limit", 1),
}
WALK = "def walk(n):\n    return np.cumsum(np.random.normal(size=n))"


def source(cells: Cells) -> NotebookNode:
    """Return the instructor's notebook."""
    made = []
    for name, (text, points) in cells.items():
        mark = toy.mark(name, points=points or None, solution=points is None)
        made.append(new_code_cell(text, metadata={} if points == FREE else mark, id=name))
    return new_notebook(cells=made, metadata={"kernelspec": toy.KERNEL})


def make(root: Path, cells: Cells) -> Path:
    """Write a course."""
    toy.make(root)
    nbformat.write(source(cells), toy.file_of(root, "source"))
    return root


def answers(cells: Cells, **given: str) -> NotebookNode:
    """Return a student's notebook: these answers, by name, and the instructor's for the rest."""
    notebook = source(cells)
    for cell in notebook.cells:
        cell.source = given.get(cell.id, cell.source)
    return notebook
