"""The modules to import before the first fork: those of the instructor's own cells."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from autograder.odd_text import NO_PYTHON

if TYPE_CHECKING:
    from nbformat import NotebookNode


def imported(notebooks: Iterable[NotebookNode], *, given: bool = False) -> list[str]:
    """Return the modules that locked cells import, and the names used from them, in order.

    A name such as `check.private_count` may be loaded at its first use. A module that only a
    student's cell imports stays out: with it in memory, `import matplotlib` would bring
    `matplotlib.pyplot` along, and an answer could work here and nowhere else.

    Args:
      given: also those of cells that students are given and may change.
    """
    found: dict[str, None] = {}
    for notebook in notebooks:
        sources = [*_locked(notebook), *(given_cells(notebook) if given else ())]
        nodes = [node for source in sources for node in _nodes(source)]
        called: dict[str, str] = {}
        for node in nodes:
            found |= dict.fromkeys(_modules(node, called))
        found |= dict.fromkeys(_taken(nodes, called))
    return list(found)


def given_cells(notebook: NotebookNode) -> list[str]:
    """Return the code with imports that students are given and may change, answers left out."""
    from nbgrader.utils import is_locked, is_solution

    free = (cell for cell in _code(notebook) if not is_locked(cell) and not is_solution(cell))
    kinds = ast.Import | ast.ImportFrom
    return [c.source for c in free if any(isinstance(node, kinds) for node in _nodes(c.source))]


def _locked(notebook: NotebookNode) -> list[str]:
    """Return the code of the locked cells."""
    # The process that kernels are forked from imports this package, and must not hold nbgrader.
    from nbgrader.utils import is_locked

    return [cell.source for cell in _code(notebook) if is_locked(cell)]


def _code(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if cell.cell_type == "code")


def _nodes(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except NO_PYTHON:  # a magic of IPython
        from IPython.core.inputtransformer2 import TransformerManager

        with contextlib.suppress(*NO_PYTHON):
            return list(ast.walk(ast.parse(TransformerManager().transform_cell(source))))
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
