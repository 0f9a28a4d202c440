"""What an instructor is told below the table: said once, whoever it is about."""

import io

import pytest
import toy
from rich.console import Console

from autograder.course_folders.course import Course
from autograder.grading import grade
from autograder.nbgrader.terms import CHANGED
from autograder.report.write import report


def printed(root, **given) -> list[str]:
    """Return the lines that grading prints."""
    console = Console(file=io.StringIO(), width=200)
    grade(toy.CHAPTER, root=root, console=console, **given)
    return console.file.getvalue().splitlines()


def enrol(root, *students: str) -> None:
    """Put students into the gradebook, as a class list does."""
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        for student in students:
            gradebook.update_or_create_student(student)


@pytest.mark.long
def test_who_handed_in_nothing_is_named_as_in_the_report(course):
    enrol(course, "ada", "zoe", "bob")
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.CourseDirectory.student_id_exclude = "zoe"\n')
    toy.submit(course, "carl", b"")  # it came, and cannot be read
    assert "Nothing from: ada, bob" in printed(course)
    page, _ = report(toy.CHAPTER, root=course)
    assert "Nothing from: <bdi>ada</bdi>, <bdi>bob</bdi>." in page.read_text("utf-8")
    # Who was graded has marks, also where the folder is gone.
    (course / "submitted" / "alice").rename(course / "elsewhere")
    assert "Nothing from: ada, bob" in printed(course)
    assert not [line for line in printed(course, students=["carl"]) if "Nothing from" in line]


@pytest.mark.long
def test_of_many_who_handed_in_nothing_the_first_are_named(course):
    enrol(course, *(f"s{number:03}" for number in range(200)))
    (said,) = (line for line in printed(course) if "Nothing from" in line)
    assert said.startswith("Nothing from 200 students: s000, s001")
    assert said.endswith("s009 and 190 more")


@pytest.mark.long
def test_who_was_graded_on_other_points_is_told_what_to_do_once(course):
    toy.submit(course, "bob", toy.answers())
    assert not [line for line in printed(course) if CHANGED in line.lower()]
    with toy.edited(course) as notebook:
        toy.cell(notebook, "half_parts").metadata.nbgrader.points = 5
    text = printed(course)
    rows = [line for line in text if line.startswith("│")]
    assert [CHANGED in row and "--again" not in row for row in rows] == [True, True]
    (said,) = (line for line in text if "--again" in line)
    assert f"{toy.CHAPTER}: alice, bob. autograder grade {toy.CHAPTER} --again" in said
