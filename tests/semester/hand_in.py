"""A course for the semester: released, fetched, answered, handed in and collected by nbgrader."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeFetchAssignment, ExchangeSubmit
from notebooks import mark
from places import ROOT

from autograder.course_folders.course import Course
from semester.answers import text
from semester.plan import Work

_README = "README.txt"
_WORDS = "Made by `make semester`, which removes this folder and makes it again each time.\n"
_SETTINGS = """
# For the semester: an exchange of its own; less patience and memory than a real class gets, for
# some submissions are made to use up either.
c.Exchange.root = {exchange!r}
c.Exchange.cache = {cache!r}
c.CourseDirectory.groupshared = False
c.Execute.timeout = {seconds}
c.Containment.memory_megabytes = 1024
"""
_WORDS_OF_A_STUDENT = "It depends on what else the attacker knows, and on who is asked how often."
SECONDS = 20  # for a cell; a right answer needs one or two


def make(folder: Path, chapters: Iterable[str]) -> Path:
    """Write the course: settings, source/, and an empty exchange beside it.

    Raises:
      FileExistsError: the folder is there, and was not made by this function.
    """
    if folder.exists() and not (folder / _README).exists():
        raise FileExistsError(f"{folder} was not made by `make semester`; move it out of the way")
    shutil.rmtree(folder, ignore_errors=True)
    course, exchange = folder / "course", folder / "exchange"
    exchange.mkdir(parents=True)
    exchange.chmod(0o777)  # as nbgrader wants it: everybody hands in here
    (folder / _README).write_text(_WORDS, "utf-8")
    for name in chapters:
        shutil.copytree(ROOT / "source" / name, course / "source" / name)
    paths = {"exchange": str(exchange), "cache": str(folder / "cache")}
    settings = (ROOT / "nbgrader_config.py").read_text("utf-8")
    settings += _SETTINGS.format(seconds=SECONDS, **paths)
    (course / "nbgrader_config.py").write_text(settings, "utf-8")
    return course


@contextmanager
def exchange(course: Path) -> Iterator[Exchange]:
    """Open nbgrader's exchange, with the settings of the course."""
    opened = Course(course)
    with opened.environment():
        yield Exchange(opened)


class Exchange:
    """What an instructor does in formgrader, and a student in the assignment list."""

    def __init__(self, course: Course):
        self._course = course
        self._teacher = NbGraderAPI(course.app.coursedir, config=course.app.config)

    def release(self, chapter: str) -> None:
        """Make the students' version, and put it out."""
        _succeed(self._teacher.generate_assignment(chapter))
        _succeed(self._teacher.release_assignment(chapter))

    def collect(self, chapter: str) -> None:
        """Bring what was submitted into submitted/."""
        _succeed(self._teacher.collect(chapter))

    def hand_in(self, work: Work, home: Path) -> None:
        """Fetch the chapter, answer it, and submit it."""
        name = work.chapter.name
        self._as_student(ExchangeFetchAssignment, work, home)
        path = home / name / f"{name}.ipynb"
        content = answered(nbformat.read(path, as_version=4), work, self._course.root)
        path.write_bytes(content if isinstance(content, bytes) else _bytes(content))
        self._as_student(ExchangeSubmit, work, home)

    def _as_student(self, step: type, work: Work, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        config = self._course.app.config
        folders = CourseDirectory(
            config=config, assignment_id=work.chapter.name, student_id=work.student
        )
        step(
            coursedir=folders,
            authenticator=self._teacher.authenticator,
            config=config,
            assignment_dir=str(home),
        ).start()


def answered(notebook: NotebookNode, work: Work, course: Path) -> NotebookNode | bytes:
    """Return what the student hands in: with words of its own, unless the first answer is empty."""
    first = next(iter(work.given.values()))
    for cell in notebook.cells:
        if mark(cell).get("grade") and mark(cell)["solution"] and first.how != "empty":
            cell.source = _WORDS_OF_A_STUDENT
    for exercise in work.chapter.exercises:
        given = work.given[exercise.name]
        (cell,) = (one for one in notebook.cells if mark(one).get("grade_id") == exercise.name)
        if given.how != "empty":
            cell.source = text(exercise.name, given.how, given.number, exercise.object)
        if work.cheat and exercise.name == work.where:
            code = work.cheat.code.replace("ROOT", str(course)).replace("OBJECT", exercise.object)
            cell.source += code
    change = work.cheat and work.cheat.change
    return change(notebook) if change else notebook


def _bytes(notebook: NotebookNode) -> bytes:
    """Return the file, damaged as it may be: nbformat would mend or refuse some of it."""
    return json.dumps(notebook).encode()


def _succeed(result: dict) -> None:
    if not result["success"]:
        raise RuntimeError(result.get("error") or result.get("log"))
