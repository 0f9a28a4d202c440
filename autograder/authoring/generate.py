"""Makes source/ and release/ of chapters in an empty folder, with nbgrader."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.authoring.chapter_list import without
from autograder.authoring.pair import BUILT, BuildError, fingerprint, source_notebook

LEFT_OUT = "left_out"  # beside source/ and release/: what students do not get
MISSED = ".practice.json"  # what a reader missed in practice tasks (autograder.practice.memory)
GUESSES = ".guesses.json"  # what a reader guessed, beside the notebook (dplib.guess)
PASSED = ".progress.json"  # which checks passed there (autograder.progress)

_READERS = {".ipynb_checkpoints", GUESSES, MISSED, PASSED}  # what comes about beside a notebook


def generate(found: list[Path], made: Path, left_out: Sequence[str]) -> None:
    """Write source/ and release/ of these chapters into the empty folder `made`."""
    notebooks, fingerprints = {}, {}
    for markdown in found:
        folder = made / "source" / markdown.stem
        folder.mkdir(parents=True)
        path = folder / f"{markdown.stem}.ipynb"
        notebooks[path] = source_notebook(markdown)
        fingerprints[path] = fingerprint(notebooks[path], path)
        _write(path, notebooks[path])
        if markdown.parent.name == markdown.stem:  # a page has no folder of its own
            _copy_support_files(markdown.parent, folder)
    for markdown in found:
        _release(made, markdown.stem)
        _leave_out(made, markdown.stem, left_out)
    for path, notebook in notebooks.items():  # after the release, which must not carry it
        notebook.metadata[BUILT] = fingerprints[path]
        _write(path, notebook)


def _copy_support_files(course: Path, folder: Path) -> None:
    """Copy a chapter's pictures and tables; its text goes no further than course/."""
    for name, path in files_of(course).items():
        if path.suffix != ".md":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)


def _release(made: Path, chapter: str) -> None:
    """Run nbgrader to make the student's notebook of one chapter from its source."""
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


def _leave_out(made: Path, name: str, left_out: Sequence[str]) -> None:
    """Move a chapter that students do not get aside; take from the others what leads to it."""
    folder = made / "release" / name
    if name in left_out:
        shutil.move(folder, made / LEFT_OUT / name)
    elif left_out:
        notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        if without(notebook, left_out):
            _write(folder / f"{name}.ipynb", notebook)


def _last_error(log: str) -> str:
    """Return the error that ends the traceback in nbgrader's log, or the whole log without one."""
    errors = re.findall(r"^ +([A-Za-z_][\w.]*(?:Error|Exception|Exit)\b.*)$", log, re.MULTILINE)
    return errors[-1] if errors else log.strip()


def _write(path: Path, notebook: NotebookNode) -> None:
    text = nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"
    path.write_text(text, "utf-8", newline="\n")


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files below `folder` by their path in it, without those that readers create."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not _READERS & {*path.parts}
    }
