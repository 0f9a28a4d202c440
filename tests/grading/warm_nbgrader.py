"""Plain nbgrader, each command in a process of its own that is forked from a warm one.

Run as a program, this file is the warm process: to import nbgrader takes longer than most of its
commands. It has imported nbgrader and done nothing else, so that a fork of it is as new.
"""

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

_one = threading.Lock()


def run(root: Path, arguments: tuple[str, ...], environment: dict[str, str]):
    """Run a command in `root`; return its exit status and what it has said."""
    with tempfile.TemporaryDirectory() as folder, _one:
        said = [f"{folder}/{name}" for name in ("out", "err")]
        request = [str(root), ["nbgrader", *arguments], environment, said]
        process = _warm()
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        status = json.loads(process.stdout.readline())
        texts = [Path(name).read_text("utf-8") for name in said]
    return subprocess.CompletedProcess(request[1], status, *texts)


@functools.cache
def _warm() -> subprocess.Popen:
    """Return the warm process; it ends when nobody can ask it any more."""
    process = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(process.communicate)
    return process


def _serve(main) -> None:
    """Fork for each line that comes, and say how the fork has ended."""
    for line in sys.stdin:
        folder, sys.argv, environment, said = json.loads(line)
        child = os.fork()
        if not child:
            _become(folder, environment, said)
            return main()  # it ends as a program does
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    return None


def _become(folder: str, environment: dict[str, str], said: list[str]) -> None:
    """Set this process up as if it had been started in this folder."""
    for number, name in enumerate([os.devnull, *said]):
        file = os.open(name, os.O_RDWR | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = ""


if __name__ == "__main__":
    from autograder.imports import import_quickly

    import_quickly()
    from nbgrader.apps.nbgraderapp import main

    _serve(main)
