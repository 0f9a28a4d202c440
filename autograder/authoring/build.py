"""course → source → release: the only converter. The same input gives the same bytes, always."""

import contextlib
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.authoring.chapter_list import handed_out
from autograder.authoring.generate import LEFT_OUT, files_of, generate
from autograder.authoring.numbering import renumbered
from autograder.authoring.pair import BUILT, BuildError, fingerprint, read_notebook
from autograder.marked_cells import grade_id
from autograder.releases import Earlier


@dataclass(frozen=True)
class Difference:
    """One generated file that differs from what course/ gives."""

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
            raise BuildError(
                f"{one} and {other} would give one notebook: keep one of the two. If JupyterLab "
                f"made one of them, `autograder adopt {one.stem}` puts it where it belongs"
            )
    missing = set(only) - {path.stem for path in found}
    if missing:
        raise BuildError(f"{course}: no chapter {', '.join(sorted(missing))}")
    return [path for path in found if not only or path.stem in only]


def build(root: Path, only: Sequence[str] = (), *, force: bool = False) -> list[Path]:
    """Write source/ and release/ below `root` from course/; a file already right is left alone.

    The exercises of a chapter are numbered first, in course/ itself.

    An edited notebook of source/ is not overwritten unless its edit is in course/. Each notebook
    carries the fingerprint of the text that it was built from. So it was edited if it agrees
    neither with that text nor with course/ now. An edit made in JupyterLab with jupytext is in
    course/ as soon as it is saved.

    Args:
      root: the course's folder.
      only: the chapters to build; all of them if empty.
      force: overwrite edited notebooks of source/ too.

    Returns:
      The files written, and those removed: what release/ held of chapters that are now left out.
      Other files that course/ does not give stay: `differences` names them.

    Raises:
      BuildError: a chapter breaks a rule, nbgrader refuses it, or a notebook of source/ was edited.
        Nothing has been written then.
    """
    found = chapters(root, only)
    with kept_on_failure(*found):
        return [*_number(found), *_build(root, only, force=force)]


def _number(found: Sequence[Path]) -> list[Path]:
    """Number the exercises in these texts; return those that changed.

    Raises:
      BuildError: a text speaks of an exercise that is not there.
    """
    written = []
    for path in found:
        before = path.read_text("utf-8")
        text, lost = renumbered(before)
        if lost:
            raise BuildError(f"{path} speaks of an exercise that is not there: {', '.join(lost)}")
        if text != before:
            path.write_text(text, "utf-8", newline="\n")
            written.append(path)
    return written


def _build(root: Path, only: Sequence[str], *, force: bool) -> list[Path]:
    written = []
    with generated(root, only) as made:
        if not force:
            check_adopted(root, made)
        for top in ("source", "release"):
            for name, wanted in files_of(made / top).items():
                target = root / top / name
                if _reason(wanted, target if target.exists() else None):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    if top == "release" and target.suffix == ".ipynb" and target.exists():
                        written += _keep(root, target)
                    shutil.copyfile(wanted, target)
                    written.append(target)
        written += _take_back(root / "release", made / LEFT_OUT)
    _share_times(root, only)
    return written


def _keep(root: Path, replaced: Path) -> list[Path]:
    """Keep what students were given in a notebook that is about to change."""
    earlier = Earlier(root, replaced.parent.name)
    return [earlier.path] if earlier.add([replaced]) else []


def differences(root: Path) -> list[Difference]:
    """Return every file of source/ and release/ that is not, byte for byte, what course/ gives."""
    found = []
    with generated(root) as made:
        edited = {f"{path.stem}/{path.name}" for path in _edited(root, made)}
        for top in ("source", "release"):
            wanted, present = files_of(made / top), files_of(root / top)
            for name in sorted(wanted.keys() | present.keys()):
                reason = _reason(wanted.get(name), present.get(name))
                if top == "source" and name in edited:
                    reason = f"edited; run `autograder adopt {Path(name).stem}`"
                if reason:
                    found.append(Difference(f"{top}/{name}", reason))
    return found


@contextlib.contextmanager
def generated(root: Path, only: Sequence[str] = ()) -> Iterator[Path]:
    """Yield a folder with source/ and release/ as course/ gives them now; remove it at the end.

    Raises:
      BuildError: a chapter breaks a rule or nbgrader refuses it.
    """
    found = chapters(root, only)
    if not found:
        raise BuildError("course: no chapter NN_name/NN_name.md and no page NN_name.md")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        names = [path.stem for path in chapters(root)]
        listed = handed_out(root, names)
        generate(found, made, [name for name in names if name not in listed])
        yield made


def check_adopted(root: Path, made: Path) -> None:
    """Raise BuildError if source/ holds an edit that course/ lacks.

    Args:
      root: the course's folder.
      made: what `generated` gives.
    """
    names = [path.stem for path in _edited(root, made)]
    if names:
        adopts = " and ".join(f"`autograder adopt {name}`" for name in names)
        raise BuildError(
            f"edited since the last build: {', '.join(f'source/{n}/{n}.ipynb' for n in names)}. "
            f"To bring the edit back to course/, run {adopts}; to lose it, "
            "`autograder build --force`"
        )


@contextlib.contextmanager
def kept_on_failure(*paths: Path) -> Iterator[None]:
    """Restore these files if the body fails; remove those that did not exist."""
    before = {path: path.read_bytes() if path.exists() else None for path in paths}
    try:
        yield
    except BaseException:
        for path, content in before.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content)
        raise


def _edited(root: Path, made: Path) -> list[Path]:
    """Return the notebooks of source/ that agree with no text of course/, past or present."""
    found = []
    for name, wanted in files_of(made / "source").items():
        path = root / "source" / name
        if path.suffix == ".ipynb" and path.exists() and _is_edited(path, wanted):
            found.append(path)
    return found


def _is_edited(path: Path, wanted: Path) -> bool:
    if path.read_bytes() == wanted.read_bytes():
        return False
    try:
        notebook = read_notebook(path)
    except BuildError:  # no edit that could be brought back
        return False
    texts = {read_notebook(wanted).metadata[BUILT], notebook.metadata.get(BUILT)}
    try:
        return fingerprint(notebook, path) not in texts
    except BuildError:  # no text gives such cells
        return True


def _take_back(release: Path, left_out: Path) -> list[Path]:
    """Remove what students do not get any more; keep what somebody has changed."""
    found = []
    for name, path in files_of(left_out).items():
        target = release / name
        if target.exists() and target.read_bytes() == path.read_bytes():
            target.unlink()
            found.append(target)
            if not any(target.parent.iterdir()):
                target.parent.rmdir()
    return found


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
                name = grade_id(a) or "no grade_id"
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
