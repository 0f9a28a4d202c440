"""The dates of the chapters, in nbgrader's gradebook: until when work is in time."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.authoring.chapter_list import in_course
from autograder.course_folders.course import Course
from autograder.course_folders.known_chapters import chapters, has_no_exercises
from autograder.nbgrader.terms import SHOWN
from autograder.problem import Problem


@dataclass(frozen=True)
class Dates:
    """All dates.

    Attributes:
      until: by chapter, in words.
      without: the chapters with exercises and without one, but for those that students do not get.
      unknown: names in the gradebook that no chapter has: a date was set for a mistyped name.
    """

    until: dict[str, str]
    without: tuple[str, ...]
    unknown: tuple[str, ...]


def read(root: Path) -> Dates:
    """Return the dates; the gradebook is not made if it is not there."""
    course = Course(root)
    known, until = chapters(course), {}
    if course.has_gradebook():
        with course.environment(), course.gradebook() as gradebook:
            until = {each.name: each.duedate for each in gradebook.assignments}
    return Dates(
        {name: f"{date:{SHOWN}}" for name, date in sorted(until.items()) if date},
        tuple(
            name
            for name in in_course(course.root, known)
            if not until.get(name) and not has_no_exercises(course, name)
        ),
        tuple(sorted(until.keys() - known.keys())),
    )


def write(root: Path, chapter: str, date: datetime | None) -> bool:
    """Write a chapter's date, or that it has none; tell whether anybody is graded in it already.

    Raises:
      Problem: there is no such chapter.
    """
    course = Course(root)
    if chapter not in chapters(course):
        raise Problem(f"there is no chapter {chapter} in source/ or release/")
    with course.environment(), course.gradebook() as gradebook:
        assignment = gradebook.update_or_create_assignment(chapter, duedate=date)
        return bool(assignment.submissions)
