"""Work that is refused after nbgrader has made its row leaves no marks: nobody gets 0 for it."""

import csv
import errno
import os
from pathlib import Path

import pytest
import toy

from autograder.grading import grade
from autograder.nbgrader.steps import Grader
from autograder.report.write import report

pytestmark = pytest.mark.long

WHY = "bob is not judged here"


def fail(monkeypatch, error: BaseException, student: str = "bob") -> None:
    """Let the recording of one student's work fail, when the row is there."""
    record = Grader.record

    def failing(self, submission, *done):
        if submission.student == student:
            raise error
        record(self, submission, *done)

    monkeypatch.setattr(Grader, "record", failing)


def students(root) -> list[str]:
    """Return who has a row in the gradebook."""
    return [name for (name,) in toy.sql(root, "select student_id from submitted_assignment")]


def exported(root, system: str) -> list[list[str]]:
    with (root / "reports" / f"{system}.csv").open(encoding="utf-8") as file:
        return list(csv.reader(file))


def test_who_is_refused_late_has_no_marks_anywhere(course, monkeypatch, capsys):
    toy.submit(course, "bob", toy.answers())
    fail(monkeypatch, RuntimeError(WHY))
    assert toy.run(course, "grade", toy.CHAPTER, "--beside") == 3
    assert students(course) == ["alice"]
    capsys.readouterr()
    for system, empty in (("canvas", [""]), ("moodle", ["-", ""])):
        assert toy.run(course, "export", system) == 3
        said = capsys.readouterr().out
        assert f"not graded, here as if nothing had come: {toy.CHAPTER} of bob" in said
        assert "older marks" not in said and "To be read by a person: 1 (01_toy of alice)" in said
        (bob,) = (row for row in exported(course, system) if "bob" in row)
        assert bob[-len(empty) :] == empty
    _, table = report(toy.CHAPTER, root=course)
    assert WHY in table.read_text("utf-8-sig")


def test_marks_of_work_before_stay(course, monkeypatch):
    before = toy.records(course)
    toy.submit(course, "alice", toy.answers(written="Other words."))
    fail(monkeypatch, RuntimeError(WHY), "alice")
    (outcome,) = grade(toy.CHAPTER, root=course, apart=False)
    assert not outcome.graded
    assert toy.records(course) == before


@pytest.mark.parametrize("on_time", ["2027-03-01 10:00:00 UTC", None])
def test_marks_of_work_before_are_not_late_because_of_refused_work(course, monkeypatch, on_time):
    def hand_in(time, **answers):
        folder = toy.submit(course, "alice", toy.answers(**answers)).parent
        (folder / "timestamp.txt").unlink(missing_ok=True)
        if time:
            (folder / "timestamp.txt").write_text(time)

    toy.due(course, "2027-03-01 12:00:00")
    hand_in(on_time, written="Handed in on time.")
    (before,) = grade(toy.CHAPTER, root=course, apart=False)
    time = "select timestamp from submitted_assignment"
    (was,) = toy.sql(course, time)
    hand_in("2027-03-04 10:00:00 UTC", written="Three days late.")
    fail(monkeypatch, RuntimeError(WHY), "alice")
    grade(toy.CHAPTER, root=course, apart=False)
    assert toy.sql(course, time) == [was]
    monkeypatch.undo()
    (after,) = grade(toy.CHAPTER, root=course, apart=False)
    assert toy.sql(course, time) != [was]  # now the late work has its marks
    assert before.graded and after.graded


def test_points_of_a_person_stay_where_nothing_else_is_known(course, monkeypatch):
    toy.sql(course, "update grade set auto_score = null")
    toy.give(course, 1)
    toy.file_of(course, "autograded", "alice").unlink()
    fail(monkeypatch, RuntimeError(WHY), "alice")
    grade(toy.CHAPTER, root=course, apart=False)
    assert ("alice", "written", 1.0) in toy.records(course, fields="grade.manual_score")


def test_a_run_that_is_stopped_leaves_no_row_without_marks(course, monkeypatch):
    for student in ("bob", "carol"):
        toy.submit(course, student, toy.answers())
    fail(monkeypatch, KeyboardInterrupt())
    assert toy.run(course, "grade", toy.CHAPTER, "--beside", "--workers", "1") == 130
    assert students(course) == ["alice"]


def test_a_row_that_a_killed_run_has_left_is_no_grade(course, capsys):
    """Where nothing could take it back, it is known by its missing marks."""
    toy.submit(course, "bob", toy.answers())
    grade(toy.CHAPTER, root=course, apart=False)
    which = "select id from submitted_notebook where assignment_id in "
    which += "(select id from submitted_assignment where student_id = 'bob')"
    toy.sql(course, f"update grade set auto_score = null where notebook_id in ({which})")
    assert toy.run(course, "export", "canvas") == 3
    said = capsys.readouterr().out
    assert f"not graded, here as if nothing had come: {toy.CHAPTER} of bob" in said
    assert "To be read by a person: 1 (01_toy of alice)" in said


def test_the_report_says_why_newer_work_was_refused(course, monkeypatch):
    toy.submit(course, "alice", toy.answers(written="Other words."))
    fail(monkeypatch, RuntimeError(WHY), "alice")
    grade(toy.CHAPTER, root=course, apart=False)
    page, _ = report(toy.CHAPTER, root=course)
    words = "these are older marks; what is handed in now cannot be graded: grading it failed"
    assert words in page.read_text("utf-8")


def test_a_course_that_is_read_only_is_told_once_and_before_the_work(course, monkeypatch, capsys):
    toy.submit(course, "bob", toy.answers())
    mkdir = Path.mkdir

    def closed(self, *how, **given):
        if self.is_relative_to(course):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self))
        mkdir(self, *how, **given)

    monkeypatch.setattr(Path, "mkdir", closed)
    assert toy.run(course, "grade", toy.CHAPTER) == 1
    said = capsys.readouterr()
    folder = course / "autograded"
    assert f"{folder} cannot be written to (Read-only file system): nothing was graded." in said.err
    assert "bob" not in said.out + said.err
