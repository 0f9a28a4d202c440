"""The part of a Pyodide archive that the chapters need, with dplib and the checks added to it."""

import hashlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from vendored import SiteError

LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# What the kernel itself asks for, and what the chapters import.
NEEDED = (
    *("ipython", "jedi", "micropip", "packaging", "pyodide-http", "traitlets"),
    *("matplotlib", "numpy", "pandas", "scipy"),
)
WIDGETS = {"comm": [], "ipywidgets": ["comm", "ipython", "traitlets"]}
PYTHON = "3.14"
OURS = "privacy-workbook"


def unpacked(archive: Path, work: Path) -> Path:
    """Return the folder of an archive (a tar file, a zip or wheel, or a folder) with its lock.

    Raises:
      SiteError: it cannot be read, or it holds no pyodide-lock.json.
    """
    folder = archive
    if archive.is_file():
        folder = work / "archive"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            if zipfile.is_zipfile(archive):
                zipfile.ZipFile(archive).extractall(folder)
            else:
                with tarfile.open(archive) as packed:
                    packed.extractall(folder, filter="data")
        except (OSError, tarfile.TarError) as error:
            raise SiteError(f"{archive} is not an archive that can be read: {error}") from error
    found = sorted(folder.rglob(LOCK))
    if not found:
        raise SiteError(f"{archive} holds no {LOCK}: it is not a Pyodide archive")
    return found[0].parent


def add_pyodide(student: Path, distribution: Path, target: Path) -> list[str]:
    """Write the part of a distribution that the chapters need into `target`.

    Packages that a smaller distribution lacks are fetched by pip, at the version of its lock.

    Args:
      student: the folder that students get, from which the wheel of dplib, ville and the checks
        is made.
      distribution: an unpacked Pyodide distribution.
      target: an empty folder.

    Returns:
      The names of the packages to load before a notebook runs.
    """
    lock = json.loads((distribution / LOCK).read_text("utf-8"))
    packages = {name: lock["packages"][name] for name in _with_dependencies(lock["packages"])}
    for name in RUNTIME:
        shutil.copyfile(distribution / name, target / name)
    for name, entry in packages.items():
        source = distribution / entry["file_name"]
        if not source.exists():
            source = _from_pip(f"{name}=={entry['version']}", target)
        _put(source, entry, target)
    for name, depends in WIDGETS.items():
        version = importlib.metadata.version(name)
        source = _from_pip(f"{name}=={version}", target)
        packages[name] = _entry(name, version, depends, [name])
        _put(source, packages[name], target)
    depends = ["ipywidgets", "matplotlib", "numpy", "pandas", "scipy"]
    packages[OURS] = _entry(OURS, "0", depends, ["autograder", "dplib", "ville"])
    _put(_our_wheel(student, target), packages[OURS], target)
    (target / LOCK).write_text(json.dumps({**lock, "packages": packages}), "utf-8")
    return [OURS, "ipywidgets"]


def _with_dependencies(packages: dict) -> list[str]:
    """Return the needed packages and all that they need."""
    found: dict[str, None] = {}
    waiting = list(NEEDED)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in packages:
            raise SiteError(f"this Pyodide has no {name}: it is not one of the versions we know")
        if name not in found:
            found[name] = None
            waiting += packages[name]["depends"]
    return sorted(found)


def _entry(name: str, version: str, depends: list[str], imports: list[str]) -> dict:
    kind = {"package_type": "package", "install_dir": "site", "unvendored_tests": False}
    return {"name": name, "version": version, "depends": depends, "imports": imports, **kind}


def _put(source: Path, entry: dict, target: Path) -> None:
    """Copy a wheel beside the others and write its name and hash into its entry of the lock."""
    place = target / source.name
    if source != place:
        shutil.copyfile(source, place)
    entry["file_name"] = source.name
    entry["sha256"] = hashlib.sha256(place.read_bytes()).hexdigest()


def _from_pip(wanted: str, target: Path) -> Path:
    # Pyodide's Python is newer than the one that makes the site may be; the wheels are for any.
    options = ["--only-binary=:all:", "--python-version", PYTHON, "-d"]
    return _made(["download", *options], [wanted], target)


def _our_wheel(student: Path, target: Path) -> Path:
    return _made(["wheel", "-w"], [str(student)], target)


def _made(command: list[str], what: list[str], target: Path) -> Path:
    """Let pip put one wheel into `target`; return where it is."""
    quiet = ["--quiet", "--disable-pip-version-check", "--no-deps"]
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", command[0], *quiet, *command[1:], folder, *what]
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        found = list(Path(folder).glob("*.whl"))
        if done.returncode or not found:
            raise SiteError(f"pip cannot get {what[0]}: {done.stderr.strip()[-300:]}")
        return shutil.copyfile(found[0], target / found[0].name)
