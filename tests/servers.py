"""Servers that tests start: a port for each, and the wait for its first answer."""

import itertools
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

SECONDS_TO_START = 120

# Below those that a system gives away: one of them may go to a kernel before the server is there.
# Each process of tests counts on from a place of its own.
_PORTS = itertools.count(10_000 + os.getpid() % 1_000 * 20)


def free_port() -> int:
    """Return a port of this machine that nobody uses now, another one at each call."""
    return next(port for port in _PORTS if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def first_answer(address: str, server: subprocess.Popen | None = None) -> str:
    """Return a page as soon as the server answers.

    Raises:
      TimeoutError: the server has ended, or takes too long.
    """
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and (server is None or server.poll() is None):
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise TimeoutError(f"nothing answers at {address}")
