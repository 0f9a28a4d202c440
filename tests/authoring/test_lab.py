"""`autograder lab` serves the release chapters, and nothing else of the course."""

import json
import re
import sys

import pytest
from lab_server import served
from servers import first_answer

from autograder.authoring.lab import run
from autograder.authoring.student import start

pytestmark = pytest.mark.long


def test_without_release_it_says_what_to_do(tmp_path, capsys):
    assert run(tmp_path, []) == 1
    assert "autograder build" in capsys.readouterr().err


@pytest.fixture
def address(tmp_path):
    """The address of `autograder lab --no-browser` on a course with one chapter."""
    (tmp_path / "release" / "01_toy").mkdir(parents=True)
    (tmp_path / "source").mkdir()
    command = [sys.executable, "-m", "autograder", "--root", str(tmp_path), "lab", "--no-browser"]
    with served(command, tmp_path) as address:
        yield address


def test_it_serves_release_and_only_release(address):
    listed = json.loads(first_answer(f"{address}/api/contents?token=t"))
    names = [entry["name"] for entry in listed["content"]]
    assert names == ["01_toy"]


def test_no_panel_of_teachers_is_there(address):
    page = first_answer(f"{address}/lab?token=t")
    disabled = json.loads(re.search(r'"disabledExtensions": (\[.*?\])', page)[1])
    panels = ("assignment-list", "course-list", "create-assignment", "formgrader", "menu")
    assert {f"@jupyter/nbgrader:{panel}" for panel in panels} <= set(disabled)
    assert "@jupyter/nbgrader:validate-assignment" not in disabled


@pytest.mark.parametrize("own", ["", "2"])
def test_kernels_multiply_in_one_thread_unless_told_otherwise(tmp_path, monkeypatch, own):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if own:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", own)
    given = []
    monkeypatch.setattr(start.subprocess, "call", lambda command, env: given.append(env) or 0)
    (tmp_path / "release").mkdir()
    assert run(tmp_path, []) == 0
    assert given[0]["OPENBLAS_NUM_THREADS"] == (own or "1")
