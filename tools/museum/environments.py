"""The museum's environments: each a Python with pinned packages, where a sampler draws."""

import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PINS = Path(__file__).with_name("pins.toml")
SAMPLERS = Path(__file__).with_name("samplers")
_INSTALL_SECONDS, _DRAW_SECONDS = 600, 900


class NotInstalled(Exception):
    """An environment that could not be made here, with the reason in its words."""


class Pythons:
    """The Pythons of this machine by version: those given, then pythonX.Y as the shell finds it."""

    def __init__(self, given: Sequence[str] = ()):
        """Take paths of Pythons to prefer."""
        self._given = list(given)

    def find(self, version: str) -> str:
        """Return a Python of a version such as "3.8".

        Raises:
          NotInstalled: there is none.
        """
        names = [*self._given, f"python{version}", "python3"]
        for path in filter(None, map(shutil.which, names)):
            code = "import sys; print('%d.%d' % sys.version_info[:2])"
            done = subprocess.run([path, "-c", code], capture_output=True, text=True)
            if done.stdout.strip() == version:
                return path
        raise NotInstalled(f"there is no Python {version} here")


@dataclass(frozen=True)
class Environment:
    """A throw-away virtual environment."""

    name: str
    python: str
    packages: tuple[str, ...]

    def make(self, folder: Path, pythons: Pythons) -> None:
        """Install the packages, unless that was done before.

        Raises:
          NotInstalled: there is no such Python, or pip finds no such package.
        """
        place, done = folder / self.name, folder / self.name / "installed.txt"
        if done.exists() and done.read_text("utf-8").split() == list(self.packages):
            return
        python = pythons.find(self.python)
        shutil.rmtree(place, ignore_errors=True)
        _run([python, "-m", "venv", str(place)], _INSTALL_SECONDS)
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--prefer-binary"]
        _run([*pip, "--disable-pip-version-check", *self.packages], _INSTALL_SECONDS)
        done.write_text("\n".join(self.packages), "utf-8")

    def draw(
        self, folder: Path, sampler: str, number: int, side: int = 0, *, kept: bool = False
    ) -> np.ndarray:
        """Return draws of "module.function" of the samplers; if `kept`, those of the last time.

        Raises:
          NotInstalled: it does not run in this environment.
        """
        module, function = sampler.split(".")
        file = folder / self.name / f"{sampler}.{number}.{side}.bin"
        if kept and file.exists():
            return np.fromfile(file, dtype=float)
        python = folder / self.name / "bin" / "python"
        arguments = [module, function, str(number), str(side), str(file.resolve())]
        # -W ignore: old packages warn of what newer ones will do.
        command = [str(python.absolute()), "-W", "ignore", "draw.py", *arguments]
        _run(command, _DRAW_SECONDS, cwd=SAMPLERS)
        return np.fromfile(file, dtype=float)


def pinned() -> dict[str, Environment]:
    """Return the environments of pins.toml by name."""
    read = tomllib.loads(PINS.read_text("utf-8"))
    return {
        name: Environment(name, each["python"], tuple(each["packages"]))
        for name, each in read.items()
    }


def _run(command: list[str], seconds: float, cwd: Path | None = None) -> None:
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{type(error).__name__}: {Path(command[0]).name}") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no words"])[-1]
        raise NotInstalled(f"{Path(command[0]).name} said: {last}")
