"""Grade a chapter's submissions with nbgrader's own steps; report everyone by name."""

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.known_chapters import refuse_without_exercises
from autograder.course_folders.submissions import find, refuse_unknown
from autograder.exam.key import exists
from autograder.graded_notebook.outcome import Outcome
from autograder.grading.chapter import ChapterRun
from autograder.grading.cluster import Workers, threads
from autograder.grading.cluster import cluster as on_cluster
from autograder.grading.languages import language
from autograder.grading.lock import alone
from autograder.grading.options import Options, limits_of
from autograder.grading.run_progress import RunProgress, print_table
from autograder.grading.terminal import say
from autograder.grading.verify import verified
from autograder.nbgrader import class_list, reasons
from autograder.nbgrader.gradebook import opened_once
from autograder.nbgrader.terms import unheeded
from autograder.printable import named

_STAYS = "Who was graded stays graded; run the command for the rest."
_NAMED = 10  # students who have handed in nothing


def grade(
    chapter: str,
    *,
    root: Path,
    options: Options | None = None,
    students: Sequence[str] | None = None,
    verify: int = 0,
    console: Console | None = None,
    **given: Any,
) -> list[Outcome]:
    """Grade submitted/STUDENT/CHAPTER/ into nbgrader's gradebook.db, autograded/ and feedback/.

    The scores are those of plain `nbgrader autograde` with the settings of nbgrader_config.py.
    A submission that cannot be read or run is reported with its reason, and the others are graded.
    Graded submissions are left alone, unless the student has handed in something new.

    Args:
      chapter: the assignment's name, for example "03_laplace".
      root: the course's folder.
      options: how to grade; None means the usual way.
      students: only these; None for everyone with a folder.
      verify: how many to grade with plain nbgrader too, drawn at random, to compare the records.
      console: where progress and the table go; None means standard output.
      given: options by their names, in place of those in `options`.

    Returns:
      One outcome for each student, by name.

    Raises:
      GradingError: the settings or the chapter itself are wrong: nobody can be graded.
    """
    options = dataclasses.replace(options or Options(), **given)
    console = console or Console()
    if verify and exists(root, chapter):
        raise GradingError(
            f"{chapter} is an exam, and plain nbgrader has no tests for it: leave out --verify"
        )
    course = Course(root)
    if students:
        refuse_unknown(course, chapter, students)
    listed = class_list.read(course.root)
    outcomes = graded(course, chapter, options, students=students, console=console)
    if verify:
        how = {"limits": limits_of(course, options), "modules": language(course, chapter).given}
        outcomes = verified(course, chapter, outcomes, verify, **how, console=console)
    print_table(console, chapter, outcomes)
    if not students:
        _say_nothing_from(console, reasons.nothing_from(course, chapter))
    strangers = class_list.unlisted(listed, [each.student for each in outcomes])
    for line in class_list.said_unlisted(strangers, "shown"):
        say(console, line)
    return outcomes


def _say_nothing_from(console: Console, students: Sequence[str]) -> None:
    """Name who has handed in nothing; of many, the number and the first few."""
    number = f" {len(students)} students" if len(students) > _NAMED else ""
    if students:
        say(console, f"Nothing from{number}: {named(students, _NAMED)}")


def graded(
    course: Course,
    chapter: str,
    options: Options,
    *,
    students: Sequence[str] | None,
    console: Console,
    wrapped: Callable[[Workers], Workers] = lambda workers: workers,
    stopped: str = _STAYS,
) -> list[Outcome]:
    """Grade a chapter, and show its progress.

    Args:
      wrapped: wraps the workers.
      stopped: what is said of the work so far when Ctrl-C ends it.

    Returns:
      One outcome for each student, by name.

    Raises:
      GradingError: as `grade`.
    """
    _refuse_nothing(course, chapter, students)
    with course.environment(), alone(course, chapter), opened_once() as books:
        run = ChapterRun(course, chapter, books, options)
        try:
            submissions = find(course, chapter, students)
            for note in [*run.said, *run.language.notes, *unheeded(course, chapter)]:
                say(console, note)
            outcomes = {}
            with (
                _where(options) as workers,
                RunProgress(console, total=len(submissions)) as progress,
            ):
                for outcome in run.outcomes(submissions, wrapped(workers)):
                    outcomes[outcome.student] = outcome
                    progress.show(outcome)
        except KeyboardInterrupt:
            say(console, f"Stopped. {stopped}")
            raise
        finally:
            run.close()
    return [outcomes[student] for student in sorted(outcomes)]


def _refuse_nothing(course: Course, chapter: str, students: Sequence[str] | None) -> None:
    """Raise GradingError if nobody has a folder of a known chapter; open no gradebook.

    An unknown chapter is named by the step that reads it.
    """
    if not find(course, chapter, students) and course.folder("source", ".", chapter).is_dir():
        refuse_without_exercises(course, chapter)
        folder = course.folder("submitted", "STUDENT", chapter)
        raise GradingError(f"nothing was submitted: no folder {folder}")


def _where(options: Options) -> AbstractContextManager[Workers]:
    if options.cluster is None:
        return threads(options.workers)
    return on_cluster(options.cluster, contained=options.contained)
