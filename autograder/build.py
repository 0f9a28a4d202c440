"""course → source → release: the only converter. The same input gives the same bytes, always."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

SOLUTION_MARK = "### BEGIN SOLUTION"


class BuildError(Exception):
    """A chapter cannot be built; the message names the file, the cell and the reason."""


@dataclass(frozen=True)
class Difference:
    """One generated file that is not what course/ gives."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def chapters(root: Path, only: Sequence[str] = ()) -> list[Path]:
    """Return the course files below `root`, in order.

    A chapter is course/NN_name/NN_name.md. A page without exercises may be course/NN_name.md.

    Raises:
      BuildError: two files have one name, or `only` names a chapter that is not there.
    """
    course = root / "course"
    found = [path for path in course.glob("*/*.md") if path.stem == path.parent.name]
    found = sorted([*found, *course.glob("[0-9][0-9]_*.md")], key=lambda path: path.stem)
    for one, other in itertools.pairwise(found):
        # Saving source/NN_name/NN_name.ipynb in JupyterLab writes course/NN_name/NN_name.md.
        if one.stem == other.stem:
            raise BuildError(f"{one} and {other} would give one notebook: keep one of the two")
    missing = set(only) - {path.stem for path in found}
    if missing:
        raise BuildError(f"{course}: no chapter {', '.join(sorted(missing))}")
    return [path for path in found if not only or path.stem in only]


def build(root: Path, only: Sequence[str] = ()) -> list[Path]:
    """Write source/ and release/ below `root` from course/; a file already right is left alone.

    Args:
      root: the course's folder.
      only: the chapters to build; all of them if empty.

    Returns:
      The files written. Files that course/ does not give stay: `differences` names them.

    Raises:
      BuildError: a chapter breaks a rule or nbgrader refuses it. Nothing has been written then.
    """
    written = []
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        _generate(chapters(root, only), made)
        for top in ("source", "release"):
            for name, wanted in _files(made / top).items():
                target = root / top / name
                if _reason(wanted, target if target.exists() else None):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(wanted, target)
                    written.append(target)
    _share_times(root, only)
    return written


def differences(root: Path) -> list[Difference]:
    """Return every file of source/ and release/ that is not, byte for byte, what course/ gives."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        _generate(chapters(root), made)
        for top in ("source", "release"):
            wanted, present = _files(made / top), _files(root / top)
            for name in sorted(wanted.keys() | present.keys()):
                reason = _reason(wanted.get(name), present.get(name))
                if reason:
                    found.append(Difference(f"{top}/{name}", reason))
    return found


def source_notebook(markdown: Path) -> NotebookNode:
    """Return nbgrader's instructor notebook for one course file.

    Raises:
      BuildError: the text cannot be parsed, or a cell breaks a rule of the assignment format.
    """
    try:
        notebook = jupytext.read(markdown, fmt="md:myst")
    except Exception as error:  # the parser's errors have no common base
        raise BuildError(f"{markdown}: not valid MyST Markdown: {error}") from error
    # Pairing is said once, in jupytext.toml. In the notebook it would reach every student's copy.
    notebook.metadata.pop("jupytext", None)
    _check_cells(markdown, notebook)
    for position, cell in enumerate(notebook.cells):
        cell.id = _cell_id(markdown.stem, position, cell)
    return notebook


def _check_cells(markdown: Path, notebook: NotebookNode) -> None:
    """Raise BuildError for what nbgrader would accept in silence and get wrong."""
    seen = set()
    for cell in notebook.cells:
        mark = cell.metadata.get("nbgrader")
        if not mark:
            continue
        name = mark["grade_id"]
        where = f"{markdown}: cell {name!r}"
        if name in seen:
            raise BuildError(f"{where}: this grade_id is used twice")
        seen.add(name)
        if cell.cell_type == "code" and mark["solution"] and SOLUTION_MARK not in cell.source:
            raise BuildError(
                f"{where}: a solution cell without {SOLUTION_MARK!r} loses its signature on release"
            )
        if mark["grade"] and "points" not in mark:
            raise BuildError(f"{where}: a graded cell needs points")


def _cell_id(chapter: str, position: int, cell: NotebookNode) -> str:
    """Return an id that a rebuild gives again: from the grade_id, else chapter and position."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id") or f"{chapter}-{position}"
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def _generate(found: list[Path], made: Path) -> None:
    """Write source/ and release/ of these chapters into the empty folder `made`."""
    if not found:
        raise BuildError("course: no chapter NN_name/NN_name.md and no page NN_name.md")
    for markdown in found:
        folder = made / "source" / markdown.stem
        folder.mkdir(parents=True)
        notebook = source_notebook(markdown)
        (folder / f"{markdown.stem}.ipynb").write_text(_to_json(notebook), "utf-8", newline="\n")
        if markdown.parent.name == markdown.stem:  # a page has no folder of its own
            _copy_support_files(markdown.parent, folder)
    for markdown in found:
        _release(made, markdown.stem)


def _copy_support_files(course: Path, folder: Path) -> None:
    """Copy a chapter's pictures and tables; its text goes no further than course/."""
    for name, path in _files(course).items():
        if path.suffix != ".md":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)


def _release(made: Path, chapter: str) -> None:
    """Let nbgrader make the student's notebook of one chapter, from its source."""
    # Imported here: nbgrader takes over a second, and reading course/ does not need it.
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    config = Config()
    config.CourseDirectory.root = str(made)
    # The gradebook learns a chapter when it is graded; building must not touch anybody's marks.
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    result = NbGraderAPI(config=config).generate_assignment(chapter)
    if not result["success"]:
        raise BuildError(f"course/{chapter}: nbgrader refuses it: {_last_error(result['log'])}")


def _last_error(log: str) -> str:
    """Return the error that ends the traceback in nbgrader's log, or the whole log without one."""
    errors = re.findall(r"^ +([A-Za-z_][\w.]*(?:Error|Exception|Exit)\b.*)$", log, re.MULTILINE)
    return errors[-1] if errors else log.strip()


def _to_json(notebook: NotebookNode) -> str:
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"


def _files(folder: Path) -> dict[str, Path]:
    """Return the files below `folder` by their path in it, without what Jupyter keeps there."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }


def _reason(wanted: Path | None, present: Path | None) -> str | None:
    """Say in words how the file present differs from the one wanted, or None."""
    if present is None:
        return "missing; run `autograder build`"
    if wanted is None:
        return "nothing in course/ gives this file; remove it"
    if wanted.read_bytes() == present.read_bytes():
        return None
    if wanted.suffix != ".ipynb":
        return "differs from the file in course/; run `autograder build`"
    return _first_different_cell(wanted, present)


def _first_different_cell(wanted: Path, present: Path) -> str:
    """Name the first cell in which two notebooks differ."""
    try:
        new, old = (nbformat.read(path, as_version=4) for path in (wanted, present))
    except Exception as error:  # whatever makes it unreadable is the reason
        return f"not a readable notebook: {error}"
    for position, (a, b) in enumerate(zip(new.cells, old.cells, strict=False)):
        for key in sorted(a.keys() | b.keys()):
            if a.get(key) != b.get(key):
                name = a.metadata.get("nbgrader", {}).get("grade_id", "no grade_id")
                return f"cell {position} ({name}) differs in its {key}; run `autograder build`"
    if len(new.cells) != len(old.cells):
        return f"has {len(old.cells)} cells, course/ gives {len(new.cells)}; run `autograder build`"
    return "differs in the notebook's metadata or its layout; run `autograder build`"


def _share_times(root: Path, only: Sequence[str]) -> None:
    """Give each source notebook its course file's time: jupytext then sees a pair in step."""
    for markdown in chapters(root, only):
        status = markdown.stat()
        notebook = root / "source" / markdown.stem / f"{markdown.stem}.ipynb"
        os.utime(notebook, ns=(status.st_atime_ns, status.st_mtime_ns))
