"""`autograder lab` serves the release chapters, and nothing else of the course."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from autograder.authoring.lab import run


def test_without_release_it_says_what_to_do(tmp_path, capsys):
    assert run(tmp_path, []) == 1
    assert "autograder build" in capsys.readouterr().err


@pytest.fixture
def served(tmp_path):
    """The address of `autograder lab --no-browser` on a course with one chapter."""
    (tmp_path / "release" / "01_toy").mkdir(parents=True)
    (tmp_path / "source").mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "autograder", "--root", str(tmp_path), "lab", "--no-browser"]
    command += [f"--ServerApp.port={port}", "--IdentityProvider.token=t"]
    home = {"JUPYTER_RUNTIME_DIR": str(tmp_path / "run"), "JUPYTER_CONFIG_DIR": str(tmp_path / "c")}
    # JupyterLab gets its own session, so that it can be ended together with what started it.
    process = subprocess.Popen(
        command,
        env=os.environ | home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    yield f"http://127.0.0.1:{port}"
    os.killpg(process.pid, 15)
    process.wait(30)


def answered(address):
    """Ask until the server answers."""
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.read()
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def test_it_serves_release_and_only_release(served):
    listed = json.loads(answered(f"{served}/api/contents?token=t"))
    names = [entry["name"] for entry in listed["content"]]
    assert names == ["01_toy"]


def test_no_panel_of_teachers_is_there(served):
    page = answered(f"{served}/lab?token=t").decode()
    disabled = json.loads(re.search(r'"disabledExtensions": (\[.*?\])', page)[1])
    panels = ("assignment-list", "course-list", "create-assignment", "formgrader", "menu")
    assert {f"@jupyter/nbgrader:{panel}" for panel in panels} <= set(disabled)
    assert "@jupyter/nbgrader:validate-assignment" not in disabled
