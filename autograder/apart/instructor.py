"""Reads the instructor's notebook: which names are answers', and which cells the tests need.

A test may take from a student only the names that the instructor's solution cells make: a student's
`check` or `np` is no answer. Every other name must come from the instructor: from a locked cell, or
from an editable cell of source/, which then runs with the tests as it stands in source/.
"""

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import is_grade, is_locked, is_solution

from autograder.apart.names import Names, tree_of
from autograder.check.words import NOT_TO_THE_END
from autograder.marked_cells import grade_id
from autograder.odd_text import NO_PYTHON

_HERE = "autograder"
_NOTEBOOKS = {"display", "get_ipython", "__name__"}  # names that every notebook has


@dataclass(frozen=True)
class Instructor:
    """The facts about the instructor's notebook.

    Attributes:
      answers: the names that a test may take from the student.
      before: by the grade_id of a locked cell, the instructor's cells before it that the tests
      need. They run with the tests.
      unknown: by grade_id, the names that a test mentions and that no known cell makes. There are
      none if the instructor's answers are known.
    """

    answers: frozenset[str]
    before: Mapping[str, Sequence[NotebookNode]] = field(default_factory=dict)
    unknown: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def unknown_words(self) -> dict[str, str]:
        """Return by grade_id why a test cannot be judged apart."""
        return {
            name: f"source/ is missing, and it may take {', '.join(names)} from anywhere"
            for name, names in self.unknown.items()
        }


def instructor_of(notebook: NotebookNode, *, with_answers: bool = True) -> Instructor:
    """Read the instructor's notebook.

    Args:
      notebook: from source/; or the cells that the gradebook knows, where source/ is missing.
      with_answers: whether its solution cells hold the answers. In the gradebook they hold the
      released text: then a test that mentions an unreleased name is not judged apart.
    """
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    answers = frozenset().union(*(_made(cell.source) for cell in cells if is_solution(cell)))
    locked = [(cell, Names(_python(cell.source))) for cell in cells if is_locked(cell)]
    theirs = set().union(*(names.made for _, names in locked))
    found = Instructor(answers, _before(cells, answers | theirs))
    if with_answers:
        return found
    known = answers | theirs | set(dir(builtins)) | _NOTEBOOKS
    unknown = {grade_id(cell): sorted(each.read - known) for cell, each in locked if is_grade(cell)}
    return Instructor(answers, unknown={name: names for name, names in unknown.items() if names})


def calls_check(notebook: NotebookNode) -> set[str | None]:
    """Return the tests, by grade_id, that mention a name which locked cells import from here.

    Such a test knows answers in another process.
    """
    locked = [cell for cell in notebook.cells if is_locked(cell) and cell.cell_type == "code"]
    texts = [_python(cell.source) for cell in locked]
    ours = set().union(*map(_imported_from_here, texts))
    return {
        grade_id(cell)
        for cell, text in zip(locked, texts, strict=True)
        if is_grade(cell) and not ours.isdisjoint(Names(text).read)
    }


def says_nothing(words: str) -> bool:
    """Say whether a check has failed because it could not look for long enough."""
    return NOT_TO_THE_END in words


def _imported_from_here(text: str) -> set[str]:
    """Return the names that a cell imports from this package."""
    try:
        nodes = list(ast.walk(tree_of(text)))
    except NO_PYTHON:
        return set()
    modules = [node for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {
        alias.asname or alias.name
        for node in modules
        if node.module.partition(".")[0] == _HERE
        for alias in node.names
    } | {
        alias.asname or alias.name.partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name.partition(".")[0] == _HERE
    }


def _made(source: str) -> set[str]:
    """Return the names that a cell assigns or defines, not those that it imports."""
    try:
        scope = symtable.symtable(_python(source), "cell", "exec")
    except NO_PYTHON:
        return set()
    return {
        each.get_name()
        for each in _symbols(scope)
        if each.is_assigned() and (not each.is_imported() or each.is_namespace())
    }


def _symbols(scope: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    """Yield the symbols of a cell, and those that its functions declare `global`."""
    yield from scope.get_symbols()
    inner = list(scope.get_children())
    for each in inner:
        inner += each.get_children()
        yield from (symbol for symbol in each.get_symbols() if symbol.is_declared_global())


def _python(source: str) -> str:
    """Return a cell's text with its magics written as Python."""
    try:
        tree_of(source)
    except NO_PYTHON:
        return TransformerManager().transform_cell(source)
    return source


def _before(cells: Sequence[NotebookNode], known: set[str]) -> dict[str, list[NotebookNode]]:
    """Return the cells that run with the tests, by the locked cell that comes next."""
    open_cells = [(place, _open(cell)) for place, cell in enumerate(cells) if not is_locked(cell)]
    candidates = [(place, text, Names(_python(text))) for place, text in open_cells if text]
    wanted = _read(Names(_python(cell.source)) for cell in cells if is_locked(cell)) - known
    taken: dict[int, str] = {}
    while True:
        more = [each for each in candidates if each[0] not in taken and each[2].made & wanted]
        if not more:
            break
        taken.update((place, text) for place, text, _ in more)
        wanted |= _read(names for _, _, names in more) - known
    before: dict[str, list[NotebookNode]] = {}
    waiting: list[NotebookNode] = []
    for place, cell in enumerate(cells):
        if place in taken:
            waiting.append(new_code_cell(taken[place]))
        if is_locked(cell) and waiting:
            before[grade_id(cell)], waiting = waiting, []
    return before


def _open(cell: NotebookNode) -> str:
    """Return the part of an unlocked cell that may run with the tests: an answer's imports.

    An imported name is no answer: a test that uses it gets the library itself.
    """
    if not is_solution(cell):
        return cell.source
    try:
        tree = tree_of(_python(cell.source))
    except NO_PYTHON:
        return ""
    imports = (each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom))
    return "\n".join(map(ast.unparse, imports))


def _read(names: Iterable[Names]) -> set[str]:
    return set().union(*(each.read for each in names))
