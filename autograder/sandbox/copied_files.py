"""Copies a submission's files into the sandbox's own folder, and new files back out of it.

The folder inside is in memory and goes with the process. Files that student code wrote are brought
back only for the submission's next notebook, and only when no process is left that could change
them on the way: plain files and folders, never links.
"""

import os
import shutil
import stat
from pathlib import Path

# Windows lacks these, and nothing is contained there.
_CAREFUL = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ = os.O_RDONLY | _CAREFUL
_DEEPEST = 50  # nested folders, which are all open at the same time
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _CAREFUL


def total(folder: Path) -> int:
    """Return the bytes of all the files in a folder."""
    return sum(
        (Path(where) / name).lstat().st_size
        for where, _, names in os.walk(folder)
        for name in names
    )


def copy_in(source: Path, target: Path, *, user: int, group: int) -> None:
    """Copy the plain files and folders of `source` into the folder `target`, for this user."""
    for path in sorted(source.rglob("*")):  # a folder comes before what is in it
        copy, mode = target / path.relative_to(source), path.lstat().st_mode
        if stat.S_ISDIR(mode):
            copy.mkdir()
        elif stat.S_ISREG(mode):
            shutil.copy2(path, copy)
            copy.chmod(stat.S_IMODE(mode) | stat.S_IRUSR | stat.S_IWUSR)
        else:
            continue
        os.chown(copy, user, group)


def copy_back(source: int, target: Path, *, most: int) -> None:
    """Copy the files that have changed since `copy_in`.

    Args:
      source: a descriptor of the folder, which nobody changes any more.
      target: the folder that the files came from.
      most: bytes to copy at most; the rest is left.

    Raises:
      OSError: a file could not be copied. The files before it were.
    """
    outermost = os.open(target, _READ)
    try:
        for where, folders, names, here in os.fwalk(".", dir_fd=source):
            place = _folder(outermost, where)
            try:
                folders[:] = [name for name in folders if _kind(here, name, stat.S_ISDIR)]
                if where.count("/") == _DEEPEST:
                    folders.clear()
                for name in names:
                    if _kind(here, name, stat.S_ISREG) and _is_new(here, place, name):
                        most -= _copy(here, place, name, most)
            finally:
                os.close(place)
    finally:
        os.close(outermost)


def _folder(target: int, path: str) -> int:
    """Return a descriptor of a folder below `target`, made where it is missing."""
    here = os.dup(target)
    for name in path.split("/"):
        if name != "." and not _exists(here, name):
            os.mkdir(name, dir_fd=here)
        outer = here
        try:
            here = os.open(name, _READ, dir_fd=outer)
        finally:
            os.close(outer)
    return here


def _exists(folder: int, name: str) -> bool:
    try:
        os.lstat(name, dir_fd=folder)
    except FileNotFoundError:
        return False
    return True


def _kind(folder: int, name: str, test) -> bool:
    return test(os.lstat(name, dir_fd=folder).st_mode)


def _is_new(source: int, target: int, name: str) -> bool:
    if not _exists(target, name):
        return True
    old, new = os.lstat(name, dir_fd=target), os.lstat(name, dir_fd=source)
    return (old.st_size, old.st_mtime_ns) != (new.st_size, new.st_mtime_ns)


def _copy(source: int, target: int, name: str, most: int) -> int:
    """Copy a file from one folder to another; return the bytes it has."""
    file = os.open(name, _READ, dir_fd=source)
    with os.fdopen(file, "rb") as reader:
        size = os.fstat(reader.fileno()).st_size
        if size > most:
            raise OSError(f"{name}: too much was written")
        with os.fdopen(os.open(name, _WRITE, 0o644, dir_fd=target), "wb") as writer:
            shutil.copyfileobj(reader, writer)
    return size
