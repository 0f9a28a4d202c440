"""Bytecode for the browser's Python, which node lets it make; kept from one time to the next."""

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from vendored import SiteError

HERE = Path(__file__).parent
SCRIPT, PROGRAM = HERE / "compile.mjs", HERE / "bytecode.py"


def compiled_copies(distribution: Path, files: Mapping[Path, str], cache: Path) -> dict[Path, Path]:
    """Return where the compiled copy of each zip lies.

    Args:
      distribution: the Pyodide that compiles.
      files: by the path of a zip or wheel, the folder in which its files will lie.
      cache: copies of a zip with the same content, made by the same Pyodide, are in here.

    Raises:
      SiteError: node is missing, or it fails.
    """
    parts = (PROGRAM, SCRIPT, distribution / "pyodide-lock.json")
    salt = b"".join(part.read_bytes() for part in parts)
    cache.mkdir(parents=True, exist_ok=True)
    copies = {
        path: cache / hashlib.sha256(salt + folder.encode() + path.read_bytes()).hexdigest()
        for path, folder in files.items()
    }
    missing = {path: copy for path, copy in copies.items() if not copy.exists()}
    if missing:
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            jobs = {path: Path(folder) / copy.name for path, copy in missing.items()}
            _run(distribution, [f"{path}\t{new}\t{files[path]}" for path, new in jobs.items()])
            for path, new in jobs.items():
                new.replace(copies[path])  # whole, or not at all
    return copies


def _run(distribution: Path, jobs: list[str]) -> None:
    if shutil.which("node") is None:
        raise SiteError(
            "node is needed to compile Python for the browser. On Debian: apt-get install npm"
        )
    command = ["node", str(SCRIPT), str(distribution)]
    done = subprocess.run(
        command, input="\n".join(jobs), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SiteError(f"Python for the browser cannot be compiled: {done.stderr[-600:]}")
