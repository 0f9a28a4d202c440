"""Decides what each test says: apart from the answers, or beside them, as nbgrader does.

A test's verdict apart is its score, as nothing of the student's can touch the test there. Two kinds
of test run beside the answers as well, in a kernel of their own:

- Those that the instructor's own answers do not pass apart: they need more than plain data.
- Those that call no check of ours, and that a student fails apart although the instructor's answers
  pass. If the student passes beside, nbgrader's score stands, and a person is asked to look.

An exam's tests run apart only: beside an answer, its plan could be read.
"""

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Event

import nbformat
from nbformat import NotebookNode

from autograder.apart.instructor import calls_check, says_nothing
from autograder.apart.names import Names
from autograder.execution import instructors
from autograder.execution.apart_execute import Split
from autograder.execution.job import Findings, Job
from autograder.execution.notebooks import (
    Executed,
    automatic_tests,
    executed,
    is_clearly_less,
    lost_points,
    points_of,
)
from autograder.kernels import Zygote
from autograder.marked_cells import grade_id
from autograder.problem import Problem

# How the reason begins where a test is wrong, not an answer.
BROKEN = "the teacher's own answer does not pass it"
_UNANSWERED = "NotImplementedError"  # what an answer raises that is as it was handed out


@dataclass(frozen=True)
class Runner:
    """Where and how notebooks are executed."""

    zygote: Zygote | None = None
    stop: Event | None = None
    core: int | None = None

    def run(self, job: Job, splits: Mapping[str, Split] | None = None, hurried=None) -> Executed:
        """Execute a job's notebooks, as `executed` does."""
        return executed(job, self.zygote, self.stop, self.core, splits, hurried)


@dataclass
class Judged:
    """A job's executed notebooks.

    Attributes:
      run: what came.
      findings: by name; no entry where all tests ran beside the answers.
    """

    run: Executed
    findings: dict[str, Findings] = field(default_factory=dict)


def judged(job: Job, runner: Runner) -> Judged:
    """Execute a job's notebooks, each test once: apart from the answers, where that can be.

    Raises:
      Problem: it is an exam's, and tests cannot run apart here.
      StoppedError: the run was stopped.
    """
    if runner.zygote is None or not job.settings.apart:
        if job.own_tests:
            raise Problem("an exam's tests run apart from the answers only: on Linux, not --beside")
        return Judged(runner.run(job))
    splits = {name: _split(job, name) for name in job.notebooks}
    findings = {
        name: Findings(_beside(job, name, split, runner), copied=instructors.copied(job, name))
        for name, split in splits.items()
    }
    return Judged(runner.run(job, splits), findings)


def undecided(job: Job, first: Judged) -> dict[str, dict[str, str]]:
    """Return by notebook the tests that are to run beside the answers, and what came apart."""
    if job.own_tests:
        return {}
    found = {
        name: _undecided(first.run.notebooks[name], first.findings[name]) for name in first.findings
    }
    return found if any(found.values()) else {}


def decide(first: Judged, asked: Mapping[str, Mapping[str, str]], beside: Executed) -> None:
    """Write what tests said beside the answers into the notebooks, where it counts."""
    for name, notebook in beside.notebooks.items():
        found, mine = first.findings[name], first.run.notebooks[name]
        doubts = _taken(mine, notebook, asked[name], found.beside)
        first.findings[name] = dataclasses.replace(found, doubts=doubts)


def _split(job: Job, name: str) -> Split:
    _, instructor = instructors.read(job, name)
    answers, before = (instructor.answers, instructor.before) if instructor else (None, {})
    return Split(answers, before, job.trusted, job.questions.get(name, {}))


def _undecided(notebook: NotebookNode, found: Findings) -> dict[str, str]:
    tests, final = automatic_tests(notebook), calls_check(notebook)
    failed = {
        test: words
        for test, words in lost_points(notebook).items()
        if test not in final and not words.startswith(_UNANSWERED)
    }
    return failed | {test: "" for test in found.beside if test in tests}


def _taken(
    mine: NotebookNode, other: NotebookNode, asked: Mapping[str, str], beside: Collection[str]
) -> dict[str, str]:
    """Take what tests said beside the answers into my notebook; return the doubts."""
    doubts, there = {}, automatic_tests(other)
    for test, cell in automatic_tests(mine).items():
        if test in asked and test not in beside:
            given, most = points_of(there[test]), float(cell.metadata.nbgrader.points)
            if given is None or not is_clearly_less(points_of(cell) or 0.0, given, most):
                continue
            doubts[test] = asked[test]
        if test in asked:
            cell.outputs = there[test].outputs
    return doubts


def as_nbgrader(job: Job, asked: Mapping[str, Collection[str]]) -> Job:
    """Return a job in which only these tests are asked, and what they may need.

    Checks of ours that others do not need are left out: they would be looks in vain.
    """
    last = max(place for place, name in enumerate(job.notebooks) if asked[name])
    names = list(job.notebooks)[: last + 1]
    made = {name: _with_tests(job.notebooks[name], asked[name]) for name in names}
    return dataclasses.replace(job, notebooks=made)


def _with_tests(text: str, asked: Collection[str]) -> str:
    notebook = nbformat.reads(text, as_version=4)
    left_out = calls_check(notebook) - set(asked)
    for cell in notebook.cells:
        if grade_id(cell) in left_out and not Names(cell.source).made:
            cell.source = ""
    return nbformat.writes(notebook)


def _beside(job: Job, name: str, split: Split, runner: Runner) -> Mapping[str, str]:
    """Return the tests that are not judged apart, and why.

    A class asks the instructor's answers once. Tests that are one student's alone, as in an exam,
    would be asked in vain.
    """
    if job.own_tests:
        return {}
    _, instructor = instructors.read(job, name)
    unknown = instructor.unknown_words() if instructor else {}
    if name not in job.with_answers:
        return unknown
    own = instructors.alone(job, name)
    return unknown | instructors.kept(
        job, name, "apart", lambda: _unpassed_apart(own, name, split, runner)
    )


def _unpassed_apart(own: Job, name: str, split: Split, runner: Runner) -> dict[str, str]:
    """Return the tests that the instructor's answers do not pass apart, in two runs of two."""

    def lost() -> dict[str, str]:
        run = runner.run(own, {name: split})
        lost = {} if run.starved else _not_passed(run.notebooks[name])
        # A busy machine says nothing of a test.
        return {test: words for test, words in lost.items() if not says_nothing(words)}

    failed = lost()
    if failed:
        again = lost()
        failed = {test: words for test, words in failed.items() if test in again}
    if not failed:
        return {}
    wrong = unpassed(as_nbgrader(own, {name: failed}), runner)[name]
    words = "the teacher's own answer passes it, but not apart"
    return {
        test: broken(wrong[test]) if test in wrong else f"{words} ({seen})"
        for test, seen in failed.items()
    }


def unpassed(own: Job, runner: Runner) -> dict[str, dict[str, str]]:
    """Return by notebook the tests that a job's answers do not pass beside them, and what came."""
    run = runner.run(own)
    # A busy machine says nothing of a test.
    return {name: {} if run.starved else _not_passed(run.notebooks[name]) for name in own.notebooks}


def _not_passed(notebook: NotebookNode) -> dict[str, str]:
    """Return the tests that the instructor's answers do not pass, and what came.

    A check of ours may give points by quality. Then a good answer earns a part of them and passes;
    were it run beside the answers for that, its rows would lie where an answer can look.
    """
    tests, ours = automatic_tests(notebook), calls_check(notebook)
    return {
        test: words
        for test, words in lost_points(notebook).items()
        if not (test in ours and points_of(tests[test]))
    }


def wrong_tests(job: Job, run: Executed, runner: Runner) -> dict[str, dict[str, str]]:
    """Return by notebook the tests that the instructor's own answers do not pass, and why.

    Where all tests run beside the answers, they are asked for where somebody has lost points.
    """
    found: dict[str, dict[str, str]] = {}
    for name in [] if job.own_tests else sorted(job.with_answers & run.notebooks.keys()):
        if lost_points(run.notebooks[name]):
            own = instructors.alone(job, name)
            failed = instructors.kept(
                job, name, "beside", lambda own=own, name=name: unpassed(own, runner)[name]
            )
            found[name] = {test: broken(seen) for test, seen in failed.items()}
    return found


def broken(seen: str) -> str:
    """Return the reason why a test judges nobody."""
    return f"{BROKEN}, look at the test first ({seen})"
