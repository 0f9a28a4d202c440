"""What is left in the gradebook of a submission that was begun, and could not be graded."""

from nbgrader.api import Gradebook

from autograder.course_folders.course import Course
from autograder.nbgrader.recorded_marks import marks_of


def forget(course: Course, chapter: str, student: str) -> None:
    """Remove the row that nbgrader makes before it grades: without marks it would count as 0.

    What was graded before stays, and so does what a person has written.
    """
    known = marks_of(course, chapter, student)
    if known is None:
        return
    if course.graded_notebooks(chapter, student):
        _keep_time(course, chapter, student)
        return
    graded = known.complete and any(points is not None for points in known.points.values())
    with course.gradebook() as gradebook:
        if not graded and not _by_a_person(gradebook, chapter, student):
            gradebook.remove_submission(chapter, student)


def _keep_time(course: Course, chapter: str, student: str) -> None:
    """Say again when the work was handed in that has the marks: nbgrader has written a newer time.

    Otherwise these marks would lose points for the lateness of work that nobody could grade.
    """
    folder = course.folder("autograded", student, chapter)
    time = course.app.coursedir.get_existing_timestamp(str(folder))
    with course.gradebook() as gradebook:
        gradebook.find_submission(chapter, student).timestamp = time
        gradebook.db.commit()


def _by_a_person(gradebook: Gradebook, chapter: str, student: str) -> bool:
    """Tell whether a person has given points, or written a comment."""
    notebooks = gradebook.find_submission(chapter, student).notebooks
    grades = [grade for notebook in notebooks for grade in notebook.grades]
    comments = [comment for notebook in notebooks for comment in notebook.comments]
    return any(each.manual_comment for each in comments) or any(
        each.manual_score is not None or each.extra_credit for each in grades
    )
