"""The kernels that a chapter's notebooks name: any kernel of Python is one of ours."""

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from nbformat import NotebookNode

from autograder.course_folders.course import Course
from autograder.kernels import given_cells, imported

_PYTHON = re.compile(r"python[0-9.]*", re.IGNORECASE)


@dataclass(frozen=True)
class Language:
    """What a chapter's notebooks run on.

    Attributes:
      locked: the modules that the locked cells import; None if not every notebook is known to be
        Python's.
      given: these, and those of the cells that students are given and may change.
      cells: the text of these cells.
      reason: why `locked` is None, as the end of "it cannot be contained: ...".
      notes: what the instructor should know of the kernels.
    """

    locked: tuple[str, ...] | None
    given: tuple[str, ...] = ()
    cells: frozenset[str] = frozenset()
    reason: str = ""
    notes: tuple[str, ...] = ()

    def modules(self, notebooks: Iterable[str]) -> tuple[str, ...]:
        """Return the modules that a submission finds in memory, and will import.

        A student may have deleted the cell that imports `matplotlib.pyplot`. With it in memory,
        `import matplotlib` would bring it along, and an answer could work here and nowhere else.

        Args:
          notebooks: the submission's, as JSON.
        """
        if not self.cells:
            return self.locked or ()
        cells = [cell for text in notebooks for cell in json.loads(text)["cells"]]
        kept = {"".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
        return self.given if self.cells <= kept else self.locked or ()


def language(course: Course, chapter: str) -> Language:
    """Return what the notebooks of source/CHAPTER run on."""
    folder = course.folder("source", ".", chapter)
    paths = course.source_notebooks(chapter)
    if not paths:
        return _unknown(f"there is no notebook in {folder}, which says what kernel they need")
    notebooks, notes = [], {}
    for path in paths:
        try:
            notebook = nbformat.read(path, as_version=4)
        except Exception as error:  # nbgrader will say more
            return _unknown(f"{path.name} of source/ cannot be read ({error})")
        kernel = notebook.metadata.get("kernelspec", {})
        spoken = _language(notebook)
        if spoken.lower() not in ("python", ""):
            name = kernel.get("name", "")
            return _unknown(f"{path.name} needs the kernel {name}, which runs {spoken}")
        if not spoken:
            return _unknown(f"{path.name} of source/ names no kernel and no language")
        notebooks.append(notebook)
        notes.update(dict.fromkeys(_other_python(str(kernel.get("name", "")))))
    cells = frozenset(cell for notebook in notebooks for cell in given_cells(notebook))
    own = {path.stem for path in folder.glob("*.py")}  # they are read in the submission's folder
    locked, given = (
        tuple(name for name in imported(notebooks, given=each) if name.split(".")[0] not in own)
        for each in (False, True)
    )
    return Language(locked, given, cells, notes=tuple(notes))


def _unknown(reason: str) -> Language:
    return Language(None, reason=reason)


def _language(notebook: NotebookNode) -> str:
    """Return the language of a notebook, as it says itself, or as its kernel's name says."""
    kernel = notebook.metadata.get("kernelspec", {})
    said = kernel.get("language") or notebook.metadata.get("language_info", {}).get("name")
    if said:
        return str(said)
    name = str(kernel.get("name", ""))
    if _PYTHON.fullmatch(name):
        return "python"
    spec = _installed(name)
    return spec.language if spec else name


def _other_python(name: str) -> list[str]:
    """Return a note if a kernel of this name is here, and starts another Python than this one."""
    spec = None if _PYTHON.fullmatch(name) else _installed(name)
    program = spec.argv[0] if spec and spec.argv else ""
    if not Path(program).is_absolute() or Path(program).parent == Path(sys.executable).parent:
        return []
    return [f"the kernel {name} is {program}; graded with {sys.executable} and its packages"]


def _installed(name: str):
    try:
        return KernelSpecManager().get_kernel_spec(name) if name else None
    except (NoSuchKernel, ValueError):
        return None
