"""The files for Canvas and Moodle: their columns, everyone's grades, and no formulas."""

import csv
import datetime

import pytest
import toy
from nbgrader.plugins.export import CsvExportPlugin

from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.course_folders.submissions import find
from autograder.gradebook_io.exports import CanvasExportPlugin, MoodleExportPlugin, export
from autograder.grading import GradingError
from autograder.nbgrader import class_list, reasons

CHAPTERS = {"01_toy": 8, "02_toy": 2}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A course whose gradebook was filled by nbgrader's own functions."""
    root = toy.make(tmp_path_factory.mktemp("exports"))
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        for chapter, points in CHAPTERS.items():
            due = datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC)
            gradebook.add_assignment(chapter, duedate=due)
            gradebook.add_notebook(chapter, chapter)
            gradebook.add_grade_cell("sum", chapter, chapter, max_score=points, cell_type="code")
            gradebook.add_solution_cell("answer", chapter, chapter)
        gradebook.add_student(
            "ann", first_name="Ann", last_name="Müller", email="a@example.edu", lms_user_id="4711"
        )
        gradebook.add_student("bob", first_name='=cmd|"/c calc"!A1', last_name="+1")
        gradebook.add_student("cat")
        grade(gradebook, "01_toy", "ann", auto=6.5, comment="Good.\nBut why?")
        grade(gradebook, "01_toy", "bob", auto=4, penalty=5)
        grade(gradebook, "02_toy", "ann", auto=None, manual=1 / 3, penalty=0.125)
        grade(gradebook, "02_toy", "cat", auto=2, needs=True)
    return root


def grade(gradebook, chapter, student, *, auto, manual=None, penalty=0, comment=None, needs=False):
    """Write one submission as `nbgrader autograde` and formgrader do."""
    submission = gradebook.add_submission(chapter, student)
    (notebook,) = submission.notebooks
    notebook.late_submission_penalty = penalty
    (cell,) = notebook.grades
    cell.auto_score, cell.manual_score, cell.needs_manual_grade = auto, manual, needs
    notebook.comments[0].manual_comment = comment
    gradebook.db.commit()


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_columns_of_canvas(course):
    """lib/gradebook_importer.rb of https://github.com/instructure/canvas-lms, by position:
    "Student" first, "ID" second, then "SIS User ID" and "SIS Login ID", then "Section", then
    assignments; a line whose first cell holds "Points Possible" gives their points.
    """
    export("canvas", root=course, path=course / "canvas.csv")
    header, points, *students = table(course / "canvas.csv")
    assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert header[5:] == list(CHAPTERS)
    assert "Points Possible" in points[0] and points[1:] == ["", "", "", "", "8", "2"]
    assert {len(row) for row in students} == {7}
    assert ["Müller, Ann", "4711", "", "ann", "", "6.5", "0.2083"] in students
    assert ["cat", "", "", "cat", "", "", "2"] in students
    assert not (course / "canvas.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_the_columns_of_moodle(course):
    """grade/import/csv/classes/load_data.php of https://github.com/moodle/moodle: a student is
    found by username, idnumber or email; other columns are a grade or a feedback; "-" is no grade.
    The names are those of grade/export/txt/grade_export_txt.php.
    """
    export("moodle", root=course, path=course / "moodle.csv")
    header, *students = table(course / "moodle.csv")
    known = ["Username", "First name", "Last name", "ID number", "Email address"]
    grades = ["01_toy (Real)", "01_toy (Feedback)", "02_toy (Real)", "02_toy (Feedback)"]
    assert header == known + grades
    ann = ["ann", "Ann", "Müller", "4711", "a@example.edu", "6.5", "answer: Good. But why?"]
    assert [*ann, "0.2083", "late: 0.125 points off"] in students
    assert ["cat", "", "", "", "", "-", "", "2", ""] in students


def test_the_scores_are_those_of_nbgrader_export(course):
    """With the penalty for late work taken off, and never below 0."""
    opened = Course(course)
    grades = export("moodle", root=course, path=course / "moodle.csv")
    with opened.environment(), opened.gradebook() as gradebook:
        CsvExportPlugin(parent=opened.app, to=str(course / "nbgrader.csv")).export(gradebook)
    with (course / "nbgrader.csv").open() as file:
        lines = list(csv.reader(file))
    place = {name: lines[0].index(name) for name in ("assignment", "student_id", "score")}
    # nbgrader does not quote what a name may hold: from the right, where no name is.
    theirs = {
        (line[place["assignment"]], line[place["student_id"]]): float(line[-2])
        for line in lines[1:]
    }
    ours = {key: grade.score for key, grade in grades.grades.items()}
    assert {key: score for key, score in theirs.items() if key in ours} == ours
    assert ours["01_toy", "bob"] == 0 and ours["02_toy", "ann"] == 1 / 3 - 0.125


@pytest.mark.parametrize("system", ["canvas", "moodle"])
def test_a_name_is_no_formula(course, system):
    export(system, root=course, path=course / "out.csv")
    cells = [cell for row in table(course / "out.csv") for cell in row]
    assert any(cell.startswith("'+1") for cell in cells)
    assert [cell for cell in cells if cell[:1] in tuple("=+-@") and cell != "-"] == []


@pytest.mark.parametrize(("missing", "canvas", "moodle"), [("empty", "", "-"), ("zero", "0", "0")])
def test_a_missing_submission_is_empty_or_zero(course, missing, canvas, moodle):
    export("canvas", root=course, path=course / "canvas.csv", missing=missing)
    export("moodle", root=course, path=course / "moodle.csv", missing=missing)
    (bob,) = (row for row in table(course / "canvas.csv") if row[3] == "bob")
    assert bob[5:] == ["0", canvas]
    (bob,) = (row for row in table(course / "moodle.csv") if row[0] == "bob")
    assert bob[5:] == ["0", "late: 5 points off", moodle, ""]


def test_whom_the_settings_leave_out_is_not_exported(course):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.CourseDirectory.student_id_exclude = "cat,bob"\n')
    export("canvas", root=course, path=course / "canvas.csv")
    assert [row[3] for row in table(course / "canvas.csv")[2:]] == ["ann"]


def test_settings_of_the_course_are_kept(course):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.GradesExportPlugin.missing = "zero"\n')
        file.write('c.GradesExportPlugin.titles = {"01_toy": "Toy (17)"}\n')
        file.write('c.CanvasExportPlugin.login = "email"\n')
    export("canvas", root=course, path=course / "canvas.csv")
    header, _, *students = table(course / "canvas.csv")
    assert header[5:] == ["Toy (17)", "02_toy"]
    assert ["cat", "", "", "", "", "0", "2"] in students
    assert [row[3] for row in students if "Ann" in row[0]] == ["a@example.edu"]


@pytest.mark.parametrize("plugin", [CanvasExportPlugin, MoodleExportPlugin])
def test_nbgraders_own_command_takes_the_exporter(course, plugin):
    """It leaves out whom the settings leave out, and knows the class list, too."""
    exporter = f"autograder.gradebook_io.exports.{plugin.__name__}"
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.CourseDirectory.student_id_exclude = "cat"\n')
    class_list.write(Course(course), {"ann": {"section": "Section 7"}})
    done = toy.nbgrader(
        course, "export", f"--exporter={exporter}", "--to=out.csv", "--assignment=['02_toy']"
    )
    assert done.returncode == 0, done.stderr
    export(plugin.default_name[:-4], root=course, chapters=("02_toy",), path=course / "ours.csv")
    assert table(course / "out.csv") == table(course / "ours.csv")
    text = (course / "out.csv").read_text("utf-8")
    assert "01_toy" not in text and "cat" not in text
    assert ("Section 7" in text) == (plugin is CanvasExportPlugin)


def test_the_command_writes_beside_the_reports_and_says_what_is_missing(course, capsys):
    assert main(["--root", str(course), "export", "canvas"]) == 0
    said = capsys.readouterr().out
    assert "3 students, 01_toy, 02_toy" in said and "To be read by a person: 1" in said
    assert "`autograder report CHAPTER` flags the scores that are in doubt" in said
    assert (course / "reports" / "canvas.csv").exists()
    assert main(["--root", str(course), "export", "moodle", "3_toy"]) == 1
    assert "cannot export: the gradebook has no chapter 3_toy" in capsys.readouterr().err
    assert not (course / "reports" / "moodle.csv").exists()


def test_without_a_gradebook_none_is_made(tmp_path):
    toy.make(tmp_path)
    with pytest.raises(GradingError, match="there is no gradebook"):
        export("canvas", root=tmp_path, path=tmp_path / "canvas.csv")
    assert not (tmp_path / "gradebook.db").exists()


def test_a_chapter_without_any_grade_is_exported_only_by_name(course, capsys):
    """It may have a date and lie weeks ahead: 0 points for all would be wrong."""
    with Course(course).gradebook() as gradebook:
        gradebook.add_assignment("03_toy")
    assert main(["--root", str(course), "export", "canvas", "--missing", "zero"]) == 0
    said = capsys.readouterr().out
    assert "Left out, as nobody has a grade for it (name it to have it): 03_toy" in said
    assert table(course / "reports" / "canvas.csv")[0][5:] == list(CHAPTERS)
    assert main(["--root", str(course), "export", "canvas", "03_toy"]) == 0
    assert "To be read by a person" not in capsys.readouterr().out  # they wait in 02_toy
    assert table(course / "reports" / "canvas.csv")[0][5:] == ["03_toy"]


def test_work_without_a_grade_and_grades_of_older_work_are_named(course, capsys):
    (course / "submitted" / "bob" / "02_toy").mkdir(parents=True)
    toy.submit(course, "ann", b"")
    opened = Course(course)
    (anns,) = find(opened, toy.CHAPTER)
    reasons.keep(opened, toy.CHAPTER, anns, "01_toy.ipynb is empty")
    assert main(["--root", str(course), "export", "moodle"]) == 3  # written, and not for everybody
    said = capsys.readouterr().out
    assert "Handed in and not graded, here as if nothing had come: 02_toy of bob" in said
    assert "cannot be graded, these are older marks: 01_toy of ann" in said


def test_a_gradebook_without_grades_is_no_export(tmp_path, capsys):
    root = toy.make(tmp_path)
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        gradebook.add_student("ann")
    assert main(["--root", str(root), "export", "canvas"]) == 1
    assert "nobody has a grade in the gradebook: autograder grade" in capsys.readouterr().err
    assert not (root / "reports").exists()


def test_a_damaged_gradebook_and_a_folder_as_a_file_are_told_in_a_sentence(course, capsys):
    assert main(["--root", str(course), "export", "canvas", "-o", str(course)]) == 1
    assert capsys.readouterr().err == f"cannot export: {course}: Is a directory\n"
    (course / "gradebook.db").write_bytes(bytes(range(256)) * 20)
    roster = course / "list.csv"
    roster.write_text("id,first_name\nann,Ann\n")
    for doing, command in {
        "export": ["export", "canvas"],
        "report": ["report", "01_toy"],
        "take the class list": ["roster", str(roster)],
    }.items():
        assert main(["--root", str(course), *command]) == 1
        assert f"cannot {doing}: the gradebook is damaged: put" in capsys.readouterr().err
