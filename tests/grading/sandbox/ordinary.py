"""Running a test's program as an ordinary user, when the tests themselves are run by root.

Python may lie where only root can go (below /root, for example). In a mount namespace of the
program's own, such folders are covered by one that holds nothing but the parts of Python: nothing
on the machine is changed or copied.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

USER = 54321


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield a folder that everybody can reach: pytest's own are root's alone."""
    with tempfile.TemporaryDirectory(prefix="autograder-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def run(program: str, *arguments: str, folder: Path, environment=None) -> str:
    """Run a program in Python as an ordinary user, in a folder which will be that user's.

    Returns:
      What it printed. A program that fails, fails the test.
    """
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, USER, USER, follow_symlinks=False)
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "OPENBLAS_NUM_THREADS": "1", **(environment or {})},
        preexec_fn=_become if os.geteuid() == 0 else None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def _become() -> None:
    """In the child: make Python reachable, and be nobody in particular."""
    from autograder.sandbox import root, system

    places = [Path(place) for place in (*root.needed(), Path.cwd())]
    assert ctypes.CDLL(None).unshare(system.NEW_MOUNTS) == 0
    system.mount("", "/", flags=system.RECURSIVE | system.PRIVATE)
    closed = {}
    for place in places:
        outermost = next((p for p in reversed(place.parents) if not p.stat().st_mode & 1), None)
        if outermost:
            closed.setdefault(outermost, {})[place] = os.open(place, os.O_PATH)
    for outermost, parts in closed.items():
        system.mount("tmpfs", str(outermost), "tmpfs", 0, "mode=755")
        for place, descriptor in parts.items():
            _show(place, f"/proc/self/fd/{descriptor}")
            os.close(descriptor)
    os.chdir(Path.cwd())
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)


def _show(place: Path, source: str) -> None:
    from autograder.sandbox import system

    if Path(source).is_dir():
        place.mkdir(parents=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    system.mount(source, str(place), flags=system.BIND)
