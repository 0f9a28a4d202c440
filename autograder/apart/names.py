"""The names that a cell reads and makes, found in its text without running it."""

import ast
import contextlib
import re
import symtable
import threading
from collections.abc import Iterator, Sequence

from autograder.odd_text import NO_PYTHON

_parser = threading.Lock()
_TRIES = 20


def tree_of(source: str) -> ast.Module:
    """Return the syntax tree of a text.

    Python 3.11 counts the depth of all threads' trees in one place and raises SystemError when two
    are made at once (CPython's issue 106905). So one thread parses at a time here, and tries again,
    because libraries parse too.

    Raises:
      one of NO_PYTHON: the text is no Python, or too deep.
    """
    with _parser:
        for _ in range(_TRIES):
            with contextlib.suppress(SystemError):
                return ast.parse(source)
    raise ValueError("the text has no syntax tree")


# Methods that change their object, and ways to change objects that have no name in the text.
_CHANGES = {"add", "append", "clear", "discard", "extend", "fill", "insert", "pop", "put", "remove"}
_CHANGES |= {"reverse", "setdefault", "shuffle", "sort", "update", "write"}


class Names:
    """The names in the text of a cell.

    Attributes:
      read: the names that it takes from elsewhere.
      made: the names that it makes or changes.
    """

    def __init__(self, source: str):
        try:
            tree, scope = tree_of(source), symtable.symtable(source, "cell", "exec")
        except NO_PYTHON:
            # For example a magic, or a text that was written to break a parser.
            self.read, self.made = set(re.findall(r"[^\W\d]\w*", source)), set()
            return
        own = {each.get_name(): each for each in scope.get_symbols()}
        made = {name for name, each in own.items() if each.is_assigned() or each.is_imported()}
        inner = set().union(*map(_global_names, scope.get_children()))
        before: set[str] = set()
        self.read, changed = inner | (own.keys() - made), set()
        for statement in tree.body:
            nodes = list(ast.walk(statement))
            stored, loaded = (_mentioned(nodes, kind) for kind in (ast.Store, ast.Load))
            self.read |= (loaded & made) - before
            before |= stored
            changed.update(name for node in nodes for name in _changed(node))
        self.made = made | (changed & (own.keys() | inner))


def _global_names(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that a function and its inner functions take from the notebook."""
    found, scopes = set(), [scope]
    while scopes:  # nested functions may be deeper than Python's recursion limit
        each = scopes.pop()
        found |= {name.get_name() for name in each.get_symbols() if name.is_global()}
        scopes += each.get_children()
    return found


def _mentioned(nodes: Sequence[ast.AST], kind: type) -> set[str]:
    return {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, kind)}


def _changed(node: ast.AST) -> Iterator[str]:
    """Yield the name whose value a piece of code changes, as far as its text tells."""
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield from _root(node)
    elif isinstance(node, ast.Call) and _changes(node):
        yield from _root(node.func)


def _changes(call: ast.Call) -> bool:
    """Say whether a call may change its method's object."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method in _CHANGES or any(each.arg == "inplace" for each in call.keywords)


def _root(node: ast.AST) -> Iterator[str]:
    """Yield the name that an expression like `a.b[0].c` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
