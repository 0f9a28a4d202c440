"""The chapter in the gradebook: its graded cells are written from source/."""

import re
import tempfile

from nbgrader.api import MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.utils import capture_log

from autograder.course_folders.course import Course, GradingError
from autograder.nbgrader.reasons import of_machine

# nbgrader's words.
_AFTER_GRADING = "submissions associated with"


def prepare(course: Course, chapter: str) -> list[str]:
    """Update the gradebook's copy of `chapter` from source/; leave release/ alone.

    Without source/CHAPTER the gradebook must know the chapter already.

    Returns:
      The names of the chapter's notebooks.

    Raises:
      GradingError: nbgrader refuses the source, or the chapter is unknown.
    """
    source = course.folder("source", ".", chapter)
    if chapter != source.name:  # nbgrader would make an assignment without a name
        raise GradingError(f"{chapter!r} is no name of a chapter, but a path: give its last part")
    if source.is_dir():
        _generate(course, chapter)
    return notebooks(course, chapter)


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


def _generate(course: Course, chapter: str) -> None:
    """Run nbgrader's own generate_assignment, and discard its notebooks."""
    with tempfile.TemporaryDirectory() as folder:
        directory = course.directory(chapter, release_directory=folder)
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
                "\nGraded cells came or went after students were graded: nbgrader keeps the old "
                "ones. Put them back in source/; or, to lose everybody's grades of this chapter, "
                f"those by hand too: nbgrader db assignment remove {chapter} --force"
            )
        raise GradingError(reason)
