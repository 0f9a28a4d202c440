"""Reads the files of a zip, or of its folder, without trusting any name or size in it."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.printable import printable
from autograder.problem import Problem

_MEGABYTES = 100  # of one file, and of all that a student sent, unpacked
_TOO_LARGE = f"it is larger than {_MEGABYTES} megabytes"
_TOO_LARGE_TOGETHER = f"all that was sent is larger than {_MEGABYTES} megabytes"
_MOST = 20_000  # files
_DEEPEST, _LONGEST = 30, 255  # folders in each other, as grading takes them; bytes of a name
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


class Quota:
    """Counts the bytes that each sender's files take, unpacked.

    Args:
      sender: returns who sent a file, by its path.
    """

    def __init__(self, sender: Callable[[tuple[str, ...]], object] = lambda parts: "") -> None:
        self._sender, self._taken = sender, Counter[object]()

    def refuses(self, parts: tuple[str, ...], size: int) -> str:
        """Count a file, and return why it is not read; "" if it is."""
        if size > _MEGABYTES * 1e6:
            return _TOO_LARGE
        who = self._sender(parts)
        if self._taken[who] + size > _MEGABYTES * 1e6:
            return _TOO_LARGE_TOGETHER
        self._taken[who] += size
        return ""


def entries(
    path: Path, sender: Callable[[tuple[str, ...]], object] = lambda parts: ""
) -> list[Entry]:
    """Return the files of a zip, in its order; or those of a folder, into which it was unpacked.

    Args:
      path: the zip or folder.
      sender: returns who sent a file, by its path. What one sender's files take is limited.

    Raises:
      Problem: it cannot be read.
    """
    quota = Quota(sender)
    if path.is_dir():  # browsers and teachers unpack what they download
        return list(_of_folder(path, quota))
    try:
        return list(_read(path, quota))
    except OSError as error:
        raise Problem(f"{path} cannot be opened: {error.strerror}") from error
    except zipfile.BadZipFile as error:
        raise Problem(f"{path} is no whole zip file ({error}): download it again") from error


def inner(entry: Entry, quota: Quota) -> list[Entry]:
    """Return the files of a zip that a student handed in; none if it is no zip.

    Args:
      entry: the zip.
      quota: how much its files may take.

    Raises:
      Problem: it is one, and cannot be read, or has too many files.
    """
    if not zipfile.is_zipfile(file := io.BytesIO(entry.content or b"")):
        return []
    try:
        return list(_read(file, quota))
    except Problem:
        raise
    except Exception as error:  # zipfile raises many kinds for what its directory says
        raise Problem(f"the zip cannot be read ({error or type(error).__name__})") from error


def _of_folder(folder: Path, quota: Quota) -> Iterator[Entry]:
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    _refuse_too_many(len(found), "folder")
    for path in found:
        parts = path.relative_to(folder).parts
        if _is_junk(parts):
            continue
        content, wrong = None, _of_path(parts) or quota.refuses(parts, path.stat().st_size)
        if not wrong:
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
    return not parts or bool(_JUNK.intersection(parts)) or parts[-1].startswith(("._", "~$"))


def _of_path(parts: tuple[str, ...]) -> str:
    """Return why a file may not be written under this path; "" if it may."""
    if ".." in parts or parts[0] == "/" or ":" in parts[0]:
        return "its path leads out of the folder"
    if len(parts) > _DEEPEST:
        return f"it lies in more than {_DEEPEST} folders"
    if max(len(part.encode("utf-8", "replace")) for part in parts) > _LONGEST:
        return f"its name, or a folder's, is longer than {_LONGEST} bytes"
    return ""


def _read(file, quota: Quota) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        found = [info for info in archive.infolist() if not info.is_dir()]
        _refuse_too_many(len(found), "zip")
        for info in found:
            parts = PurePosixPath(info.filename.replace("\\", "/")).parts
            if _is_junk(parts):
                continue
            yield _entry(archive, info, tuple(printable(part) for part in parts), quota)


def _entry(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: tuple[str, ...], quota: Quota
) -> Entry:
    try:
        time = datetime(*info.date_time)
    except ValueError:
        time = datetime(1980, 1, 1)
    content, wrong = None, _of_path(parts) or quota.refuses(parts, info.file_size)
    if not wrong:
        try:
            with archive.open(info) as file:  # which gives no more than it says of itself
                content = file.read(info.file_size)
        except (
            Exception
        ) as error:  # of zipfile, zlib, bz2, lzma and struct: no student stops others
            wrong = f"it cannot be read ({error or type(error).__name__})"
    return Entry(parts, time, content, wrong)
