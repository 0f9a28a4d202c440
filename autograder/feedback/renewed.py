"""Remakes pages that are older than the gradebook: a person has given points since."""

from collections.abc import Iterable

from nbgrader.api import MissingEntry

from autograder.course_folders.course import Course
from autograder.feedback.pages import Feedback
from autograder.feedback.workers import PageError, Pages
from autograder.nbgrader.by_hand import renew_penalties


def renew(course: Course, chapter: str, students: Iterable[str]) -> list[str]:
    """Make the pages of these students anew where they are out of date; return whose they are.

    Raises:
      PageError: a page cannot be made, or the gradebook does not know whose it is.
    """
    renew_penalties(course, chapter)
    feedback, stale = Feedback(course, chapter), []
    for student in sorted(students):
        try:
            stale += [] if feedback.is_current(student) else [student]
        except MissingEntry as error:
            raise PageError(
                f"the gradebook has no {chapter} of {student} any more: move {student}'s folders "
                "in autograded/ and feedback/ away, or name them in student_id_exclude"
            ) from error
    if stale:
        pages = Pages(feedback, 1)
        try:
            for student in stale:
                pages.make(student).result()
        finally:
            pages.close()
    return stale
