"""The outcome of grading one student: score, notes and second opinion."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.printable import named

_LISTED = 4  # cells; the rest are counted


def less_penalty(score: float, penalty: float) -> float:
    """Return the score that counts, as it is exported: late penalty taken off, at least 0."""
    return max(0.0, score - penalty)


@dataclass(frozen=True)
class Second:
    """The second opinion beside the gradebook, over the cells that it judged or doubted.

    Attributes:
      first: nbgrader's own points for these cells.
      second: the second opinion's; 0 where it could not judge, and nbgrader gives something.
      points: by cell; None where it could not judge.
      doubts: cells at which a person should look: nbgrader gives more than the second opinion.
      notes: what it noted, if there is a doubt.
      seen: by doubted cell, what was seen there.
      unasked: tests that cannot be judged apart, and why: no statement about anybody's answer.
      copied: answers that are the library's own text, and what was seen.
    """

    first: float
    second: float
    points: Mapping[str, float | None] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seen: Mapping[str, str] = field(default_factory=dict)
    unasked: Mapping[str, str] = field(default_factory=dict)
    copied: Mapping[str, str] = field(default_factory=dict)


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
      opinion: the second opinion beside nbgrader's points; None if there is none.
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
    opinion: Second | None = None
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
        """Say whether nbgrader gives points that a person should look at."""
        return self.opinion is not None and bool(self.opinion.doubts or self.opinion.copied)

    @property
    def status(self) -> str:
        """Return the row's last column, in words."""
        first = ("graded" if self.new else "graded before") if self.graded else "not graded"
        differs = [f"DIFFERS from plain nbgrader: {words}" for words in self.differs]
        return "; ".join([first, *self._flag(), *differs, *self.notes])

    def _flag(self) -> list[str]:
        if not self.flagged:
            return []
        opinion = self.opinion
        copied = [f"FLAGGED: {name}: {words}" for name, words in opinion.copied.items()]
        if not opinion.doubts:
            return copied
        points = f"the second opinion confirms {opinion.second:g} of {opinion.first:g} points"
        first = opinion.doubts[0]
        words = f" (apart, {first}: {opinion.seen[first]})" if opinion.seen.get(first) else ""
        return [*copied, f"FLAGGED: {points}; look at {named(opinion.doubts, _LISTED)}{words}"]
