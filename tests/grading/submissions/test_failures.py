"""A submission that cannot be read or run: by name, with the reason, and the others are graded."""

import io
import json
import re
import shutil

import nbformat
import pytest
import toy
from nbformat.v4 import new_markdown_cell, new_notebook
from rich.console import Console

from autograder.course_folders.course import Course
from autograder.demo.demo_class import make as make_demo
from autograder.grading import GradingError, grade
from autograder.report.write import report

NEVER_ENDS = """\
def half(x):
    import time
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""

UNREADABLE = {
    "utf_16": ('{"cells": []}'.encode("utf-16"), "01_toy.ipynb is UTF-16, which Windows calls"),
    "marked": (b"\xef\xbb\xbf{}", "01_toy.ipynb begins with a byte order mark: save it as UTF-8"),
    "binary": (bytes(range(256)), "01_toy.ipynb is not text: a binary file, renamed?"),
    "latin": (
        '{"nbformat": 4, "cells": [], "é": 1}'.encode("latin-1"),
        "01_toy.ipynb is in Latin-1 or Windows-1252: open it in an editor, and save it as UTF-8",
    ),
    "half_emoji": (
        json.dumps(toy.answers(written="Words \ud83d here.")).encode(),
        "01_toy.ipynb holds half of a character in cell 8, as when an emoji is cut in two",
    ),
    "broken": (b'{"cells": [', "01_toy.ipynb is not valid JSON: Expecting value: line 1 column 12"),
    "empty": (b" \n", "01_toy.ipynb is empty"),
    "listed": (b"[1, 2]", "01_toy.ipynb is JSON, but not a notebook: it has no cells"),
    "odd": (b'{"nbformat": 4, "cells": 3}', "01_toy.ipynb is not a notebook that nbformat can"),
    "table": (b'{"a": 1}', "01_toy.ipynb is JSON, but not a notebook: it has no cells"),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class with one of everything, graded once: folder, outcomes by student, what is printed."""
    root = toy.make(tmp_path_factory.mktemp("failures"))
    for student, (content, _) in UNREADABLE.items():
        toy.submit(root, student, content)
    toy.submit(root, "renamed", toy.answers(), name="homework")
    toy.submit(root, "capital", toy.answers(), name="01_Toy")
    (root / "submitted" / "nothing" / toy.CHAPTER).mkdir(parents=True)
    (root / "submitted" / "folder" / toy.CHAPTER / f"{toy.CHAPTER}.ipynb").mkdir(parents=True)
    path = toy.submit(root, "undated", toy.answers())
    (path.parent / "timestamp.txt").write_text("yesterday, I think")
    toy.submit(root, "twice", _twice())
    toy.submit(root, "outdated", _outdated())
    toy.submit(root, "dies", toy.answers(half="def half(x):\n    import os\n    os._exit(1)"))
    toy.submit(root, "never_ends", toy.answers(half=NEVER_ENDS))
    toy.submit(root, "Zoë [2] o'Neil", toy.answers())
    console = Console(file=io.StringIO(), width=200)
    outcomes = grade(toy.CHAPTER, root=root, console=console)
    return root, {outcome.student: outcome for outcome in outcomes}, console.file.getvalue()


def _twice():
    """A student copied a solution cell, its nbgrader name and all."""
    notebook = toy.answers()
    copy = json.loads(json.dumps(notebook.cells[1]))
    notebook.cells.insert(1, copy | {"id": "copied"})
    return notebook


def _outdated():
    """A notebook whose cells were made with an nbgrader of long ago."""
    notebook = toy.answers()
    notebook.cells[1].metadata.nbgrader.schema_version = 1
    return notebook


def test_nobody_is_dropped(graded):
    root, outcomes, _ = graded
    assert list(outcomes) == sorted(path.name for path in (root / "submitted").iterdir())


def test_a_name_in_other_letters_says_what_to_rename(graded):
    (note,) = graded[1]["capital"].notes
    assert note.endswith("found 01_Toy.ipynb: capital letters count, rename it to 01_toy.ipynb")


def test_a_refused_grading_leaves_no_trace(tmp_path):
    root = toy.make(tmp_path)
    with pytest.raises(GradingError, match="nothing was submitted"):
        grade(toy.CHAPTER, root=root)
    assert [path.name for path in root.iterdir() if "gradebook" in path.name] == []
    bare = new_notebook(cells=[new_markdown_cell("# No exercises")])
    nbformat.write(bare, toy.file_of(root, "source"))
    with pytest.raises(GradingError, match="01_toy has no exercises: nothing of it is graded"):
        grade(toy.CHAPTER, root=root)
    course = Course(root)
    with course.environment(), course.gradebook():
        pass
    with pytest.raises(GradingError, match="01_toy has no exercises: nothing of it is graded"):
        report(toy.CHAPTER, root=root)


@pytest.mark.parametrize("student", UNREADABLE)
def test_what_cannot_be_read_is_said(graded, student):
    outcome = graded[1][student]
    assert not outcome.graded
    assert outcome.score is None
    assert outcome.status.startswith(f"not graded; {UNREADABLE[student][1]}")


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        (
            "renamed",
            "no notebook named 01_toy.ipynb; found homework.ipynb: rename it to 01_toy.ipynb",
        ),
        ("nothing", "no notebook named 01_toy.ipynb; the folder is empty"),
        ("folder", "01_toy.ipynb cannot be opened: Is a directory"),
        ("undated", "timestamp.txt does not hold a date"),
        (
            "outdated",
            "an nbgrader mark of a version that is too old: 1, not 3; bring it up to date with "
            "nbgrader update FILE",
        ),
    ],
)
def test_what_cannot_be_graded_is_said(graded, student, reason):
    outcome = graded[1][student]
    assert not outcome.graded
    assert reason in outcome.status


def test_a_copied_cell_is_the_students_own(graded):
    assert graded[1]["twice"].score == 8


def test_a_kernel_that_dies_costs_what_comes_after(graded):
    outcome = graded[1]["dies"]
    assert outcome.score == 3  # double_visible 1, double_hidden 2
    assert outcome.status.startswith("graded; kernel died: half_visible; not run: half_parts;")


def test_a_loop_that_cannot_be_interrupted_costs_what_comes_after(graded):
    outcome = graded[1]["never_ends"]
    assert outcome.score == 3
    assert outcome.status.startswith("graded; timed out: half_visible; not run: half_parts;")


def test_the_page_says_why_a_cell_was_not_run(graded):
    root, _, _ = graded
    page = toy.page(root, "never_ends")
    assert "the cell ran out of time and could not be interrupted; its kernel was killed" in page
    assert "not run: in half_visible, the cell ran out of time" in page


def test_the_others_are_graded(graded):
    outcome = graded[1]["Zoë [2] o'Neil"]
    assert (outcome.score, outcome.max_score) == (8, 10)


def test_a_chosen_student_who_handed_in_nothing_is_reported(graded):
    root, _, _ = graded
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        gradebook.update_or_create_student("ada")
    (outcome,) = grade(toy.CHAPTER, root=root, students=["ada"])
    assert outcome.status == "not graded; nothing was handed in"


def test_the_table_has_everyone_and_the_reasons(graded):
    _, outcomes, printed = graded
    for outcome in outcomes.values():
        assert outcome.student in printed
    assert "01_toy.ipynb is empty" in printed
    assert "4 graded, 16 not graded" in printed


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ("c.Execute.timeout = +", "nbgrader_config.py cannot be read"),
        (
            "c = get_config()\nc.Execute.timeout = 'long'",
            "a setting of nbgrader_config.py is wrong",
        ),
        ("c.NbGrader.logfile = 3", "nbgrader_config.py cannot be read: The"),
    ],
)
def test_wrong_settings_end_the_run(course, config, reason):
    (course / "nbgrader_config.py").write_text(f"{toy.CONFIG}\n{config}\n", "utf-8")
    with pytest.raises(GradingError, match=reason):
        grade(toy.CHAPTER, root=course)


def test_a_chapter_that_is_nowhere_ends_the_run(course):
    with pytest.raises(GradingError, match="02_lost is neither in the gradebook nor in"):
        grade("02_lost", root=course)
    shutil.rmtree(course / "submitted")
    with pytest.raises(GradingError, match="nothing was submitted"):
        grade(toy.CHAPTER, root=course)


@pytest.mark.parametrize("name", [f"{toy.CHAPTER}/", f"source/{toy.CHAPTER}", ".", ""])
def test_a_path_is_no_chapter(course, name):
    """nbgrader would put a chapter without a name into the gradebook."""
    with pytest.raises(GradingError, match="is no name of a chapter, but a path"):
        grade(name, root=course)


def test_another_folder_is_no_course_and_gets_no_gradebook(course):
    (course / "reports").mkdir()
    with pytest.raises(GradingError, match=f"is no course.*autograder --root {course} …"):
        grade(toy.CHAPTER, root=course / "reports")
    assert list((course / "reports").iterdir()) == []


def test_a_student_whom_nobody_knows_is_named_with_who_is_near(course):
    near = "nobody is called alicia. Is it one of these? alice"
    with pytest.raises(GradingError, match=re.escape(near)):
        grade(toy.CHAPTER, root=course, students=["alice", "alicia"])
    folder = course / "submitted" / "nobody" / toy.CHAPTER
    words = f"nobody is called nobody. There is no folder {folder}"
    with pytest.raises(GradingError, match=re.escape(words)):
        grade(toy.CHAPTER, root=course, students=["nobody"])


def test_workers_are_checked(tmp_path):
    with pytest.raises(ValueError, match="workers must be at least 1, not 0"):
        grade(toy.CHAPTER, root=tmp_path, workers=0)


def test_the_demo_never_removes_a_folder_that_it_did_not_make(tmp_path, root):
    (tmp_path / "mine.txt").write_text("my work")
    with pytest.raises(FileExistsError, match="was not made by grade-demo"):
        make_demo(root, tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "my work"


def test_one_of_two_notebooks_is_missing(tmp_path):
    """nbgrader gives 0 for it; the table says which one."""
    root = toy.make(tmp_path)
    nbformat.write(toy.source(), root / "source" / toy.CHAPTER / "more.ipynb")
    toy.submit(root, "alice", toy.answers())
    (outcome,) = grade(toy.CHAPTER, root=root)
    assert (outcome.score, outcome.max_score) == (8, 20)
    assert outcome.status == "graded; more.ipynb was not handed in; 1 to grade by hand"
    assert outcome.points["01_toy/double_hidden"] == 2
    assert outcome.points["more/double_hidden"] == 0


@pytest.mark.long
@pytest.mark.parametrize("version", [0, 1, 2])
def test_what_is_said_of_an_old_notebook_mends_it(course, version):
    """nbgrader's own command brings the student's file up to date; then it is graded."""
    notebook = toy.answers()
    for cell in filter(toy.name, notebook.cells):
        cell.metadata.nbgrader.schema_version = version
        del cell.metadata.nbgrader["task"]
    path = toy.submit(course, "old", notebook)
    assert not grade(toy.CHAPTER, root=course, students=["old"])[0].graded
    assert toy.nbgrader(course, "update", str(path)).returncode == 0
    assert grade(toy.CHAPTER, root=course, students=["old"])[0].score == 8
