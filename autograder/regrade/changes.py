"""The changes that grading again would make. Data only."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from autograder.graded_notebook.outcome import Outcome

ABSENT = "—"  # in place of points: the cell was not, or is no more, in the chapter


@dataclass(frozen=True)
class Change:
    """A cell that would get other points.

    Attributes:
      before, after: the points; None waits for a person, and ABSENT is no such cell.
      why: the test's sentence then and now.
    """

    student: str
    cell: str
    before: float | str | None
    after: float | str | None
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
      left: students whose present work is not the graded work, and may be graded.
      write: writes these scores to the gradebook, and returns the new outcomes.
      above: lines on those who would have points by hand that do not fit, and the mend.
      refused: students without a score whose work cannot be graded.
    """

    graded: tuple[str, ...]
    changes: tuple[Change, ...]
    scores: dict[str, tuple[float, float]]
    checks: Counter[str]
    failed: tuple[Outcome, ...]
    left: tuple[str, ...]
    write: Callable[[], list[Outcome]]
    above: tuple[str, ...] = ()
    refused: tuple[Outcome, ...] = ()

    @property
    def not_graded(self) -> int:
        """Return how many have handed in work that was not graded here."""
        return len(self.failed) + len(self.refused) + len(self.left)


@dataclass(frozen=True)
class Ended:
    """How grading again ended.

    Attributes:
      written: whether anything was written.
      all_graded: whether everybody's work was graded, and none left out.
    """

    written: bool
    all_graded: bool
