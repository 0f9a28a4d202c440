"""JupyterLab as a command starts it, for tests that ask it by its address."""

import contextlib
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request


@contextlib.contextmanager
def served(command, folder):
    """Start JupyterLab, whose token is "t"; yield its address. Its own files go to `folder`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--ServerApp.port={port}", "--IdentityProvider.token=t"]
    home = {"JUPYTER_RUNTIME_DIR": str(folder / "run"), "JUPYTER_CONFIG_DIR": str(folder / "c")}
    # JupyterLab gets its own session, so that it can be ended together with what started it.
    process = subprocess.Popen(
        [*command, *options],
        env=os.environ | home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)


def get(address):
    """Return a page; ask until the server answers."""
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)
