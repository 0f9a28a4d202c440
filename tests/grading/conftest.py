"""The fixtures of the grading tests: kernels kept warm, a toy course, one student graded once."""

from pathlib import Path

import pytest
import toy

from autograder.execution import run_job, zygotes
from autograder.grading import grade


@pytest.fixture(scope="session", autouse=True)
def _kept_warm():
    """Let many runs fork from one process, as many students do: a new one imports for a second."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(run_job, "close", lambda: None)
        yield
    zygotes.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory, _kept_warm) -> Path:
    """The toy course in which alice has been graded: 8 of 10, 2 to come by hand."""
    root = toy.make(tmp_path_factory.mktemp("graded"))
    toy.submit(root, "alice", toy.answers())
    grade(toy.CHAPTER, root=root)
    return root


@pytest.fixture
def course(made, tmp_path) -> Path:
    """A copy of the course that has been `made`, in this file or here, with what was graded."""
    return toy.copy(made, tmp_path / "course")
