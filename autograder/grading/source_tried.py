"""The answers in source/, tried with the tests there before anything is written by them."""

from pathlib import Path

from autograder.course_folders.course import Course
from autograder.course_folders.known_chapters import has_no_exercises
from autograder.exam.key import exists
from autograder.execution.execute import Execute
from autograder.execution.job import Job, Settings
from autograder.execution.verdicts import Runner, unpassed
from autograder.problem import Problem


def failures(root: Path, chapter: str) -> dict[str, str]:
    """Return the tests of a chapter that the answers in source/ do not pass, and what came.

    The teacher's code runs uncontained, as in the teacher's own JupyterLab.

    Raises:
      Problem: they cannot be tried.
    """
    course = Course(root)
    sources = course.source_notebooks(chapter)
    notebooks = {path.stem: path.read_text("utf-8") for path in sources}
    if not notebooks or exists(root, chapter) or has_no_exercises(course, chapter):
        return {}
    folder = course.folder("source", ".", chapter)
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".ipynb")
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    with course.environment():
        execute = Execute(parent=course.app).trait_values(config=True)
        job = Job(notebooks, files, Settings(execute=execute, warm=False))
        try:
            found = unpassed(job, Runner())
        except Exception as error:  # whatever a kernel that does not start raises
            raise Problem(f"{type(error).__name__}: {error}") from error
    return {name: seen for each in found.values() for name, seen in each.items()}


def lines(root: Path, chapter: str) -> list[str]:
    """Return in words what the answers in source/ do not pass, for whoever is about to write."""
    try:
        found = failures(root, chapter)
    except Problem as error:
        return [f"The answers in source/ could not be tried with these tests: {error}"]
    return [
        f"LOOK FIRST: the teacher's own answer does not pass {test} ({seen}). Nobody can."
        for test, seen in found.items()
    ]


def refuse(root: Path, chapter: str) -> None:
    """Raise Problem if the answers in source/ do not pass the tests there."""
    said = lines(root, chapter)
    if said:
        words = "\n  ".join(["nothing was written.", *said])
        raise Problem(f"{words}\nMend the test or the answer, or take it untried: --untried")
