"""Python modules that run as before and are not read by accident.

A sealed module is a short text that unpacks another one when it is imported. It runs on every
Python, where a file of bytecode belongs to one version. Editors, `inspect.getsource` and a search
through the files find nothing to read; signatures and docstrings stay for `help`. Who takes the
trouble can unpack it: docs/private-answers.md says what that means.
"""

import ast
import base64
import zlib
from collections.abc import Iterable

_WIDTH = 100
_OPENER = '''\
"""Packed, so that nobody reads by accident what an exercise asks for. `help` works as ever."""

import base64
import zlib

exec(compile(zlib.decompress(base64.b85decode("".join((
{lines}
)))), {place!r}, "exec", dont_inherit=True))
'''


def sealed(module: str, tree: ast.Module) -> str:
    """Return the text of a module that does what the tree says, and does not show it.

    Args:
      module: its full name, for tracebacks.
      tree: its syntax tree; comments are not in it.
    """
    packed = base64.b85encode(zlib.compress(ast.unparse(tree).encode(), 9)).decode()
    lines = [packed[start : start + _WIDTH] for start in range(0, len(packed), _WIDTH)]
    # A name in angle brackets is no file: Python looks for no text behind it.
    return _OPENER.format(lines="\n".join(f'    "{line}"' for line in lines), place=f"<{module}>")


def without_body(tree: ast.Module, why: dict[str, str]) -> ast.Module:
    """Return a module in which these functions and classes only say why they are not there.

    Signatures and docstrings stay. A class stays with a constructor alone.

    Args:
      tree: of the module; it is changed.
      why: the sentence by the name of a function or class at the top of the module.
    """
    for node in tree.body:
        if getattr(node, "name", None) not in why:
            continue
        words = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        raising = _parsed(f"raise NotImplementedError({why[node.name]!r})")
        if isinstance(node, ast.ClassDef):
            (constructor,) = _parsed("def __init__(self, *arguments, **keywords): pass")
            constructor.body, raising = list(raising), [constructor]
        node.body = [*words, *raising]
    return tree


def _parsed(text: str) -> Iterable[ast.stmt]:
    return ast.parse(text).body
