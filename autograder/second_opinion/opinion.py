"""The second opinion: a submission's points when its code cannot reach the tests.

A test that shares a process with the answer can be fooled: by a patched library, by an IPython that
skips asserts, by a value that passes for any number. So the student's cells run in one process and
the instructor's in another (`answers_process.py`, `tests_process.py`). Only plain data crosses
between them (`remote.py` lists the facts that must still be taken on trust). Both processes are
forks of the zygote, and contained like kernels.

The points are nbgrader's: full for a cell that raises nothing, 0 for an error or anything on
stderr, the number for a cell that ends in one.

If it gives less than nbgrader, a student is under suspicion and a person will look. So two other
reasons are tested first: the instructor's own answers may not pass apart either, or it is chance.
"""

import dataclasses
import itertools
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbgrader.utils import is_grade

from autograder.second_opinion.case import Case, JudgedRun, Points, Room, opened
from autograder.second_opinion.chance import Tally, confirmed
from autograder.second_opinion.instructor import Instructor
from autograder.second_opinion.processes import BUSY, LATE

_AGAIN_SECONDS = 600.0  # for how long a doubt is looked into
_TEACHERS_RUNS = 3  # where a student's test is in doubt
# How often all cells run again, display-only cells included; later runs leave those out.
_WHOLE_RUNS = 3


@dataclass(frozen=True)
class Opinion:
    """The second opinion on one notebook.

    Attributes:
      points: by grade_id, for each graded cell; None where a person decides, or where there is no
        opinion.
      notes: what the instructor should know.
      doubts: by grade_id, the cells that a person should look at, with what was seen.
      unasked: by grade_id, tests that cannot be judged apart, with the reason.
      copied: answers that are the library's own text, by name, with what was seen.
      unjudged: by grade_id, tests that pass without having looked to the end, in their words.
      starved: whether a cell's time ended because it got next to none on its core.
    """

    points: Points
    notes: tuple[str, ...] = ()
    doubts: Mapping[str, str] = field(default_factory=dict)
    unasked: Mapping[str, str] = field(default_factory=dict)
    copied: Mapping[str, str] = field(default_factory=dict)
    unjudged: Mapping[str, str] = field(default_factory=dict)
    starved: bool = False


def second_opinion(
    room: Room,
    submitted: NotebookNode,
    *,
    instructor: Instructor | None = None,
    first: Points | None = None,
    teacher: Callable[[bool], Mapping[str, str]] = lambda doubted: {},
    again: Callable[[], Points] | None = None,
    timed_out: Collection[str] = (),
) -> Opinion:
    """Judge a submission with its code out of the tests' reach.

    Args:
      room: where the two processes run.
      submitted: the sanitised notebook: its locked cells are the instructor's.
      instructor: the facts about the instructor's notebook; None lets a test take any name that
      it lacks from the answers.
      first: nbgrader's points by grade_id, if they are known. Then cells that only show something
        are left out at first, and all are run where the opinion gives less.
      teacher: returns the tests that the instructor's own answers do not pass apart, and why. It
        is called before any of the student's code runs, and with True when a test is in doubt,
        to ask the instructor's answers more often.
      again: executes the notebook once more as nbgrader does, and returns its points; None lets
        every difference count.
      timed_out: cells that ran out of time when nbgrader gave its points. At first they get a part
        of their time here; all of it where the opinion gives less.

    Returns:
      An opinion, whatever the student's code does.

    Raises:
      RuntimeError, EOFError, ConnectionError: the kernels' process has gone.
    """
    with opened(room, submitted, instructor) as case:
        if not case.most:
            return Opinion({c.metadata.nbgrader["grade_id"]: None for c in _graded(submitted)})
        if first is None:
            return _opinion(case.ask(lean=False))
        unasked = {**(instructor.unknown_words() if instructor else {}), **teacher(False)}
        case = dataclasses.replace(case, unasked=frozenset(unasked))
        run = case.ask(lean=True, hurried=timed_out)
        if case.doubts(first, run.points):
            run = case.ask(lean=False)
        if not case.doubts(first, run.points):
            return _opinion(run, unasked)
        if run.starved and not room.alone:
            return Opinion(run.points, run.notes, starved=True)
        return _looked_into(case, run, first, {**unasked, **teacher(True)}, again)


def _graded(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if is_grade(cell)]


def _opinion(run: JudgedRun, unasked: Mapping[str, str] | None = None) -> Opinion:
    return Opinion(run.points, run.notes, unasked=unasked or {}, unjudged=run.unjudged)


def not_passed(
    room: Room, notebook: NotebookNode, instructor: Instructor | None, *, doubted: bool = True
) -> dict[str, str]:
    """Return the tests that the instructor's own answers do not pass apart, with what was seen.

    Args:
      doubted: whether a student's test is in doubt; else each test is asked once.
    """
    failed: dict[str, str] = {}
    with opened(room, notebook, instructor) as case:
        for lean in (True, False):
            failed = {}
            for _ in range(_TEACHERS_RUNS if doubted else 1):
                run = case.ask(lean=lean)
                names = case.doubts(case.most, run.points)
                # A busy machine says nothing of a test; a doubt on a student asks again.
                names = [each for each in names if doubted or not _was_late(run.came.get(each))]
                failed |= {name: run.seen(name) for name in names}
            if not failed:
                break
    return {
        name: f"the teacher's own answer passes it, but not apart ({seen})"
        for name, seen in failed.items()
    }


def _was_late(came: Mapping | None) -> bool:
    return came is None or LATE in came or BUSY in came


def _looked_into(
    case: Case, run: JudgedRun, first: Points, unasked: dict[str, str], again: Callable | None
) -> Opinion:
    """Return the opinion, with the doubts that neither the test, the machine nor chance explains.

    Args:
      unasked: tests that cannot be judged apart, and why; it is added to.
    """
    for name in case.doubts(first, run.points):
        if BUSY in run.came.get(name, {}):
            unasked.setdefault(name, "the machine was too busy: no answer came in its time")
    points = {name: None if name in unasked else given for name, given in run.points.items()}
    seen = {name: run.seen(name) for name in case.doubts(first, points) if name not in unasked}
    if again is not None and seen:
        late = [name for name in seen if LATE in run.came.get(name, {})]
        still = _asked_again(case, first, list(seen), late, again)
        points |= dict.fromkeys(seen.keys() - still.keys())
        seen = {name: f"{seen[name]}; {counted}" for name, counted in still.items()}
    notes = [note for note in run.notes if re.split(r"[ :]", note)[0] not in unasked]
    return Opinion(points, tuple(notes) if seen else (), seen, unasked, unjudged=run.unjudged)


def _asked_again(
    case: Case, first: Points, cells: list[str], late: list[str], again: Callable[[], Points]
) -> dict[str, str]:
    """Return the cells whose difference chance does not explain, with how often each was asked."""
    left_out = [name for name in case.most if name not in cells]

    def enough(found: Points) -> dict[str, bool]:
        less = case.doubts(first, found)
        return {name: name in found and name not in less for name in cells}

    tallies = {name: Tally(given=1, of=1, asked=1) for name in cells}
    asked = itertools.count(1)

    def apart() -> dict[str, bool]:
        lean = next(asked) > _WHOLE_RUNS
        return enough(case.ask(lean=lean, left_out=left_out).points)

    found = confirmed(
        cells,
        tallies,
        once=lambda: enough(again()),
        apart=apart,
        seconds=_AGAIN_SECONDS,
        sure=late,
    )
    return {name: tallies[name].words() for name in found}
