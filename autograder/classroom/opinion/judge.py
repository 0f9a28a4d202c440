"""The second opinion: what a submission is worth when its code cannot reach the tests.

A test that shares a process with the answer can be fooled: by a patched library, by an IPython that
skips asserts, by a value that passes for any number. So the student's cells run in one process and
the instructor's in another (`answers.py`, `tests.py`), and only plain data crosses between them
(`autograder.second_opinion.remote` says what must be taken on trust all the same). Both are forks
of the kernels' process, and contained as kernels are.

The points are nbgrader's: full for a cell that raises nothing, 0 for an error or anything on
stderr, the number for a cell that ends in one.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import determine_grade, is_grade, is_solution

from autograder.classroom.opinion.pair import Pair, Process, introduce
from autograder.classroom.opinion.plan import steps
from autograder.classroom.warm import Zygote

__all__ = ["ENTRIES", "Opinion", "doubtful", "second_opinion"]

_ANSWERS, _TESTS = (f"autograder.classroom.opinion.{name}" for name in ("answers", "tests"))
# What a `Zygote` must know to start the two processes.
ENTRIES = (_ANSWERS, _TESTS)
_CELLS = 20  # how many cells may take all their time, where the whole has no limit of its own
# Of a cell's points: an exercise that is scored has chance in its score.
_SLACK = 0.2
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Opinion:
    """What the second opinion gives.

    Attributes:
      points: by grade_id, for each graded cell; None where a person decides, or where the tests
        need more than plain data.
      notes: what the instructor should know.
    """

    points: Mapping[str, float | None]
    notes: tuple[str, ...] = ()


def second_opinion(
    zygote: Zygote,
    submitted: NotebookNode,
    *,
    folder: str,
    environment: dict[str, str],
    seconds: float | None = None,
    cell_seconds: float | None = None,
    first: Mapping[str, float | None] | None = None,
    trusted: Collection[str] = (),
) -> Opinion:
    """Judge a submission with its code out of the tests' reach.

    Args:
      zygote: made with `ENTRIES`.
      submitted: the sanitised notebook: its locked cells are the instructor's.
      folder: where the answers run: a fresh copy of the submission's files.
      environment: the variables of both processes.
      seconds: how long all may take, > 0; None for 20 times `cell_seconds`.
      cell_seconds: how long a cell may run, > 0; None for no limit but that of the whole.
      first: nbgrader's points by grade_id, if they are known. Then cells that only show something
        are left out at first, and all are run where the opinion gives less.
      trusted: paths of files in `folder` that are the instructor's: the tests may read those.

    Returns:
      An opinion, whatever the student's code does.

    Raises:
      RuntimeError, EOFError, ConnectionError: the kernels' process has gone.
    """
    limit = seconds or (_CELLS * cell_seconds if cell_seconds else None)
    until = monotonic() + limit if limit else None
    if not any(_by_machine(cell) for cell in submitted.cells):
        return Opinion(dict.fromkeys(_most(submitted)))
    with _apart(folder, trusted) as apart:
        given = [(zygote, _ANSWERS, folder, environment), (zygote, _TESTS, apart, environment)]
        if first is not None:
            opinion = _judged(given, submitted, until, cell_seconds, lean=True)
            doubts = doubtful(first, opinion.points, _most(submitted))
            if not doubts or (until and monotonic() > until):
                return opinion
        return _judged(given, submitted, until, cell_seconds, lean=False)


def doubtful(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    most: Mapping[str, float],
) -> list[str]:
    """Return the cells whose points a person should look at.

    Those are the cells to which nbgrader gives clearly more than the second opinion, or gives
    something where the tests would need more than plain data: an answer may see to that itself.

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


def _by_machine(cell: NotebookNode) -> bool:
    """Say whether the machine gives the points for a cell."""
    return is_grade(cell) and cell.cell_type == "code" and not is_solution(cell)


def _most(notebook: NotebookNode) -> dict[str, float]:
    graded = (cell.metadata.nbgrader for cell in notebook.cells if is_grade(cell))
    return {mark["grade_id"]: float(mark["points"]) for mark in graded}


@contextlib.contextmanager
def _apart(folder: str, trusted: Collection[str]) -> Iterator[str]:
    """Make a folder with the instructor's files alone."""
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as apart:
        for path in trusted:
            target = Path(apart, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(folder, path), target, follow_symlinks=False)
        yield apart


def _judged(given, submitted: NotebookNode, until, cell_seconds, *, lean: bool) -> Opinion:
    """Run the cells once and return what they give."""
    plan = steps(submitted, lean=lean)
    with contextlib.ExitStack() as stack:
        answers, tests = (stack.enter_context(Process(*each)) for each in given)
        introduce(answers, tests)
        came, notes = Pair(answers, tests, until, cell_seconds).run(plan)
    points = {}
    for cell in filter(is_grade, submitted.cells):
        name = cell.metadata.nbgrader["grade_id"]
        points[name] = _points(cell, came.get(name)) if _by_machine(cell) else None
    return Opinion(points, tuple(notes))


def _points(cell: NotebookNode, came: dict[str, Any] | None) -> float | None:
    """Return nbgrader's points for what came of a cell; None if nothing did."""
    if came is None or "not_judged" in came:
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
    except ValueError:  # more points than there are: nbgrader gives none then, nor do we
        return None
