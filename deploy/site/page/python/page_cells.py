"""Which of the cells above an answer needs, by the names that it uses."""

import ast
import dis
import types
from collections.abc import Iterator


def parted(code: str, file: str) -> tuple:
    """Return a cell's code, compiled, without its last line and that line, if it is a value."""
    tree = ast.parse(code, file)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), file, "eval")
    return compile(tree, file, "exec"), last


def needed(cells: list[dict], code: str) -> list[dict]:
    """Return the cells that make a name, or change it, which the code or a needed cell below uses.

    Args:
      cells: those above, in order, each with its name and code.
      code: the answer and its check.
    """
    wanted = used(code)
    found = []
    for cell in reversed(cells):
        if made(cell["code"], cell["name"]) & wanted:
            found.append(cell)
            wanted |= used(cell["code"])
    return found[::-1]


def used(code: str) -> set[str]:
    """Return the names that some code takes from what ran before it.

    Code that cannot be read takes none: running it says what is wrong with it.
    """
    try:
        whole = compile(code, "<cell>", "exec")
    except SyntaxError:
        return set()
    taken, stored = set(), set()
    for step in dis.get_instructions(whole):
        if step.opname == "STORE_NAME":
            stored.add(step.argval)
        elif step.opname == "LOAD_NAME" and step.argval not in stored:
            taken.add(step.argval)
    return taken | {name for name in _inside(whole) if name not in stored}


def _inside(code: types.CodeType) -> Iterator[str]:
    """Yield the global names that the functions and classes of some code use."""
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            for step in dis.get_instructions(part):
                if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                    yield step.argval
            yield from _inside(part)


def made(code: str, name: str) -> set[str]:
    """Return the names that a cell makes or changes; its own name, where it cannot be read."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return {name}
    steps = dis.get_instructions(compile(tree, "<cell>", "exec"))
    stored = {step.argval for step in steps if step.opname in ("STORE_NAME", "DELETE_NAME")}
    return stored | {_root(node) for each in tree.body for node in _changed(each)}


def _changed(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a statement outside functions may change in place: an item, or by a method."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value.func


def _root(node: ast.AST) -> str:
    """Return the name that a chain of attributes, items and calls begins with."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
