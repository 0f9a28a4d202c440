"""Runs all attacks once more as an ordinary user, if root runs the battery.

Run as `python as_user.py FOLDER COURSE`, with an empty folder and a made course. Where Python lies
in a folder that only root may enter, the way to it is opened for this one process.
"""

import ctypes
import os
import sys
from pathlib import Path

USER = 65534  # nobody
_NEW_MOUNTS, _PRIVATE, _RECURSIVE, _BIND = 0x00020000, 1 << 18, 1 << 14, 1 << 12
_LIBC = ctypes.CDLL(None, use_errno=True)
_HERE = Path(__file__).resolve().parent


def main(folder: Path, made: Path) -> None:
    """Become an ordinary user and measure into `folder`; never return."""
    os.chown(folder, USER, USER)
    _check(_LIBC.unshare(_NEW_MOUNTS), "unshare")
    _check(_LIBC.mount(b"none", b"/", None, _PRIVATE | _RECURSIVE, None), "private mounts")
    project = _HERE.parents[1]
    _open_the_way({Path(place).resolve() for place in (sys.base_prefix, sys.prefix, project)})
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    os.chdir(folder)
    os.environ.update(HOME=str(folder), TMPDIR=str(folder), PYTHONDONTWRITEBYTECODE="1")
    command = [sys.executable, str(_HERE / "everything.py"), str(folder), str(made)]
    os.execv(sys.executable, command)


def _open_the_way(places: set[Path]) -> None:
    """Let everyone reach these folders: what lies beside them stays closed, behind a new folder."""
    doors: dict[Path, list[tuple[Path, int]]] = {}
    for place in places:
        closed = [each for each in reversed(place.parents) if not each.stat().st_mode & 0o001]
        if closed:
            doors.setdefault(closed[0], []).append((place, os.open(place, os.O_PATH)))
    for door, behind in doors.items():
        _check(_LIBC.mount(b"tmpfs", bytes(door), b"tmpfs", 0, b"mode=755"), f"a folder on {door}")
        for place, held in behind:
            place.mkdir(parents=True)
            source = f"/proc/self/fd/{held}".encode()
            _check(_LIBC.mount(source, bytes(place), None, _BIND | _RECURSIVE, None), str(place))


def _check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
