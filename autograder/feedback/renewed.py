"""Makes pages anew that no longer say what the gradebook says: a person has given points since."""

from collections.abc import Iterable

from autograder.feedback.pages import Feedback
from autograder.feedback.workers import Pages
from autograder.nbgrader.by_hand import renew_penalties
from autograder.nbgrader.course import Course


def renew(course: Course, chapter: str, students: Iterable[str]) -> list[str]:
    """Make the pages of these students anew where they are out of date; return whose they are.

    Raises:
      PageError: a page cannot be made.
    """
    renew_penalties(course, chapter)
    feedback = Feedback(course, chapter)
    stale = [each for each in sorted(students) if not feedback.is_current(each)]
    if stale:
        pages = Pages(feedback, 1)
        try:
            for student in stale:
                pages.make(student).result()
        finally:
            pages.close()
    return stale
