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
from collections.abc import Iterable
from pathlib import Path

from compiled import compiled_copies
from vendored import SiteError

LOCK = "pyodide-lock.json"
STDLIB = "python_stdlib.zip"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", STDLIB)
# What the kernel itself asks for, and what the chapters import.
NEEDED = (
    *("ipython", "micropip", "packaging", "traitlets"),
    *("matplotlib", "numpy", "pandas", "scipy"),
)
# Others depend on them, and nothing that a chapter does imports them: fontTools writes PDF files.
UNUSED = ("fonttools", "pytz")
WIDGETS = {"comm": [], "ipywidgets": ["comm", "ipython", "traitlets"]}
# The kernel fetches these after each other, when Python already runs, unless they are loaded by
# then. It asks for jedi, too: IPython completes names without it, and what is loaded is empty.
KERNEL = {
    "piplite": ["micropip"],
    "ipykernel": [],
    "pyodide-kernel": ["comm", "ipython", "piplite", "ipykernel"],
}
JEDI = "jedi"
KERNEL_FILES = "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
PYTHON = "3.14"
LIBRARY, PACKAGES = "/lib/python314.zip", "/lib/python3.14/site-packages"
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


def add_pyodide(student: Path, distribution: Path, target: Path, cache: Path) -> list[str]:
    """Write the part of a distribution that the chapters need into `target`, as bytecode.

    Packages that a smaller distribution lacks are fetched by pip, at the version of its lock.

    Args:
      student: the folder that students get, from which the wheel of dplib, ville and the checks
        is made.
      distribution: an unpacked Pyodide distribution.
      target: an empty folder.
      cache: where what is compiled is kept from one time to the next.

    Returns:
      The names of the packages to load before a notebook runs.
    """
    lock = json.loads((distribution / LOCK).read_text("utf-8"))
    packages = {name: lock["packages"][name] for name in with_dependencies(lock["packages"])}
    for name in RUNTIME:
        shutil.copyfile(distribution / name, target / name)
    for name, entry in packages.items():
        entry["depends"] = [each for each in entry["depends"] if each not in UNUSED]
        source = distribution / entry["file_name"]
        if not source.exists():
            source = _from_pip(f"{name}=={entry['version']}", target)
        _put(source, entry, target)
    for name, depends in WIDGETS.items():
        version = importlib.metadata.version(name)
        _add(packages, name, depends, _from_pip(f"{name}=={version}", target), target)
    for name, depends in KERNEL.items():
        _add(packages, name, depends, _of_the_kernel(name), target)
    _add(packages, JEDI, [], _empty_wheel(JEDI, target), target)
    depends = ["ipywidgets", "matplotlib", "numpy", "pandas", "scipy"]
    _add(packages, OURS, depends, _our_wheel(student, target), target)
    packages[OURS]["imports"] = ["autograder", "dplib", "ville"]
    _write_compiled(distribution, packages, target, cache)
    (target / LOCK).write_text(json.dumps({**lock, "packages": packages}), "utf-8")
    return [OURS, "ipywidgets", *KERNEL, "comm", "ipython", "micropip", JEDI]


def with_dependencies(packages: dict, wanted: Iterable[str] = NEEDED) -> list[str]:
    """Return the wanted packages of a lock, and all that they need.

    Raises:
      SiteError: there is no package of such a name.
    """
    found: dict[str, None] = {}
    waiting = list(wanted)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in packages:
            raise SiteError(f"this Pyodide has no {name}: it is not one of the versions we know")
        if name not in found:
            found[name] = None
            waiting += [each for each in packages[name]["depends"] if each not in UNUSED]
    return sorted(found)


def _add(packages: dict, name: str, depends: list[str], wheel: Path, target: Path) -> None:
    """Add a package that the distribution lacks to the lock, and its wheel to the others."""
    imports = [name.replace("-", "_")]
    packages[name] = lock_entry(name, wheel.name.split("-")[1], depends, imports)
    _put(wheel, packages[name], target)


def lock_entry(name: str, version: str, depends: list[str], imports: list[str]) -> dict:
    """Return what a lock says of a package, but for its file and hash."""
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


def _of_the_kernel(name: str) -> Path:
    """Return a wheel that the kernel's extension brings along.

    Raises:
      SiteError: it is not there.
    """
    folder = Path(sys.prefix) / KERNEL_FILES
    found = sorted(folder.glob(f"{name.replace('-', '_')}-*.whl"))
    if not found:
        raise SiteError(f"the kernel of JupyterLite brings no wheel of {name} along in {folder}")
    return found[-1]


def _empty_wheel(name: str, target: Path) -> Path:
    wheel, about = target / f"{name}-0-py3-none-any.whl", f"{name}-0.dist-info"
    with zipfile.ZipFile(wheel, "w") as packed:
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
        packed.writestr(zipfile.ZipInfo(f"{about}/METADATA"), text)
        packed.writestr(zipfile.ZipInfo(f"{about}/WHEEL"), "Wheel-Version: 1.0\n")
    return wheel


def _write_compiled(distribution: Path, packages: dict, target: Path, cache: Path) -> None:
    """Put bytecode into each package, and into the library of Python itself."""
    # Ours stay: a claim is found by its file's name, and a sealed module is compiled at its import.
    others = [entry for name, entry in packages.items() if name != OURS]
    folders = {target / entry["file_name"]: PACKAGES for entry in others}
    folders[target / STDLIB] = LIBRARY
    for path, copy in compiled_copies(distribution, folders, cache).items():
        shutil.copyfile(copy, path)
    for entry in others:
        _put(target / entry["file_name"], entry, target)


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
