"""Grade a chapter's submissions with nbgrader's own steps; report everyone by name."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event

import nbformat
from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError, ValidationError
from rich.console import Console
from traitlets import TraitError

from autograder.classroom import assignment
from autograder.classroom.autograde import MARK, Grader
from autograder.classroom.course import Course, GradingError
from autograder.classroom.execute import problems
from autograder.classroom.feedback import Feedback, Pages
from autograder.classroom.gradebook import Gradebooks, opened_once
from autograder.classroom.outcome import Outcome
from autograder.classroom.quick import quick_schemas
from autograder.classroom.report import Progress, print_table
from autograder.classroom.submissions import Submission, UnreadableError, find
from autograder.classroom.warm import Zygote, imported


def grade(
    chapter: str,
    *,
    root: Path,
    students: Sequence[str] | None = None,
    force: bool = False,
    workers: int | None = None,
    warm: bool = True,
    console: Console | None = None,
) -> list[Outcome]:
    """Grade submitted/STUDENT/CHAPTER/ into nbgrader's gradebook.db, autograded/ and feedback/.

    The scores are those of plain `nbgrader autograde` with the settings of nbgrader_config.py.
    A submission that cannot be read or run is reported with its reason, and the others are graded.
    What was graded before is left alone, unless the student has handed in something new.

    Args:
      chapter: the assignment's name, for example "03_laplace".
      root: the course's folder.
      students: only these; None for everyone with a folder.
      force: grade again what has been graded. Scores that a person gave are kept, as in nbgrader.
      workers: how many notebooks run at the same time, >= 1; None means one for each core.
      warm: fork kernels from one process that has imported everything (on Linux); False starts
        nbgrader's own, each of which imports anew.
      console: where progress and the table go; None means standard output.

    Returns:
      One outcome for each student, by name.

    Raises:
      GradingError: the settings or the chapter itself are wrong: nobody can be graded.
    """
    workers = os.cpu_count() or 1 if workers is None else workers
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    console = console or Console()
    course = Course(root)
    with course.environment(), opened_once() as books, quick_schemas():
        run = _Run(course, chapter, books, force=force, workers=workers, warm=warm)
        submissions = find(course, chapter, students)
        if not submissions:
            folder = course.folder("submitted", "STUDENT", chapter)
            raise GradingError(f"nothing was submitted: no folder {folder}")
        outcomes = {}
        try:
            with Progress(console, total=len(submissions)) as progress:
                for outcome in run.outcomes(submissions):
                    outcomes[outcome.student] = outcome
                    progress.show(outcome)
        except KeyboardInterrupt:
            console.print("Stopped. Who was graded stays graded; run the command for the rest.")
            raise
        finally:
            run.close()
    ordered = [outcomes[submission.student] for submission in submissions]
    print_table(console, chapter, ordered)
    return ordered


class _Run:
    """One run over one chapter. Only the thread that made it opens the gradebook."""

    def __init__(self, course: Course, chapter: str, books: Gradebooks, *, force, workers, warm):
        self.course, self.chapter, self.force, self.workers = course, chapter, force, workers
        self.stop, self.pages = Event(), None
        self.waiting: dict[Future, Outcome] = {}  # for their feedback page
        # It imports while the gradebook is prepared.
        self.zygote = _zygote(course, chapter) if warm else None
        try:
            self._prepare(books)
        except (TraitError, TypeError, ImportError) as error:
            self.close()
            raise GradingError(f"a setting of nbgrader_config.py is wrong: {error}") from error
        except BaseException:
            self.close()
            raise

    def _prepare(self, books: Gradebooks) -> None:
        self.feedback = Feedback(self.course, self.chapter)
        self.pages = Pages(self.feedback, self.workers)
        self.names = assignment.prepare(self.course, self.chapter)
        self.course.clear_staging(self.chapter)
        self.grader = Grader(
            self.course, self.chapter, self.names, books, stop=self.stop, zygote=self.zygote
        )

    def close(self) -> None:
        """End the processes that notebooks and pages were made in."""
        if self.pages:
            self.pages.close()
        if self.zygote:
            self.zygote.close()

    def outcomes(self, submissions: Sequence[Submission]) -> Iterator[Outcome]:
        """Yield each student's outcome when the score and the feedback page are there."""
        with ThreadPoolExecutor(self.workers) as pool:
            running: dict[Future, Submission] = {}
            try:
                for submission in submissions:
                    outcome = self._begin(submission, pool, running)
                    if outcome:
                        yield from self._with_page(outcome)
                    # One sanitised submission waits, so that no worker ever does.
                    while len(running) > self.workers:
                        yield from self._finish_next(running)
                while running:
                    yield from self._finish_next(running)
                wait(self.waiting)
                yield from self._paged()
            finally:  # after Ctrl+C, end at the cells that are running now
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                self.pages.close()
                self.course.clear_staging(self.chapter)

    def _with_page(self, outcome: Outcome) -> Iterator[Outcome]:
        """Begin on a feedback page where one is due; yield what is ready by now."""
        names = [path.stem for path in self._autograded(outcome.student).glob("*.ipynb")]
        if outcome.graded and (outcome.new or not self.feedback.exists(outcome.student, names)):
            self.waiting[self.pages.make(outcome.student)] = outcome
        else:
            yield outcome
        yield from self._paged()

    def _paged(self) -> Iterator[Outcome]:
        """Yield the outcomes whose page is ready."""
        for future in [future for future in self.waiting if future.done()]:
            outcome = self.waiting.pop(future)
            error = future.exception()
            if error:  # the score stands; the page can be made again
                notes = (*outcome.notes, f"no feedback page: {_reason(error)}")
                outcome = dataclasses.replace(outcome, notes=notes)
            yield outcome

    def _begin(self, submission, pool, running) -> Outcome | None:
        """Start on a submission; return its outcome at once when there is nothing to run."""
        try:
            submission.check(self.names)
            if not self.force and self._is_done(submission):
                return self._outcome(submission.student, new=False)
            running[pool.submit(self._execute, self.grader.sanitise(submission))] = submission
        except Exception as error:  # one bad submission never stops another
            return self._failure(submission, error)
        return None

    def _execute(self, paths: list[Path]) -> dict[Path, nbformat.NotebookNode]:
        return {path: self.grader.execute(path) for path in paths}

    def _finish_next(self, running: dict[Future, Submission]) -> Iterator[Outcome]:
        """Wait for a notebook to end, and record it."""
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            submission = running.pop(future)
            try:
                self.grader.record(submission, future.result())
                outcome = self._outcome(submission.student, new=True)
            except Exception as error:
                outcome = self._failure(submission, error)
            yield from self._with_page(outcome)

    def _is_done(self, submission: Submission) -> bool:
        """Tell whether this very submission has a complete record in the gradebook."""
        score = assignment.score(self.course, self.chapter, submission.student)
        folder = self._autograded(submission.student)
        here = [path.stem for path in submission.notebooks() if path.stem in self.names]
        graded = [folder / f"{name}.ipynb" for name in here]
        if score is None or not all(path.exists() for path in graded):
            return False
        try:
            marks = [_read(path).metadata.get(MARK) for path in graded]
        except Exception:  # a damaged file is made again
            return False
        if all(marks):
            fingerprint = submission.fingerprint()
            return all(mark["submitted_sha256"] == fingerprint for mark in marks)
        # Plain nbgrader's work: it may have been killed before the scores, and goes by the clock.
        time = self.course.app.coursedir.get_existing_timestamp
        before, now = time(str(folder)), time(str(submission.folder))
        return score.complete and not (before and now and now > before)

    def _outcome(self, student: str, *, new: bool) -> Outcome:
        """Read one student's row back from the gradebook."""
        score = assignment.score(self.course, self.chapter, student)
        graded = sorted(self._autograded(student).glob("*.ipynb"))
        names = [path.stem for path in graded]
        notes = [note for path in graded for note in problems(_read(path))]
        notes += [f"{name}.ipynb was not handed in" for name in self.names if name not in names]
        waiting = sum(points is None for points in score.points.values())
        if waiting:
            notes.append(f"{waiting} to grade by hand")
        if score.late_penalty:
            notes.append(f"late: {score.late_penalty:g} points off")
        return Outcome(
            student, True, score.score, score.max_score, tuple(notes), score.points, new=new
        )

    def _failure(self, submission: Submission, error: Exception) -> Outcome:
        self.grader.discard(submission)
        return Outcome(submission.student, False, notes=(_reason(error),))

    def _autograded(self, student: str) -> Path:
        return self.course.folder("autograded", student, self.chapter)


def _zygote(course: Course, chapter: str) -> Zygote | None:
    """Return the process that kernels are forked from, where that can be done."""
    if sys.platform != "linux":
        return None
    sources = sorted(course.folder("source", ".", chapter).glob("*.ipynb"))
    try:
        notebooks = [_read(path) for path in sources]
    except Exception:  # what is wrong with it, nbgrader will say
        return None
    languages = {each.metadata.get("kernelspec", {}).get("name") for each in notebooks}
    return Zygote(imported(notebooks)) if languages == {"python3"} else None


def _read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def _reason(error: Exception) -> str:
    """Return why a submission could not be graded, in a sentence for the instructor."""
    if isinstance(error, UnreadableError):
        return str(error)
    if isinstance(error, SchemaTooOldError | SchemaTooNewError | ValidationError):
        return f"its nbgrader metadata is damaged, or of another version: {error}"
    words = str(error).strip().splitlines()
    return f"{type(error).__name__}: {words[0]}" if words else type(error).__name__
