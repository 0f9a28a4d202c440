"""What judges a notebook apart, with kernels that have in memory all that chapters import."""

from dataclasses import dataclass

import nbformat
import pytest
from nbformat import NotebookNode
from notebooks import CHAPTERS, read

from autograder.execution.apart_execute import PARTS
from autograder.execution.job import Job, Settings
from autograder.execution.notebooks import automatic_tests, points_of
from autograder.execution.verdicts import Runner, judged
from autograder.kernels import Zygote, imported


@pytest.fixture(scope="module")
def zygote():
    """With all that chapters import in memory."""
    modules = dict.fromkeys(module for name in CHAPTERS for module in imported([read(name)]))
    zygote = Zygote([*modules], None, PARTS)
    yield zygote
    zygote.close()


@dataclass
class JudgedNotebook:
    """An executed notebook, and the points of its tests by grade_id."""

    notebook: NotebookNode
    points: dict[str, float | None]


@pytest.fixture
def judge(zygote):
    """Return what executes a notebook, each test once, apart from the answers."""

    def run(notebook, *, seconds=20.0, source=None, files=None, trusted=(), **given):
        settings = {"timeout": seconds, "iopub_timeout": 2, "shutdown_kernel": "immediate"}
        text = {"toy": nbformat.writes(notebook)}
        about = {"trusted": frozenset(trusted)}
        if source:  # whose answers are not asked themselves, as if the tests were this student's
            about |= {"instructors": {"toy": nbformat.writes(source)}, "own_tests": True}
            about |= {"with_answers": frozenset(["toy"])}
        job = Job(text, files or {}, Settings(execute=settings, apart=True), **about)
        made = judged(job, Runner(given.get("zygote", zygote))).run.notebooks["toy"]
        return JudgedNotebook(
            made, {name: points_of(test) for name, test in automatic_tests(made).items()}
        )

    return run
