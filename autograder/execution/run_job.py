"""A submission's execution as a pure function: notebooks and files go in, notebooks come out.

Nothing here opens the gradebook or knows whose work it is, so a job can run in a thread of the
grader, or on another machine. All that a student's code writes goes with the job's own folder.
"""

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TypeVar

from autograder.execution.execute import StoppedError, timed_out
from autograder.execution.job import Done, Job
from autograder.execution.notebooks import Executed
from autograder.execution.verdicts import (
    Runner,
    as_nbgrader,
    decide,
    judged,
    undecided,
    wrong_tests,
)
from autograder.execution.zygotes import close, start, tried
from autograder.kernels import Zygote, cores
from autograder.sandbox.containment import unavailable
from autograder.version import version

__all__ = ["Machine", "VersionError", "close", "machine", "run", "start"]

_COUNTS = Path("/proc/vmstat")
Made = TypeVar("Made")


class VersionError(Exception):
    """The checks on this machine are not the grader's, so the scores could differ."""


@dataclass(frozen=True)
class Machine:
    """The properties of a machine that runs jobs.

    Attributes:
      checks: the version of its checks.
      uncontained: why it cannot contain students' code; "" if it can.
    """

    checks: str
    uncontained: str


def machine() -> Machine:
    """Return the properties of this machine."""
    return Machine(version(), unavailable())


def run(job: Job, stop: Event | None = None) -> Done:
    """Execute a submission's notebooks, one after the other, in a folder that is then removed.

    A kernel that dies may have been killed from outside, so the submission then gets a second try
    in a fresh folder. A second death is its own fault, unless the machine had no memory left.

    Args:
      stop: set from outside to end at the next cell.

    Raises:
      StoppedError: `stop` was set.
      VersionError: this machine has other checks than the grader.
      RuntimeError: no kernel could be started here, in several tries.
      OSError: the folder could not be written: the disk is full.
    """
    settings = job.settings
    if settings.checks and settings.checks != version():
        raise VersionError(f"the checks here are {version()}, the grader's are {settings.checks}")
    if settings.execute is None:
        return Done(job.notebooks)
    with contextlib.nullcontext() if job.alone else cores.taken() as core:
        return _run(job, stop, core)


def _run(job: Job, stop: Event | None, core: int | None) -> Done:
    def runner(zygote: Zygote | None) -> Runner:
        return Runner(zygote, stop, core)

    first, starved = _twice(job, lambda zygote: judged(job, runner(zygote)), lambda made: made.run)
    asked = {} if starved else undecided(job, first)
    if asked:
        work = as_nbgrader(job, asked)
        # What takes as long beside the answers has had its time; calls alone are much faster there.
        late = {name: timed_out(each) for name, each in first.run.notebooks.items()}
        action = lambda zygote: runner(zygote).run(work, hurried=late)  # noqa: E731
        beside, starved = _twice(job, action, lambda run: run)
        decide(first, asked, beside)
    made = first.run
    texts = {name: json.dumps(each, ensure_ascii=False) for name, each in made.notebooks.items()}
    if starved:
        return Done(texts, starved=True)
    wrong = {} if first.findings else _wrong_tests(job, made, runner)
    return Done(texts, first.findings, job.notes, answers=made.answers, wrong=wrong)


def _twice(job: Job, action: Callable[[Zygote | None], Made], run_of: Callable[[Made], Executed]):
    """Return what an action makes, and whether a busy machine spoiled it.

    It is tried again if a kernel died.
    """
    killed = _killed_for_memory()
    for _ in range(2):
        made = tried(job.settings, action)
        run = run_of(made)
        spoiled = run.died and not job.alone and _killed_for_memory() != killed
        if run.starved or spoiled or not run.died:
            break
    return made, (run.starved or spoiled) and not job.alone


def _wrong_tests(job: Job, made: Executed, runner: Callable) -> dict[str, dict[str, str]]:
    try:
        return tried(job.settings, lambda zygote: wrong_tests(job, made, runner(zygote)))
    except StoppedError:
        raise
    except Exception:  # the score stands without it
        return {}


def _killed_for_memory() -> int:
    """Return how many processes this machine has killed because it had no memory left."""
    with contextlib.suppress(OSError):
        for line in _COUNTS.read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0
