"""What to import before the first fork: what the instructor's own cells import, and no more."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["imported"]


def imported(notebooks: Iterable[NotebookNode]) -> list[str]:
    """Return the modules that locked cells import, in order, each once.

    A module that only a student's cell imports stays out: with it in memory, `import matplotlib`
    would bring `matplotlib.pyplot` along, and an answer could work here and nowhere else.
    """
    # The process that kernels are forked from imports this package, and must not hold nbgrader.
    from nbgrader.utils import is_locked

    found: dict[str, None] = {}
    for notebook in notebooks:
        for cell in notebook.cells:
            if cell.cell_type == "code" and is_locked(cell):
                found |= dict.fromkeys(_modules(cell.source))
    return list(found)


def _modules(source: str) -> list[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic: IPython's own words for something
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            # `from a import b`: b may be a module or a name in one; what cannot be imported is not.
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found
