"""One run over one chapter: sanitise, execute elsewhere, record, one submission after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import TYPE_CHECKING

from nbformat import NotebookNode
from sqlalchemy.exc import DBAPIError

from autograder.course_folders.course import Course, GradingError, wrong_settings_named
from autograder.course_folders.groups import groups
from autograder.course_folders.submissions import Submission, find
from autograder.exam.key import exists
from autograder.execution import run_job
from autograder.execution.job import Job, Settings
from autograder.feedback.pages import Feedback
from autograder.feedback.workers import Pages
from autograder.graded_notebook import marks
from autograder.graded_notebook.outcome import Outcome
from autograder.graded_notebook.outputs import unjudged
from autograder.grading.cluster import Workers
from autograder.grading.languages import language
from autograder.grading.options import Options, limits_of, uncontained
from autograder.nbgrader import assignment, by_hand, class_list, reasons
from autograder.nbgrader.gradebook import Gradebooks
from autograder.nbgrader.group_marks import GroupMarks
from autograder.nbgrader.recorded_marks import Marks, marks_of
from autograder.nbgrader.steps import Grader
from autograder.printable import named
from autograder.version import version

if TYPE_CHECKING:
    from autograder.exam.own_tasks import Own

_LISTED = 6  # cells
_Running = dict[Future, tuple[Submission, Job]]


class ChapterRun:
    """One run over one chapter. Only the thread that made it opens the gradebook."""

    def __init__(self, course: Course, chapter: str, books: Gradebooks, options: Options):
        self.course, self.chapter, self.options = course, chapter, options
        self.pages: Pages | None = None
        self.waiting: dict[Future, Outcome] = {}  # for their feedback page
        self.starved: list[Submission] = []  # to be run again, alone
        self.own: Own | None = None  # an exam's tasks
        try:
            with wrong_settings_named():
                self._prepare(books)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError | DBAPIError):
                raise GradingError(reasons.words(error)) from error
            raise

    def _prepare(self, books: Gradebooks) -> None:
        self.own = own_of(self.course.root, self.chapter)
        how = {"again": self.options.again, "own_cells": bool(self.own)}
        self.grader = Grader(self.course, self.chapter, books, **how)
        self.settings = self._settings()
        if self.options.cluster is None and self._somebody_is_new():
            run_job.start(self.settings)  # it imports while the gradebook is prepared
        self.feedback = Feedback(self.course, self.chapter)
        if self.options.feedback:
            self.pages = Pages(self.feedback, self.options.workers)
        self.names, self.changed = assignment.prepare(self.course, self.chapter)
        if self.settings.limits.contained and not self.settings.warm:
            raise uncontained(self.language.reason or "kernels are not forked here")
        self.course.try_staging(self.chapter)
        self.people = class_list.names(self.course)
        found = groups(self.course, self.chapter)
        self.groups = GroupMarks(self.course, self.chapter, found)
        self.said = [*self.changed, *found.differing, *self.groups.collect()]
        by_hand.renew_penalties(self.course, self.chapter)

    def _settings(self) -> Settings:
        self.language = language(self.course, self.chapter)
        return Settings(
            modules=self.language.given,
            execute=self.grader.traits(),
            limits=limits_of(self.course, self.options),
            apart=self.options.apart,
            warm=self.options.warm and self.language.locked is not None,
            checks=version(),  # also of a worker that joins a cluster later
        )

    def _somebody_is_new(self) -> bool:
        """Tell whether notebooks are sure to run; if not, kernels begin when the first one does."""
        everyone = (each.student for each in find(self.course, self.chapter))
        return self.options.force or not all(self._autograded(each).exists() for each in everyone)

    def close(self) -> None:
        """End the processes that notebooks and pages were made in."""
        if self.pages:
            self.pages.close()
        run_job.close()

    def outcomes(self, submissions: Sequence[Submission], workers: Workers) -> Iterator[Outcome]:
        """Yield each student's outcome when the score and the feedback page are done."""
        try:
            yield from self._run(submissions, workers)
            for submission in self.starved:
                yield from self._run([submission], workers, alone=True)
        finally:
            workers.stop()
            if self.pages:
                self.pages.close()
            self.course.clear_staging(self.chapter)
            self.grader.forget_begun()

    def _run(
        self, submissions: Sequence[Submission], workers: Workers, *, alone: bool = False
    ) -> Iterator[Outcome]:
        """Run submissions. Those whose run a busy machine spoils are kept, to be run again."""
        running: _Running = {}
        for submission in submissions:
            outcome = self._begin(submission, workers, running, alone=alone)
            if outcome:
                yield from self._for_group(outcome)
            # One sanitised submission waits, so that no worker has to.
            while len(running) > workers.places():
                yield from self._finish_next(workers, running)
        while running:
            yield from self._finish_next(workers, running)
        wait(self.waiting)
        yield from self._paged()

    def _with_page(self, outcome: Outcome) -> Iterator[Outcome]:
        """Start a feedback page if one is due; yield the outcomes that are ready by now."""
        due = outcome.new or not self.feedback.is_current(outcome.student)
        if self.pages and outcome.graded and due:
            try:
                self.waiting[self.pages.make(outcome.student)] = outcome
            except Exception as error:  # the pages' processes have gone
                yield _without_page(outcome, error)
        else:
            yield outcome
        yield from self._paged()

    def _paged(self) -> Iterator[Outcome]:
        """Yield the outcomes whose page is ready."""
        for future in [future for future in self.waiting if future.done()]:
            outcome = self.waiting.pop(future)
            error = future.exception()
            yield _without_page(outcome, error) if error else outcome

    def _begin(
        self, submission: Submission, workers: Workers, running: _Running, *, alone: bool
    ) -> Outcome | None:
        """Start a submission; return its outcome at once when there is nothing to run."""
        try:
            if not alone:  # else it was taken at its first run
                submission = self.grader.take(submission)
            submission.check(self.names)
            if not self.options.force and self._is_done(submission):
                return self._graded(submission, new=False)
            work = dataclasses.replace(self._job(submission), alone=alone)
            running[workers.submit(work, submission.student)] = submission, work
        except GradingError:  # no submission can be graded any more
            raise
        except Exception as error:  # one bad submission never stops another
            return self._failure(submission, error)
        return None

    def _job(self, submission: Submission) -> Job:
        """Begin a submission in the gradebook; return the job to execute."""
        student = submission.student
        if self.own:
            self.own.refuse_without_tasks(student)
        work = self.grader.sanitise(submission, self.settings)
        if self.own:
            work = self.own.job(work, student)
        modules = self.language.modules(work.notebooks.values())
        return dataclasses.replace(
            work, settings=dataclasses.replace(self.settings, modules=modules)
        )

    def _finish_next(self, workers: Workers, running: _Running) -> Iterator[Outcome]:
        """Wait for a submission's notebooks to end, and record them."""
        for future in workers.finished(running):
            submission, work = running.pop(future)
            try:
                done = future.result()
                if done.starved and not work.alone:
                    self.starved.append(submission)
                    continue
                if self.own:
                    done = self.own.done(done)
                self.grader.record(submission, done, work.submitted_sha256)
                outcome = self._graded(submission, new=True)
            except Exception as error:
                outcome = self._failure(submission, error)
            yield from self._for_group(outcome)

    def _for_group(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield a student's outcome, and the same for the others of the group."""
        yield from self._with_page(outcome)
        for other in self.groups.others(outcome.student):
            new = outcome.graded and self.groups.give(outcome.student, other)
            notes = (f"with {outcome.student}", *outcome.notes)
            theirs = {"student": other, "new": new, "notes": notes, **self.people[other]._asdict()}
            yield from self._with_page(dataclasses.replace(outcome, **theirs))

    def _is_done(self, submission: Submission) -> bool:
        """Tell whether this very submission has a complete record in the gradebook."""
        score = marks_of(self.course, self.chapter, submission.student)
        folder = self._autograded(submission.student)
        here = [path.stem for path in submission.notebooks() if path.stem in self.names]
        graded = [folder / f"{name}.ipynb" for name in here]
        found = marks.in_files(graded)
        if score is None or len(found) < len(graded):  # a damaged file is made again
            return False
        if all(found.values()):
            fingerprint = submission.fingerprint()
            return all(mark["submitted_sha256"] == fingerprint for mark in found.values())
        # Plain nbgrader's work: it compares times, and may have been killed before the scores.
        time = self.course.app.coursedir.get_existing_timestamp
        before, now = time(str(folder)), time(str(submission.folder))
        return score.complete and not (before and now and now > before)

    def _graded(self, submission: Submission, *, new: bool) -> Outcome:
        """Read one student's row back from the gradebook."""
        student = submission.student
        reasons.forget(self.course, self.chapter, student)
        score = marks_of(self.course, self.chapter, student)
        graded = self.course.read_graded(self.chapter, student)
        notes = self._notes(submission, score, graded)
        self.grader.discard(submission)
        return Outcome(
            student,
            True,
            score.score,
            score.max_score,
            tuple(notes),
            score.points,
            new=new,
            findings=marks.findings(graded, score.automatic, several=score.several),
            late_penalty=score.late_penalty,
            strange=bool(marks.strange(graded)),
            **self.people[student]._asdict(),
        )

    def _notes(
        self, submission: Submission, score: Marks, graded: Mapping[str, NotebookNode]
    ) -> list[str]:
        """Return what the instructor should know of a student's graded work."""
        noted = {name: marks.noted(notebook) for name, notebook in graded.items()}
        notes = marks.notes_of(self.names, submission.notebooks(), noted)
        beside = marks.unread_beside(graded, score.automatic, several=score.several)
        waiting = sum(points is None for points in score.points.values()) + len(beside)
        if waiting:
            notes.append(f"{waiting} to grade by hand")
        if open_ := [cell for notebook in graded.values() for cell in unjudged(notebook)]:
            notes.append(f"not judged to the end, so a person decides: {', '.join(open_)}")
        if beside:
            notes.append(f"the words stand in a cell of the student's own: {', '.join(beside)}")
        if later := [name for name in self.grader.terms.cells if name not in score.points]:
            notes.append(f"not asked for until graded again: {named(later, _LISTED)}")
        if score.again:
            notes.append(f"points by hand are from before, look again: {', '.join(score.again)}")
        say = self.grader.terms.notes
        return notes + say(submission.student, graded, score.lateness, several=score.several)

    def _failure(self, submission: Submission, error: Exception) -> Outcome:
        reason = reasons.words(error)
        reasons.keep(self.course, self.chapter, submission, reason)
        self.grader.discard(submission)
        self.grader.forget_begun(submission.student)
        called = self.people[submission.student]._asdict()
        return Outcome(submission.student, False, notes=(reason,), **called)

    def _autograded(self, student: str) -> Path:
        return self.course.folder("autograded", student, self.chapter)


def own_of(root: Path, chapter: str) -> Own | None:
    """Return the students' own tasks, or None if a chapter is no exam."""
    if not exists(root, chapter):
        return None
    # Imported here: it takes half a second, and only exams need it.
    from autograder.exam.own_tasks import Own

    return Own(root, chapter)


def _without_page(outcome: Outcome, error: Exception) -> Outcome:
    """Note why a student's feedback page is missing. The score stands; a rerun makes the page."""
    note = f"no feedback page: {reasons.words(error)}"
    return dataclasses.replace(outcome, notes=(*outcome.notes, note))
