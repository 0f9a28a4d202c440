"""A place without the repository: there, what people receive has only what it brings along.

An environment of its own shows the packages that are installed here, but for the project itself.
A test that starts Python elsewhere would find the project's installation, which supplies whatever
a file that is handed out lacks.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass, replace
from pathlib import Path

# What makes the project importable here: its record, and the file that points to its folder.
_PROJECT = ("privacy_workbook", "__editable__", "autograder", "dplib", "ville")


@dataclass(frozen=True)
class Away:
    """An environment in which the project is not installed.

    Attributes:
      folder: holds the environment and the home of whoever works in it.
      path: a folder in which Python looks for modules, too, as in JupyterLab by `start.py`.
    """

    folder: Path
    path: Path | None = None

    @property
    def python(self) -> Path:
        """The program."""
        return self.folder / "venv" / "bin" / "python"

    def with_path(self, folder: Path) -> "Away":
        """Return the same environment in which Python looks for modules in a folder, too."""
        return replace(self, path=folder)

    def run(self, *arguments: str | Path, cwd: Path, check: bool = True) -> str:
        """Run Python in a folder; return what it prints.

        Raises:
          AssertionError: it fails, if `check`; the message is what it printed.
        """
        return self.command(self.python, *arguments, cwd=cwd, check=check)

    def command(self, *command: str | Path, cwd: Path, check: bool = True) -> str:
        """Run a program in a folder, as `run`."""
        done = subprocess.run(
            [str(each) for each in command],
            cwd=cwd,
            env=self.variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{command}: {done.stdout[-3000:]}")
        return done.stdout

    def variables(self) -> dict[str, str]:
        """Return the variables of a person's terminal: nothing of this process's project."""
        ours = ("PYTHON", "JUPYTER", "VIRTUAL_ENV", "DPLIB", "NBGRADER", "PYTEST", "IPYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        path = os.pathsep.join([str(self.python.parent), os.environ["PATH"]])
        home = str(self.folder / "home")
        own = {"PYTHONPATH": str(self.path)} if self.path else {}
        return kept | own | {"PATH": path, "HOME": home, "OPENBLAS_NUM_THREADS": "1"}


def without_project(folder: Path) -> Away:
    """Make an environment with the packages that are installed here, but not the project."""
    made = empty(folder)
    here = Path(sysconfig.get_path("purelib"))
    there = next(folder.glob("venv/lib/python*/site-packages"))
    for entry in here.iterdir():
        # A .pth file adds folders, or runs code: some point to the project.
        if not entry.name.startswith(_PROJECT) and entry.suffix != ".pth":
            (there / entry.name).symlink_to(entry)
    for name in ("share", "etc"):  # JupyterLab's own pages, and what nbgrader adds to them
        if (outside := Path(sys.prefix, name)).is_dir():
            shutil.copytree(outside, folder / "venv" / name, dirs_exist_ok=True, symlinks=True)
    return made


def empty(folder: Path) -> Away:
    """Make an environment with nothing in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "home").mkdir()
    venv.create(folder / "venv", symlinks=True)
    return Away(folder)


def with_pip(folder: Path) -> Away:
    """Make the environment that a newcomer makes: `python -m venv`."""
    made = empty(folder)
    subprocess.run([made.python, "-m", "ensurepip"], check=True, capture_output=True)
    return made


if sys.platform == "win32":
    raise ImportError("the folders of an environment are those of Linux and macOS here")
