"""A job's settings, input and result: plain data that can go to another machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.sandbox.limits import Limits


@dataclass(frozen=True)
class Settings:
    """The settings of a run's executions: plain data.

    Attributes:
      modules: what the kernels' process imports before the first fork.
      execute: the settings of nbgrader's Execute; None leaves notebooks as they are.
      limits: what a student's code may use; None sets no limits and contains nothing.
      apart: whether the tests run where no student's code does; else beside it, as in nbgrader.
      warm: whether kernels are forked from one process that has imported everything.
      checks: the version that the checks must have; "" for any.
    """

    modules: tuple[str, ...] = ()
    execute: Mapping[str, Any] | None = field(default_factory=dict)
    limits: Limits | None = None
    apart: bool = False
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
      questions: by name, and by grade_id of a test: what to ask about an answer that fails it: an
        expression, which runs in the process of the tests.
      own_tests: whether nobody else has its tests, as in an exam.
      notes: what the instructor should know already.
    """

    notebooks: Mapping[str, str]
    files: Mapping[str, bytes]
    settings: Settings
    trusted: frozenset[str] = frozenset()
    alone: bool = False
    submitted_sha256: str = ""
    instructors: Mapping[str, str] = field(default_factory=dict)
    with_answers: frozenset[str] = frozenset()
    questions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    own_tests: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """What a person should know about the tests and answers of one notebook.

    Attributes:
      beside: by grade_id, the tests that ran beside the answers, and why: no statement about
        anybody's answer.
      doubts: by grade_id, the tests that the student passes beside the answers and not apart, with
        what came apart.
      copied: answers that are the library's own text, by name, with what was seen.
    """

    beside: Mapping[str, str] = field(default_factory=dict)
    doubts: Mapping[str, str] = field(default_factory=dict)
    copied: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Done:
    """The result of a job.

    Attributes:
      notebooks: by name: with their outputs, as JSON.
      findings: by name; no entry where all tests ran beside the answers.
      notes: what the instructor should know.
      starved: whether it got too little of the machine to be judged: run it again, alone.
      answers: by name, and by grade_id: what the questions about failed answers gave, as text.
      wrong: by name, and by grade_id: the tests that the instructor's own answers do not pass
        either, and why; where tests run apart, `findings` says so.
    """

    notebooks: Mapping[str, str]
    findings: Mapping[str, Findings] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    starved: bool = False
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    wrong: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
