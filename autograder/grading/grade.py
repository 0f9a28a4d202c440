"""Grade a chapter's submissions with nbgrader's own steps; report everyone by name."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from rich.console import Console

from autograder.exam.key import exists
from autograder.graded_notebook.outcome import Outcome
from autograder.grading.chapter import Run
from autograder.grading.cluster import Workers, threads
from autograder.grading.cluster import cluster as on_cluster
from autograder.grading.languages import language
from autograder.grading.lock import alone
from autograder.grading.options import Options, cores, limits_of
from autograder.grading.progress import Progress, print_table
from autograder.grading.terminal import say
from autograder.grading.verify import verified
from autograder.nbgrader.course import Course, GradingError
from autograder.nbgrader.gradebook import opened_once
from autograder.nbgrader.submissions import find, refuse_unknown
from autograder.nbgrader.terms import unheeded


def grade(
    chapter: str,
    *,
    root: Path,
    students: Sequence[str] | None = None,
    force: bool = False,
    workers: int | None = None,
    warm: bool = True,
    second_opinion: bool = True,
    contained: bool = True,
    cluster: str | None = None,
    feedback: bool = True,
    verify: int = 0,
    console: Console | None = None,
) -> list[Outcome]:
    """Grade submitted/STUDENT/CHAPTER/ into nbgrader's gradebook.db, autograded/ and feedback/.

    The scores are those of plain `nbgrader autograde` with the settings of nbgrader_config.py.
    A submission that cannot be read or run is reported with its reason, and the others are graded.
    Graded submissions are left alone, unless the student has handed in something new.

    Args:
      chapter: the assignment's name, for example "03_laplace".
      root: the course's folder.
      students: only these; None for everyone with a folder.
      force: grade graded submissions again. Scores that a person gave are kept, as in nbgrader.
      workers: how many notebooks run at the same time, >= 1; None means one for each core.
      warm: fork kernels from one process that has imported everything (on Linux); False starts
        nbgrader's own, each of which imports anew.
      second_opinion: judge the answers a second time, out of the reach of the student's code.
      contained: keep students' code from everything but its own folder; False lets it do what you
        may do.
      cluster: the address of a Dask scheduler, to run notebooks on its machines; None for this one.
      feedback: make a page for each student, to send back.
      verify: how many to grade with plain nbgrader too, drawn at random, to compare the records.
      console: where progress and the table go; None means standard output.

    Returns:
      One outcome for each student, by name.

    Raises:
      GradingError: the settings or the chapter itself are wrong: nobody can be graded.
    """
    workers = cores() if workers is None else workers
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    console = console or Console()
    if verify and exists(root, chapter):
        raise GradingError(
            f"{chapter} is an exam, and plain nbgrader has no tests for it: leave out --verify"
        )
    options = Options(force, workers, warm, second_opinion, contained, cluster, feedback)
    course = Course(root)
    if students:
        refuse_unknown(course, chapter, students)
    outcomes = graded(course, chapter, options, students=students, console=console)
    if verify:
        how = {"limits": limits_of(course, options), "modules": language(course, chapter).given}
        outcomes = verified(course, chapter, outcomes, verify, **how, console=console)
    print_table(console, chapter, outcomes)
    return outcomes


def graded(
    course: Course,
    chapter: str,
    options: Options,
    *,
    students: Sequence[str] | None,
    console: Console,
    wrapped: Callable[[Workers], Workers] = lambda workers: workers,
) -> list[Outcome]:
    """Grade a chapter, and show its progress.

    Args:
      wrapped: wraps the workers.

    Returns:
      One outcome for each student, by name.

    Raises:
      GradingError: as `grade`.
    """
    with course.environment(), alone(course, chapter), opened_once() as books:
        run = Run(course, chapter, books, options)
        try:
            submissions = find(course, chapter, students)
            if not submissions:
                folder = course.folder("submitted", "STUDENT", chapter)
                raise GradingError(f"nothing was submitted: no folder {folder}")
            for note in [*run.language.notes, *unheeded(course, chapter)]:
                say(console, note)
            outcomes = {}
            with _where(options) as workers, Progress(console, total=len(submissions)) as progress:
                for outcome in run.outcomes(submissions, wrapped(workers)):
                    outcomes[outcome.student] = outcome
                    progress.show(outcome)
        except KeyboardInterrupt:
            say(console, "Stopped. Who was graded stays graded; run the command for the rest.")
            raise
        finally:
            run.close()
    return [outcomes[submission.student] for submission in submissions]


def _where(options: Options) -> AbstractContextManager[Workers]:
    if options.cluster is None:
        return threads(options.workers)
    return on_cluster(options.cluster, contained=options.contained)
