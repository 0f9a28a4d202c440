"""Executed notebooks, kept by one grading and recorded by the next."""

import pickle
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path

from autograder.course_folders.course import GradingError
from autograder.course_folders.submissions import Submission
from autograder.course_folders.submitted_files import UnreadableError
from autograder.execution.job import Done, Job
from autograder.grading.cluster import Workers
from autograder.nbgrader.reasons import words


class Kept:
    """The results of the students' jobs, kept in a folder."""

    def __init__(self, folder: Path, submissions: Mapping[str, Submission]):
        self._folder, self._submissions = folder, submissions
        self._numbers = {student: number for number, student in enumerate(submissions)}
        self._prints = {name: each.fingerprint_or_none() for name, each in submissions.items()}

    def keep(self, workers: Workers) -> Workers:
        """Return workers that keep these workers' results."""
        return _Keeping(self, workers)

    def take(self, _workers: Workers) -> Workers:
        """Return workers that have the results at once."""
        return _Taking(self)

    def unchanged(self, students: Iterable[str]) -> list[str]:
        """Return the students whose submission is still the executed one."""
        now = {name: self._submissions[name].fingerprint_or_none() for name in students}
        return [name for name, found in now.items() if found == self._prints[name]]

    def is_of(self, student: str, work: Job) -> bool:
        """Tell whether a job is of the submission at the beginning."""
        return work.submitted_sha256 == self._prints[student]

    def save(self, student: str, done: Done) -> None:
        """Keep one student's results.

        Raises:
          GradingError: the disk is full.
        """
        try:
            self._path(student).write_bytes(pickle.dumps(done))
        except OSError as error:
            raise GradingError(words(error)) from error

    def load(self, student: str) -> Done:
        """Return one student's results."""
        return pickle.loads(self._path(student).read_bytes())

    def _path(self, student: str) -> Path:
        return self._folder / str(self._numbers[student])


class _Keeping(Workers):
    def __init__(self, kept: Kept, workers: Workers):
        self._kept, self._workers = kept, workers
        self._students: dict[Future, str] = {}
        self.places, self.stop = workers.places, workers.stop

    def submit(self, work: Job, student: str) -> Future[Done]:
        future = self._workers.submit(work, student)
        self._students[future] = student
        return future

    def finished(self, running: dict[Future, object]) -> set[Future]:
        done = self._workers.finished(running)
        for future in done:
            student = self._students.pop(future)
            if not future.cancelled() and future.exception() is None:
                self._kept.save(student, future.result())
        return done


class _Taking(Workers):
    def __init__(self, kept: Kept):
        self._kept = kept

    def places(self) -> int:
        return 1

    def submit(self, work: Job, student: str) -> Future[Done]:
        future: Future[Done] = Future()
        if self._kept.is_of(student, work):
            future.set_result(self._kept.load(student))
        else:
            future.set_exception(UnreadableError("something new was handed in: grade it anew"))
        return future

    def stop(self) -> None:
        pass
