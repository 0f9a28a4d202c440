"""A notebook's runs in two processes: the answers in one, the tests in the other."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import determine_grade, is_grade, is_solution

from autograder.kernels import Zygote
from autograder.printable import cut
from autograder.second_opinion.instructor import Instructor
from autograder.second_opinion.plan import steps
from autograder.second_opinion.processes import BUSY, LATE, ForkedProcess, TwoProcesses, introduce

_ANSWERS, _TESTS = (f"autograder.second_opinion.{name}_process" for name in ("answers", "tests"))
# The modules that a `Zygote` needs to start the two processes.
ENTRIES = (_ANSWERS, _TESTS)
_CELLS = 20  # how many cells may take all their time, if the whole notebook has no limit
# A share of a cell's points: the score of a scored exercise varies by chance.
_SLACK = 0.2
_ROUNDING = 1e-9

_LONGEST = 100  # characters of what was seen
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # in a repr: it changes from run to run

Points = Mapping[str, float | None]


@dataclass(frozen=True)
class Room:
    """The folder, time and core for the two processes of a notebook.

    Attributes:
      zygote: made with `ENTRIES`.
      folder: where the answers run: a fresh copy of the submission's files.
      environment: the variables of both processes.
      seconds: how long all cells may take, > 0; None for 20 times `cell_seconds`.
      cell_seconds: how long a cell may run, > 0; None for no limit but `seconds`.
      trusted: paths of the instructor's files in `folder`: the tests may read them.
      core: the only one that both processes run on; None for all.
      alone: whether nothing else is being graded on this machine.
    """

    zygote: Zygote
    folder: str
    environment: dict[str, str]
    seconds: float | None = None
    cell_seconds: float | None = None
    trusted: Collection[str] = ()
    core: int | None = None
    alone: bool = False

    @property
    def limit(self) -> float | None:
        """Return how long all cells may take."""
        return self.seconds or (_CELLS * self.cell_seconds if self.cell_seconds else None)


def doubtful(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    most: Mapping[str, float],
) -> list[str]:
    """Return the cells whose points a person should look at.

    nbgrader gives these cells clearly more than the second opinion, or gives them points although
    the tests would need more than plain data, which an answer can cause on purpose.

    Args:
      first: nbgrader's points, by grade_id; None where a person decides.
      second: the second opinion's.
      most: the points that can be had.
    """
    doubts = []
    for name, points in first.items():
        if points and name in second:
            opinion = second[name]
            if opinion is None or points > opinion + _SLACK * most[name] + _ROUNDING:
                doubts.append(name)
    return doubts


@contextlib.contextmanager
def opened(
    room: Room, notebook: NotebookNode, instructor: Instructor | None = None
) -> Iterator[Case]:
    """Yield the notebook's case; its tests get only the instructor's files."""
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as apart:
        for path in room.trusted:
            target = Path(apart, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(room.folder, path), target, follow_symlinks=False)
        places = {_ANSWERS: room.folder, _TESTS: apart}
        given = [(room.zygote, *each, room.environment, room.core) for each in places.items()]
        yield Case(room, given, notebook, instructor)


def _line(words: str) -> str:
    """Return words, some of which may be a student's, as one short line."""
    return cut(_ADDRESS.sub("", " ".join(words.split())).rstrip(": "), _LONGEST)


@dataclass(frozen=True)
class JudgedRun:
    """The result of one run.

    Attributes:
      came: by grade_id, the result of a test.
      points: by grade_id, for each graded cell; None where a person decides, or without a result.
      notes: what the instructor should know.
      starved: whether a cell's time ended because the machine had none for it.
    """

    came: Mapping[str, dict[str, Any]]
    points: Points
    notes: tuple[str, ...]
    starved: bool = False

    @property
    def unjudged(self) -> dict[str, str]:
        """Return the tests that pass without having looked to the end, in their words."""
        return {
            name: _line(came["unjudged"]) for name, came in self.came.items() if "unjudged" in came
        }

    def seen(self, name: str) -> str:
        """Return a test's result in words."""
        came = self.came.get(name, {})
        if "not_judged" in came:
            return _line(f"it needs more than plain data: {came['not_judged']}")
        if LATE in came:
            return "it ran out of time"
        if "error" in came:
            return _line(str(came["error"]))
        if came.get("complained"):
            return "it wrote to stderr"
        return _line(f"it gave {came['result']}") if came.get("result") else "it came to no end"


@dataclass(frozen=True)
class Case:
    """A notebook that can be run again and again.

    Attributes:
      unasked: tests that cannot be judged apart: they are not run.
    """

    room: Room
    given: list[tuple]
    notebook: NotebookNode
    instructor: Instructor | None
    unasked: frozenset[str] = frozenset()

    @property
    def most(self) -> dict[str, float]:
        """Return the points that the machine gives at most, by test that can be judged apart."""
        marks = [c.metadata.nbgrader for c in filter(_by_machine, self.notebook.cells)]
        asked = [mark for mark in marks if mark["grade_id"] not in self.unasked]
        return {mark["grade_id"]: float(mark["points"]) for mark in asked}

    def doubts(self, first: Points, points: Points) -> list[str]:
        """Return the tests to which nbgrader's points give clearly more."""
        return doubtful({name: first.get(name) for name in self.most}, points, self.most)

    def ask(
        self, *, lean: bool, left_out: Collection[str] = (), hurried: Collection[str] = ()
    ) -> JudgedRun:
        """Run the cells once, each time in two new processes.

        Args:
          lean: leave out cells that only show something.
          left_out: tests that are not run.
          hurried: cells that get a part of their time only.
        """
        room, instructor, out = self.room, self.instructor, {*left_out, *self.unasked}
        plan = steps(self.notebook, lean=lean, instructor=instructor, left_out=out)
        names = instructor.answers if instructor else None
        with contextlib.ExitStack() as stack:
            answers, tests = (stack.enter_context(ForkedProcess(*each)) for each in self.given)
            introduce(answers, tests)
            pair = TwoProcesses(answers, tests, names, room.limit, room.cell_seconds, hurried)
            came, notes = pair.run(plan)
        points: dict[str, float | None] = {}
        for cell in filter(is_grade, self.notebook.cells):
            name = cell.metadata.nbgrader["grade_id"]
            points[name] = _points(cell, came.get(name)) if _by_machine(cell) else None
        return JudgedRun(came, points, tuple(notes), pair.starved)


def _points(cell: NotebookNode, came: dict[str, Any] | None) -> float | None:
    """Return nbgrader's points for a cell's result; None without a result."""
    if not came or "not_judged" in came or came.keys() <= {LATE, BUSY}:
        return None
    cell = NotebookNode({**cell, "outputs": []})
    if "error" in came:
        cell.outputs.append(new_output("error", ename="Error", evalue=came["error"], traceback=[]))
        return determine_grade(cell)[0]
    if came["complained"]:
        cell.outputs.append(new_output("stream", name="stderr", text="..."))
    if came["result"]:
        data = {"text/plain": came["result"]}
        cell.outputs.append(new_output("execute_result", data=data, execution_count=1))
    try:
        return determine_grade(cell)[0]
    except ValueError:  # above the maximum: nbgrader gives no points then, nor do we
        return None


def _by_machine(cell: NotebookNode) -> bool:
    """Say whether the machine gives the points for a cell."""
    return is_grade(cell) and cell.cell_type == "code" and not is_solution(cell)
