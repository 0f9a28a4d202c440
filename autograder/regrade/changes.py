"""The changes that grading again would make. Data only."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from autograder.graded_notebook.outcome import Outcome


@dataclass(frozen=True)
class Change:
    """A cell that would get other points.

    Attributes:
      before, after: the points; None waits for a person.
      why: the test's sentence then and now.
    """

    student: str
    cell: str
    before: float | None
    after: float | None
    why: str


@dataclass(frozen=True)
class Preview:
    """The result of grading again, before it is written.

    Attributes:
      graded: the students who were graded again.
      changes: the cells that would get other points.
      scores: by student: the score before and after, as exported: late penalties taken off.
      checks: how many of them were graded before by which version of the checks; "" by plain
        nbgrader, which notes none.
      failed: students who cannot be graded now; their scores would stay.
      left: students whose present work is not the graded work.
      write: writes these scores to the gradebook, and returns the new outcomes.
      above: lines on those who would have points by hand that do not fit, and the mend.
    """

    graded: tuple[str, ...]
    changes: tuple[Change, ...]
    scores: dict[str, tuple[float, float]]
    checks: Counter[str]
    failed: tuple[Outcome, ...]
    left: tuple[str, ...]
    write: Callable[[], list[Outcome]]
    above: tuple[str, ...] = ()
