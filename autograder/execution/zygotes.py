"""The processes that kernels are forked from, one for each kind of settings."""

import atexit
import errno
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from nbclient.exceptions import DeadKernelError

from autograder.execution.apart_execute import PARTS
from autograder.execution.job import Settings
from autograder.kernels import Zygote

_TRIES = 3  # of starting a kernel
# A socket's errors when the process at its other end has gone, or another thread gave it up.
_GONE = {errno.EBADF, errno.ECONNRESET, errno.ENOTCONN, errno.EPIPE}
Result = TypeVar("Result")


def start(settings: Settings) -> Zygote | None:
    """Return the process that kernels are forked from, started if it was not; or None."""
    if not settings.warm or sys.platform != "linux":
        return None
    key = (settings.modules, settings.limits, settings.apart)
    with _lock:
        if key not in _zygotes:
            parts = PARTS if settings.apart else ()
            _zygotes[key] = Zygote(settings.modules, settings.limits, parts)
        return _zygotes[key]


def close() -> None:
    """End the processes that kernels are forked from."""
    with _lock:
        while _zygotes:
            _zygotes.popitem()[1].close()


_zygotes: dict[tuple, Zygote] = {}  # one for each kind of settings, in this process
_lock = threading.Lock()
atexit.register(close)


def tried(settings: Settings, action: Callable[[Zygote | None], Result]) -> Result:
    """Return what the action returns; try it again when the kernels' process was lost."""
    for left in reversed(range(_TRIES)):
        zygote = start(settings)
        try:
            return action(zygote)
        except (RuntimeError, EOFError, OSError, DeadKernelError) as error:
            if isinstance(error, OSError) and error.errno not in _GONE:
                raise
            if isinstance(error, EOFError | OSError) or (zygote and not zygote.is_alive()):
                _forget(zygote)
            if not left:
                reason = str(error) or type(error).__name__
                raise RuntimeError(f"no kernel could be started: {reason}") from error
    raise RuntimeError("no kernel could be started")  # not reached: the last try has raised


def _forget(zygote: Zygote | None) -> None:
    """Drop a process that has gone, with its kernels."""
    with _lock:
        for key in [key for key, kept in _zygotes.items() if kept is zygote]:
            _zygotes.pop(key).close()
