"""Reads the files of a zip, without trusting any name or size in it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.printable import printable
from autograder.problem import Problem

__all__ = ["Entry", "entries", "inner"]

_MEGABYTES = 100  # of one file
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
    """Return the files of a zip, in its order.

    Raises:
      Problem: it cannot be read.
    """
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


def _read(file) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        found = [info for info in archive.infolist() if not info.is_dir()]
        if len(found) > _MOST:
            raise Problem(f"the zip has {len(found)} files; {_MOST} are the most")
        for info in found:
            parts = PurePosixPath(info.filename.replace("\\", "/")).parts
            if _JUNK.intersection(parts) or parts[-1].startswith(("._", "~$")):
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
        wrong = f"it is larger than {_MEGABYTES} megabytes"
    else:
        try:
            with archive.open(info) as file:
                content = file.read(int(_MEGABYTES * 1e6) + 1)
        except (RuntimeError, NotImplementedError, zipfile.BadZipFile, OSError, EOFError) as error:
            wrong = f"it cannot be read ({error})"
    return Entry(parts, time, content, wrong)
