"""JupyterLab as a command starts it, for tests that ask it by its address."""

import contextlib
import os
import subprocess

from servers import free_port


@contextlib.contextmanager
def served(command, folder):
    """Start JupyterLab, whose token is "t"; yield its address. Its own files go to `folder`."""
    port = free_port()
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
