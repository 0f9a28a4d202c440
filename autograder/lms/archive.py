"""Reads the files of a zip, or of its folder, without trusting any name or size in it."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.printable import printable
from autograder.problem import Problem

_MEGABYTES = 100  # of one file
_TOO_LARGE = f"it is larger than {_MEGABYTES} megabytes"
_MOST = 20_000  # files
# What systems and editors add to a zip; nobody handed it in.
_JUNK = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__pycache__"}


@dataclass(frozen=True)
class Entry:
    """One file of a zip.

    Attributes:
      parts: its path, folder by folder.
      time: when it was last changed, by the clock of the machine that made the zip.
      content: its bytes; None if they cannot be read.
      wrong: why they cannot, or "".
    """

    parts: tuple[str, ...]
    time: datetime
    content: bytes | None
    wrong: str = ""


def entries(path: Path) -> list[Entry]:
    """Return the files of a zip, in its order; or those of a folder, into which it was unpacked.

    Raises:
      Problem: it cannot be read.
    """
    if path.is_dir():  # browsers and teachers unpack what they download
        return list(_of_folder(path))
    try:
        return list(_read(path))
    except OSError as error:
        raise Problem(f"{path} cannot be opened: {error.strerror}") from error
    except zipfile.BadZipFile as error:
        raise Problem(f"{path} is no whole zip file ({error}): download it again") from error


def inner(entry: Entry) -> list[Entry]:
    """Return the files of a zip that a student handed in; none if it cannot be read."""
    try:
        return list(_read(io.BytesIO(entry.content or b"")))
    except (zipfile.BadZipFile, Problem):
        return []


def _of_folder(folder: Path) -> Iterator[Entry]:
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    _refuse_too_many(len(found), "folder")
    for path in found:
        parts = path.relative_to(folder).parts
        if _is_junk(parts):
            continue
        content, wrong = None, ""
        if path.stat().st_size > _MEGABYTES * 1e6:
            wrong = _TOO_LARGE
        else:
            try:
                content = path.read_bytes()
            except OSError as error:
                wrong = f"it cannot be read ({error.strerror})"
        time = datetime.fromtimestamp(path.stat().st_mtime)
        yield Entry(tuple(map(printable, parts)), time, content, wrong)


def _refuse_too_many(files: int, where: str) -> None:
    if files > _MOST:
        raise Problem(f"the {where} has {files} files; {_MOST} are the most")


def _is_junk(parts: tuple[str, ...]) -> bool:
    return bool(_JUNK.intersection(parts)) or parts[-1].startswith(("._", "~$"))


def _read(file) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        found = [info for info in archive.infolist() if not info.is_dir()]
        _refuse_too_many(len(found), "zip")
        for info in found:
            parts = PurePosixPath(info.filename.replace("\\", "/")).parts
            if _is_junk(parts):
                continue
            yield _entry(archive, info, tuple(printable(part) for part in parts))


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: tuple[str, ...]) -> Entry:
    try:
        time = datetime(*info.date_time)
    except ValueError:
        time = datetime(1980, 1, 1)
    content, wrong = None, ""
    if ".." in parts or parts[0] == "/" or ":" in parts[0]:
        wrong = "its path leads out of the folder"
    elif info.file_size > _MEGABYTES * 1e6:
        wrong = _TOO_LARGE
    else:
        try:
            with archive.open(info) as file:
                content = file.read(int(_MEGABYTES * 1e6) + 1)
        except (RuntimeError, NotImplementedError, zipfile.BadZipFile, OSError, EOFError) as error:
            wrong = f"it cannot be read ({error})"
    return Entry(parts, time, content, wrong)
