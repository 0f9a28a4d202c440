"""What it takes to answer on a page: the scripts, and the Python that runs and checks an answer.

Run: python deploy/site/answering.py tests the scripts, and puts them into the site that is made.

The scripts are made by npm from `page`. Python's files lie where JupyterLite has them, and are used
by both; a page needs fewer packages, which a lock of its own names.
"""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from pyodide import LOCK, OURS, RUNTIME, lock_entry, with_dependencies
from vendored import SiteError

PAGE = Path(__file__).with_name("page")
BUILT = PAGE.parents[2] / "build" / "site"
FILES, PAGE_LOCK = "page-files.json", "page-lock.json"
SMALL, MINE = "scipy-special", "workbook-page"
# Of ours, what draws and asks is done by the page, and practice is for notebooks.
LEFT_OUT = re.compile(r"^dplib/(plots|explore|guess)/|^autograder/practice/|\.dist-info/RECORD$")
# It needs no other binary of scipy; `_ufuncs`, which has more, needs linear algebra: 14 MB.
BINARY = re.compile(r"^scipy/special/_special_ufuncs\.|\.dist-info/(METADATA|WHEEL)$")
_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold


def page_scripts(work: Path) -> Path:
    """Return a folder with the sources of the page's scripts, and with what npm brings for them.

    Args:
      work: where that is kept from one time to the next.

    Raises:
      SiteError: npm is missing, or what is pinned cannot be had.
    """
    if shutil.which("npm") is None:
        raise SiteError("npm is needed for the pages' scripts. On Debian: apt-get install npm")
    shutil.copytree(
        PAGE, work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "python")
    )
    pins = (PAGE / "package-lock.json").read_bytes()
    mark = work / "node_modules" / f".{hashlib.sha256(pins).hexdigest()[:16]}"
    if not mark.exists():
        npm(work, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        mark.touch()
    return work


def npm(folder: Path, *words: str) -> str:
    """Let npm do something in a folder; return what it prints.

    Raises:
      SiteError: it fails.
    """
    done = subprocess.run(["npm", *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        told = (done.stdout + done.stderr).strip()
        raise SiteError(f"npm {' '.join(words)} fails: {told[-1500:]}")
    return done.stdout


def write_scripts(work: Path, target: Path) -> None:
    """Write the scripts of the pages, bundled, into a folder."""
    folder = page_scripts(work)
    for old in (folder / "made", target):
        shutil.rmtree(old, ignore_errors=True)
    npm(folder, "run", "--silent", "build", "--", f"--outdir={folder / 'made'}")
    shutil.copytree(folder / "made", target)


def add_page_python(folder: Path) -> None:
    """Add what a page loads to the files of a JupyterLite's Python.

    Args:
      folder: as `add_pyodide` has filled it.

    Raises:
      SiteError: this scipy has not the one binary that stands alone.
    """
    lock = json.loads((folder / LOCK).read_text("utf-8"))
    packages = lock["packages"]
    scipy = folder / packages["scipy"]["file_name"]
    _add(packages, SMALL, ["numpy"], small_scipy(scipy, folder))
    ours = folder / packages[OURS]["file_name"]
    _add(packages, MINE, ["numpy", "pandas"], page_wheel(ours, folder))
    wanted = {"small": ["pandas", SMALL, MINE], "whole": ["pandas", "scipy", MINE]}
    loaded = {which: with_dependencies(packages, names) for which, names in wanted.items()}
    kept = {name for names in loaded.values() for name in names}
    few = {name: entry for name, entry in packages.items() if name in kept}
    (folder / PAGE_LOCK).write_text(json.dumps({**lock, "packages": few}), "utf-8")
    sizes = {
        which: _sizes(folder, [*RUNTIME, PAGE_LOCK, *(few[each]["file_name"] for each in names)])
        for which, names in loaded.items()
    }
    about = {"lock": PAGE_LOCK, "packages": wanted, "sizes": sizes}
    (folder / FILES).write_text(json.dumps(about), "utf-8")


def _sizes(folder: Path, names: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return the bytes of each file as it is, and as a host sends it that packs what is not."""
    return {name: _size(name, (folder / name).read_bytes()) for name in names}


def _size(name: str, data: bytes) -> dict[str, int]:
    is_packed = name.endswith((".whl", ".zip"))
    return {"whole": len(data), "sent": len(data if is_packed else gzip.compress(data, 6))}


def _add(packages: dict, name: str, depends: list[str], wheel: Path) -> None:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    packages[name] = {
        **lock_entry(name, "0", depends, []),
        "file_name": wheel.name,
        "sha256": digest,
    }


def small_scipy(whole: Path, target: Path) -> Path:
    """Write a wheel of scipy's special functions that stand alone; return where it is.

    Raises:
      SiteError: this scipy has no such binary.
    """
    with zipfile.ZipFile(whole) as old:
        parts = {name: old.read(name) for name in old.namelist() if BINARY.search(name)}
    if not any(name.startswith("scipy/special/") for name in parts):
        raise SiteError(f"{whole.name} has no binary of the special functions that stand alone")
    # Pyodide looks for the package's own name.
    named = {
        name.replace("scipy-", "scipy_special-"): data.replace(
            b"Name: scipy\n", b"Name: scipy-special\n"
        )
        for name, data in parts.items()
    }
    special = (PAGE / "python" / "scipy_special.py").read_bytes()
    made = named | {"scipy/__init__.py": b"", "scipy/special/__init__.py": special}
    return _zipped(target / whole.name.replace("scipy-", "scipy_special-"), made)


def page_wheel(ours: Path, target: Path) -> Path:
    """Write a wheel of what runs and checks an answer on a page; return where it is."""
    with zipfile.ZipFile(ours) as old:
        made = {name: old.read(name) for name in old.namelist() if not LEFT_OUT.search(name)}
    named = {name.replace("privacy_workbook-", "workbook_page-"): made[name] for name in made}
    for path in (PAGE / "python").glob("page_*.py"):
        named[path.name] = path.read_bytes()
    return _zipped(target / ours.name.replace("privacy_workbook-", "workbook_page-"), named)


def _zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in sorted(files):
            new.writestr(zipfile.ZipInfo(name, _TIME), files[name], zipfile.ZIP_DEFLATED)
    return path


def main() -> int:
    """Test the scripts and put them into the site that is made; return the exit status."""
    work, site = BUILT / "page", BUILT / "html" / "_static" / "answer"
    try:
        folder = page_scripts(work)
        npm(folder, "run", "types")
        print(npm(folder, "run", "test").strip())
        if site.exists():
            write_scripts(work, site)
            print(f"The scripts are in {site}.")
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
