"""The modules to import before the first fork: those of the instructor's own cells."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["imported"]


def imported(notebooks: Iterable[NotebookNode]) -> list[str]:
    """Return the modules that locked cells import, and the names used from them, in order.

    A name such as `check.private_count` may be loaded at its first use. A module that only a
    student's cell imports stays out: with it in memory, `import matplotlib` would bring
    `matplotlib.pyplot` along, and an answer could work here and nowhere else.
    """
    # The process that kernels are forked from imports this package, and must not hold nbgrader.
    from nbgrader.utils import is_locked

    found: dict[str, None] = {}
    for notebook in notebooks:
        cells = (cell for cell in notebook.cells if cell.cell_type == "code" and is_locked(cell))
        nodes = [node for cell in cells for node in _nodes(cell.source)]
        called: dict[str, str] = {}
        for node in nodes:
            found |= dict.fromkeys(_modules(node, called))
        found |= dict.fromkeys(_taken(nodes, called))
    return list(found)


def _nodes(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:  # a magic of IPython
        return []


def _modules(node: ast.AST, called: dict[str, str]) -> list[str]:
    """Return the modules that a statement imports; record what each of its names refers to."""
    if isinstance(node, ast.Import):
        called |= {alias.asname or alias.name: alias.name for alias in node.names}
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        # `from a import b`: b may be a module or a name in one; what cannot be imported is not.
        names = {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        called |= names
        return [node.module, *names.values()]
    return []


def _taken(nodes: Iterable[ast.AST], called: dict[str, str]) -> list[str]:
    """Return `module.name` for each name that is used from an imported module."""
    taken = (node for node in nodes if isinstance(node, ast.Attribute))
    plain = (node for node in taken if isinstance(node.value, ast.Name))
    return [f"{called[node.value.id]}.{node.attr}" for node in plain if node.value.id in called]
