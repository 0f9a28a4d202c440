"""Scripts of other projects that the pages need: fetched once by npm, checked by their hashes."""

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

PACKAGES = Path(__file__).with_name("packages.json")


class SiteError(Exception):
    """The site cannot be made; the message says what is missing, and what to do."""


def vendor(target: Path, packages: Path = PACKAGES) -> None:
    """Put the scripts that `packages` names into the folder `target`.

    Raises:
      SiteError: npm is missing, a package cannot be had, or it is not the one that was pinned.
    """
    if shutil.which("npm") is None:
        raise SiteError("npm is needed for the pages' scripts. On Debian: apt-get install npm")
    for package in json.loads(packages.read_text("utf-8")):
        mark = target / f".{package['name'].replace('/', '-')}-{package['version']}"
        if mark.exists():
            continue
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            archive = _fetched(package, Path(folder))
            _copied(archive, package["files"], target)
        mark.touch()


def _fetched(package: dict, folder: Path) -> Path:
    wanted = f"{package['name']}@{package['version']}"
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = list(folder.glob("*.tgz"))
    if done.returncode or not found:
        raise SiteError(f"npm cannot fetch {wanted}: {done.stderr.strip()[:300]}")
    digest = hashlib.sha512(found[0].read_bytes()).digest()
    if base64.b64encode(digest).decode() != package["sha512"]:
        raise SiteError(f"{wanted} is not the package that was pinned: its hash differs")
    return found[0]


def _copied(archive: Path, files: dict[str, str], target: Path) -> None:
    """Copy some files, or whole folders, out of an archive."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
        for inside, outside in files.items():
            source, place = Path(folder) / "package" / inside, target / outside
            place.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, place, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, place)
