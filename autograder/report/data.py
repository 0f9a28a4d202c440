"""The data of a report on a class. Nothing here reads, computes or writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.graded_notebook.outputs import Said


@dataclass(frozen=True)
class Cell:
    """A graded cell of the chapter.

    Attributes:
      name: its grade_id; where a chapter has several notebooks, NOTEBOOK/grade_id.
      exercise: the grade_id of its answer.
      points: the most that it gives.
      scored: whether it gives part of its points for part of the task.
    """

    name: str
    exercise: str
    points: float
    scored: bool = False


@dataclass(frozen=True)
class Marks:
    """One student's marks in the gradebook, in nbgrader's own numbers.

    Attributes:
      score: before any late penalty.
      points: by cell; None until a person has graded it.
      lateness: by how much it is late and what that costs, in words; "" if it is in time.
      automatic: by cell, the machine's points, where no person has decided.
      waiting: the cells that nbgrader wants a person to look at.
      complete: whether every cell that the machine grades has been graded.
    """

    score: float
    max_score: float
    late_penalty: float
    points: Mapping[str, float | None]
    waiting: tuple[str, ...]
    complete: bool
    automatic: Mapping[str, float] = field(default_factory=dict)
    lateness: str = ""


@dataclass(frozen=True)
class Opinion:
    """The second opinion on one student's answers, beside nbgrader's points.

    Attributes:
      first: nbgrader's points, over the cells that both have judged.
      second: the second opinion's, over the same cells.
      points: by cell; None where it could not judge.
      doubts: the cells at which a person should look.
      notes: what it noted, if there is a doubt.
      seen: by doubted cell, what was seen there.
      unasked: tests that cannot be judged apart, and why.
      copied: answers that are the library's own text, and what was seen.
    """

    first: float
    second: float
    points: Mapping[str, float | None]
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seen: Mapping[str, str] = field(default_factory=dict)
    unasked: Mapping[str, str] = field(default_factory=dict)
    copied: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One student.

    Attributes:
      marks: None when the gradebook has no complete record.
      reason: why there is none, in words; empty when there is one.
      notes: what else the instructor should know.
      opinion: None when there is no second opinion.
      checks: the versions of the checks that judged the notebooks; empty after plain nbgrader.
      name, section: the student's, as the class list has them.
    """

    student: str
    marks: Marks | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()
    opinion: Opinion | None = None
    checks: tuple[str, ...] = ()
    name: str = ""
    section: str = ""


@dataclass(frozen=True)
class ClassData:
    """A chapter and everyone's row, by name."""

    chapter: str
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]
