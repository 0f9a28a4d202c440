"""A submission's execution as a pure function: notebooks and files go in, notebooks come out.

Nothing here opens the gradebook or knows whose work it is, so a job can run in a thread of the
grader, or on another machine. All that a student's code writes goes with the job's own folder.
"""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from autograder.execution.job import Done, Job
from autograder.execution.notebooks import executed
from autograder.execution.opinions import opinions, wrong_tests
from autograder.execution.questions import answered
from autograder.execution.zygotes import close, start, tried
from autograder.kernels import cores
from autograder.sandbox.containment import unavailable
from autograder.version import version

__all__ = ["Machine", "VersionError", "close", "machine", "run", "start"]

_COUNTS = Path("/proc/vmstat")


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
    killed = _killed_for_memory()
    for _ in range(2):
        made, died, starved = tried(job.settings, lambda zygote: executed(job, zygote, stop, core))
        starved = starved or (died and not job.alone and _killed_for_memory() != killed)
        if starved or not died:
            break
    texts = {name: json.dumps(each, ensure_ascii=False) for name, each in made.items()}
    if starved and not job.alone:
        return Done(texts, starved=True)
    found, notes = opinions(job, made, stop, core)
    starved = any(each.starved for each in found.values())
    wrong = wrong_tests(job, made, stop, core)
    return Done(texts, found, (*job.notes, *notes), starved, answered(job, made, core), wrong)


def _killed_for_memory() -> int:
    """Return how many processes this machine has killed because it had no memory left."""
    with contextlib.suppress(OSError):
        for line in _COUNTS.read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0
