"""`import dplib` is light: what draws or runs a notebook is loaded only by those who ask for it."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.quick

HEAVY = ["IPython", "ipywidgets", "matplotlib", "scipy", "autograder", "nbgrader"]


@pytest.mark.slow
def test_import_dplib_loads_nothing_heavy():
    code = f"import sys, dplib; print([name for name in {HEAVY} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_every_exported_name_is_there_and_documented():
    import dplib

    assert len(set(dplib.__all__)) == len(dplib.__all__)
    for name in dplib.__all__:
        assert (getattr(dplib, name).__doc__ or "").strip(), name
