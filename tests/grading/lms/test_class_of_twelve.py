"""The class of twelve from the zip to the marks: graded, extended, reported, and returned."""

import csv
import html
import io
import json
import re
import shutil
import zipfile

import class_of_twelve
import pytest
import toy
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.course_folders.course import Course
from autograder.feedback.machine import without_paths, without_pip
from autograder.grading import GradingError, grade
from autograder.nbgrader.terms import CHANGED, JUST_LATE, extensions, lateness, unheeded
from autograder.report.write import report

pytestmark = pytest.mark.long

CHAPTER = toy.CHAPTER


def graded(root, **how):
    outcomes = grade(CHAPTER, root=root, console=Console(file=io.StringIO()), **how)
    return {outcome.student: outcome for outcome in outcomes}


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The class, graded once: its folder, and the outcomes by student."""
    root = class_of_twelve.make(tmp_path_factory.mktemp("twelve"))
    toy.run(root, "roster", str(root / "canvas.csv"), "--yes")
    toy.due(root, class_of_twelve.DUE)
    toy.run(root, "collect", "moodle", str(root / "moodle.zip"), "--timezone", "UTC", "--yes")
    return root, graded(root)


@pytest.fixture(scope="module")
def made(first):
    return first[0]


@pytest.fixture
def outcomes(first):
    return first[1]


def test_everyone_has_a_name_a_section_and_a_score(outcomes):
    assert (outcomes["sean"].name, outcomes["sean"].section) == ("Seán O'Neil", "B")
    scores = {name: outcome.score for name, outcome in outcomes.items()}
    assert scores == dict.fromkeys(scores, 8) | {"gus": 4, "hal": 5}
    assert not any(outcome.flagged for outcome in outcomes.values())


def test_a_missing_answer_cell_is_said_once(course, outcomes):
    summary = toy.page(course, "hal").split("Your notebook")[0]
    assert summary.count("the cell with your answer is missing") == 1
    assert "NameError" not in summary
    assert "the cell with the answer is missing: double" in outcomes["hal"].notes


def test_a_second_notebook_in_the_folder_is_named(course):
    toy.submit(course, "ann", toy.answers(), name=f"{CHAPTER} (2)")
    notes = graded(course, students=["ann"])["ann"].notes
    assert f"not graded, as no notebook is called so: {CHAPTER} (2).ipynb" in notes


def test_a_thousand_lines_are_folded_and_pip_leaves_no_path(course):
    text = toy.page(course, "ivy")
    assert re.search(r"<summary>\d+ more lines</summary>", text)
    assert "pip could not install anything" in text and "Retrying" not in text
    assert "site-packages" not in text and str(course) not in text


@pytest.mark.quick
def test_pips_traceback_goes_and_a_students_stays():
    retry = "\x1b[33mWARNING: Retrying (Retry(total=4)) after …\x1b[0m"
    assert without_pip(f"{retry}\nERROR: No matching distribution found").startswith("ERROR")
    pip = 'a\nTraceback (most recent call last):\n  File "/x/pip/_internal/a.py"\nOSError: b\nc'
    assert without_pip(pip).splitlines()[:2] == ["a", "c"]
    own = 'pip._vendor\nTraceback (most recent call last):\n  File "mine.py"\nOSError: b'
    assert "mine.py" in without_pip(own) and without_pip("plain") == "plain"


@pytest.mark.quick
@pytest.mark.parametrize("colour", ["", "\x1b[39m", "\x1b[38;5;241m"])
@pytest.mark.parametrize("rest", ["site-packages/numpy/x.py", "dplib/noise.py"])
def test_no_page_says_where_the_graders_python_lies(colour, rest):
    path = f"File {colour}/home/me/.venv/lib/python3.11/{rest}:1"
    assert without_paths(path) == f"File {colour}…/{rest}:1"
    assert without_paths(f"File {colour}/home/me/course/{rest}:1") == f"File {colour}…/{rest}:1"


@pytest.mark.quick
def test_a_students_own_path_stays():
    own = "/home/ann/work/dplib and a/b/site.py, 1/2"
    assert without_paths(own) == own


def test_no_minutes_are_made_up_for_who_is_late_by_canvas_s_word_alone():
    assert lateness(class_of_twelve.DUE + JUST_LATE, class_of_twelve.DUE, None, 2) == (
        "late: a second or more after the date, 2 points off"
    )


def test_lateness_is_on_table_page_and_report_with_its_price(course, outcomes):
    late = "late: 1 day 2 hours after the date, 8 points off"
    assert late in outcomes["bo"].notes
    assert "Handed in 1 day 2 hours after the date, 8 points off" in toy.page(course, "bo")
    report(CHAPTER, root=course)
    text = (course / "reports" / f"{CHAPTER}.csv").read_text("utf-8-sig")
    rows = csv.DictReader(io.StringIO(text))
    (bo,) = (row for row in rows if row["student"] == "bo")
    assert (bo["late"], bo["name"], bo["section"]) == (late, "Bo Chen", "A")
    text = (course / "reports" / f"{CHAPTER}.html").read_text("utf-8")
    assert late in text and "Bo Chen" in text


def test_an_extension_counts_once_it_is_graded_again(course):
    (course / "extensions.csv").write_text(f"student,chapter,until\nbo,{CHAPTER},2027-03-04\n")
    outcomes = graded(course)
    assert CHANGED in outcomes["bo"].notes and CHANGED not in outcomes["ann"].notes
    report(CHAPTER, root=course)
    page = (course / "reports" / f"{CHAPTER}.html").read_text("utf-8")
    assert CHANGED in page and f"{CHAPTER}: bo. autograder grade {CHAPTER} --again" in page
    wrote, printed, _ = toy.run_again(course, answer=True)
    assert wrote and "points and dates" in printed
    notes = graded(course)["bo"].notes
    assert CHANGED not in notes and any("within the extension" in note for note in notes)
    assert "points off" not in toy.page(course, "bo")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("bo,01_toy,soon", "line 2: 'soon' is no time like"),
        ("bo,01_toy", "line 2: it must hold"),
        ("bo,,2027-03-04", "line 2: it must hold"),
        ("bo,01_toy,04.03.2027", "line 2: '04.03.2027' is no time like"),
    ],
)
def test_a_wrong_line_of_extensions_is_named_and_nothing_is_graded(tmp_path, line, says):
    root = toy.make(tmp_path)
    toy.submit(root, "bo", toy.answers())
    (root / "extensions.csv").write_text(f"student,chapter,until\n{line}\n")
    with pytest.raises(GradingError, match=says):
        extensions(Course(root), CHAPTER)


@pytest.mark.quick
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_an_extension_that_nobody_gets_is_named(tmp_path, separator):
    """Whichever separator the country's spreadsheet program writes."""
    root = toy.make(tmp_path)
    toy.submit(root, "bo", toy.answers())
    lines = ["bo,01_toy", "boo,01_toy", "bo,1_toy"]
    text = "".join(f"{line},2027-03-04 22:00 UTC\n" for line in lines)
    (root / "extensions.csv").write_text(text.replace(",", separator))
    assert unheeded(Course(root), CHAPTER) == [
        "extensions.csv, line 2: nobody is called boo",
        "extensions.csv, line 3: there is no chapter 1_toy",
    ]


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("moodle", f"Bo Chen_502_assignfeedback_file_{CHAPTER}.html"),
        ("canvas", f"chenbo_LATE_102_9002_{CHAPTER}.html"),
    ],
)
def test_pages_go_back_in_the_form_that_the_system_imports(course, system, name, capsys):
    given = str(course / f"{system}.zip")
    assert toy.run(course, "collect", system, given, "--timezone", "UTC", "--yes")
    assert toy.run(course, "return", system, CHAPTER) == 0
    with zipfile.ZipFile(course / "reports" / f"{CHAPTER}-{system}.zip") as archive:
        assert name in archive.namelist() and len(archive.namelist()) == 10
        assert b"Bo Chen" in archive.read(name)


def test_pages_go_back_as_the_gradebook_is_now(course, capsys):
    """Points have come since they were made, new work that is not graded, and a page is gone."""
    toy.sql(course, "update comment set manual_comment = 'Well said.'")
    assert toy.run(course, "collect", "canvas", str(course / "canvas.zip"), "--yes")
    toy.submit(course, "cy", toy.answers(written="Other words."))
    shutil.rmtree(course / "feedback" / "dee")
    assert toy.run(course, "return", "canvas", CHAPTER) == 3
    said = capsys.readouterr().out
    assert "Made anew, as points or comments have changed since: ann, bo" in said
    assert "not in it: dee: there is no page: autograder grade 01_toy\n" in said
    assert "Of work before, as newer work is not graded: cy\n" in said
    with zipfile.ZipFile(course / "reports" / f"{CHAPTER}-canvas.zip") as archive:
        assert b"Well said." in archive.read(f"chenbo_LATE_102_9002_{CHAPTER}.html")


def test_whose_file_is_broken_is_asked_for_it_again(course, capsys):
    """To grade it again would change nothing: neither for who has a page of work before."""
    assert toy.run(course, "collect", "canvas", str(course / "canvas.zip"), "--yes")
    shutil.rmtree(course / "feedback" / "dee")
    shutil.rmtree(course / "feedback" / "gus")
    for student, content in {"dee": b'{"cells": [', "gus": b"", "cy": b""}.items():
        toy.submit(course, student, content)
    capsys.readouterr()
    assert toy.run(course, "return", "canvas", CHAPTER) == 3
    said = capsys.readouterr().out
    broken = "01_toy.ipynb is not valid JSON: Expecting value: line 1 column 12 (char 11)"
    assert f"not in it: dee: {broken}: ask for it again\n" in said
    assert "not in it: gus: 01_toy.ipynb is empty: ask for it again\n" in said
    newer = "Of work before, as newer work cannot be graded: cy: 01_toy.ipynb is empty: ask for it"
    assert newer in said
    assert "autograder grade" not in said


def test_what_did_not_come_from_the_system_cannot_go_back_to_it(course, capsys):
    assert toy.run(course, "return", "canvas", CHAPTER) == 1
    assert "nobody's 01_toy came with `autograder collect canvas`" in capsys.readouterr().err


def test_marks_go_to_canvas_with_its_own_columns(course, capsys):
    toy.submit(course, "guest", toy.answers())
    graded(course)
    assert toy.run(course, "export", "canvas") == 0
    assert (
        "Not in the class list, and exported by their folders' names: guest"
        in capsys.readouterr().out
    )
    rows = list(csv.reader((course / "reports" / "canvas.csv").read_text("utf-8").splitlines()))
    assert ["Berg, Ann", "101", "s101", "ann", "A", "8"] in rows


def test_answers_in_words_are_read_beside_their_rubric(course, capsys):
    assert toy.run(course, "read", CHAPTER, "--table") == 0
    text = html.unescape((course / "reports" / f"{CHAPTER}-reading.html").read_text("utf-8"))
    assert "I measured it." in text and "Answer in words." in text and "Seán O'Neil" in text
    table = course / "reports" / f"{CHAPTER}-reading.csv"
    rows = list(csv.DictReader(io.StringIO(table.read_text("utf-8-sig"))))
    assert len(rows) == 10 and {row["question"] for row in rows} == {"written"}

    def given(points: str, comment: str) -> int:
        rows[0] |= {"points": points, "comment": comment}
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return toy.run(course, "read", CHAPTER, "--points", str(table))

    assert given("3", "") == 1  # of 2
    assert "line 2: 3 points for written, of 2" in capsys.readouterr().err
    assert graded(course)["ann"].score == 8
    assert given("1,5", "Well said.") == 0
    assert graded(course)["ann"].score == 9.5
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "toy") as gradebook:
        comment = gradebook.find_comment("written", CHAPTER, CHAPTER, "ann")
        assert comment.comment == "Well said."


def test_answers_that_are_alike_are_in_the_report_without_a_charge(course, capsys, tmp_path):
    pytest.importorskip("copydetect")
    folder = tmp_path / "for_jplag"
    assert toy.run(course, "similar", CHAPTER, "--export", str(folder)) == 0
    said = capsys.readouterr().out
    assert "ann and sean: 100 %" in said and said.count(" and ") == 1
    assert "It proves nothing" in said
    assert (folder / "students" / "ann" / "answers.py").read_text().startswith("def double(x)")
    assert "secret" not in (folder / "given" / "given.py").read_text()
    report(CHAPTER, root=course)
    text = (course / "reports" / f"{CHAPTER}.html").read_text("utf-8")
    assert "Answers that are alike" in text and "sum_of_both" in text
    assert toy.run(course, "similar", CHAPTER, "--export", str(folder)) == 1  # it is not empty now


@pytest.mark.quick
@pytest.mark.parametrize("is_released", [True, False])
def test_two_who_have_answered_nothing_are_not_alike(tmp_path, is_released):
    pairs = pytest.importorskip("autograder.similarity.pairs")
    root, nothing = toy.make(tmp_path), json.dumps(toy.released()).encode()
    if is_released:
        file = toy.file_of(root, "release")
        file.parent.mkdir(parents=True)
        file.write_bytes(nothing)
    for student in ("mia", "noa"):
        toy.submit(root, student, nothing)
    assert pairs.similar(CHAPTER, root=root).pairs == ()
    if is_released:  # then what nobody wrote is all that they have, to the letter
        course = Course(root)
        with course.environment():
            found = pairs.answers(course, CHAPTER)
        assert found.unanswered + "\n" == found.students["mia"]
