"""The roster: whose columns are understood, which lists are refused, and what changes."""

import io
import unicodedata

import pytest
import toy
from rich.console import Console

from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.gradebook_io.roster import read, roster
from autograder.grading import GradingError, grade
from autograder.nbgrader import class_list

# Grades → Export of Canvas: lib/gradebook_exporter.rb of https://github.com/instructure/canvas-lms
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Homework (17),Current Score
    Points Possible,,,,,10.00,(read only)
"Müller, Ann",4711,S1,ann,Section A,9.00,90
"O'Neill, Bob",4712,S2,bob,Section A,,
"Student, Test",9999,,0a1b2c,Section A,,
"""
# The same with Canvas's semicolons and first and last names apart.
CANVAS_APART = """\
LastName;FirstName;ID;SIS Login ID;Section;Homework (17)
    Points Possible;;;;;10.00
Müller;Ann;4711;ann;Section A;9.00
O'Neill;Bob;4712;bob;Section A;
Student;Test;9999;0a1b2c;Section A;
"""
# Grades → Export → Plain text file of Moodle: grade/export/txt/grade_export_txt.php of
# https://github.com/moodle/moodle
MOODLE = """\
"First name","Last name","ID number",Institution,Department,"Email address","Homework (Real)"
Ann,Müller,ann,,,ann@example.edu,9.00
Bob,O'Neill,bob,,,bob@example.edu,-
"""
# The file for https://docs.moodle.org/en/Upload_users
MOODLE_UPLOAD = """\
username,password,firstname,lastname,email,idnumber
ann,changeme,Ann,Müller,ann@example.edu,4711
bob,changeme,Bob,O'Neill,bob@example.edu,4712
"""
# `nbgrader db student import --help`
NBGRADER = """\
id,first_name,last_name,email,lms_user_id
ann,Ann,Müller,ann@example.edu,4711
bob,Bob,O'Neill,bob@example.edu,4712
"""
NAMES = {
    "ann": {"first_name": "Ann", "last_name": "Müller"},
    "bob": {"first_name": "Bob", "last_name": "O'Neill"},
}
EMAILS = {"ann": {"email": "ann@example.edu"}, "bob": {"email": "bob@example.edu"}}
NUMBERS = {"ann": {"lms_user_id": "4711"}, "bob": {"lms_user_id": "4712"}}
SECTION = {name: {"section": "Section A", "sis_login_id": name} for name in ("ann", "bob")}
SIS = {"ann": {"sis_user_id": "S1"}, "bob": {"sis_user_id": "S2"}}
SELF = {"ann": {"lms_user_id": "ann"}, "bob": {"lms_user_id": "bob"}}


@pytest.fixture
def root(tmp_path):
    """A course with no gradebook yet."""
    return toy.make(tmp_path)


def write(root, text, encoding="utf-8"):
    path = root / "roster.csv"
    path.write_bytes(text.encode(encoding))
    return path


def rows(root):
    """The gradebook's class list."""
    query = "select id, first_name, last_name, email, lms_user_id from student order by id"
    return toy.sql(root, query)


def merged(*parts):
    return {name: {k: v for part in parts for k, v in part[name].items()} for name in NAMES}


@pytest.mark.parametrize(
    ("text", "system", "students"),
    [
        (CANVAS, "Canvas", merged(NAMES, NUMBERS, SECTION, SIS)),
        (CANVAS_APART, "Canvas", merged(NAMES, NUMBERS, SECTION)),
        (MOODLE, "Moodle", merged(NAMES, EMAILS, SELF)),
        (MOODLE_UPLOAD, "Moodle", merged(NAMES, EMAILS, NUMBERS)),
        (NBGRADER, "nbgrader", merged(NAMES, EMAILS, NUMBERS)),
        (
            "id,section\nann,A\nbob,B\n",
            "nbgrader",
            {"ann": {"section": "A"}, "bob": {"section": "B"}},
        ),
    ],
    ids=["canvas", "canvas-apart", "moodle", "moodle-upload", "nbgrader", "sections"],
)
def test_each_system_is_understood(root, text, system, students):
    assert read(write(root, text)) == (system, students)
    # As Excel writes it: with a mark before the first letter, CR and LF, and in Europe semicolons.
    assert read(write(root, text.replace("\n", "\r\n"), "utf-8-sig")) == (system, students)
    if '"' not in text:
        assert read(write(root, text.replace(",", ";"))) == (system, students)


def test_the_list_that_an_import_leaves_is_understood(root):
    """`exam new` reads it: no other list lies in a course's folder."""
    roster(write(root, CANVAS), root=root).write()
    assert read(root / "class_list.csv") == ("autograder", merged(SECTION, SIS))
    again = roster(root / "class_list.csv", root=root)
    assert (again.same, again.new, again.changed) == (2, (), {})


def test_a_name_is_one_however_its_accents_are_written(root):
    names = [unicodedata.normalize(form, "josé") for form in ("NFC", "NFD")]
    roster(write(root, f"id\n{names[1]}\n"), root=root).write()
    again = roster(write(root, f"id\n{names[0]}\n"), root=root)
    assert (again.same, again.new) == (1, ())
    with pytest.raises(GradingError, match="line 3"):
        roster(write(root, f"id\n{names[0]}\n{names[1]}\n"), root=root)


def test_nothing_is_written_before_one_says_yes(root, capsys):
    path = write(root, NBGRADER)
    assert main(["--root", str(root), "roster", str(path)]) == 1  # not done
    said = capsys.readouterr().out
    assert "new: ann, bob\n" in said and "Nothing was written." in said and "--yes" in said
    assert not (root / "gradebook.db").exists()
    assert main(["--root", str(root), "roster", str(path), "--yes"]) == 0
    assert rows(root) == [
        ("ann", "Ann", "Müller", "ann@example.edu", "4711"),
        ("bob", "Bob", "O'Neill", "bob@example.edu", "4712"),
    ]
    capsys.readouterr()
    assert main(["--root", str(root), "roster", str(path), "--yes"]) == 0
    assert capsys.readouterr().out == "A list of 2 from nbgrader.\n  2 as before\n"


def test_what_is_new_changed_and_left_is_told_and_nobody_is_removed(root):
    roster(write(root, NBGRADER), root=root).write()
    changed = "id,first_name,email\nbob,Rob,\ncarl,Carl,carl@example.edu\n"
    changes = roster(write(root, changed), root=root)
    changes.write()
    assert changes.new == ("carl",) and changes.left == ("ann",)
    assert changes.changed == {"bob": ["first_name Bob → Rob"]}
    # An empty cell, or a missing column, leaves what was there.
    assert rows(root) == [
        ("ann", "Ann", "Müller", "ann@example.edu", "4711"),
        ("bob", "Rob", "O'Neill", "bob@example.edu", "4712"),
        ("carl", "Carl", None, "carl@example.edu", None),
    ]


def test_what_is_written_is_what_was_shown(root):
    path = write(root, NBGRADER)
    changes = roster(path, root=root)
    path.unlink()
    assert not (root / "gradebook.db").exists()
    changes.write()
    assert tuple(row[0] for row in rows(root)) == changes.new == ("ann", "bob")


@pytest.mark.long
def test_grades_stay_when_a_class_list_comes_later(course):
    before = score(course)
    roster(write(course, "id,last_name\nalice,Liddell\n"), root=course).write()
    assert rows(course) == [("alice", None, "Liddell", None, None)]
    assert score(course) == before > 0


@pytest.mark.long
def test_grading_names_who_is_in_no_class_list(course):
    line = "Not in the class list, and shown by their folders' names: alice"

    def said() -> str:
        console = Console(file=io.StringIO(), width=200)
        assert all(outcome.graded for outcome in grade(toy.CHAPTER, root=course, console=console))
        return console.file.getvalue()

    assert line not in said(), "there is no list"
    roster(write(course, NBGRADER), root=course).write()
    assert line in said()
    roster(write(course, "id\nalice\n"), root=course).write()
    assert "Not in the class list" not in said()


def score(root):
    with Course(root).gradebook() as gradebook:
        return gradebook.find_submission(toy.CHAPTER, "alice").score


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,email\nzoe,\n,nobody@example.edu\n", "line 3: id is empty"),
        ("id\nann\n\nbob\nann\n", "line 5: ann was on line 2 already"),
        ("id\nzoe\n../bob\n", "line 3: '../bob' cannot be the name of a folder"),
        ("id,email\nann\n", "line 2 has 1 cells, the first line 2"),
        ("id\n1.23E+05\n", "line 2: 1.23E.05: a spreadsheet has rounded this number"),
        ('id,email\n"ann,a@example.edu\n', "line 2: unexpected end of data"),
        ("name,email\nAnn,a@example.edu\n", "no column id, SIS Login ID, Username or ID number"),
        ("", "is empty"),
        ("id,email\n", "there is no student in it"),
        ("Student,ID,SIS Login ID,Section\n    Points Possible,,,\n", "there is no student"),
    ],
)
def test_one_wrong_line_and_nothing_is_written(root, text, words):
    roster(write(root, NBGRADER), root=root).write()
    before = rows(root)
    with pytest.raises(GradingError, match=words):
        roster(write(root, text), root=root)
    assert rows(root) == before


def test_all_wrong_lines_are_told_at_once_but_not_a_thousand(root):
    text = "id\nann\n" + "ann\n" * 1000
    with pytest.raises(GradingError) as told:
        read(write(root, text))
    said = str(told.value)
    assert "line 3: ann" in said and "line 12: ann" in said and "and 990 more" in said
    assert "line 13" not in said


def test_a_file_that_is_not_utf8_is_told_with_its_line(root, capsys):
    path = write(root, CANVAS, "cp1252")
    assert main(["--root", str(root), "roster", str(path)]) == 1
    assert "line 3 is not UTF-8" in capsys.readouterr().err
    assert main(["--root", str(root), "roster", str(root / "none.csv")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_another_column_may_name_the_folders(root):
    text = "First name,Last name,Email address\nAnn,Müller,ann@example.edu\n"
    with pytest.raises(GradingError, match="with --id COLUMN"):
        read(write(root, text))
    system, students = read(write(root, text), id_column="Email Address")
    assert system == "Moodle" and list(students) == ["ann@example.edu"]
    with pytest.raises(GradingError, match="no column Matrikel"):
        read(write(root, text), id_column="Matrikel")


def test_a_column_that_would_double_the_class_is_refused(root):
    roster(write(root, CANVAS), root=root).write()
    with pytest.raises(GradingError, match="ann a second time: the same number 4711") as refusal:
        roster(write(root, CANVAS), root=root, id_column="SIS User ID")
    assert "--id COLUMN" in str(refusal.value)
    with pytest.raises(GradingError, match="a second time: the same name ann müller"):
        roster(
            write(root, MOODLE.replace(",ann,", ",x1,").replace(",bob,", ",x2,")),
            root=root,
        )
    assert [row[0] for row in rows(root)] == ["ann", "bob"]


def test_an_import_can_be_taken_back(root, capsys):
    roster(write(root, NBGRADER.split("bob")[0]), root=root).write()
    before = rows(root)
    changed = CANVAS.replace("Müller, Ann", "Mueller, Ann")
    roster(write(root, changed), root=root).write()
    assert len(rows(root)) == 2
    command = ["--root", str(root), "roster", "--undo"]
    assert main(command) == 1
    assert "Nothing was written" in capsys.readouterr().out and len(rows(root)) == 2
    assert main([*command, "--yes"]) == 0
    said = capsys.readouterr().out
    assert "bob is out of the gradebook again" in said and "ann: last_name as before" in said
    assert rows(root) == before
    assert main(command) == 1 and "no import" in capsys.readouterr().err


def test_taking_an_import_back_says_first_what_becomes_of_the_class_list(root, capsys):
    roster(write(root, CANVAS), root=root).write()
    roster(write(root, CANVAS.replace("Section A", "Section B")), root=root).write()
    command = ["--root", str(root), "roster", "--undo"]
    said = "Without the last class list:\n  class_list.csv: sections and SIS numbers as before\n"
    assert main(command) == 1 and capsys.readouterr().out.startswith(said)
    assert class_list.read(root)["bob"]["section"] == "Section B"
    assert main([*command, "--yes"]) == 0
    assert class_list.read(root)["bob"]["section"] == "Section A"


@pytest.mark.long
def test_taking_the_first_import_back_after_grading_says_that_sections_go(course, capsys):
    roster(write(course, "student,section\nalice,A\n"), root=course).write()
    assert toy.run(course, "roster", "--undo", "--yes") == 0
    line = "class_list.csv is removed: nobody has a section or an SIS number any more\nWritten."
    assert line in capsys.readouterr().out
    assert not (course / "class_list.csv").exists()


def test_the_class_list_beside_the_gradebook_is_named_when_damaged(root):
    roster(write(root, CANVAS), root=root).write()
    assert class_list.read(root)["bob"]["section"] == "Section A"
    (root / "class_list.csv").write_text("who\nann\n")
    with pytest.raises(GradingError, match="import the list again"):
        class_list.read(root)
