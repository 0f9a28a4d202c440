"""Points of an exercise change after a class was graded: exports and returned pages say so."""

import json

import pytest
import toy

from autograder.course_folders.course import Course
from autograder.nbgrader.assignment import prepare
from autograder.nbgrader.stale import above_by_hand, refuse_above

pytestmark = pytest.mark.long

OTHER = "Graded on other points, dates or costs of late work than those of now"
AGAIN = f"autograder grade {toy.CHAPTER} --again"


def give_points(root, points: float, *, known: bool = True) -> None:
    """Change the most of a cell, in source/ and, if known, in the gradebook; grade nobody."""
    with toy.edited(root) as notebook:
        toy.cell(notebook, "double_hidden").metadata.nbgrader.points = points
    if known:
        with Course(root).environment():
            prepare(Course(root), toy.CHAPTER)


def collect(root) -> None:
    """Let alice's work have come from Canvas."""
    path = root / "submitted" / ".collected" / f"{toy.CHAPTER}.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"alice": {"system": "canvas", "prefix": "alice_1_2"}}))


def test_marks_above_their_maximum_are_not_written(course, capsys):
    toy.submit(course, "bob", toy.answers(double="def double(x):\n    return 2"))
    assert toy.run(course, "grade", toy.CHAPTER, "--beside") == 0
    give_points(course, 1)  # alice has 2, and bob has none
    collect(course)
    for command in (["export", "canvas"], ["return", "canvas", toy.CHAPTER]):
        capsys.readouterr()
        assert toy.run(course, *command) == 1
        said = capsys.readouterr().err
        assert "somebody has more points for a cell than it gives" in said
        assert f"{toy.CHAPTER}: alice (double_hidden: 2 of 1): {AGAIN}" in said
        assert "--anyway" in said and "bob" not in said
    assert not (course / "reports").exists()
    assert toy.run(course, "export", "canvas", "--anyway") == 3
    assert toy.run(course, "return", "canvas", toy.CHAPTER, "--anyway") == 3
    assert (course / "reports" / "canvas.csv").exists()


def test_who_was_graded_on_other_points_is_named_with_the_mend(course, capsys):
    collect(course)
    assert toy.run(course, "export", "canvas") == 0
    assert toy.run(course, "return", "canvas", toy.CHAPTER) == 0
    said = capsys.readouterr().out
    assert "other points" not in said
    assert "Not yet read by a person: 1 (alice)." in said
    give_points(course, 3)
    words = f"{OTHER}, {toy.CHAPTER}: alice. {AGAIN}"
    for command in (["export", "moodle"], ["return", "canvas", toy.CHAPTER]):
        assert toy.run(course, *command) == 3
        assert words in capsys.readouterr().out
    assert toy.run(course, "grade", toy.CHAPTER, "--again", "--beside", "--yes") == 0
    assert toy.run(course, "export", "moodle") == 0
    assert words not in capsys.readouterr().out


def test_points_that_are_new_in_source_alone_are_named_too(course, capsys):
    give_points(course, 2, known=False)
    assert toy.run(course, "export", "moodle") == 0
    give_points(course, 3, known=False)
    assert toy.run(course, "export", "moodle") == 3
    assert f"{toy.CHAPTER}: alice." in capsys.readouterr().out


def test_extra_credit_is_not_above_the_maximum(course):
    """nor is a person's half point more on one cell: the sum fits."""
    toy.sql(course, "update grade set extra_credit = 5 where auto_score = 4")
    toy.sql(course, "update grade set manual_score = 2.5 where auto_score = 2")
    with Course(course).environment():
        refuse_above(Course(course), [toy.CHAPTER])
    toy.sql(course, "update grade set manual_score = 9 where auto_score = 4")
    with Course(course).environment():
        assert above_by_hand(Course(course), toy.CHAPTER) == {
            "alice": "alice (double_hidden: 2.5 of 2, half_parts: 9 of 4)"
        }


def lower_written(root) -> str:
    """Give alice both points for her words, then let there be only one; return what is said."""
    toy.give(root, 2)
    with toy.edited(root) as notebook:
        toy.cell(notebook, "written").metadata.nbgrader.points = 1
    return (
        f"{toy.CHAPTER}: more points by hand than there are, and grading again leaves them: "
        "alice (written: 2 of 1). Give others in formgrader; or, for answers in words, by "
        f"autograder read {toy.CHAPTER}"
    )


def test_points_by_hand_that_do_not_fit_are_named_with_what_mends_them(course, capsys):
    """Grading again leaves them as they are: that command would help nobody."""
    words = lower_written(course)
    collect(course)
    assert words in toy.run_again(course, answer=False)[1]
    again = ["grade", toy.CHAPTER, "--again", "--beside", "--yes"]
    assert toy.run(course, *again) == 0
    assert words in " ".join(capsys.readouterr().out.split())
    for command in (["export", "canvas"], ["return", "canvas", toy.CHAPTER]):
        assert toy.run(course, *command) == 1
        said = capsys.readouterr().err
        assert f"  {words}\n" in said and AGAIN not in said


def test_the_mend_for_points_by_hand_is_the_table(course, capsys):
    lower_written(course)
    with Course(course).environment():
        prepare(Course(course), toy.CHAPTER)
    assert toy.run(course, "read", toy.CHAPTER, "--table") == 0
    table = course / "reports" / f"{toy.CHAPTER}-reading.csv"
    table.write_text(table.read_text("utf-8-sig").replace(",written,1,2,", ",written,1,1,"))
    assert toy.run(course, "read", toy.CHAPTER, "--points", str(table)) == 0
    assert toy.run(course, "export", "canvas") == 3  # she was graded on other points
    assert "more points" not in capsys.readouterr().err


def test_too_many_points_of_a_check_and_of_a_person_have_a_mend_each(course, capsys):
    words = lower_written(course)
    give_points(course, 1)
    assert toy.run(course, "export", "canvas") == 1
    said = capsys.readouterr().err
    assert f"{toy.CHAPTER}: alice (double_hidden: 2 of 1): {AGAIN}\n" in said and words in said
