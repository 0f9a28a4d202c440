"""One of the instructor's notebooks, from source/ and the gradebook: a submission is held to it."""

import ast
import re
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Notebook
from nbgrader.preprocessors import ClearHiddenTests

from autograder.course_folders.known_again import Original
from autograder.course_folders.locked_cells import landmark, made
from autograder.marked_cells import by_name, mark_on
from autograder.releases import Earlier, digest, name_of


class Instructors:
    """A notebook of the course, as the instructor made it.

    Args:
      path: its file in source/, which may be missing.
      notebook: the same in the gradebook.
      clear: nbgrader's step that takes hidden tests out.
      earlier: what is kept of the chapter's earlier releases.

    Attributes:
      text: all of it, as JSON. If source/ is missing, it holds the cells that the gradebook knows:
        the locked ones, and the released text of the answers.
      originals: the cells of the assignment by grade_id, in the instructor's order.
      landmarks: all cells, in order.
    """

    def __init__(self, path: Path, notebook: Notebook, clear: ClearHiddenTests, earlier: Earlier):
        self._cells = nbformat.read(path, as_version=4).cells if path.exists() else []
        self._name, self._earlier = path.stem, earlier
        self.originals = _read(notebook, by_name(self._cells), clear)
        self.landmarks = tuple(map(landmark, self._cells))
        self.text = path.read_text("utf-8") if path.exists() else self._made()

    def _made(self) -> str:
        return nbformat.writes(new_notebook(cells=list(map(made, self.originals.values()))))

    @cached_property
    def title(self) -> str:
        """Return the heading among the first cells; "" if there is none."""
        texts = [cell.source for cell in self._cells[:3] if cell.cell_type == "markdown"]
        found = re.search(r"^# +([^\n]{1,100})$", "\n".join(texts), re.MULTILINE)
        return found[1].strip() if found else ""

    @cached_property
    def given(self) -> frozenset[str]:
        """Return the hashes of the texts that students were ever given: nobody's own words."""
        texts = [cell.source for cell in self._cells if not mark_on(cell).get("solution")]
        texts += [each.released or each.source for each in self.originals.values()]
        return frozenset(map(digest, texts)) | self._earlier.texts(self._name)

    @cached_property
    def stubs(self) -> frozenset[str]:
        """Return the hashes of texts of earlier releases, and of the answers' present ones."""
        texts = [each.source for each in self.originals.values() if each.solution]
        return frozenset(map(digest, texts)) | self._earlier.texts(self._name)

    @cached_property
    def _releases(self) -> list[frozenset[str]]:
        """Return the names and flags of the cells of each earlier release."""
        return self._earlier.cells(self._name)

    @cached_property
    def ever(self) -> frozenset[str]:
        """Return the names and flags that a cell of an earlier release had."""
        return frozenset().union(*self._releases)

    def later(self, names: Collection[str]) -> frozenset[str]:
        """Return the cells that came after the release which a notebook is of.

        Args:
          names: of the notebook's cells. It is of the release with the most like them.
        """
        releases = [frozenset(self.originals)]
        releases += [frozenset(map(name_of, each)) for each in self._releases]
        own = min(releases, key=lambda release: len(release ^ set(names))) if names else releases[0]
        return releases[0] - own


def _read(
    notebook: Notebook, instructors: Mapping[str, NotebookNode], clear: ClearHiddenTests
) -> dict[str, Original]:
    tasks = {cell.name: cell.max_score for cell in notebook.task_cells}
    points = tasks | {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    order = {name: place for place, name in enumerate(instructors)}
    cells = sorted(notebook.source_cells, key=lambda cell: order.get(cell.name, len(order)))
    found = {}
    for cell in cells:
        own = instructors.get(cell.name, NotebookNode(metadata={}, source=cell.source))
        found[cell.name] = Original(
            name=cell.name,
            cell_type=cell.cell_type,
            source=cell.source,
            locked=cell.locked,
            grade=cell.name in points and cell.name not in tasks,
            solution=cell.name in solutions,
            task=cell.name in tasks,
            points=points.get(cell.name),
            tags=tuple(own.metadata.get("tags", ())),
            cell_id=own.get("id", ""),
            released=_without_hidden(cell.source, clear) if cell.locked else cell.source,
            defines=_defined(cell.source, own.source) if cell.name in solutions else frozenset(),
            own_mark=dict(mark_on(own)),
        )
    return found


def _without_hidden(source: str, clear: ClearHiddenTests) -> str:
    cell = NotebookNode(source=source)
    clear._remove_hidden_test_region(cell)
    return cell.source


def _defined(*sources: str) -> frozenset[str]:
    """Return the names that the first of these texts defines which defines any.

    Of functions and classes alone if there are any: other names are a means to them.
    """
    for source in sources:
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError):  # another language, or a stub that is no program
            continue
        made = {each.name for each in body if isinstance(each, _NAMED)}
        if found := made or {name for each in body for name in _assigned(each)}:
            return frozenset(found)
    return frozenset()


_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _assigned(statement: ast.stmt) -> set[str]:
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {each.id for each in targets if isinstance(each, ast.Name)}
