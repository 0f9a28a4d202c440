"""The outcome of grading one student: score, notes, and what to look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.execution.job import Findings
from autograder.printable import named

_LISTED = 4  # cells; the rest are counted


def less_penalty(score: float, penalty: float) -> float:
    """Return the score that counts, as it is exported: late penalty taken off, at least 0."""
    return max(0.0, score - penalty)


@dataclass(frozen=True)
class Outcome:
    """One student's row: nbgrader's score, or the reason why there is none.

    Attributes:
      student: the name of the folder below submitted/.
      graded: whether the gradebook holds a complete record of this submission.
      score: the gradebook's score, before any late penalty; None if not graded.
      max_score: the most points; None if not graded.
      notes: what the instructor should know: the reason for a failure, cells that timed out,
        answers to grade by hand.
      points: by grade_id, the points of each graded cell; None waits for a person. Where a chapter
        has several notebooks, by NOTEBOOK/grade_id.
      new: whether this run graded it (False: it was done before).
      findings: what a person should know of the tests; None if all ran beside the answers.
      name, section: the student's, as the class list has them.
      late_penalty: what `score` loses in exports and on the page.
      strange: whether another chapter's notebook was handed in, or an empty one.
      differs: the fields that differ from plain nbgrader's record, if that was tried.
    """

    student: str
    graded: bool
    score: float | None = None
    max_score: float | None = None
    notes: tuple[str, ...] = ()
    points: Mapping[str, float | None] = field(default_factory=dict)
    new: bool = True
    findings: Findings | None = None
    differs: tuple[str, ...] = ()
    name: str = ""
    section: str = ""
    strange: bool = False
    late_penalty: float = 0.0

    @property
    def counted(self) -> float | None:
        """Return the score that is exported."""
        return None if self.score is None else less_penalty(self.score, self.late_penalty)

    @property
    def flagged(self) -> bool:
        """Say whether there are points that a person should look at."""
        return self.findings is not None and bool(self.findings.doubts or self.findings.copied)

    @property
    def status(self) -> str:
        """Return the row's last column, in words."""
        first = ("graded" if self.new else "graded before") if self.graded else "not graded"
        differs = [f"DIFFERS from plain nbgrader: {words}" for words in self.differs]
        return "; ".join([first, *self._flag(), *differs, *self.notes])

    def _flag(self) -> list[str]:
        if self.findings is None:
            return []
        found = [f"FLAGGED: {name}: {words}" for name, words in self.findings.copied.items()]
        doubts = list(self.findings.doubts)
        if doubts:
            cells, first = named(doubts, _LISTED), f"{doubts[0]}: {self.findings.doubts[doubts[0]]}"
            found.append(f"FLAGGED: passed beside the answers, not apart: {cells} ({first})")
        return found
