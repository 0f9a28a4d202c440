"""Exercises are numbered by their order, and the text follows."""

import pytest
import toy_course

from autograder.authoring.adopt import adopt
from autograder.authoring.build import build, differences
from autograder.authoring.numbering import renumbered
from autograder.authoring.pair import BuildError

TEXT = """
### Exercise 1 ★ `one` (2 points)

You need it in exercise 4, and in Exercises 4 and 5.

### Exercise 2 ★ `two` (2 points)

### Exercise 4 ★ `four` (2 points)

As in exercise 2 of chapter 3; 4 points, chapter 4.

### Exercise 5 ★★ (3 points, read by a person)
"""


def test_a_gap_closes_and_the_text_follows():
    text, lost = renumbered(TEXT)
    assert lost == [] and renumbered(text) == (text, [])
    assert "in exercise 3, and in Exercises 3 and 4." in text
    assert [line[:14] for line in text.splitlines() if line.startswith("###")] == [
        f"### Exercise {number}" for number in (1, 2, 3, 4)
    ]
    assert "exercise 2 of chapter 3; 4 points, chapter 4" in text


def test_what_speaks_of_a_removed_exercise_is_named():
    assert renumbered(TEXT + "See exercises 1 and 3, and exercise 7.")[1] == [
        "exercises 1 and 3",
        "exercise 7",
    ]


def test_of_two_exercises_with_one_number_only_the_headings_change():
    text, lost = renumbered(TEXT.replace("Exercise 5 ★★", "Exercise 4 ★★"))
    assert lost == [] and "### Exercise 4 ★★" in text and "### Exercise 3 ★ `four`" in text
    assert "exercise 4, and in Exercises 4 and 5" in text


def test_a_page_without_exercises_may_speak_of_any():
    assert renumbered("In exercise 3 you will see.") == ("In exercise 3 you will see.", [])


@pytest.fixture
def course(tmp_path):
    toy_course.make(tmp_path)
    toy_course.write(tmp_path, toy_course.CHAPTER + TEXT)
    build(tmp_path)
    return tmp_path


def test_the_build_numbers_and_says_which_text_it_changed(course):
    path = course / "course" / "01_toy" / "01_toy.md"
    assert "### Exercise 3 ★ `four`" in path.read_text() and differences(course) == []
    text = path.read_text().replace("### Exercise 2 ★ `two` (2 points)\n", "")
    path.write_text(text)
    assert path in build(course) and differences(course) == []
    assert "### Exercise 2 ★ `four`" in toy_course.notebook(course, "release").read_text("utf-8")


def test_a_text_that_speaks_of_no_exercise_is_not_built(course):
    path = course / "course" / "01_toy" / "01_toy.md"
    text = path.read_text().replace("### Exercise 3", "### Exercise 9") + "\nSee exercise 3.\n"
    path.write_text(text)
    with pytest.raises(BuildError, match="speaks of an exercise that is not there: exercise 3"):
        build(course)
    assert path.read_text() == text


def test_an_exercise_that_is_removed_in_jupyterlab_can_be_adopted(course):
    path = toy_course.notebook(course)
    path.write_text(path.read_text("utf-8").replace("### Exercise 2 ★ `two` (2 points)", ""))
    adopt(course, "01_toy")
    assert differences(course) == []
    assert "### Exercise 2 ★ `four`" in (course / "course/01_toy/01_toy.md").read_text("utf-8")
