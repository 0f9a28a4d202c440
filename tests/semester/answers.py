"""Known answers as text: what a student would have written into the answer's cell."""

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from places import TESTS
from wrong_answers import ZOO

FOLDER = TESTS / "wrong_answers"


@dataclass(frozen=True)
class Written:
    """One file of wrong_answers/.

    Attributes:
      name: the file's.
      statements: in order.
      makers: which of them makes which name.
      lists: what WRONG and RIGHT are written as, by kind and exercise.
    """

    name: str
    statements: tuple[ast.stmt, ...]
    makers: dict[str, ast.stmt]
    lists: dict[tuple[str, str], ast.expr]

    def needed(self, expression: ast.expr) -> list[ast.stmt]:
        """Return the statements without which the expression would mean nothing, in order."""
        found: set[int] = set()
        waiting: list[ast.AST] = [expression]
        while waiting:
            for name in _names_read(waiting.pop()):
                maker = self.makers.get(name)
                if maker is not None and id(maker) not in found:
                    found.add(id(maker))
                    waiting.append(maker)
        return [each for each in self.statements if id(each) in found]

    def list_of(self, kind: str, exercise: str) -> ast.expr:
        """Return what WRONG[exercise] or RIGHT[exercise] was written as.

        Raises:
          ValueError: it was written in another way than CONTRIBUTING.md shows.
        """
        value = self.lists.get((kind, exercise))
        if value is None:
            place = f'{kind}["{exercise}"]'
            raise ValueError(f"{self.name}: {place} is not found; write {place} = [...]")
        return value


def text(exercise: str, kind: str, number: int, name: str) -> str:
    """Return a cell that makes `name` one of the known answers, with all that it needs.

    All of it stands in a function: its helpers have names that other cells use too.

    Args:
      kind: "right" or "wrong".
      number: which of ZOO.right[exercise] or ZOO.wrong[exercise].
    """
    written = _read(FOLDER / f"{ZOO.chapter[exercise]}.py")
    answer = _element(written.list_of(kind.upper(), exercise), number, pair=kind == "wrong")
    body = "\n".join(ast.unparse(each) for each in [*written.needed(answer), ast.Return(answer)])
    lines = "\n".join(f"    {line}" if line else "" for line in body.splitlines())
    return f"def _my_answer():\n{lines}\n\n\n{name} = _my_answer()\n"


def _element(given: ast.expr, number: int, *, pair: bool) -> ast.expr:
    """Return one answer of a list: as it is written, where it can be read off."""
    if isinstance(given, ast.List) and not any(isinstance(e, ast.Starred) for e in given.elts):
        entry = given.elts[number]
        if not pair:
            return entry
        if isinstance(entry, ast.Tuple):
            return entry.elts[0]
        return _at(entry, 0)
    entry = _at(given, number)
    return _at(entry, 0) if pair else entry


def _at(given: ast.expr, number: int) -> ast.expr:
    return ast.Subscript(given, ast.Constant(number), ast.Load())


@functools.cache
def _read(path: Path) -> Written:
    statements = list(_statements(path))
    makers: dict[str, ast.stmt] = {}
    for each in statements:
        for name in _names_made(each, path.name):
            # Files that are put together import the same: the first stands before all who need it.
            again = name in makers and ast.unparse(makers[name]) == ast.unparse(each)
            makers[name] = makers[name] if again else each
    return Written(path.name, tuple(statements), makers, dict(_lists(statements)))


def _statements(path: Path) -> Iterator[ast.stmt]:
    """Return what a file says; what it imports from the tests, which no student has, in full."""
    for each in ast.parse(path.read_text("utf-8")).body:
        module = (each.module or "") if isinstance(each, ast.ImportFrom) else ""
        beside = TESTS / f"{module.replace('.', '/')}.py"
        if beside.is_file():
            yield from _statements(beside)
        elif module != "__future__" and not isinstance(each, ast.Expr):  # the docstring
            yield each


def _lists(statements: list[ast.stmt]) -> Iterator[tuple[tuple[str, str], ast.expr]]:
    """Return each WRONG[exercise] and RIGHT[exercise]."""
    for each in statements:
        target = each.targets[0] if isinstance(each, ast.Assign) else None
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            yield (ast.unparse(target.value), target.slice.value), each.value


def _names_made(statement: ast.stmt, file: str) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = getattr(statement, "targets", None) or [statement.target]
        nodes = [node for target in targets for node in ast.walk(target)]
        stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
        return [node.id for node in stored if isinstance(node, ast.Name)]
    raise ValueError(
        f"{file}, line {statement.lineno}: wanted are definitions, imports and assignments; "
        "put anything else into a function"
    )


def _names_read(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
