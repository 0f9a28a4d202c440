"""The chapter in the gradebook: its graded cells are written from source/."""

import re
import tempfile

from nbgrader.api import MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.utils import capture_log

from autograder import releases
from autograder.course_folders.course import Course, GradingError
from autograder.nbgrader.changed_cells import changed, follow
from autograder.nbgrader.reasons import of_machine

# nbgrader's words.
_AFTER_GRADING = "submissions associated with"


def prepare(course: Course, chapter: str) -> tuple[list[str], list[str]]:
    """Update the gradebook's copy of `chapter` from source/; leave release/ alone.

    Without source/CHAPTER the gradebook must know the chapter already.

    Returns:
      The names of the chapter's notebooks; and in words which exercises came or went since somebody
      was graded.

    Raises:
      GradingError: nbgrader refuses the source, or the chapter is unknown.
    """
    source = course.folder("source", ".", chapter)
    if chapter != source.name:  # nbgrader would make an assignment without a name
        raise GradingError(f"{chapter!r} is no name of a chapter, but a path: give its last part")
    said: list[str] = []
    built = (course.root / "course" / chapter).is_dir()
    if not built and not course.is_trial:  # else `make build` keeps it
        steps = [course.folder(step, ".", chapter) for step in ("source", "release")]
        releases.keep(
            course.root, chapter, [path for each in steps for path in each.glob("*.ipynb")]
        )
    if source.is_dir():
        if found := changed(course, chapter):
            _try(course, chapter)
            said = follow(course, chapter, found)
        _generate(course, chapter)
    return notebooks(course, chapter), said


def notebooks(course: Course, chapter: str) -> list[str]:
    """Return the names of the notebooks of a chapter that is in the gradebook.

    Raises:
      GradingError: it is not.
    """
    with course.gradebook() as gradebook:
        try:
            found = gradebook.find_assignment(chapter).notebooks
            return sorted(notebook.name for notebook in found)
        except MissingEntry as error:
            above = course.folder("source", ".", chapter).parent
            reason = f"{chapter} is neither in the gradebook nor in {above}"
            raise GradingError(reason) from error


def _try(course: Course, chapter: str) -> None:
    """Raise GradingError if nbgrader refuses the source; in an empty gradebook."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        _generate(course, chapter, db_url=f"sqlite:///{folder}/gradebook.db")


def _generate(course: Course, chapter: str, **settings: str) -> None:
    """Run nbgrader's own generate_assignment, and discard its notebooks."""
    with tempfile.TemporaryDirectory() as folder:
        directory = course.directory(chapter, release_directory=folder, **settings)
        result = capture_log(GenerateAssignment(coursedir=directory, parent=course.app))
    if not result["success"]:
        # nbgrader writes the reason only to its log: the last line that names an error.
        text = result.get("log", "") + result["error"]
        if text.rstrip().endswith("KeyboardInterrupt"):  # nbgrader takes it for an error
            raise KeyboardInterrupt
        if of_machine(text):
            raise GradingError(of_machine(text))
        lines = [line.strip() for line in text.splitlines()]
        reasons = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Entry): ", line)]
        reason = f"nbgrader refuses source/{chapter}: {reasons[0] if reasons else lines[-1]}"
        if _AFTER_GRADING in text:
            reason += (
                "\nA whole notebook went after students were graded. Put it back into "
                f"source/{chapter}; its exercises may go."
            )
        raise GradingError(reason)
