"""The speedups of grading are in place, and change no result. Nothing here is timed."""

import io
import json
import sqlite3
import subprocess
import sys

import jsonschema
import nbformat
import pytest
import toy
from jsonschema.exceptions import SchemaError, ValidationError
from nbconvert.exporters import NotebookExporter
from nbgrader import api
from nbgrader.api import MissingEntry
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearOutput, LimitOutput
from rich.console import Console
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from autograder import imports
from autograder.course_folders.course import Course
from autograder.execution.job import Findings
from autograder.grading import GradingError, Outcome, grade
from autograder.grading.run_progress import RunProgress, print_table
from autograder.nbgrader.gradebook import Gradebooks, opened_once
from autograder.nbgrader.recorded_marks import marks_of
from autograder.nbgrader.steps import Grader

pytestmark = pytest.mark.long


def python(code: str) -> str:
    """Run code in a fresh Python; return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_schema_is_checked_once_and_each_mark_against_it():
    schema = MetadataValidator().schema
    validator = type(imports._validator(json.dumps(schema)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(validator, "check_schema", lambda *given: pytest.fail("checked again"))
        MetadataValidator().validate_nb(toy.source())
    wrong = toy.source()
    wrong.cells[2].metadata["nbgrader"]["points"] = "many"
    with pytest.raises(ValidationError, match="'many' is not of type 'number'"):
        MetadataValidator().validate_nb(wrong)
    with pytest.raises(SchemaError):
        jsonschema.validate(1, {"type": "no type"})


FIGURES = {
    "matplotlib.figure": "from matplotlib.figure import Figure\nfigure = Figure()\n"
    "figure.subplots().plot([1, 2], label='$x$')\nfigure.savefig(__import__('io').BytesIO())",
    "matplotlib.pyplot": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
}
KERNEL = """
import asyncio, socket, sys
import MODULE
from autograder.kernels import kernel
from autograder.kernels import pipe
made = kernel.make_kernel()
ours, theirs = socket.socketpair()
for number, cell in enumerate(CELLS):
    request = {"msg_id": str(number), "code": cell, "store_history": True, "stop_on_error": True}
    pipe.send(ours, request)
ours.shutdown(socket.SHUT_WR)
before = set(sys.modules)
asyncio.run(kernel.answer(made, theirs, 100))
shown = b""
while part := ours.recv(1 << 20, socket.MSG_DONTWAIT):
    shown += part
    if b"ZeroDivisionError" in shown:
        break
print(sorted(set(sys.modules) - before), made._execute_sleep, file=sys.__stdout__)
"""


@pytest.mark.parametrize("module", FIGURES)
def test_a_fork_imports_nothing_and_does_not_wait(module):
    """What is not in memory before the fork, every child would read anew."""
    cells = ["import sys\nprint(1)", FIGURES[module], "1 / 0"]
    assert python(KERNEL.replace("MODULE", module).replace("CELLS", repr(cells))) == "[] 0.0"


SAME = "from autograder.grading.run import grade as same\nprint(grade is same)\n"


def test_what_no_step_uses_is_not_imported_and_not_lost():
    found = python(
        "import importlib.util, sys\nfrom autograder.grading import grade\n"
        "print('nbgrader' in sys.modules, 'rfc3987_syntax' in sys.modules)\n"
        # What is hidden has no spec. To import it would take a second.
        f"{SAME}print(importlib.util.find_spec('rfc3987_syntax') is not None)"
    )
    assert found.split() == ["True", "False", "True", "True"]


def test_a_command_that_only_reads_does_without_it_too(course):
    command = ["--root", str(course), "export", "canvas"]
    found = python(
        f"import sys\nfrom autograder.cli import main\nmain({command})\n"
        "print('nbgrader' in sys.modules, 'rfc3987_syntax' in sys.modules)"
    )
    assert found.splitlines()[-1].split() == ["True", "False"]


def test_a_new_gradebook_has_nbgraders_version_and_no_program_was_started(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setenv("PATH", toy.activated()["PATH"])
        expected = api.get_alembic_version()
    monkeypatch.setattr(api.sp, "check_output", None)
    course = Course(toy.make(tmp_path))
    with course.environment(), course.gradebook():
        pass
    assert toy.sql(tmp_path, "select version_num from alembic_version") == [(expected,)]


def test_one_more_student_asks_few_questions(tmp_path):
    """nbgrader asks some 150 for this notebook: it asks for each cell by name, several times."""
    asked = {}
    for size in (1, 3):
        root = toy.make(tmp_path / str(size))
        for number in range(size):
            toy.submit(root, f"student{number}", toy.answers())
        asked[size] = _questions(root)
    assert asked[1] > 20  # so they are counted
    assert (asked[3] - asked[1]) / 2 <= 22


def _questions(root) -> int:
    """Grade; return how many statements the database was given."""
    asked = []

    def count(*arguments):
        asked.append(arguments[2])

    event.listen(Engine, "before_cursor_execute", count)
    try:
        outcomes = grade(toy.CHAPTER, root=root, apart=False, feedback=False)
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    assert {outcome.score for outcome in outcomes} == {8}
    return len(asked)


@pytest.fixture
def books(course):
    """The gradebook in which alice was graded, as a run has it open."""
    where = Course(course)
    with where.environment(), opened_once() as books:
        yield books, where


def test_what_another_program_writes_is_seen_in_the_next_step(books, course):
    opened, where = books
    which = ("half_parts", toy.CHAPTER, toy.CHAPTER, "alice")
    with opened.together(), where.gradebook() as gradebook:
        kept = gradebook.find_grade(*which)  # a row that is held is not read again by itself
        assert kept.manual_score is None
    assert marks_of(where, toy.CHAPTER, "alice").score == 8
    toy.give(course, 2, "half_parts")
    with opened.together(), where.gradebook() as gradebook:
        assert gradebook.find_grade(*which).manual_score == 2
    after = marks_of(where, toy.CHAPTER, "alice")
    assert (after.score, after.points["half_parts"]) == (6, 2)
    assert "half_parts" not in after.automatic


def test_sums_are_those_of_the_scores_just_given(books):
    """nbgrader's late penalty depends on it."""
    opened, where = books
    which = (toy.CHAPTER, toy.CHAPTER, "alice")
    with opened.together(), where.gradebook() as gradebook:
        held = gradebook.find_submission_notebook(*which)
        assert held.score == 8
        gradebook.find_grade("half_parts", *which).auto_score = 1
        gradebook.db.commit()
        assert gradebook.find_submission_notebook(*which).score == 5
        assert gradebook.find_submission(toy.CHAPTER, "alice").score == 5


def test_the_chapter_is_asked_for_once(books):
    opened, where = books
    with opened.together(), where.gradebook() as gradebook:
        first = gradebook.find_source_cell("double", toy.CHAPTER, toy.CHAPTER)
    with opened.together(), where.gradebook() as gradebook:
        assert gradebook.find_source_cell("double", toy.CHAPTER, toy.CHAPTER) is first
        with pytest.raises(MissingEntry):
            gradebook.find_source_cell("nowhere", toy.CHAPTER, toy.CHAPTER)
    with where.gradebook() as gradebook:
        gradebook.update_or_create_source_cell("double", toy.CHAPTER, toy.CHAPTER, source="new")
        changed = gradebook.find_source_cell("double", toy.CHAPTER, toy.CHAPTER)
        assert changed.source == "new"
        assert gradebook.find_notebook(toy.CHAPTER, toy.CHAPTER)
        gradebook.remove_notebook(toy.CHAPTER, toy.CHAPTER)
        with pytest.raises(MissingEntry):
            gradebook.find_notebook(toy.CHAPTER, toy.CHAPTER)


def test_a_step_that_fails_leaves_nothing(books):
    opened, where = books
    with pytest.raises(ZeroDivisionError), opened.together(), where.gradebook() as gradebook:
        gradebook.find_grade("half_parts", toy.CHAPTER, toy.CHAPTER, "alice").auto_score = 0
        gradebook.add_student("bob")
        raise ZeroDivisionError
    assert marks_of(where, toy.CHAPTER, "alice").score == 8
    with where.gradebook() as gradebook, pytest.raises(MissingEntry):
        gradebook.find_student("bob")


def test_an_error_of_the_database_is_the_one_that_is_raised(books):
    _, where = books
    with pytest.raises(IntegrityError), where.gradebook() as gradebook:
        gradebook.db.add(api.Student(id="alice"))
        gradebook.db.flush()
    assert marks_of(where, toy.CHAPTER, "alice").score == 8


def test_questions_may_be_asked_by_name(books):
    opened, where = books
    which = {"notebook": toy.CHAPTER, "assignment": toy.CHAPTER}
    with opened.together(), where.gradebook() as gradebook:
        assert gradebook.find_source_cell(name="half", **which).name == "half"
        grade = gradebook.find_grade(grade_cell="half_parts", student="alice", **which)
        assert grade.auto_score == 4
        with pytest.raises(MissingEntry):
            gradebook.find_grade(grade_cell="half", student="alice", **which)


def test_putting_off_is_of_one_run_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(api, "get_alembic_version", lambda: "any")  # it starts a program
    one, other = Gradebooks(), Gradebooks()
    url = f"sqlite:///{tmp_path / 'other.db'}"
    other.open(url)
    with one.together():
        other.open(url).add_student("bob")
        students = sqlite3.connect(tmp_path / "other.db").execute("select id from student")
        assert students.fetchall() == [("bob",)]
    other.close()


class Stateful(ClearOutput):
    """An instructor's own step, which counts its notebooks."""


def test_only_nbgraders_own_steps_are_made_once(course):
    exporters = Grader(Course(course), toy.CHAPTER, Gradebooks()).converter.exporters
    own, theirs = [ClearOutput, LimitOutput], [ClearOutput, Stateful]
    exporters.of(own)._nb_metadata["alice"] = {"widgets": "large"}
    assert exporters.of(own) is exporters.of(own)
    assert not exporters.of(own)._nb_metadata
    assert exporters.of(own) is not exporters.of([LimitOutput])
    assert exporters.of(theirs) is not exporters.of(theirs)


@pytest.mark.parametrize("version", [4, 3])
def test_an_exporter_writes_what_nbconverts_does(course, version):
    converter = Grader(Course(course), toy.CHAPTER, Gradebooks()).converter
    converter.config.NotebookExporter.nbformat_version = version
    steps = [ClearOutput, LimitOutput]
    theirs = NotebookExporter(config=converter.config)
    for step in steps:
        theirs.register_preprocessor(step, enabled=True)
    ours = converter.exporters.make(steps)
    expected, _ = theirs.from_notebook_node(toy.answers(), {"metadata": {}})
    written, resources = ours.from_notebook_node(toy.answers(), {"metadata": {}})
    assert written == expected
    assert resources["output_suffix"] == (".nbconvert" if version == 4 else ".v3")
    broken = toy.answers()
    broken.cells[0].metadata = 1
    with pytest.raises(nbformat.ValidationError):
        ours.from_notebook_node(broken, {"metadata": {}})


CLASS = [
    Outcome("alice", True, 8, 10),
    Outcome("bob", False, notes=("01_toy.ipynb is empty",)),
    Outcome("mallory", True, 10, 10, findings=Findings(doubts={"double_hidden": "why"})),
]


def shown(*, terminal: bool) -> str:
    """Return what a person sees of a run over CLASS, without colours."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=90, color_system=None)
    with RunProgress(console, total=len(CLASS)) as progress:
        for outcome in CLASS:
            progress.show(outcome)
    print_table(console, toy.CHAPTER, CLASS)
    return file.getvalue()


def test_a_terminal_shows_rate_and_time_left_and_who_needs_a_look():
    seen = shown(terminal=True)
    assert " a second" in seen
    assert "3/3" in seen
    before_the_table = seen[: seen.index("student")]
    assert "2/3 bob: — not graded; 01_toy.ipynb is empty" in before_the_table
    assert "3/3 mallory: 10 / 10 graded; FLAGGED" in before_the_table
    assert "alice" not in before_the_table.replace("last: alice", "")
    assert "2 graded, 1 not graded, 1 to look at" in seen


def test_a_log_has_a_line_for_each_student():
    lines = shown(terminal=False).splitlines()
    assert lines[0] == "1/3 alice: 8 / 10 graded"
    assert lines[1] == "2/3 bob: — not graded; 01_toy.ipynb is empty"
    assert lines[2].startswith("3/3 mallory: 10 / 10 graded; FLAGGED")


def test_a_log_file_of_the_settings_is_still_written(course):
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as settings:
        settings.write(f"\nc.NbGrader.logfile = {str(course / 'log.txt')!r}\n")
    grade(toy.CHAPTER, root=course, force=True, apart=False, feedback=False)
    assert "Converting notebook" in (course / "log.txt").read_text("utf-8")


def test_nbgraders_reason_is_still_found(course):
    path = toy.file_of(course, "source")
    path.write_text(path.read_text("utf-8").replace('"half_visible"', '"half"'), "utf-8")
    with pytest.raises(GradingError, match="Duplicate grade id: half"):
        grade(toy.CHAPTER, root=course)
