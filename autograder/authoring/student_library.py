"""The library and the checks as students get them: what an exercise asks for is not to be read.

Three things happen to them:
- An exercise's function that no chapter handed out needs says only in which chapter it is built.
  Helpers that nothing else uses go with it.
- What is needed (by figures, sliders, later chapters) runs, and is sealed.
- Checks are sealed, for they hold right functions too.
"""

import ast
import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from nbformat import NotebookNode

from autograder.authoring.sealed import sealed, without_body
from autograder.marked_cells import mark_on

_LIBRARY, _CLAIMS = "dplib", "autograder/check/claims"
_PRACTICE = "autograder/practice"  # writes right answers to the tasks that it makes
_OPEN = ("dplib/__init__.py", "dplib/data/", "autograder/check/claims/__init__.py")
_LEFT_OUT = "this is a part of what you build in an exercise"
_NAMED = re.compile(rf"\b{_LIBRARY}\.(?:\w+\.)*(\w+)")
# Zips are made chapter by chapter, of the same modules: what follows from a text is found once.
_once = functools.lru_cache(maxsize=2048)


def student_files(
    files: Mapping[str, bytes], chapters: Mapping[str, NotebookNode], handed_out: Sequence[str]
) -> dict[str, bytes]:
    """Return the files of the library and of the checks, as students of these chapters get them.

    Args:
      files: the course's own files, by name.
      chapters: the instructor's notebook of every chapter, by name, in order.
      handed_out: the chapters that students get.
    """
    library = {name: _tree(text) for name, text in files.items() if _in(name, _LIBRARY)}
    claims = {name: _tree(text) for name, text in files.items() if _in(name, _CLAIMS)}
    built = {name: each for each, notebook in chapters.items() for name in _built(notebook)}
    roots = {*_asked_for(chapters, handed_out, built), *_used(claims.values())}
    why = _left_out(library.values(), built, roots)
    made = dict(files)
    practice = [name for name in files if _in(name, _PRACTICE)]
    for name in [*library, *claims, *practice]:
        gone = _at_top(library[name]) & why.keys() if name in library else ()
        reasons = tuple((each, why[each]) for each in sorted(gone))
        is_open = name.startswith(_OPEN)
        made[name] = files[name] if is_open else _sealed(_module(name), files[name], reasons)
    return made


@_once
def _tree(text: bytes) -> ast.Module:
    """Return the syntax tree of a text; many look at it, nobody changes it."""
    return ast.parse(text)


@_once
def _sealed(module: str, text: bytes, why: tuple[tuple[str, str], ...]) -> bytes:
    """Return a module, sealed, in which these functions say why they are not there."""
    tree = without_body(ast.parse(text), dict(why)) if why else _tree(text)
    return sealed(module, tree).encode()


@_once
def _at_top(tree: ast.Module) -> frozenset[str]:
    """Return the names of the functions and classes at the top of a module."""
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )


def _in(name: str, folder: str) -> bool:
    return name.startswith(f"{folder}/") and name.endswith(".py")


def _module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _built(notebook: NotebookNode) -> Iterator[str]:
    """Yield the names of the functions and classes that a chapter asks for."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and mark_on(cell).get("solution"):
            for node in _code(cell.source).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    yield node.name


def _code(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:  # a magic
        return ast.Module([], [])


def _asked_for(
    chapters: Mapping[str, NotebookNode], handed_out: Sequence[str], built: Mapping[str, str]
) -> Iterator[str]:
    """Yield the names of the library that the chapters handed out use, and what came before."""
    yield from (name for name, chapter in built.items() if chapter < min(handed_out))
    for chapter in handed_out:
        notebook = chapters[chapter]
        yield from _used(_code(cell.source) for cell in notebook.cells if cell.cell_type == "code")
        for cell in notebook.cells:  # in words, or in a cell with a magic
            yield from (name for name in _NAMED.findall(cell.source) if built.get(name) != chapter)


def _used(trees: Iterable[ast.Module]) -> Iterator[str]:
    """Yield what code imports from the library, and the attributes that it asks of it."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    bound = {_LIBRARY}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == _LIBRARY:
            bound.update(alias.asname or alias.name for alias in node.names)
            yield from (alias.name for alias in node.names)
    for node in nodes:
        if isinstance(node, ast.Attribute):
            attributes = []
            while isinstance(node, ast.Attribute):
                attributes.append(node.attr)
                node = node.value
            if isinstance(node, ast.Name) and node.id in bound:
                yield from attributes


@_once
def _mentioned(tree: ast.AST) -> set[str]:
    """Return the names that code mentions, for whatever; imports do not count, for they are many.

    A module imports what some of its functions use: those that use it mention it.
    """
    nodes = list(ast.walk(tree))
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }


def _left_out(
    library: Iterable[ast.Module], built: Mapping[str, str], roots: set[str]
) -> dict[str, str]:
    """Return the names that no chapter needs, each with the sentence that replaces it.

    Names are compared as they are, whatever they stand for: too much may be kept, never too little.
    """
    uses: dict[str, set[str]] = defaultdict(set)
    private = set()
    for node in (node for tree in library for node in tree.body):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            uses[node.name] |= _mentioned(node) - {node.name}
            private |= {node.name} if node.name.startswith("_") else set()
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            roots = roots | _mentioned(node)
    needed = _closure(roots, uses)
    why = {
        name: f"you build {name} in chapter {int(chapter[:2])}: use your own"
        for name, chapter in built.items()
        if name in uses and name not in needed
    }
    kept = _closure(roots | {name for name in uses if name not in private | why.keys()}, uses, why)
    return why | dict.fromkeys(private - kept, _LEFT_OUT)


def _closure(
    roots: Iterable[str], uses: Mapping[str, set[str]], closed: Iterable[str] = ()
) -> set[str]:
    """Return the roots and all that they use, and so on, through no name that is closed."""
    found, waiting = set(), set(roots)
    while waiting:
        name = waiting.pop()
        found.add(name)
        if name not in closed:
            waiting |= uses.get(name, set()) - found
    return found
