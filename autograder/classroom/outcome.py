"""What grading found for each student."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """One student's row: nbgrader's score, or the reason why there is none.

    Attributes:
      student: the name of the folder below submitted/.
      graded: whether the gradebook holds a complete record of this submission.
      score: the gradebook's score, before any late penalty; None if not graded.
      max_score: the points to be had; None if not graded.
      notes: what the instructor should know: the reason for a failure, cells that timed out,
        answers to grade by hand.
      points: by grade_id, the points of each graded cell; None waits for a person. Where a chapter
        has several notebooks, by NOTEBOOK/grade_id.
      new: whether this run graded it (False: it was done before).
    """

    student: str
    graded: bool
    score: float | None = None
    max_score: float | None = None
    notes: tuple[str, ...] = ()
    points: Mapping[str, float | None] = field(default_factory=dict)
    new: bool = True

    @property
    def status(self) -> str:
        """Return the row's last column, in words."""
        first = ("graded" if self.new else "graded before") if self.graded else "not graded"
        return "; ".join([first, *self.notes])
