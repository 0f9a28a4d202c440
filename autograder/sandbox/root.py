"""The root file system of a contained process: Python, its libraries, and a folder of its own.

The new root is in memory. Listed files are mounted there read-only, at the path that they have
outside. The course, the gradebook and other students' work have no path there: where they lie in a
folder that is shown, an empty folder lies over them.
"""

import contextlib
import importlib.util
import os
import site
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.sandbox import system
from autograder.sandbox.limits import FOLDER, SCRATCH

_OLD = "/old"
_MOUNT_POINT = "/tmp"  # any folder will do: the new root covers it for a moment

# Not all of /usr: the exchange, sources and whatever a machine's owner keeps may lie there.
_OF_USR = ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "include", "share")
_SYSTEM = (
    *(f"{usr}/{name}" for usr in ("/usr", "/usr/local") for name in _OF_USR),
    *("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"),
    *("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime"),
    "/var/cache/fontconfig",
)
# Only these of an environment are shown: the course may lie in the same folder.
_OF_PREFIX = ("bin", "etc", "include", "lib", "lib64", "libexec", "pyvenv.cfg", "share")
_OWN = ("autograder", "dplib", "ville")  # whether or not they are in memory
_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
    "/dev/shm": SCRATCH,
}
_TERMINALS = 64
_SAFE = system.NO_SETUID | system.NO_DEVICES
_MOST_FILES = 10_000  # that a submission may have: each takes the machine's memory


def needed(readable: Iterable[str] = (), hidden: Iterable[str] = ()) -> dict[str, str]:
    """Return the files and folders that Python and the libraries in memory are made of.

    Args:
      readable: other files and folders to show.
      hidden: folders that are empty inside. What is shown may lie in them.

    Returns:
      By place, in the order of mounting, the file or folder to show; "" for an empty folder. Two
      places may show the same: a link and its target.
    """
    wished = [*_SYSTEM, *_python(), *readable]
    found = [Path(path).absolute() for path in wished if Path(path).exists()]
    found += _packages([*found, *(path.resolve() for path in found)])
    places = {place for path in found for place in (path, path.resolve())}
    shown = {place: place.resolve() for place in _outermost(places)}
    closed = {Path(path).resolve() for path in hidden}
    empty = _outermost(_places_of(closed, shown) - places)
    again = _outermost(place for place in places if any(each in place.parents for each in empty))
    return {
        **{str(place): str(source) for place, source in shown.items()},
        **dict.fromkeys(map(str, empty), ""),
        **{str(place): str(place.resolve()) for place in again},
    }


def _places_of(folders: Iterable[Path], shown: dict[Path, Path]) -> set[Path]:
    """Return where these folders are inside: at each place that shows a folder around them."""
    return {
        place / folder.relative_to(source)
        for folder in folders
        for place, source in shown.items()
        if source in folder.parents and folder.is_dir()
    }


def _python() -> Iterator[str]:
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        yield from (f"{prefix}/{name}" for name in _OF_PREFIX)
    yield sys.executable
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()


def _packages(found: list[Path]) -> Iterator[Path]:
    """Yield the packages that lie elsewhere: those installed as editable."""
    own = {name: importlib.util.find_spec(name) for name in _OWN}
    files = {name: spec.origin for name, spec in own.items() if spec}
    files |= {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
    for name, file in files.items():
        if "." not in name and file:
            # A package's folder or a module's file, never the folder around it.
            path = Path(file).absolute()
            if not any(path.is_relative_to(outer) for outer in found):
                yield path.parent if path.name == "__init__.py" else path


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that do not lie in another of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(outer) for outer in kept):
            kept.append(path)
    return kept


def build(shown: dict[str, str], *, user: int, group: int, megabytes: int, given: int) -> None:
    """Make the new root, in a mount namespace of this process's own, and go there.

    The old root is still at hand, below what `outside` returns, until `finish`.

    Args:
      shown: what to show of the old root, as `needed` returns it.
      user, group: who will own the folders that can be written to.
      megabytes: how much may be written to each of them.
      given: bytes that the submission's folder must hold from the start.
    """
    system.mount("", "/", flags=system.RECURSIVE | system.PRIVATE)
    system.mount("tmpfs", _MOUNT_POINT, "tmpfs", _SAFE, "size=4m,mode=755")
    Path(_MOUNT_POINT + _OLD).mkdir()
    system.pivot_root(_MOUNT_POINT, _MOUNT_POINT + _OLD)
    os.chdir("/")
    for folder, size in ((SCRATCH, 0), (FOLDER, given)):
        options = f"size={(megabytes << 20) + size},nr_inodes={_MOST_FILES}"
        _make_place(folder, folder=True)
        system.mount("tmpfs", folder, "tmpfs", _SAFE, f"{options},mode=700")
        os.chown(folder, user, group)
    for place, source in shown.items():  # some of it may lie in /tmp
        if not source:
            system.mount("tmpfs", place, "tmpfs", _SAFE, "size=64k,mode=755")
            continue
        _show(place, outside(source))
    for place in (place for place, source in shown.items() if not source):
        system.make_unwritable(place)
    _make_devices()
    _make_names(user, group)


def outside(path: str | Path) -> Path:
    """Return where a resolved path of the old root is, between `build` and `finish`."""
    return Path(f"{_OLD}{path}")


def finish() -> None:
    """Add the list of its own processes, and take the old root away."""
    # The kernel allows this to an ordinary user only while the old list is to be seen.
    _make_place("/proc", folder=True)
    system.mount("proc", "/proc", "proc", system.READ_ONLY | _SAFE | system.NO_EXEC)
    system.detach(_OLD)
    Path(_OLD).rmdir()
    system.mount("", "/", flags=system.REMOUNT | system.BIND | system.READ_ONLY | _SAFE)


def _show(place: str, source: Path) -> None:
    """Mount a file or folder of the old root at its place in the new one, read-only."""
    _make_place(place, folder=source.is_dir())
    system.mount(str(source), place, flags=system.BIND | system.RECURSIVE)
    system.make_unwritable(place)


def _make_place(path: str, *, folder: bool) -> None:
    place = Path(path)
    (place if folder else place.parent).mkdir(parents=True, exist_ok=True)
    if not folder:
        place.touch()


def _make_devices() -> None:
    for name in _DEVICES:
        path = f"/dev/{name}"
        _make_place(path, folder=False)
        system.mount(_OLD + path, path, flags=system.BIND)
    for link, target in _LINKS.items():
        Path(link).symlink_to(target)
    _make_terminals()


def _make_terminals() -> None:
    """Give the process its own pseudo-terminals: IPython runs `!ls` in one."""
    _make_place("/dev/pts", folder=True)
    options = f"newinstance,ptmxmode=0666,mode=0620,max={_TERMINALS}"
    with contextlib.suppress(system.StepError):  # some kernels have none
        system.mount("devpts", "/dev/pts", "devpts", system.NO_SETUID | system.NO_EXEC, options)
        Path("/dev/ptmx").symlink_to("pts/ptmx")


def _make_names(user: int, group: int) -> None:
    """Give the user a name, which some programs ask for."""
    _make_place("/etc", folder=True)
    Path("/etc/passwd").write_text(f"student:x:{user}:{group}::{SCRATCH}:/bin/sh\n")
    Path("/etc/group").write_text(f"student:x:{group}:\n")
    Path("/etc/hosts").write_text("127.0.0.1 localhost\n")
