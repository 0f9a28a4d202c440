"""`autograder dates`: which dates hold, and dates that are set for chapters that are there."""

import shutil
from datetime import datetime

import pytest
import toy
from nbgrader.api import Gradebook, InvalidEntry

from autograder.cli import main
from autograder.course_folders.course import Course, GradingError
from autograder.lms.which_notebook import chapter_of
from autograder.nbgrader.terms import extensions
from autograder.nbgrader.zoned_time import time_of
from autograder.problem import Problem

pytestmark = pytest.mark.quick

DATE = datetime(2027, 3, 1, 22, 59)


@pytest.mark.parametrize(
    "text",
    [
        "2027-03-01 22:59 UTC",
        "2027-03-01 22:59",
        "2027-03-01T22:59:00Z",
        "2027-03-01 23:59+01:00",
        "2027-03-01 17:59:00 -05:00",
        "2027-03-01 23:59 Europe/Oslo",
        "2027-03-01 17:59 America/New_York",
        "2027-03-01 19:59 America/Argentina/Buenos_Aires",
    ],
)
def test_a_time_is_read_by_its_zone(text):
    assert time_of(text) == DATE


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-10-24 23:59 Europe/Oslo", "2026-10-24 21:59"),  # in summer
        ("2026-10-25 23:59 Europe/Oslo", "2026-10-25 22:59"),  # the day on which it ends
        ("2026-10-25 01:59 Europe/Oslo", "2026-10-24 23:59"),
        ("2026-10-25 03:00 Europe/Oslo", "2026-10-25 02:00"),
        ("2027-03-28 01:59 Europe/Oslo", "2027-03-28 00:59"),
        ("2027-03-28 03:00 Europe/Oslo", "2027-03-28 01:00"),
    ],
)
def test_summer_time_is_that_of_the_day(text, utc):
    assert f"{time_of(text):%Y-%m-%d %H:%M}" == utc


TWICE = (
    "2026-10-25 02:30 comes twice in Europe/Oslo, where the clocks are put back in that night: "
    "write 2026-10-25 02:30+02:00 for the first time, or 2026-10-25 02:30+01:00 for the second"
)
NEVER = (
    "2027-03-28 02:30 never comes in Europe/Oslo, where the clocks are put forward in that night: "
    "write another time, as 2027-03-28 03:30 Europe/Oslo"
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-10-25 02:30 Europe/Oslo", TWICE),
        ("2027-03-28 02:30 Europe/Oslo", NEVER),
        ("2027-03-01 22:59 Europe/Olso", "Europe/Olso is no time zone like Europe/Oslo"),
    ],
)
def test_an_hour_that_comes_twice_or_never_is_asked_about(tmp_path, capsys, text, words):
    root = toy.make(tmp_path)
    assert main(["--root", str(root), "dates", toy.CHAPTER, text]) == 1
    assert words in capsys.readouterr().err
    (root / "extensions.csv").write_text(f"student,chapter,until\nbo,{toy.CHAPTER},{text}\n")
    with pytest.raises(GradingError) as refused:
        extensions(Course(root), toy.CHAPTER)
    assert f"line 2: {words}" in str(refused.value)


def test_what_the_message_proposes_is_taken():
    assert time_of("2026-10-25 02:30+02:00") == datetime(2026, 10, 25, 0, 30)
    assert time_of("2026-10-25 02:30+01:00") == datetime(2026, 10, 25, 1, 30)
    assert time_of("2027-03-28 03:30 Europe/Oslo") == datetime(2027, 3, 28, 1, 30)


def test_an_extension_may_name_its_zone(tmp_path):
    root = toy.make(tmp_path)
    line = f"bo,{toy.CHAPTER},2027-03-01 23:59 Europe/Oslo"
    (root / "extensions.csv").write_text(f"student,chapter,until\n{line}\n")
    assert extensions(Course(root), toy.CHAPTER) == {"bo": DATE}


@pytest.mark.parametrize("text", ["1.3.2027", "nonsense", "2027-03-01", "2027-03-01 22:59 CET"])
def test_what_may_be_read_in_two_ways_is_refused(tmp_path, capsys, text):
    root = toy.make(tmp_path)
    assert main(["--root", str(root), "dates", toy.CHAPTER, text]) == 1
    assert f"cannot set the date: {text!r} is no time like" in capsys.readouterr().err
    assert not (root / "gradebook.db").exists()


def test_a_gradebook_that_may_not_be_written_is_told_in_a_sentence(tmp_path, capsys, monkeypatch):
    """nbgrader wraps the database's words in an error of its own."""

    def closed(*_given, **_named):
        raise InvalidEntry("(sqlite3.OperationalError) attempt to write a readonly database")

    root = toy.make(tmp_path)
    monkeypatch.setattr(Gradebook, "update_or_create_assignment", closed)
    assert main(["--root", str(root), "dates", toy.CHAPTER, "2027-03-01 22:59 UTC"]) == 1
    assert "the gradebook cannot be written to" in capsys.readouterr().err


@pytest.mark.slow
def test_dates_are_set_shown_and_taken_away(tmp_path, capsys):
    root = toy.make(tmp_path)
    command = ["--root", str(root), "dates"]
    assert main(command) == 0
    assert capsys.readouterr().out == "Without a date: 01_toy\n"
    assert main([*command, "3_toy", "2027-03-01 22:59"]) == 1
    assert "there is no chapter 3_toy" in capsys.readouterr().err
    assert not (root / "gradebook.db").exists()
    assert main([*command, toy.CHAPTER, "2027-03-01 22:59"]) == 0
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "toy") as gradebook:
        assert gradebook.find_assignment(toy.CHAPTER).duedate == DATE
        gradebook.add_assignment("3_toy")
    assert "graded" not in capsys.readouterr().out, "nobody is"
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "01_toy  2027-03-01 22:59 UTC\nWithout a date: none\n" in said
    assert "nbgrader db assignment remove 3_toy" in said
    assert main([*command, toy.CHAPTER]) == 1
    assert main([*command, toy.CHAPTER, "--none"]) == 0
    assert "Without a date: 01_toy" in capsys.readouterr().out


@pytest.mark.slow
def test_who_is_graded_already_is_told_of_where_somebody_is(course, capsys):
    assert toy.run(course, "dates", toy.CHAPTER, "2027-03-01 22:59") == 0
    line = "Who is graded already keeps the old date until `autograder grade 01_toy --again`.\n"
    assert capsys.readouterr().out.startswith(line)


def test_a_chapter_that_students_do_not_get_is_in_no_list(tmp_path, capsys):
    """course/chapters.txt leaves it out; an exam stands in no such list, and is named."""
    root = toy.make(tmp_path)
    for name in ("02_left", "03_there", "final"):
        shutil.copytree(root / "source" / toy.CHAPTER, root / "source" / name)
        if name != "final":
            (root / "course" / name).mkdir(parents=True)
    (root / "course" / "chapters.txt").write_text(f"{toy.CHAPTER}\n# 02_left\n03_there\n")
    listed = f"{toy.CHAPTER}, 03_there, final"
    assert main(["--root", str(root), "dates"]) == 0
    assert capsys.readouterr().out == f"Without a date: {listed}\n"
    assert main(["--root", str(root), "dates", "unknown", "2027-03-01 22:59 UTC"]) == 1
    assert capsys.readouterr().err.endswith(f"\nThere are these chapters: {listed}\n")
    with pytest.raises(Problem, match=f"name it after FILE, one of {listed}$"):
        chapter_of(Course(root), None, [])
    with pytest.raises(Problem, match=r"there is no chapter unknown in source/ or release/$"):
        chapter_of(Course(root), "unknown", [])  # the command names those that are there
    assert chapter_of(Course(root), "02_left", [])[0] == "02_left"  # of the term before
