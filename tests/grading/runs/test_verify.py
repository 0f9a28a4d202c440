"""`--verify N` compares with plain nbgrader; `--again` shows what would change before it writes."""

import io
from collections import Counter

import pytest
import toy
from rich.console import Console

from autograder.graded_notebook.outcome import Outcome
from autograder.grading import GradingError, grade, nbgrader_alone
from autograder.nbgrader.steps import Grader
from autograder.regrade.changes import Change, Preview
from autograder.regrade.kept_jobs import Kept
from autograder.regrade.table_of_changes import show

pytestmark = pytest.mark.load

CLASS = {"alice": toy.answers(), "bob": toy.answers(double="def double(x):\n    return x")}


def change(root, statement: str) -> None:
    assert toy.sql(root, f"{statement} returning 1")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A person has graded Alice's written answer."""
    root = toy.make(tmp_path_factory.mktemp("class"))
    for student, notebook in CLASS.items():
        toy.submit(root, student, notebook)
    grade(toy.CHAPTER, root=root)
    toy.give(root, 1.5)
    return root


def verified(root, **options) -> tuple[dict[str, Outcome], str]:
    """Grade and verify everyone; return the outcomes by name, and what was printed."""
    printed = io.StringIO()
    console = Console(file=printed, width=250)
    outcomes = grade(toy.CHAPTER, root=root, verify=9, console=console, **options)
    return {outcome.student: outcome for outcome in outcomes}, printed.getvalue()


def test_plain_nbgrader_gives_the_same_records(course):
    """What a person gave is no difference."""
    change(course, "update grade set extra_credit = 1 where auto_score = 4")
    change(course, "update comment set manual_comment = 'Well said.'")
    before = toy.records(course)
    outcomes, printed = verified(course)
    assert not any(outcome.differs for outcome in outcomes.values())
    assert "alice: equal" in printed and "bob: equal" in printed
    assert toy.records(course) == before


PLANTED = {
    "update grade set auto_score = 0.5 where auto_score = 4": (
        "01_toy/half_parts: automatic score is 0.5, nbgrader says 4.0"
    ),
    "update comment set auto_comment = 'No response.'": (
        "01_toy/double: comment is 'No response.', nbgrader says nothing"
    ),
    "update submitted_notebook set late_submission_penalty = 2": (
        "01_toy/double_hidden: late penalty is 2.0, nbgrader says nothing"
    ),
    "update grade set needs_manual_grade = 1 where auto_score = 0.5": (
        "01_toy/half_parts: needs a person is 1, nbgrader says 0"
    ),
}


def test_every_difference_is_reported(course):
    for statement in PLANTED:
        change(course, statement)
    before = toy.records(course)
    outcomes, printed = verified(course, contained=False)
    for outcome in outcomes.values():
        for says in PLANTED.values():
            assert says in outcome.differs
            assert f"DIFFERS from plain nbgrader: {says}" in outcome.status
    assert all(says in printed for says in PLANTED.values())
    assert toy.records(course) == before


def test_what_plain_nbgrader_cannot_grade_is_no_difference(tmp_path):
    root = toy.make(tmp_path)
    toy.submit(root, "dies", toy.answers(half="import os\nos._exit(1)"))
    outcomes, printed = verified(root, contained=False)
    assert outcomes["dies"].graded and not outcomes["dies"].differs
    assert "dies: plain nbgrader cannot grade it: " in printed


def test_a_submission_that_does_not_end_is_given_up(course, tmp_path):
    found = nbgrader_alone.autograde(tmp_path, toy.CHAPTER, "alice", 0.05)
    assert found == {"records": {}, "failed": "it did not end in 0.05 seconds"}


NEW_TEST = "assert double(3) == 3, 'double: now the number itself is asked for\\nand more'"


@pytest.fixture
def changed(course):
    """The visible test has changed: alice fails it, and bob passes."""
    with toy.edited(course) as notebook:
        toy.cell(notebook, "double_visible").source = NEW_TEST
    return course


def files(root) -> dict:
    return {
        path.relative_to(root): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith("gradebook.db-")
    }


def test_a_preview_writes_nothing(changed):
    before = files(changed)
    wrote, printed, asked = toy.run_again(changed, answer=False)
    assert not wrote
    assert files(changed) == before
    (shown,) = asked
    assert "2 graded again in a copy; 2 scores would change." in shown
    rows = toy.rows(shown)
    now = "double: now the number itself is asked for"
    assert f"alice 9.5 → 8.5 double_visible 1 → 0 {now}" in rows
    assert f"bob 5 → 6 double_visible 0 → 1 passed; before: {toy.SENTENCE}" in rows
    assert "Nothing was written." in printed


def test_a_yes_writes_what_was_shown_and_keeps_what_a_person_gave(changed):
    wrote, _, _ = toy.run_again(changed, answer=True)
    assert wrote
    scores = {row[:2]: row[2:4] for row in toy.records(changed)}
    assert scores["alice", "double_visible"] == (0, None)
    assert scores["bob", "double_visible"] == (1, None)
    assert scores["alice", "written"] == (None, 1.5)
    outcomes = grade(toy.CHAPTER, root=changed)
    assert [(each.new, each.score) for each in outcomes] == [(False, 8.5), (False, 6)]
    assert "now the number itself" in toy.page(changed)


def test_what_is_written_is_not_executed_again(course):
    """A test that fails by chance: what the person saw is what is written."""
    with toy.edited(course) as notebook:
        by_chance = "import random\nround(random.SystemRandom().random(), 9)"
        toy.cell(notebook, "half_parts").source = by_chance
    _, printed, _ = toy.run_again(course, answer=True)
    written = {row[0]: row[2] for row in toy.records(course) if row[1] == "half_parts"}
    assert len(set(written.values())) == 2
    for points in written.values():
        assert f"4 → {points:g}" in printed


def test_nothing_is_asked_when_nothing_would_change(course):
    before = files(course)
    wrote, printed, asked = toy.run_again(course, answer=True)
    assert not wrote and not asked
    assert "2 graded again in a copy; no scores would change." in printed
    assert files(course) == before


def test_a_record_that_leaves_the_score_as_it_is_counts_as_none():
    changes = [Change("ann", "points and dates", 24, 24, "a date"), Change("bo", "half", 2, 1, "")]
    scores = {"ann": (24, 24), "bo": (8, 7)}
    found = Preview(("ann", "bo"), changes, scores, Counter(), (), (), list)
    console = Console(file=io.StringIO(), width=200)
    show(found, console)
    assert "1 score and 1 other record would change." in console.file.getvalue()


def test_who_handed_in_anew_is_left_alone(changed):
    toy.submit(changed, "bob", toy.answers(half="def half(x):\n    return 0"))
    toy.submit(changed, "carol", toy.answers())
    _, printed, _ = toy.run_again(changed, answer=False)
    assert "1 graded again in a copy; 1 score would change." in printed
    assert "bob has handed in something new: grade it without --again." in printed
    assert "carol" not in printed


def test_nobody_to_grade_again_is_said(tmp_path):
    root = toy.make(tmp_path)
    toy.submit(root, "alice", toy.answers())
    with pytest.raises(GradingError, match="no graded work of 01_toy is there to grade again"):
        toy.run_again(root, answer=True)


@pytest.fixture
def with_broken(changed):
    """Work that cannot be graded: cy has no score, and bob has one of work before."""
    toy.submit(changed, "cy", b'{"cells": [')
    toy.submit(changed, "bob", b"")
    return changed


BROKEN = {
    "cy": "01_toy.ipynb is not valid JSON: Expecting value: line 1 column 12 (char 11)",
    "bob": "01_toy.ipynb is empty",
}


def test_who_cannot_be_graded_is_named_before_and_has_a_row_after(with_broken):
    wrote, printed, (shown,) = toy.run_again(with_broken, answer=True)
    assert wrote and "1 graded again in a copy; 1 score would change.\n2 not graded:" in shown
    assert f"cy cannot be graded: {BROKEN['cy']}" in shown
    assert f"bob cannot be graded now and keeps the score: {BROKEN['bob']}" in shown
    rows = toy.rows(printed.removeprefix(shown))
    assert [f"{name} — not graded; {why}" in rows for name, why in BROKEN.items()] == [True, True]
    assert "1 graded, 2 not graded" in rows


@pytest.mark.parametrize(
    ("students", "status"), [([], 3), (["alice"], 0), (["alice", "bob"], 3), (["alice", "eve"], 1)]
)
def test_the_status_says_that_somebody_was_not_graded(with_broken, students, status):
    """Nobody is called eve: such a command is refused."""
    named = [word for student in students for word in ("--student", student)]
    how = ["--again", "--yes", "--beside"]
    assert toy.run(with_broken, "grade", toy.CHAPTER, *how, *named) == status


def test_the_status_says_so_too_where_nothing_would_change(course, capsys):
    toy.submit(course, "cy", b"")
    assert toy.run(course, "grade", toy.CHAPTER, "--again", "--beside") == 3
    assert "1 not graded:\ncy cannot be graded: 01_toy.ipynb is empty\n" in capsys.readouterr().out


def test_who_has_handed_in_anew_has_a_row_too(changed):
    toy.submit(changed, "bob", toy.answers(half="def half(x):\n    return 0"))
    shown = toy.run_again(changed, answer=True)[1]
    anew = "bob — not graded; something new was handed in: grade it without --again"
    assert anew in toy.rows(shown)


def test_stopped_in_the_copy_says_that_nothing_was_written(changed, monkeypatch, capsys):
    """and in the writing, that who was graded stays graded."""

    def stop(self, *_given):
        raise KeyboardInterrupt

    command = ["grade", toy.CHAPTER, "--again", "--yes", "--beside"]
    before = toy.records(changed)
    with monkeypatch.context() as patched:
        patched.setattr(Grader, "record", stop)
        assert toy.run(changed, *command) == 130
    said = capsys.readouterr().out
    assert "Stopped. Nothing was written: it was graded in a copy." in said
    assert "stays graded" not in said and toy.records(changed) == before
    monkeypatch.setattr(Kept, "take", stop)
    assert toy.run(changed, *command) == 130
    said = capsys.readouterr().out
    assert "Stopped. Who was graded stays graded; run the command for the rest." in said
