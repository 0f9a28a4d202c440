"""The data of a report on a class. Nothing here reads, computes or writes."""

from dataclasses import dataclass

from autograder.execution.job import Findings
from autograder.graded_notebook.outputs import Said
from autograder.nbgrader.recorded_marks import Marks


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
class Row:
    """One student.

    Attributes:
      marks: None when the gradebook has no complete record.
      reason: why there is none, in words; empty when there is one.
      notes: what else the instructor should know.
      findings: what to know of the tests; None where all ran beside the answers.
      checks: the versions of the checks that judged the notebooks; empty after plain nbgrader.
      name, section: the student's, as the class list has them.
    """

    student: str
    marks: Marks | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()
    findings: Findings | None = None
    checks: tuple[str, ...] = ()
    name: str = ""
    section: str = ""


@dataclass(frozen=True)
class ClassData:
    """A chapter and everyone's row, by name."""

    chapter: str
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]
