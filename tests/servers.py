"""Servers that tests start: a port for each, and the wait for its first answer."""

import socket
import subprocess
import time
import urllib.error
import urllib.request

SECONDS_TO_START = 120


def free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
