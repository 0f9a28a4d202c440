"""Finds answers whose text is dplib's own, line by line. No student's code is executed.

Many people write a formula alike, and a flag accuses. So only a text of some length counts, or one
that calls dplib's own validation. Nearly all of its lines must stand in the answer word for word,
and the instructor's answer must not share them. A copy may leave the validation out.
"""

import ast
import functools
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.utils import is_locked, is_solution

from autograder.apart.names import tree_of
from autograder.odd_text import NO_PYTHON

_LIBRARY, _VALIDATION = "dplib", "_validate"
# Nodes of the syntax tree. Among all the right answers that the tests know, the one that comes
# nearest to the library has half of such a text; the instructor's own are among them.
_LEAST = 60
_SHARE, _TEACHERS_SHARE = 0.9, 0.7
_MOST_TEXT = 100_000  # characters of a cell that is read

Lines = Mapping[str, int]  # each line of a function, as a tree in words, and its number of nodes


def copied(
    notebook: NotebookNode, instructors: NotebookNode, names: Iterable[str]
) -> dict[str, str]:
    """Return by name the answers that are copies of dplib's text, with what was seen.

    Args:
      notebook: a submission, sanitised.
      instructors: the instructor's notebook.
      names: of the answers.
    """
    known = {name: texts for name in names if (texts := _texts(name))}
    if not known:
        return {}
    own = [cell for cell in notebook.cells if cell.cell_type == "code" and not is_locked(cell)]
    theirs = [cell for cell in instructors.cells if is_solution(cell)]
    mine, taught = (list(map(_lines, _functions(cells))) for cells in (own, theirs))
    found = {}
    for name, texts in known.items():
        for text in texts:
            share = max((_share(text, lines) for lines in mine), default=0.0)
            if share >= _SHARE and all(_share(text, each) < _TEACHERS_SHARE for each in taught):
                found[name] = (
                    f"its text is the library's own: {share:.0%} of the {len(text)} lines of "
                    f"{_LIBRARY}.{name} stand in the answer word for word"
                )
    return found


@functools.cache
def _texts(name: str) -> list[Lines]:
    """Return the lines of the library's long functions of this name: all, and unvalidated."""
    found: list[Lines] = []
    for text in _files():
        if f"def {name}(" not in text:  # to read all of the library as Python takes a second
            continue
        for each in tree_of(text).body:
            if isinstance(each, ast.FunctionDef) and each.name == name:
                lines = _lines(each)
                bare = {line: size for line, size in lines.items() if _VALIDATION not in line}
                # Two lines that call dplib's own validation are dplib's, however short.
                found += [lines] if len(lines) >= len(bare) + 2 else []
                found += [bare] if sum(bare.values()) >= _LEAST else []
    return found


@functools.cache
def _files() -> list[str]:
    spec = importlib.util.find_spec(_LIBRARY)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return [
        path.read_text("utf-8") for each in folders for path in sorted(Path(each).rglob("*.py"))
    ]


def _functions(cells: Iterable[NotebookNode]) -> Iterator[ast.FunctionDef]:
    for cell in cells:
        try:
            tree = tree_of(cell.source) if len(cell.source) <= _MOST_TEXT else ast.Module([], [])
        except NO_PYTHON:
            continue  # for example a magic
        yield from (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))


def _lines(function: ast.FunctionDef) -> Lines:
    """Return the lines of a function's body: no docstring, and nothing that only raises."""
    found: dict[str, int] = {}
    waiting = list(function.body)
    while waiting:
        line = waiting.pop()
        inner = [part for name in ("body", "orelse", "finalbody") for part in _list(line, name)]
        waiting += inner
        raises = bool(inner) and all(isinstance(each, ast.Raise) for each in inner)
        if raises or isinstance(line, ast.Raise | ast.Assert | ast.Pass) or _is_words(line):
            continue
        parts = [part for part in ast.iter_child_nodes(line) if part not in inner]
        words = type(line).__name__ + "".join(map(ast.dump, parts))
        found[words] = sum(1 for part in parts for _ in ast.walk(part)) + 1
    return found


def _list(line: ast.stmt, name: str) -> list[ast.stmt]:
    part = getattr(line, name, [])
    return part if isinstance(part, list) else []


def _is_words(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _share(text: Lines, lines: Lines) -> float:
    """Return how much of a text stands in other lines."""
    return sum(size for line, size in text.items() if line in lines) / sum(text.values())
