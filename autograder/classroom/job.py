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
from autograder.classroom.execute import Execute, StoppedError, environment
from autograder.classroom.opinion.case import Points
from autograder.classroom.opinion.judge import ENTRIES, Opinion, Room, not_passed, second_opinion
from autograder.classroom.warm import Zygote
from autograder.version import version

__all__ = ["Done", "Job", "Machine", "Settings", "VersionError", "close", "machine", "run", "start"]

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
      instructors: by name, the instructor's notebooks, as JSON; without the answers where source/
        is missing.
      with_answers: the names of those that have the answers.
    """

    notebooks: Mapping[str, str]
    files: Mapping[str, bytes]
    settings: Settings
    trusted: frozenset[str] = frozenset()
    instructors: Mapping[str, str] = field(default_factory=dict)
    with_answers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Done:
    """What came of it.

    Attributes:
      notebooks: by name: with their outputs, as JSON.
      opinions: by name: the second opinion, or None where there is none.
      notes: what the instructor should know.
    """

    notebooks: Mapping[str, str]
    opinions: Mapping[str, Opinion | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def run(job: Job, stop: Event | None = None) -> Done:
    """Execute a submission's notebooks, one after the other, in a folder that is then removed.

    A kernel that dies may have been killed from outside, so the submission then gets a second try
    in a fresh folder. What dies twice has itself to blame.

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
    executed, died = _tried(settings, lambda zygote: _executed(job, zygote, stop))
    if died:
        executed, _ = _tried(settings, lambda zygote: _executed(job, zygote, stop))
    texts = {name: json.dumps(each, ensure_ascii=False) for name, each in executed.items()}
    return Done(texts, *_opinions(job, executed, stop))


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
    job: Job, zygote: Zygote | None, stop: Event | None, until: str = ""
) -> tuple[dict[str, NotebookNode], bool]:
    """Return the notebooks with their outputs, and whether a kernel died.

    Args:
      until: the notebook after which nothing more is wanted; "" for all.
    """
    executed, died = {}, False
    with _folder(job) as folder:
        for name, text in job.notebooks.items():
            step = Execute(stop, zygote, **job.settings.execute)
            resources = {"metadata": {"name": name, "path": str(folder)}}
            executed[name], _ = step.preprocess(nbformat.reads(text, as_version=4), resources)
            died = died or step.died
            if name == until:
                break
    return executed, died


def _opinions(
    job: Job, executed: Mapping[str, NotebookNode], stop: Event | None
) -> tuple[dict, tuple[str, ...]]:
    """Return the second opinion on each notebook, and why there is none where there is none."""
    settings, found, notes = job.settings, {}, []
    if not settings.second_opinion or start(settings) is None:
        return {}, ()
    for name in job.notebooks:
        points: Points = {}
        try:
            points = _points(executed[name])
            judge = functools.partial(_opinion, job, name, points, stop)
            found[name] = _tried(settings, judge)
        except StoppedError:
            raise
        except Exception as error:  # nbgrader's score stands without it; a person has to look
            reason = f"no second opinion on {name}.ipynb: {type(error).__name__}: {error}"
            doubts = {cell: reason for cell, given in points.items() if given}
            found[name] = Opinion(dict.fromkeys(points), doubts=doubts)
            notes.append(reason)
    return found, tuple(notes)


def _opinion(job: Job, name: str, points: Points, stop: Event | None, zygote: Zygote) -> Opinion:
    """Return the second opinion on one notebook."""
    notebook, instructor = opinions.read(job, name)

    def again() -> Points:
        executed, _ = _executed(job, zygote, stop, until=name)
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
            return not_passed(_room(alone, zygote, folder), own, instructor)

    with _folder(job) as folder:
        opinion = second_opinion(
            _room(job, zygote, folder),
            notebook,
            instructor=instructor,
            first=points,
            teacher=lambda: opinions.kept(job, name, teacher),
            again=again,
        )
    return dataclasses.replace(opinion, copied=opinions.copied_from_library(job, name, instructor))


def _room(job: Job, zygote: Zygote, folder: Path) -> Room:
    limits, execute = job.settings.limits, job.settings.execute
    return Room(
        zygote,
        str(folder),
        environment(),
        seconds=limits.seconds if limits else None,
        cell_seconds=execute.get("timeout"),
        trusted=job.trusted,
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
