"""source → course: brings an edit of a source notebook back to the course text."""

from pathlib import Path

from nbformat import NotebookNode

from autograder.authoring.build import build, kept_on_failure
from autograder.authoring.pair import (
    BUILT,
    BuildError,
    check_cells,
    course_text,
    fingerprint,
    read_notebook,
    source_notebook,
)


def adopt(root: Path, chapter: str, *, force: bool = False) -> list[Path]:
    """Write one chapter's text in course/ from its notebook in source/, then build it.

    Only the cells' text comes back: no outputs, no execution counts, no ids, no kernel name.

    Args:
      root: the course's folder.
      chapter: for example "03_laplace", or a page, "00_start".
      force: take the notebook even if the text was edited since the last build.

    Returns:
      The files written or removed; none if text and release already agree with the notebook.

    Raises:
      BuildError: there is no such notebook, text cannot hold its content, it breaks a rule of the
      assignment format, or the text has edits that would be lost. Nothing has changed then.
    """
    path = root / "source" / chapter / f"{chapter}.ipynb"
    notebook = read_notebook(path)
    check_cells(path, notebook)
    text, target = course_text(notebook, path), _target(root, chapter)
    stray = _stray(target, notebook, path)
    known = target.exists() and not force and _is_known(target, notebook, path)
    with kept_on_failure(target, *stray):
        for made_by_jupyterlab in stray:
            made_by_jupyterlab.unlink()
        # JupyterLab with jupytext has written the text already, and release/ is still as it was.
        written = build(root, [target.stem]) if known else _write(root, target, text)
    for made_by_jupyterlab in stray:
        if not any(made_by_jupyterlab.parent.iterdir()):
            made_by_jupyterlab.parent.rmdir()
    return [*stray, *written]


def _write(root: Path, target: Path, text: str) -> list[Path]:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8", newline="\n")
    return [target, *build(root, [target.stem])]


def _target(root: Path, chapter: str) -> Path:
    """Return the chapter's text: a page has no folder of its own."""
    page = root / "course" / f"{chapter}.md"
    return page if page.exists() else root / "course" / chapter / f"{chapter}.md"


def _stray(target: Path, notebook: NotebookNode, path: Path) -> list[Path]:
    """Return the text in a folder of its own that JupyterLab makes when a page is saved."""
    stray = target.parent / path.stem / target.name
    if not stray.exists():  # always so for a chapter: its text has a folder already
        return []
    if fingerprint(source_notebook(stray), stray) != fingerprint(notebook, path):
        raise BuildError(f"{stray} and {path} differ: keep what you need of the first, remove it")
    return [stray]


def _is_known(target: Path, notebook: NotebookNode, path: Path) -> bool:
    """Tell whether the text says the same as the notebook; refuse if its edits would be lost."""
    built, mine = notebook.metadata.get(BUILT), fingerprint(notebook, path)
    text = fingerprint(source_notebook(target), target)
    if text in (mine, built):
        return text == mine
    if built == mine:
        raise BuildError(
            f"{path} was not edited since the last build, but {target} was: run `autograder build`"
        )
    name = path.stem
    raise BuildError(
        f"{path} and {target} were both edited since the last build. Keep a copy of the one with "
        f"fewer edits; then `autograder adopt {name} --force` takes the notebook, "
        f"`autograder build {name} --force` the text"
    )
