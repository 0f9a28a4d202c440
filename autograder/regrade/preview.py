"""`grade --again`: grades in a copy, shows which scores would change and why, writes on a yes.

The written scores are the shown ones: the notebooks are not executed a second time.
"""

import contextlib
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode
from rich.console import Console

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.submissions import Submission, find, refuse_unknown
from autograder.graded_notebook import marks
from autograder.graded_notebook.outcome import Outcome
from autograder.grading import source_tried
from autograder.grading.options import Options
from autograder.grading.run import graded
from autograder.grading.run_progress import print_table
from autograder.grading.terminal import say
from autograder.nbgrader import assignment, class_list, reasons
from autograder.nbgrader.gradebook_copy import trial
from autograder.nbgrader.recorded_marks import Marks, marks_of
from autograder.nbgrader.stale import above_by_hand, mend_by_hand
from autograder.nbgrader.terms import differ
from autograder.regrade.changes import ABSENT, Change, Ended, Preview
from autograder.regrade.kept_jobs import Kept
from autograder.regrade.table_of_changes import PASSED, said, show

_STOPPED = "Nothing was written: it was graded in a copy. To grade again, run the command again."
_ANEW = "something new was handed in: grade it without --again"


@dataclass(frozen=True)
class _Known:
    """One student's graded work, before."""

    submission: Submission
    score: Marks
    notebooks: dict[str, NotebookNode]

    @property
    def checks(self) -> str:
        return next((marks.read(each).get("checks", "") for each in self.notebooks.values()), "")

    def is_current(self) -> bool:
        """Tell whether the present submission is the graded one, as far as that is known."""
        found = {marks.read(each).get("submitted_sha256") for each in self.notebooks.values()}
        return found <= {None} or found == {self.submission.fingerprint_or_none()}


def again(
    chapter: str,
    *,
    root: Path,
    options: Options,
    confirm: Callable[[], bool],
    students: Sequence[str] | None = None,
    console: Console | None = None,
) -> Ended:
    """Grade everyone again in a copy, show what would change, and write it if `confirm` says so.

    Args:
      chapter: the assignment's name, for example "03_laplace".
      root: the course's folder.
      options: how to grade.
      confirm: called when something would change.
      students: only these; None for everyone who was graded.
      console: where progress and the table go; None means standard output.

    Raises:
      GradingError: as `grade`; or nobody has been graded.
    """
    console = console or Console()
    say(console, "Grading in a copy: nothing is written yet.")
    with preview(chapter, root=root, options=options, students=students, console=console) as found:
        show(found, console)
        if not found.changes:
            return Ended(written=False, all_graded=not found.not_graded)
        for line in source_tried.lines(root, chapter):
            say(console, line, style="bold red")
        if not confirm():
            say(console, "Nothing was written.")
            return Ended(written=False, all_graded=not found.not_graded)
        outcomes = _with_others(Course(root), found, found.write())
    print_table(console, chapter, outcomes)
    return Ended(written=True, all_graded=all(each.graded for each in outcomes))


def _with_others(course: Course, found: Preview, written: Sequence[Outcome]) -> list[Outcome]:
    """Return the rows of all who have handed in something, by name."""
    rows = {each.student: each for each in (*written, *found.failed, *found.refused)}
    anew = [name for name in (*found.left, *found.graded) if name not in rows]
    rows |= {each.student: each for each in _not_graded(course, dict.fromkeys(anew, _ANEW))}
    return [rows[student] for student in sorted(rows)]


def _not_graded(course: Course, why: Mapping[str, str]) -> list[Outcome]:
    """Return a row for each student with the reason why there is no score."""
    with course.environment():
        people = class_list.names(course)
    return [
        Outcome(student, False, notes=(reason,), **people[student]._asdict())
        for student, reason in why.items()
    ]


@contextlib.contextmanager
def preview(
    chapter: str,
    *,
    root: Path,
    options: Options,
    console: Console,
    students: Sequence[str] | None = None,
) -> Iterator[Preview]:
    """Grade everyone again in a copy of the gradebook; arguments and errors are those of `again`.

    The preview can be written as long as the context lasts.
    """
    course, options = Course(root), replace(options, force=True, again=True)
    if students:
        refuse_unknown(course, chapter, students)
    known = _known(course, chapter, students)
    current = {name: each for name, each in known.items() if each.is_current()}
    if not current:
        raise GradingError(f"no graded work of {chapter} is there to grade again")
    with trial(root) as copy, tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        kept = Kept(Path(folder), {name: each.submission for name, each in current.items()})
        given = {"students": list(current), "console": console}
        trying = replace(options, feedback=False)
        outcomes = graded(copy, chapter, trying, wrapped=kept.keep, stopped=_STOPPED, **given)
        done = {each.student: each for each in outcomes if each.graded and each.student in current}

        def write() -> list[Outcome]:
            names = given["students"] = kept.unchanged(done)
            taking = replace(options, cluster=None)
            return graded(course, chapter, taking, wrapped=kept.take, **given) if names else []

        tried = Preview(
            graded=tuple(done),
            changes=tuple(_changes(copy, chapter, current, done)),
            scores={name: (current[name].score.counted, done[name].counted) for name in done},
            checks=Counter(current[name].checks for name in done),
            failed=tuple(outcome for outcome in outcomes if not outcome.graded),
            left=tuple(sorted(known.keys() - current.keys())),
            write=write,
            above=_above(copy, chapter, done),
        )
        yield _with_refused(tried, _refused(course, chapter, students, but=current))


def _above(copy: Course, chapter: str, students: Iterable[str]) -> tuple[str, ...]:
    """Return a line on those of the students whose points by hand do not fit, if there are any."""
    with copy.environment():
        found = above_by_hand(copy, chapter)
    who = [found[student] for student in students if student in found]
    return (mend_by_hand(chapter, who),) if who else ()


def _with_refused(tried: Preview, refused: Sequence[Outcome]) -> Preview:
    """Return the result with those whose work was not tried, as it cannot be graded."""
    scored = [each for each in refused if each.student in tried.left]
    return replace(
        tried,
        failed=(*tried.failed, *scored),
        left=tuple(sorted(set(tried.left) - {each.student for each in scored})),
        refused=tuple(each for each in refused if each not in scored),
    )


def _refused(
    course: Course, chapter: str, students: Sequence[str] | None, *, but: Collection[str]
) -> list[Outcome]:
    """Return a row for each of the others whose present work cannot be graded, with the reason."""
    with course.environment():
        names = assignment.notebooks(course, chapter)
        why = {
            each.student: reasons.of_present(course, chapter, each, names)
            for each in find(course, chapter, students)
            if each.student not in but
        }
    return _not_graded(course, {student: reason for student, reason in why.items() if reason})


def _known(course: Course, chapter: str, students: Sequence[str] | None) -> dict[str, _Known]:
    """Return the graded work of everyone who has a complete record."""
    found = {}
    with course.environment():
        for submission in find(course, chapter, students):
            score = marks_of(course, chapter, submission.student)
            notebooks = course.read_graded(chapter, submission.student)
            if score and score.complete and notebooks:
                found[submission.student] = _Known(submission, score, notebooks)
    return found


def _changes(
    copy: Course, chapter: str, known: Mapping[str, _Known], done: Mapping[str, Outcome]
) -> Iterator[Change]:
    for student, outcome in done.items():
        notebooks = copy.read_graded(chapter, student)
        yield from _terms(copy, chapter, student, known[student], notebooks)
        old, new = known[student].score.points, outcome.points
        differing = {cell for cell in old.keys() | new.keys() if old.get(cell) != new.get(cell)}
        if not differing:
            continue
        then, now = said(known[student].notebooks), said(notebooks)
        for cell in [name for name in {**now, **then} if name in differing]:
            words = now.get(cell, "the exercise is gone")
            if words == PASSED:
                words = f"{words}; before: {then.get(cell, 'no such cell')}"
            yield Change(student, cell, old.get(cell, ABSENT), new.get(cell, ABSENT), words)


def _terms(
    copy: Course, chapter: str, student: str, known: _Known, notebooks: Mapping[str, NotebookNode]
) -> Iterator[Change]:
    """Yield a change if a student was graded on other points or another date.

    Args:
      notebooks: graded anew, by name.
    """
    then, now = (
        next((marks.read(each).get("terms") for each in some.values()), None)
        for some in (known.notebooks, notebooks)
    )
    with copy.environment():
        new = marks_of(copy, chapter, student)
    changed = differ(then, now) if then and now and new else set()
    # A new rule for late work changes nothing for work in time.
    if changed - {"late"} or (changed and new.lateness):
        before, after = known.score.counted, new.counted
        most, least = (sum(each["points"].values()) for each in (now, then))
        words = [new.lateness or "in time"]
        words += [f"{most:g} points can be had, before {least:g}"] if most != least else []
        yield Change(student, "points and dates", before, after, "; ".join(words))
