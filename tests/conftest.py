"""What every test finds: the project's folder, and property tests that do not watch the clock."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Read when numpy is loaded, after this file. With two threads on two busy cores a matrix product
# can take thirty times as long as with one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples at every run, and no time limit for one: a busy machine fails no test.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return Path(__file__).resolve().parent.parent
