"""`--verify N`: grades some submissions with plain nbgrader too, and compares the records."""

import contextlib
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.course_folders.course import Course, GradingError
from autograder.execution.execute import environment
from autograder.graded_notebook import marks, outputs
from autograder.graded_notebook.outcome import Outcome
from autograder.grading import nbgrader_alone
from autograder.grading.terminal import say
from autograder.kernels import Zygote, pipe
from autograder.nbgrader.gradebook_copy import copy_database, database
from autograder.printable import cut
from autograder.sandbox.containment import unavailable
from autograder.sandbox.limits import Limits

_ENTRY = "autograder.grading.nbgrader_alone"
_STARTING = 60.0  # seconds for nbgrader, without the cells


@dataclass(frozen=True)
class _Found:
    """Plain nbgrader's result for one submission.

    Attributes:
      differences: in words, one for each field of a record.
      failed: why it could not grade, or "".
    """

    differences: tuple[str, ...] = ()
    failed: str = ""


def verified(
    course: Course,
    chapter: str,
    outcomes: Sequence[Outcome],
    number: int,
    *,
    limits: Limits,
    modules: Sequence[str],
    console: Console,
) -> list[Outcome]:
    """Let nbgrader's own autograde grade a random sample, and compare every record.

    Its kernels are nbgrader's own, and each submission is graded in its own copy. Students' code is
    contained if it was before: then a difference that only containment makes cannot show.

    Args:
      outcomes: what was graded.
      number: how many to try, > 0.
      limits: what students' code may use.
      modules: what notebooks import.

    Returns:
      The outcomes, with what differs.

    Raises:
      GradingError: the gradebook cannot be copied, or the code cannot be contained here.
    """
    if limits.contained and unavailable():
        raise GradingError(
            f"--verify runs on this machine, which cannot contain students' code: {unavailable()}"
        )
    graded = [outcome.student for outcome in outcomes if outcome.graded]
    sample = sorted(random.SystemRandom().sample(graded, min(number, len(graded))))
    how = "contained as above; with --uncontained it is plain" if limits.contained else "plain"
    say(console, f"Verifying {len(sample)} with nbgrader's own autograde ({how}), one at a time.")
    found = {}
    with contextlib.closing(_Nbgrader(course, chapter, limits, modules)) as nbgrader:
        for student in sample:
            found[student] = nbgrader.compare(student)
            words = found[student].failed or "; ".join(found[student].differences) or "equal"
            say(console, f"{student}: {words}")
    return [
        replace(outcome, differs=found[outcome.student].differences)
        if outcome.student in found
        else outcome
        for outcome in outcomes
    ]


class _Nbgrader:
    """Grades submissions in copies."""

    def __init__(self, course: Course, chapter: str, limits: Limits, modules: Sequence[str]):
        self.course, self.chapter, self.limits = course, chapter, limits
        self.database = database(course)
        self._zygote = Zygote(modules, limits, (_ENTRY,)) if limits.contained else None

    def close(self) -> None:
        if self._zygote:
            self._zygote.close()

    def compare(self, student: str) -> _Found:
        """Grade one student's submission, and compare."""
        ours = nbgrader_alone.records(self.database, self.chapter, student)
        with tempfile.TemporaryDirectory(prefix="autograder-") as name:
            self._make(Path(name), student)
            came = self._autograde(Path(name), student)
        if came["failed"]:
            return _Found(failed=f"plain nbgrader cannot grade it: {cut(came['failed'], 300)}")
        for cell in self._asked(student):  # we ask for a person there, nbgrader does not
            ours[f"{cell}: {nbgrader_alone.NEEDS}"] = came["records"].get(
                f"{cell}: {nbgrader_alone.NEEDS}"
            )
        return _Found(tuple(_differences(ours, came["records"])))

    def _asked(self, student: str) -> Iterator[str]:
        """Yield the cells, as NOTEBOOK/cell, that were not judged to the end, or stand beside."""
        for path in self.course.graded_notebooks(self.chapter, student):
            graded = outputs.read(path, prefix=f"{path.stem}/", exercises={})
            yield from (said.cell for said in graded.said if said.kind == "unjudged")
            yield from (f"{path.stem}/{cell}" for cell in marks.beside(graded.notebook))

    def _make(self, folder: Path, student: str) -> None:
        """Make a course of this one student, in nbgrader's own layout."""
        for path in self.course.config.parent.glob("*.py"):  # it may import others
            shutil.copyfile(path, folder / path.name)
        for step, name in (("source", "."), ("submitted", student)):
            there = self.course.folder(step, name, self.chapter)
            shutil.copytree(there, folder / step / name / self.chapter)
        copy_database(self.database, folder / nbgrader_alone.DATABASE)
        _prepare(folder / nbgrader_alone.DATABASE, student)

    def _autograde(self, folder: Path, student: str) -> dict:
        given = {"chapter": self.chapter, "student": student}
        given["seconds"] = self.limits.seconds + _STARTING
        if self._zygote is None:
            return nbgrader_alone.autograde(folder, **given)
        child, connection = self._zygote.fork(
            folder=str(folder), environment=environment(), entry=_ENTRY, given=given
        )
        with connection:
            connection.settimeout(given["seconds"] + _STARTING)
            try:
                return pipe.receive(connection)
            except (OSError, EOFError, ValueError):
                return {"records": {}, "failed": "it was ended by a limit"}
            finally:
                self._zygote.kill(child)


_OTHERS = (
    "submitted_assignment where student_id != ?",
    "submitted_notebook where assignment_id not in (select id from submitted_assignment)",
    "grade where notebook_id not in (select id from submitted_notebook)",
    "comment where notebook_id not in (select id from submitted_notebook)",
    "student where id != ?",
)


def _prepare(database: Path, student: str) -> None:
    """Remove the other students, and make the machine's records wrong.

    A record that nbgrader does not write anew will then differ.
    """
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        for rows in _OTHERS:
            connection.execute(f"delete from {rows}", (student,) * rows.count("?"))
        connection.execute("update grade set auto_score = -1 where auto_score is not null")
        connection.execute("update comment set auto_comment = 'not graded again'")
        connection.execute("update submitted_notebook set late_submission_penalty = -1")


def _differences(ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    for record in sorted(ours.keys() | theirs.keys()):
        mine, other = (_value(each, record) for each in (ours, theirs))
        if mine != other:
            yield f"{record} is {mine}, nbgrader says {other}"


def _value(records: dict[str, Any], name: str) -> str:
    value = records.get(name, "not there")
    return "nothing" if value is None else cut(repr(value), 100)
