"""The trial of containment: one process shows, once, whether it works on this machine."""

import functools
import os
import socket
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

from autograder.sandbox.limits import Limits

_TIME = 20.0  # seconds for a trial that takes some thousandths of one
_OUTSIDE = Path(__file__).parents[2] / "pyproject.toml"  # never shown inside, if it is there
_HINTS = {
    "clone": "this user may not make namespaces here",
    "mount": "something on this machine (AppArmor, or a container around it) forbids mounts",
}


@functools.cache
def trial(limits: Limits) -> str:
    """Return in one sentence why a process cannot be contained here; "" if it can."""
    if sys.platform != "linux":
        return f"only Linux can contain a process, and this is {sys.platform}"
    # Not in the child: another thread might be importing at that very moment.
    from autograder.sandbox.sandbox import Sandbox

    try:
        sandbox = Sandbox(limits)
    except OSError as error:
        return str(error)
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        ours, theirs = socket.socketpair()
        with ours, warnings.catch_warnings():
            # It is safe: the child only makes system calls, and takes no lock.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
            if not child:
                _report(theirs, lambda: _try(sandbox, folder, theirs))
            theirs.close()
            ours.settimeout(_TIME)
            try:
                words = ours.makefile().read()
            except OSError:
                words = "it did not come to an end"
                os.kill(child, 9)
            os.waitpid(child, 0)
    return "" if words == "contained" else words or "it ended at once"


def _report(answer: socket.socket, action: Callable[[], str]) -> None:
    """Send what the action returns, or its error in words; never return."""
    try:
        words = action()
    except BaseException as error:
        step = getattr(error, "step", type(error).__name__)
        hint = next((f": {_HINTS[name]}" for name in _HINTS if step.startswith(name)), "")
        words = f"{error}{hint}"
    answer.sendall(words.encode())
    os._exit(0)


def _try(sandbox, folder: str, answer: socket.socket) -> str:
    child = sandbox.fork()
    if child:
        os.waitpid(child, 0)
        return ""
    _report(answer, lambda: _look(sandbox, folder, answer.fileno()))
    return ""


def _look(sandbox, folder: str, answer: int) -> str:
    """Go in, and look around."""
    sandbox.enter(folder, keep=(answer,))
    Path("file").touch()
    if os.getpid() != 1 or _OUTSIDE.exists():
        return "a contained process sees what it should not"
    for path in (sys.executable, os.__file__, __file__):
        if not os.access(path, os.R_OK):
            return f"a contained process may not read {path}"
    try:
        child = os.fork()
    except OSError as error:
        return f"a contained process cannot start another ({error.strerror}): Linux is too old"
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return "contained"
