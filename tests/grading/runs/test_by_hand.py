"""A person gives points, in formgrader or by a table: penalties, pages and notes follow."""

import io

import pytest
import toy
from rich.console import Console

from autograder.course_folders.course import Course, GradingError
from autograder.feedback.renewed import renew
from autograder.gradebook_io.exports import export
from autograder.gradebook_io.written_answers import give_points
from autograder.grading import grade
from autograder.nbgrader.terms import CHANGED
from autograder.reading.reading_table import write_reading

pytestmark = pytest.mark.long

LATE = "2027-03-01 13:00:00 UTC"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The toy course, in which alice has handed in an hour late: nothing of 8 points is left."""
    root = toy.make(tmp_path_factory.mktemp("late"))
    toy.submit(root, "alice", toy.answers()).with_name("timestamp.txt").write_text(LATE)
    toy.due(root, "2027-03-01 12:00:00 UTC")
    grade(toy.CHAPTER, root=root)
    return root


def waiting(root) -> dict[str, bool]:
    return {row[1]: bool(row[5]) for row in toy.records(root)}


def exported(root) -> str:
    path = root / "canvas.csv"
    export("canvas", root=root, path=path)
    return path.read_text().splitlines()[-1].split(",")[-1]


def outcome(root, **how):
    (found,) = grade(toy.CHAPTER, root=root, **how)
    return found


def test_tables_show_the_score_that_is_exported(course):
    printed = io.StringIO()
    console = Console(file=printed, width=250)
    found = outcome(course, console=console)
    assert (found.score, found.counted) == (8, 0) and exported(course) == "0"
    assert "0 / 10 (8 before the late penalty)" in printed.getvalue()
    toy.sql(course, "update assignment set duedate = '2027-03-02 12:00:00.000000'")
    rows = toy.rows(toy.run_again(course, answer=False)[1])
    assert any(row.startswith("alice 0 → 8 points and dates 0 → 8") for row in rows)
    assert "1 graded again in a copy; 1 score would change." in rows


def test_points_by_hand_do_not_escape_a_late_penalty(course):
    toy.give(course, 2)
    assert exported(course) == "0"
    assert any("10 points off" in note for note in outcome(course).notes)


def test_points_from_a_table_do_not_escape_it_either(course):
    _, table = write_reading(toy.CHAPTER, root=course)
    table.write_text(table.read_text("utf-8-sig").replace(",written,2,,", ",written,2,1.5,"))
    give_points(toy.CHAPTER, root=course, path=table)
    assert {row[6] for row in toy.records(course)} == {9.5}


def test_a_new_rule_for_late_work_waits_for_again(course):
    path = course / "nbgrader_config.py"
    path.write_text(path.read_text().replace('penalty_method = "zero"', 'penalty_method = "none"'))
    toy.give(course, 2)
    assert CHANGED.format(toy.CHAPTER) in outcome(course).notes
    assert exported(course) == "2"
    stamp = course / "submitted" / "alice" / toy.CHAPTER / "timestamp.txt"
    stamp.write_text(LATE.replace("13:00", "11:00"))
    assert outcome(course).score == 10
    path.write_text(path.read_text().replace('penalty_method = "none"', 'penalty_method = "zero"'))
    assert CHANGED.format(toy.CHAPTER) not in outcome(course).notes  # it is in time


def test_a_rule_for_late_work_that_is_not_there_is_told(course):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.AssignLatePenalties.plugin_class = "my_rules.PointADay"\n')
    with pytest.raises(GradingError, match=r"a setting .* is wrong: .*my_rules.PointADay"):
        exported(course)


def test_a_page_that_is_out_of_date_is_made_anew(course):
    assert "10 points off" not in toy.page(course)
    toy.give(course, 2)
    assert not outcome(course).new
    assert "10 points off" in toy.page(course)
    opened = Course(course)
    with opened.environment():
        assert renew(opened, toy.CHAPTER, ["alice"]) == []
        toy.sql(course, "update comment set manual_comment = 'Well said.'")
        assert renew(opened, toy.CHAPTER, ["alice"]) == ["alice"]
    assert "Well said." in toy.page(course)


def test_points_that_a_person_took_are_not_laid_to_a_check_that_passed(course):
    toy.give(course, 0.5, "double_visible")
    outcome(course)
    assert "a person has given the points here" in toy.page(course)
    assert "without a word" not in toy.page(course)


def test_the_same_work_graded_anew_is_not_to_be_read_again(course):
    toy.give(course, 2)
    found = outcome(course, force=True)
    assert found.new and not waiting(course)["written"]
    assert not any("look again" in note for note in found.notes)


def test_new_work_is_to_be_read_again_and_everything_says_so(course):
    toy.give(course, 2)
    toy.give(course, 0.5, "double_visible")
    toy.submit(course, "alice", toy.answers(written="Other words."))
    note = "points by hand are from before, look again: double_visible, written"
    assert note in outcome(course).notes and note in outcome(course).notes
    reading, table = write_reading(toy.CHAPTER, root=course)
    assert "2 points from before: graded anew since, look again" in reading.read_text()
    assert ",written,2,," in table.read_text("utf-8-sig")  # taken in as it is, it decides nothing
    write_reading(toy.CHAPTER, root=course)
    table.write_text(table.read_text("utf-8-sig").replace(",written,2,,", ",written,2,1,"))
    give_points(toy.CHAPTER, root=course, path=table)
    assert waiting(course) == {name: name == "double_visible" for name in waiting(course)}
    write_reading(toy.CHAPTER, root=course)


def test_points_that_a_check_now_gives_are_to_be_looked_at_again(course):
    toy.submit(course, "alice", toy.answers(double="def double(x):\n    return 1"))
    outcome(course)
    toy.give(course, 1, "double_visible")
    source = toy.file_of(course, "source")
    source.write_text(source.read_text().replace("assert double(1) == 2", "assert double(1) == 1"))
    assert any("look again: double_visible" in note for note in outcome(course, force=True).notes)
