"""The second opinion on each notebook of a submission."""

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from threading import Event

import nbformat
from nbformat import NotebookNode

from autograder.execution import instructors
from autograder.execution.execute import StoppedError, environment, timed_out
from autograder.execution.instructors_run import BROKEN, broken, lost_points, unpassed
from autograder.execution.job import Job
from autograder.execution.notebooks import executed, folder_of, points_of
from autograder.execution.zygotes import start, tried
from autograder.kernels import Zygote
from autograder.second_opinion.case import Points, Room
from autograder.second_opinion.opinion import Opinion, not_passed, second_opinion


def opinions(
    job: Job, notebooks: Mapping[str, NotebookNode], stop: Event | None, core: int | None
) -> tuple[dict, tuple[str, ...]]:
    """Return the second opinion on each notebook, or the reason why it has none."""
    settings, found, notes = job.settings, {}, []
    if not settings.second_opinion or start(settings) is None:
        return {}, ()
    for name in job.notebooks:
        points: Points = {}
        try:
            points = points_of(notebooks[name])
            if not any(points.values()):  # nothing to doubt; a test may be wrong
                found |= tried(settings, functools.partial(_broken, job, name, points, stop, core))
                continue
            late = timed_out(notebooks[name])
            judge = functools.partial(_opinion, job, name, points, late, stop, core)
            found[name] = tried(settings, judge)
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
    notebook, instructor = instructors.read(job, name)
    copied = instructors.copied_from_library(job, name, notebook, instructor)

    def again() -> Points:
        made, _, _ = executed(job, zygote, stop, core, until=name)
        try:
            return points_of(made[name])
        except ValueError:  # more points than there are: nbgrader gives none
            return {}

    with folder_of(job) as folder:
        opinion = second_opinion(
            room_of(job, zygote, folder, core),
            notebook,
            instructor=instructor,
            first=points,
            timed_out=late,
            teacher=lambda doubted: instructors.kept(
                job,
                name,
                "doubted" if doubted else "apart",
                lambda: _teachers(
                    job, name, stop, core, zygote, notebook, instructor, doubted=doubted
                ),
            ),
            again=again,
        )
    return dataclasses.replace(opinion, copied=copied)


def _teachers(
    job: Job, name: str, stop, core, zygote, notebook, instructor, *, doubted: bool
) -> Mapping[str, str]:
    """Return the tests that the instructor's own answers do not pass apart, and why.

    A class asks each test once, before anybody is in doubt. Tests that are one student's alone
    would be asked for nearly everybody in vain: they are where one is in doubt.
    """
    if name not in job.with_answers or (job.own_tests and not doubted):
        return {}
    alone = _alone(job, name, notebook)
    own = nbformat.reads(alone.notebooks[name], as_version=4)
    with folder_of(alone) as folder:
        room = room_of(alone, zygote, folder, core)
        apart = not_passed(room, own, instructor, doubted=doubted)
    # What is not passed apart may be passed in one process, as students' own work is judged.
    failed = unpassed(alone, zygote, stop, core)[name] if apart else {}
    return apart | {test: broken(seen) for test, seen in failed.items()}


def _broken(job: Job, name: str, points: Points, stop, core, zygote: Zygote) -> dict[str, Opinion]:
    """Return by name an opinion on a notebook without points, if a test of it is wrong."""
    notebook, instructor = instructors.read(job, name)

    def make() -> Mapping[str, str]:
        return _teachers(job, name, stop, core, zygote, notebook, instructor, doubted=False)

    kept = instructors.kept(job, name, "apart", make)
    wrong = {test: words for test, words in kept.items() if words.startswith(BROKEN)}
    return {name: Opinion(dict.fromkeys(points), unasked=wrong)} if wrong else {}


def wrong_tests(
    job: Job, notebooks: Mapping[str, NotebookNode], stop: Event | None, core: int | None
) -> dict[str, dict[str, str]]:
    """Return by notebook the tests that the instructor's own answers do not pass, and why.

    Without a second opinion, which says so too, they are asked where somebody has lost points.

    Raises:
      StoppedError: `stop` was set.
    """
    found: dict[str, dict[str, str]] = {}
    if job.settings.second_opinion and start(job.settings) is not None:
        return found
    for name in [] if job.own_tests else sorted(job.with_answers & notebooks.keys()):
        try:
            if lost_points(notebooks[name]):
                make = functools.partial(_in_one_process, job, name, stop, core)
                found[name] = dict(instructors.kept(job, name, "in one process", make))
        except StoppedError:
            raise
        except Exception:  # the score stands without it
            continue
    return found


def _in_one_process(job: Job, name: str, stop: Event | None, core: int | None) -> dict[str, str]:
    own = _alone(job, name, instructors.read(job, name)[0])
    failed = tried(job.settings, lambda zygote: unpassed(own, zygote, stop, core)[name])
    return {test: broken(seen) for test, seen in failed.items()}


def _alone(job: Job, name: str, submitted: NotebookNode) -> Job:
    """Return the job of an instructor's notebook, with the tests that students are given."""
    own = instructors.with_tests_of(submitted, job.instructors[name])
    files = {path: job.files[path] for path in job.trusted}
    return dataclasses.replace(job, notebooks={name: nbformat.writes(own)}, files=files)


def room_of(job: Job, zygote: Zygote, folder: Path, core: int | None) -> Room:
    """Return where the two processes of a second opinion run."""
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
