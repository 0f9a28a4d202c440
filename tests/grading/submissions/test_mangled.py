"""Mangled notebooks: whatever their JSON holds, they are graded, or refused in a sentence."""

import copy
import json
import os
import re

import nbformat
import pytest
import toy
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.course_folders.course import Course
from autograder.course_folders.submissions import Submission
from autograder.execution.job import Settings
from autograder.grading import grade
from autograder.grading.options import Options
from autograder.nbgrader import reasons
from autograder.nbgrader.gradebook import opened_once
from autograder.nbgrader.steps import Grader
from autograder.printable import printable
from autograder.regrade.preview import again
from autograder.report.write import report

LONG = "x" * 1_000_000
ODD = st.sampled_from(
    [
        None, True, False, 0, 1, -1, 10**30, 1.5, float("nan"), float("inf"), "", "NaN", "\x1b[2K",
        "\ud800", "\u202e", "{{", "%s", "code", [], [1], [[]], ["a", 1], {}, {"a": 1}, {"": None},
        {"grade_id": 1}, {"grade_id": "double"}, LONG,
    ]
)  # fmt: skip
GONE = object()
# A sentence for an instructor, not a bare exception such as "KeyError: 'grade_id'".
BARE = re.compile(r"\w*(Error|Exception|Warning)\b")
FORESEEN = "grading it failed"


def places(value, path=()):
    """Every place in JSON, as a path of keys."""
    yield path
    parts = (
        value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    )
    for key in parts:
        yield from places(value[key], (*path, key))


def put(notebook, path, value):
    """Put a value into a place, or take away what is there; a place may have gone before."""
    try:
        for key in path[:-1]:
            notebook = notebook[key]
        if value is GONE:
            del notebook[path[-1]]
        else:
            notebook[path[-1]] = value
    except (KeyError, IndexError, TypeError):
        pass


def handed_in():
    """What a student hands in, with what a notebook may hold beside its cells."""
    notebook = toy.answers()
    notebook.cells.insert(0, nbformat.v4.new_code_cell("1", metadata={"tags": ["mine"]}))
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="1")]
    notebook.cells[1].attachments = {"a.png": {"image/png": "AAAA"}}
    notebook.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    notebook.metadata.language_info = {"name": "python"}
    return json.loads(json.dumps(notebook))


WHOLE = handed_in()
PLACES = [path for path in places(WHOLE) if path]
MARK = ("cells", 2, "metadata", "nbgrader")


@pytest.fixture(scope="module")
def grader(tmp_path_factory):
    """The steps of grading that are not the cells' own, on a course of its own."""
    root = toy.make(tmp_path_factory.mktemp("mangled"))
    toy.submit(root, "alice", toy.answers())
    grade(toy.CHAPTER, root=root)
    course = Course(root)
    with course.environment(), opened_once() as books:
        yield root, Grader(course, toy.CHAPTER, books)


def reason(root, grader, notebook) -> str:
    """Return why a notebook is refused; "" if it can be run."""
    path = toy.submit(root, "bob", json.dumps(notebook).encode())
    submission = Submission("bob", path.parent)
    try:
        submission = grader.take(submission)
        submission.check([toy.CHAPTER])
        work = grader.sanitise(submission, Settings())
    except Exception as error:
        return reasons.words(error)
    for text in work.notebooks.values():
        nbformat.validate(nbformat.reads(text, as_version=4))
    return ""


def check_reason(said: str) -> None:
    assert not BARE.match(said), said
    assert not said.startswith(FORESEEN), said
    assert len(said) < 600
    assert said == printable(said)


MANY = settings(max_examples=150, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip


@MANY
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), ODD | st.just(GONE)), max_size=3))
@example(changes=[(MARK, [1])])
@example(changes=[((*MARK, "grade_id"), GONE)])
@example(changes=[((*MARK, "grade_id"), LONG)])
@example(changes=[((*MARK, "schema_version"), "3")])
@example(changes=[((*MARK, "schema_version"), None)])
@example(changes=[((*MARK, "points"), "NaN")])
@example(changes=[(("cells", 2), "words")])
@example(changes=[(("cells", 2, "source"), [1])])
@example(changes=[(("cells",), {})])
@example(changes=[(("metadata",), [])])
@example(changes=[(("metadata", "kernelspec"), [])])
@example(changes=[(("nbformat_minor",), "5")])
@example(changes=[(("cells", 0, "metadata", "tags"), 5)])
@example(changes=[(("cells", 1, "attachments"), [])])
@example(changes=[(("cells", 1, "attachments", "a.png", "image/png"), None)])
def test_a_mangled_notebook_is_run_or_refused_in_a_sentence(grader, changes):
    root, steps = grader
    notebook = copy.deepcopy(WHOLE)
    for path, value in changes:
        put(notebook, path, copy.deepcopy(value) if value is not GONE else GONE)
    check_reason(reason(root, steps, notebook))


# What is odd and not refused, or refused late: graded whole, with a page and a report.
WHOLE_RUNS = {
    "widgets": [(("metadata", "widgets"), [1])],
    "kernel": [(("metadata", "kernelspec"), 5)],
    "language": [(("metadata", "language_info"), {"name": "\x1b[2K"})],
    "ids": [(("cells", place, "id"), "same") for place in range(3)],
    "mark": [(MARK, [1])],
    "name": [((*MARK, "grade_id"), "\x1b[2K")],
    "points": [((*MARK[:1], 3, *MARK[2:], "points"), float("nan"))],
    "attachments": [(("cells", 1, "attachments", "a.png"), {"image/png": ["AAAA"]})],
    "outputs": [(("cells", 0, "outputs"), [[], 5, {"output_type": {}}])],
    "half": [(("cells", 1, "source"), "\ud800")],
}


@pytest.mark.long
def test_everyone_is_listed_and_nothing_of_a_student_reaches_the_terminal(tmp_path, capsys):
    root = toy.make(tmp_path)
    for student, changes in WHOLE_RUNS.items():
        notebook = copy.deepcopy(WHOLE)
        for path, value in changes:
            put(notebook, path, value)
        toy.submit(root, student, json.dumps(notebook).encode())
    for folder in (os.fsdecode(b"b\xe9a"), "red\x1b[2K", "two\nlines"):
        toy.submit(root, folder, toy.answers())
    toy.submit(root, "zoe", toy.answers())
    outcomes = {outcome.student: outcome for outcome in grade(toy.CHAPTER, root=root)}
    assert len(outcomes) == len(WHOLE_RUNS) + 4
    assert outcomes["zoe"].score == 8
    for outcome in outcomes.values():
        assert outcome.graded or outcome.notes[0], outcome
        if not outcome.graded:
            check_reason(outcome.notes[0])
    assert {name for name, each in outcomes.items() if each.graded} >= {"kernel", "ids", "zoe"}
    report(toy.CHAPTER, root=root)
    ended = again(toy.CHAPTER, root=root, options=Options(workers=1), confirm=lambda: False)
    assert not ended.written and not ended.all_graded
    assert not grade(toy.CHAPTER, root=root, students=["zoe"])[0].new
    said = "".join(capsys.readouterr())
    assert "two�lines: —" in said
    assert "red�[2K" in said
    assert said == printable(said, lines=True)
    names = [name for name, each in outcomes.items() if each.graded]
    pages = [toy.file_of(root, "feedback", name, "html") for name in names]
    assert all(page.exists() for page in pages)
