"""Points that a person gave: what they do to late penalties, and to the next grading.

nbgrader takes the penalty when it grades: points that a person gives later escape it. And at each
grading anew it asks for a second look at all of a person's points, also where nothing has changed.
"""

from collections.abc import Iterator, Mapping

import nbformat
from nbgrader.api import Grade, Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.utils.importstring import import_item

from autograder.course_folders.course import Course
from autograder.graded_notebook import marks
from autograder.nbgrader.terms import Terms, late_step

Decided = Mapping[tuple[str, str], float | None]  # by notebook and cell, the machine's points


def decided(gradebook: Gradebook, chapter: str, student: str) -> Decided:
    """Return the cells on which a person has decided, and need not look again."""
    try:
        notebooks = gradebook.find_submission(chapter, student).notebooks
    except MissingEntry:
        return {}
    return {
        (notebook.name, grade.name): grade.auto_score
        for notebook in notebooks
        for grade in notebook.grades
        if grade.manual_score is not None and not grade.needs_manual_grade
    }


def keep(gradebook: Gradebook, chapter: str, student: str, before: Decided) -> None:
    """Ask nobody to look again where the machine's points are the same; without a commit.

    Args:
      before: decisions on the very work that has been graded anew.
    """
    for (notebook, cell), points in before.items():
        try:
            grade = gradebook.find_grade(cell, notebook, chapter, student)
        except MissingEntry:  # the instructor has removed the cell
            continue
        if grade.auto_score == points:
            grade.needs_manual_grade = False


def works(course: Course, chapter: str, student: str) -> set[str]:
    """Return the fingerprints of the work that a student's graded notebooks come from.

    Plain nbgrader writes none. Where a file is damaged, it is nobody's: it is graded anew.
    """
    paths = course.graded_notebooks(chapter, student)
    found = marks.in_files(paths)
    known = {each["submitted_sha256"] for each in found.values() if each}
    return known if len(found) == len(paths) else set()


def renew_penalties(course: Course, *chapters: str) -> None:
    """Take the late penalty anew, by nbgrader's own step, where a person has given points since.

    Args:
      chapters: only these; none means all.

    Whose date or points in the chapter have changed keeps the penalty: `grade --again` shows what
    would change, and asks.
    """
    if not course.has_gradebook():
        return
    steps = [
        import_item(each) if isinstance(each, str) else each
        for each in Autograde(parent=course.app).autograde_preprocessors
    ]
    for kind in [each for each in steps if issubclass(each, AssignLatePenalties)]:
        step = late_step(course, kind)
        for where in list(_late_with_points(course, chapters)):
            step.preprocess(nbformat.v4.new_notebook(), {"nbgrader": where})


def _late_with_points(course: Course, chapters: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yield nbgrader's names of each late notebook in which a person has given points."""
    terms: dict[str, Terms] = {}
    with course.gradebook() as gradebook:
        late = sorted(set(_late(gradebook, chapters)))
    for chapter, student, notebook in late:
        graded = marks.in_files(course.graded_notebooks(chapter, student))
        if chapter not in terms:
            terms[chapter] = Terms(course, chapter)
        if not terms[chapter].changed(student, graded):
            yield {
                "notebook": notebook, "assignment": chapter, "student": student,
                "db_url": course.app.coursedir.db_url,
            }  # fmt: skip


def _late(gradebook: Gradebook, chapters: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield the chapter, the student and the notebook of each."""
    given = Grade.manual_score.is_not(None) | Grade.extra_credit.is_not(None)
    query = gradebook.db.query(SubmittedNotebook).join(Grade).filter(given).distinct()
    for notebook in query:
        submission = notebook.assignment
        chapter = submission.assignment.name
        if submission.total_seconds_late > 0 and (not chapters or chapter in chapters):
            yield chapter, submission.student_id, notebook.name
