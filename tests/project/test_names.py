"""Every name that our code takes from another module of ours is there, also inside functions.

No test runs every branch and every benchmark; a name that has moved is found here at once.
"""

import ast
import contextlib
import importlib
from types import ModuleType

import pytest
from places import ROOT

GONE = object()
OURS = ("dplib", "ville", "autograder", "tools", "benchmarks")


def taken(tree: ast.Module):
    """Yield each import of ours as (the module, the name in it, what the file calls it)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in OURS:
            yield from ((node.module, each.name, each.asname or each.name) for each in node.names)


def found(module: str, name: str):
    """Return what a module has under a name, be it a module of its own; GONE if nothing."""
    home = importlib.import_module(module)
    if not hasattr(home, name):
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(f"{module}.{name}")
    return getattr(home, name, GONE)


def missing(text: str) -> list[str]:
    """Return the names of ours that a text uses, and that are not there."""
    tree, modules, lost = ast.parse(text), {}, []
    for module, name, own in taken(tree):
        thing = found(module, name)
        if isinstance(thing, ModuleType):
            modules[own] = thing
        elif thing is GONE:
            lost.append(f"{module}.{name}")
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    for node in used:
        home = modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if home and not hasattr(home, node.attr):
            lost.append(f"{home.__name__}.{node.attr}")
    return lost


@pytest.mark.parametrize("top", OURS)
def test_every_name_is_there(top):
    # What is built anew with each course is left out: a template's imports are the author's.
    paths = [path for path in (ROOT / top).rglob("*.py") if "template" not in path.parts]
    assert {
        str(path.relative_to(ROOT)): lost
        for path in paths
        if (lost := missing(path.read_text("utf-8")))
    } == {}


def test_a_name_that_has_moved_is_seen():
    inside = "def late():\n    from ville.laws import nothing_of_this_name\n"
    assert missing(inside) == ["ville.laws.nothing_of_this_name"]
    assert missing("from ville import laws\nlaws.gone()\n") == ["ville.laws.gone"]
