"""Marks in the gradebook: the same of one student as of the class, and as nbgrader counts them."""

import contextlib

import pytest
import toy

from autograder.course_folders.course import Course
from autograder.nbgrader import recorded_marks
from autograder.nbgrader.recorded_marks import marks_of


@contextlib.contextmanager
def changed(root):
    """The course, and alice's grades by cell, to be changed."""
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        (notebook,) = gradebook.find_submission(toy.CHAPTER, "alice").notebooks
        yield course, {grade.name: grade for grade in notebook.grades}
        gradebook.db.commit()


def of(course):
    """What the two ways to ask say of alice, who is alone in the gradebook."""
    with course.environment(), course.gradebook() as gradebook:
        everyone = recorded_marks.read(gradebook, toy.CHAPTER)
        own = gradebook.find_submission(toy.CHAPTER, "alice")
        assert everyone["alice"].score == own.score
        assert everyone["alice"].max_score == own.max_score
    assert everyone == {"alice": marks_of(course, toy.CHAPTER, "alice")}
    return everyone["alice"]


def test_a_written_answer_waits_for_a_person(course):
    found = of(Course(course))
    assert (found.score, found.max_score, found.late_penalty) == (8, 10, 0)
    assert found.complete and found.waiting == ("written",) and found.again == ()
    assert found.points["written"] is None and "written" not in found.automatic
    assert sum(found.automatic.values()) == 8


def test_a_persons_points_are_no_machines(course):
    with changed(course) as (where, grades):
        grades["written"].manual_score, grades["written"].needs_manual_grade = 1.5, False
    found = of(where)
    assert found.points["written"] == 1.5 and found.score == 9.5 and found.waiting == ()
    assert "written" not in found.automatic and found.again == ()
    with changed(course) as (where, grades):
        grades["written"].needs_manual_grade = True
    assert of(where).again == ("written",)


@pytest.mark.parametrize("cell", ["double_hidden", "half_parts"])
def test_a_score_that_the_machine_owes_is_no_question_to_a_person(course, cell):
    with changed(course) as (where, grades):
        grades[cell].auto_score = None
    found = of(where)
    assert not found.complete and found.points[cell] is None and cell not in found.automatic


def test_who_has_handed_in_nothing_has_no_marks(course):
    for student in ("bob", "\udce9"):
        assert marks_of(Course(course), toy.CHAPTER, student) is None
    assert marks_of(Course(course), "02_other", "alice") is None
