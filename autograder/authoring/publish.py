"""The public half of two repositories: what students may read, with a history of one commit.

The private repository keeps answers and their history. Each time something is published, the one
commit of the public repository is replaced.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from autograder.authoring.bundle import student_folder
from autograder.authoring.generate import GUESSES, MISSED, PASSED
from autograder.authoring.open_online import raise_unless_installable, with_links
from autograder.authoring.pair import BuildError
from autograder.files import write_all

_MESSAGE = "The course, for students"
_MADE_THERE = (".venv/", "__pycache__/", "*.egg-info/", ".ipynb_checkpoints/")
_IGNORED = "".join(f"{each}\n" for each in (*_MADE_THERE, GUESSES, MISSED, PASSED))


def publish(
    root: Path,
    folder: Path,
    only: Sequence[str] = (),
    *,
    open_library: bool = False,
    address: str = "",
) -> list[str]:
    """Make a folder a git repository of one commit that holds what the zip for students holds.

    Args:
      root: the project's folder.
      folder: new, empty, or published before: then its commit is replaced.
      only: the chapters; all of them if empty.
      open_library: as in `bundle`.
      address: of the public repository, if it is known. Then each notebook begins with a cell that
        installs the course from there where it is missing, and the README links to Colab and
        Binder.

    Returns:
      The names of the chapters in it.

    Raises:
      BuildError: the folder holds something else, a chapter cannot be built, or git refuses.
    """
    if address:
        raise_unless_installable(address)
    published = _published(folder)
    files, names = student_folder(root, only, open_library=open_library)
    files[".gitignore"] = _IGNORED.encode()
    if address:
        files = with_links(files, address)
    if (citation := root / "CITATION.cff").exists():
        files["CITATION.cff"] = citation.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    if published:
        _git(folder, "rm", "-r", "-q", ".")
    else:
        _git(folder, "init", "--quiet", "--initial-branch=main")
    write_all(folder, files)
    _git(folder, "add", "--all")
    again = ("--amend", "--reset-author", "--allow-empty") if published else ()
    _git(folder, "commit", "--quiet", *again, "-m", _MESSAGE)
    return names


def _published(folder: Path) -> bool:
    """Say whether a folder was published before; raise BuildError if it holds something else."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return False
    if not (folder / ".git").is_dir():
        raise BuildError(f"{folder} holds other files: give an empty folder, or a new one")
    said = _git(folder, "log", "--all", "--format=%s").splitlines()
    if said != [_MESSAGE]:
        raise BuildError(f"{folder} has a history of its own ({len(said)} commits): give a new one")
    if _git(folder, "status", "--porcelain"):
        raise BuildError(f"{folder} holds changes of its own: they would be lost")
    return True


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise BuildError("git is missing: a public repository is made with it") from error
    if done.returncode:
        raise BuildError(f"git {arguments[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout
