"""A group hands in once: it is graded once, and each member has the same marks and page."""

import csv
import re

import nbformat
import pytest
import toy

from autograder.grading import grade
from autograder.problem import Problem
from autograder.reading.reading_table import write_reading
from autograder.report.write import report

GROUPS = "group,student\nred,ann\nred,bo\nred,cy\nblue,dee\nblue,eli\n"
LATE = "2027-03-01 13:00:00 UTC"


@pytest.fixture
def classed(tmp_path):
    """Ann hands in for red, late; dee and eli of blue hand in the same file; fay is alone."""
    root = toy.make(tmp_path)
    (root / "groups.csv").write_text(GROUPS)
    work = toy.submit(root, "ann", toy.answers(half="def half(x):\n    return x"))
    (work.parent / "timestamp.txt").write_text(LATE)
    for student in ("dee", "eli"):
        toy.submit(root, student, toy.answers(written="Blue words."))
    toy.submit(root, "fay", toy.answers())
    return root


def rows(root, student):
    return [row[1:] for row in toy.records(root) if row[0] == student]


def page(root, student):
    """Return a student's page without the name on it."""
    return re.sub(r"Feedback for \w+", "", toy.page(root, student))


@pytest.mark.long
def test_each_member_has_the_marks_and_the_page_of_the_one_work(classed, capsys):
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    assert list(outcomes) == ["ann", "bo", "cy", "dee", "eli", "fay"]
    assert {outcomes[each].score for each in ("ann", "bo", "cy")} == {4}
    assert {outcomes[each].score for each in ("dee", "eli", "fay")} == {8}
    assert "with ann" in outcomes["bo"].notes and "with dee" in outcomes["eli"].notes
    for other in ("bo", "cy"):
        assert rows(classed, other) == rows(classed, "ann")
        assert page(classed, other) == page(classed, "ann")
    assert "Nothing from" not in capsys.readouterr().out
    assert not [each for each in grade(toy.CHAPTER, root=classed) if each.new]


@pytest.mark.long
def test_points_by_hand_and_penalties_are_the_groups(classed):
    toy.due(classed, "2027-03-01 12:00:00 UTC")
    config = classed / "nbgrader_config.py"
    config.write_text(config.read_text().replace('"zero"', '"none"'))
    grade(toy.CHAPTER, root=classed)
    text = write_reading(toy.CHAPTER, root=classed)[0].read_text("utf-8")
    assert text.count("Blue words.") == 1
    toy.give(classed, 2, student="bo")  # on any member's row
    toy.give(classed, 1, student="dee")
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    assert {outcomes[each].score for each in ("ann", "bo", "cy")} == {6}
    assert {outcomes[each].score for each in ("dee", "eli")} == {9}
    toy.give(classed, 1.5, student="ann")  # a second thought
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    assert {outcomes[each].score for each in ("ann", "bo", "cy")} == {5.5}
    assert "1.5" in page(classed, "cy")
    assert toy.run(classed, "export", "canvas", "--output", str(classed / "out.csv")) == 0
    table = list(csv.DictReader((classed / "out.csv").open(encoding="utf-8")))
    scores = {row["SIS Login ID"]: row["01_toy"] for row in table}
    assert [scores[each] for each in ("ann", "bo", "cy", "dee", "eli")] == [
        "5.5", "5.5", "5.5", "9", "9",
    ]  # fmt: skip
    assert report(toy.CHAPTER, root=classed)


@pytest.mark.long
def test_different_points_by_hand_are_named(classed, capsys):
    grade(toy.CHAPTER, root=classed)
    toy.give(classed, 2, student="ann")
    toy.give(classed, 1, student="bo")
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    said = " ".join(capsys.readouterr().out.split())
    assert "group red: ann and bo were given different points or words by hand" in said
    assert {outcomes[each].score for each in ("ann", "bo", "cy")} == {6}


@pytest.mark.long
def test_graded_again_the_group_stays_together(classed):
    grade(toy.CHAPTER, root=classed)
    with toy.edited(classed) as source:
        toy.cell(source, "half_visible").metadata.nbgrader.points = 3
    wrote, said, _ = toy.run_again(classed, answer=True)
    assert wrote and "3 graded again in a copy" in said
    assert rows(classed, "bo") == rows(classed, "ann")


@pytest.mark.long
def test_a_group_with_two_different_works_is_named_and_each_is_graded(classed, capsys):
    toy.submit(classed, "bo", toy.answers(written="Other words."))
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    said = " ".join(capsys.readouterr().out.split())
    assert "group red has handed in different work (ann, bo), and each is graded alone" in said
    assert (outcomes["ann"].score, outcomes["bo"].score) == (4, 8)
    assert "cy" not in outcomes


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("blue,ann", "line 7: ann is in red already, and cannot be in blue too"),
        ("green", "line 7: it must hold a group and a student"),
    ],
)
def test_a_wrong_line_is_refused(classed, line, words):
    (classed / "groups.csv").write_text(f"{GROUPS}{line}\n")
    with pytest.raises(Problem, match=words):
        grade(toy.CHAPTER, root=classed)


@pytest.mark.long
def test_a_work_that_cannot_be_graded_is_said_of_all(classed):
    toy.submit(classed, "ann", b"[")
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    assert not any(outcomes[each].graded for each in ("ann", "bo", "cy"))
    assert "01_toy.ipynb is not valid JSON" in outcomes["cy"].status


@pytest.mark.long
def test_a_new_work_of_the_group_is_everybodys(classed):
    grade(toy.CHAPTER, root=classed)
    toy.submit(classed, "ann", toy.answers())
    outcomes = {each.student: each for each in grade(toy.CHAPTER, root=classed)}
    assert {outcomes[each].score for each in ("ann", "bo", "cy")} == {8}
    notebook = nbformat.read(toy.file_of(classed, "autograded", "cy"), as_version=4)
    assert toy.cell(notebook, "half").source == toy.cell(toy.answers(), "half").source
