"""A submission's execution as a pure function: notebooks and files go in, notebooks come out.

Nothing here opens the gradebook or knows whose work it is, so a job can run in a thread of the
grader, or on another machine. All that a student's code writes goes with the job's own folder.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import errno
import functools
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import nbformat
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_grade

from autograder.classroom import opinions
from autograder.classroom.containment import Limits, unavailable
from autograder.classroom.execute import Execute, StoppedError, environment, timed_out
from autograder.classroom.opinion.case import Points
from autograder.classroom.opinion.judge import ENTRIES, Opinion, Room, not_passed, second_opinion
from autograder.classroom.warm import Zygote, cores
from autograder.version import version

__all__ = ["Done", "Job", "Machine", "Settings", "VersionError", "close", "machine", "run", "start"]

_COUNTS = Path("/proc/vmstat")
_TRIES = 3  # of starting a kernel
# What a socket says when the process at its other end has gone, or was given up by another thread.
_GONE = {errno.EBADF, errno.ECONNRESET, errno.ENOTCONN, errno.EPIPE}
Result = TypeVar("Result")


class VersionError(Exception):
    """The checks on this machine are not those of the grader: the scores would not be either."""


@dataclass(frozen=True)
class Machine:
    """What a machine that runs jobs says of itself.

    Attributes:
      checks: the version of its checks.
      uncontained: why it cannot contain students' code; "" if it can.
    """

    checks: str
    uncontained: str


def machine() -> Machine:
    """Return what this machine can do."""
    return Machine(version(), unavailable())


@dataclass(frozen=True)
class Settings:
    """How notebooks are executed: the same for a whole run, and plain data.

    Attributes:
      modules: what the kernels' process imports before the first fork.
      execute: the settings of nbgrader's Execute; None leaves notebooks as they are.
      limits: what a student's code may use; None sets no limits and contains nothing.
      second_opinion: whether to judge the answers a second time, out of the student's reach.
      warm: whether kernels are forked from one process that has imported everything.
      checks: the version that the checks must have; "" for any.
    """

    modules: tuple[str, ...] = ()
    execute: Mapping[str, Any] | None = field(default_factory=dict)
    limits: Limits | None = None
    second_opinion: bool = False
    warm: bool = True
    checks: str = ""


@dataclass(frozen=True)
class Job:
    """One submission.

    Attributes:
      notebooks: by name, without ".ipynb": sanitised, as JSON. They are executed in this order.
      files: what else lies in the folder, by relative path.
      trusted: which of these files are the instructor's.
      alone: whether it has the machine to itself, and all cores.
      submitted_sha256: the fingerprint of what was handed in.
      instructors: by name, the instructor's notebooks, as JSON; without the answers where source/
        is missing.
      with_answers: the names of those that have the answers.
    """

    notebooks: Mapping[str, str]
    files: Mapping[str, bytes]
    settings: Settings
    trusted: frozenset[str] = frozenset()
    alone: bool = False
    submitted_sha256: str = ""
    instructors: Mapping[str, str] = field(default_factory=dict)
    with_answers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Done:
    """What came of it.

    Attributes:
      notebooks: by name: with their outputs, as JSON.
      opinions: by name: the second opinion, or None where there is none.
      notes: what the instructor should know.
      starved: whether it got too little of the machine to be judged: run it again, alone.
    """

    notebooks: Mapping[str, str]
    opinions: Mapping[str, Opinion | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    starved: bool = False


def run(job: Job, stop: Event | None = None) -> Done:
    """Execute a submission's notebooks, one after the other, in a folder that is then removed.

    A kernel that dies may have been killed from outside, so the submission then gets a second try
    in a fresh folder. What dies twice has itself to blame, unless the machine had no memory left.

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
        executed, died, starved = _tried(
            job.settings, lambda zygote: _executed(job, zygote, stop, core)
        )
        starved = starved or (died and not job.alone and _killed_for_memory() != killed)
        if starved or not died:
            break
    texts = {name: json.dumps(each, ensure_ascii=False) for name, each in executed.items()}
    if starved and not job.alone:
        return Done(texts, starved=True)
    opinions, notes = _opinions(job, executed, stop, core)
    return Done(texts, opinions, notes, any(each.starved for each in opinions.values()))


def _killed_for_memory() -> int:
    """Return how many processes this machine has killed because it had no memory left."""
    with contextlib.suppress(OSError):
        for line in _COUNTS.read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def start(settings: Settings) -> Zygote | None:
    """Return the process that kernels are forked from, started if it was not; or None."""
    if not settings.warm or sys.platform != "linux":
        return None
    key = (settings.modules, settings.limits, settings.second_opinion)
    with _lock:
        if key not in _zygotes:
            entries = ENTRIES if settings.second_opinion else ()
            _zygotes[key] = Zygote(settings.modules, settings.limits, entries)
        return _zygotes[key]


def close() -> None:
    """End the processes that kernels are forked from."""
    with _lock:
        while _zygotes:
            _zygotes.popitem()[1].close()


_zygotes: dict[tuple, Zygote] = {}  # one for each kind of settings, in this process
_lock = threading.Lock()
atexit.register(close)


def _tried(settings: Settings, action: Callable[[Zygote | None], Result]) -> Result:
    """Return what the action returns; try it again when the kernels' process was lost."""
    for left in reversed(range(_TRIES)):
        zygote = start(settings)
        try:
            return action(zygote)
        except (RuntimeError, EOFError, OSError, DeadKernelError) as error:
            if isinstance(error, OSError) and error.errno not in _GONE:
                raise
            if isinstance(error, EOFError | OSError) or (zygote and not zygote.is_alive()):
                _forget(zygote)
            if not left:
                reason = str(error) or type(error).__name__
                raise RuntimeError(f"no kernel could be started: {reason}") from error
    raise RuntimeError("no kernel could be started")  # not reached: the last try has raised


def _forget(zygote: Zygote | None) -> None:
    """Drop a process that has gone, with its kernels."""
    with _lock:
        for key in [key for key, kept in _zygotes.items() if kept is zygote]:
            _zygotes.pop(key).close()


def _executed(
    job: Job, zygote: Zygote | None, stop: Event | None, core: int | None, until: str = ""
) -> tuple[dict[str, NotebookNode], bool, bool]:
    """Return the notebooks with their outputs, and whether a kernel died, or was starved.

    Args:
      until: the notebook after which nothing more is wanted; "" for all.
    """
    executed, died, starved = {}, False, False
    with _folder(job) as folder:
        for name, text in job.notebooks.items():
            step = Execute(stop, zygote, core, **job.settings.execute)
            resources = {"metadata": {"name": name, "path": str(folder)}}
            executed[name], _ = step.preprocess(nbformat.reads(text, as_version=4), resources)
            died, starved = died or step.died, starved or step.starved
            if name == until:
                break
    return executed, died, starved


def _opinions(
    job: Job, executed: Mapping[str, NotebookNode], stop: Event | None, core: int | None
) -> tuple[dict, tuple[str, ...]]:
    """Return the second opinion on each notebook, and why there is none where there is none."""
    settings, found, notes = job.settings, {}, []
    if not settings.second_opinion or start(settings) is None:
        return {}, ()
    for name in job.notebooks:
        points: Points = {}
        try:
            points = _points(executed[name])
            if not any(points.values()):  # nothing to doubt
                continue
            late = timed_out(executed[name])
            judge = functools.partial(_opinion, job, name, points, late, stop, core)
            found[name] = _tried(settings, judge)
        except StoppedError:
            raise
        except Exception as error:  # nbgrader's score stands without it; a person has to look
            reason = f"no second opinion on {name}.ipynb: {type(error).__name__}: {error}"
            doubts = {cell: reason for cell, given in points.items() if given}
            found[name] = Opinion(dict.fromkeys(points), doubts=doubts)
            notes.append(reason)
    return found, tuple(notes)


def _opinion(
    job: Job,
    name: str,
    points: Points,
    late: list[str],
    stop: Event | None,
    core: int | None,
    zygote: Zygote,
) -> Opinion:
    """Return the second opinion on one notebook."""
    notebook, instructor = opinions.read(job, name)

    def again() -> Points:
        executed, _, _ = _executed(job, zygote, stop, core, until=name)
        try:
            return _points(executed[name])
        except ValueError:  # more points than there are: nbgrader gives none
            return {}

    def teacher() -> Mapping[str, str]:
        if name not in job.with_answers:
            return {}
        own = opinions.with_tests_of(notebook, job.instructors[name])
        files = {path: job.files[path] for path in job.trusted}
        alone = dataclasses.replace(job, notebooks={name: nbformat.writes(own)}, files=files)
        with _folder(alone) as folder:
            return not_passed(_room(alone, zygote, folder, core), own, instructor)

    with _folder(job) as folder:
        opinion = second_opinion(
            _room(job, zygote, folder, core),
            notebook,
            instructor=instructor,
            first=points,
            timed_out=late,
            teacher=lambda: opinions.kept(_key(job, name), teacher),
            again=again,
        )
    return dataclasses.replace(opinion, copied=opinions.copied_from_library(job, name, instructor))


def _key(job: Job, name: str) -> tuple:
    """Return what decides which tests the instructor's own answers pass."""
    files = tuple((path, job.files[path]) for path in sorted(job.trusted))
    return name, job.instructors.get(name), files, job.settings.limits


def _room(job: Job, zygote: Zygote, folder: Path, core: int | None) -> Room:
    limits, execute = job.settings.limits, job.settings.execute
    return Room(
        zygote,
        str(folder),
        environment(),
        seconds=limits.seconds if limits else None,
        cell_seconds=execute.get("timeout"),
        trusted=job.trusted,
        core=core,
        alone=job.alone,
    )


def _points(executed: NotebookNode) -> Points:
    """Return what nbgrader will give for each graded cell."""
    graded = filter(is_grade, executed.cells)
    return {cell.metadata.nbgrader["grade_id"]: determine_grade(cell)[0] for cell in graded}


@contextlib.contextmanager
def _folder(job: Job) -> Iterator[Path]:
    """Make the job's folder, and remove it with all that was written there."""
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        written = {f"{name}.ipynb": text.encode() for name, text in job.notebooks.items()}
        for path, content in {**job.files, **written}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        yield folder
