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
from autograder.execution.notebooks import executed, folder_of, points_of
from autograder.execution.work import Job
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
            if not any(points.values()):  # nothing to doubt
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
                doubted,
                lambda: _teachers(job, name, core, zygote, notebook, instructor, doubted),
            ),
            again=again,
        )
    return dataclasses.replace(
        opinion, copied=instructors.copied_from_library(job, name, instructor)
    )


def _teachers(
    job: Job, name: str, core, zygote, notebook, instructor, doubted: bool
) -> Mapping[str, str]:
    """Return the tests that the instructor's own answers do not pass apart, and why.

    A class asks each test once, before anybody is in doubt. Tests that are one student's alone
    would be asked for nearly everybody in vain: they are where one is in doubt.
    """
    if name not in job.with_answers or (job.own_tests and not doubted):
        return {}
    own = instructors.with_tests_of(notebook, job.instructors[name])
    files = {path: job.files[path] for path in job.trusted}
    alone = dataclasses.replace(job, notebooks={name: nbformat.writes(own)}, files=files)
    with folder_of(alone) as folder:
        return not_passed(room_of(alone, zygote, folder, core), own, instructor, doubted=doubted)


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
