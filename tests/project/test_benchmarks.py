"""Benchmarks run by hand, and seldom: what they take from the tests must be there."""

import subprocess
import sys

import pytest
from places import ROOT

FOLDER = ROOT / "benchmarks"
WITH_TESTS = [path for path in sorted(FOLDER.glob("[!_]*.py")) if '"tests"' in path.read_text()]


@pytest.mark.long
@pytest.mark.parametrize("path", WITH_TESTS, ids=lambda path: path.stem)
def test_it_can_be_loaded(path):
    """Each in a process of its own: one makes what another needs."""
    code = f"import runpy, sys; sys.path.insert(0, {str(FOLDER)!r}); runpy.run_path({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
