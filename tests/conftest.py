"""What every test finds: the project's folder, and property tests that do not watch the clock."""

from pathlib import Path

import pytest
from hypothesis import settings

# The same examples at every run, and no time limit for one: a busy machine fails no test.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return Path(__file__).resolve().parent.parent
