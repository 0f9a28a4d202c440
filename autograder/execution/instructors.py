"""The instructor's notebooks, by which tests are judged apart: each is read once a run."""

import dataclasses
import functools
import threading
from collections.abc import Callable, Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import is_locked

from autograder.apart import library_text
from autograder.apart.instructor import Instructor, instructor_of
from autograder.execution.job import Job
from autograder.marked_cells import by_name, grade_id

_kept: dict[Any, Mapping[str, str]] = {}  # the tests that the instructors' own answers do not pass
_lock = threading.Lock()


def read(job: Job, name: str) -> tuple[NotebookNode, Instructor | None]:
    """Return a submitted notebook, and the facts about the instructor's."""
    notebook = nbformat.reads(job.notebooks[name], as_version=4)
    if name not in job.instructors:
        return notebook, None
    return notebook, _instructor(job.instructors[name], name in job.with_answers)


@functools.lru_cache(maxsize=64)
def _parsed(text: str) -> NotebookNode:
    """Return an instructor's notebook, which is read only: others get the same one."""
    return nbformat.reads(text, as_version=4)


@functools.lru_cache(maxsize=64)
def _instructor(text: str, with_answers: bool) -> Instructor:
    return instructor_of(_parsed(text), with_answers=with_answers)


def with_tests_of(submitted: NotebookNode, instructors: str) -> NotebookNode:
    """Return the instructor's notebook with the locked cells as students are given them.

    nbgrader may make a test of a line like `### AUTOTEST double(3)`.
    """
    notebook = nbformat.reads(instructors, as_version=4)
    given = by_name(filter(is_locked, submitted.cells))
    for cell in filter(is_locked, notebook.cells):
        if same := given.get(grade_id(cell)):
            cell.source = same.source
            cell.metadata["nbgrader"] = same.metadata["nbgrader"]
    return notebook


def copied(job: Job, name: str) -> dict[str, str]:
    """Return the answers of a submitted notebook that are the library's own text."""
    notebook, instructor = read(job, name)
    if instructor is None or name not in job.with_answers:
        return {}
    return library_text.copied(notebook, _parsed(job.instructors[name]), instructor.answers)


def alone(job: Job, name: str) -> Job:
    """Return the job of an instructor's notebook, with the tests that students are given."""
    submitted = nbformat.reads(job.notebooks[name], as_version=4)
    own = with_tests_of(submitted, job.instructors[name])
    files = {path: job.files[path] for path in job.trusted}
    return dataclasses.replace(job, notebooks={name: nbformat.writes(own)}, files=files)


def kept(job: Job, name: str, how: str, make: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
    """Return the tests that the instructor's own answers do not pass, made once in this process.

    Other threads that ask meanwhile wait for it.

    Args:
      how: in which way they are asked.
    """
    files = tuple((path, job.files[path]) for path in sorted(job.trusted))
    key = (name, how, job.instructors.get(name), files, job.settings.limits)
    with _lock:
        if key not in _kept:
            _kept[key] = make()
        return _kept[key]
