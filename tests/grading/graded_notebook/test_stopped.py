"""A test misses what its answer's cell makes: page and report say why that cell stopped."""

import html

import nbformat
import pytest
import toy
from nbformat.v4 import new_output

from autograder.graded_notebook import stopped
from autograder.grading import grade
from autograder.report.write import report

STOPS = {
    "ivy": ("while True:\n    pass", "ran out of time: does a loop never end?"),
    "josé": ("def double(x):\n    return (2 * x", "SyntaxError in line 2: incomplete input"),
    "kim": ("def double(x):\nreturn 2 * x", "IndentationError in line 2: expected an indented"),
    "lee": ("1 / 0\ndef double(x): ...", "stopped: ZeroDivisionError: division by zero"),
}


@pytest.fixture(scope="module")
def class_(tmp_path_factory):
    """A class whose answers' cells stop, and its report."""
    root = toy.make(tmp_path_factory.mktemp("stopped"))
    for student, (answer, _) in STOPS.items():
        toy.submit(root, student, toy.answers(double=answer))
    grade(toy.CHAPTER, root=root)
    return root, report(toy.CHAPTER, root=root)[0].read_text("utf-8")


@pytest.mark.parametrize("student", STOPS)
def test_the_top_of_the_page_says_why_the_answers_cell_stopped(class_, student):
    top, _, _ = toy.page(class_[0], student).partition("Your notebook")
    assert f"your answer's cell {'' if student == 'ivy' else 'stopped: '}" in top
    assert STOPS[student][1] in top
    assert "NameError" not in top


def test_the_report_has_a_row_for_each_cause(class_):
    rows = html.unescape(class_[1]).split("<h2>Other errors</h2>")[1]
    for _, cause in STOPS.values():
        assert rows.count(cause) == 2, "the row, and its example"
    assert "NameError" not in rows


ERROR = {"output_type": "error", "traceback": []}
MISSED = ERROR | {"ename": "NameError", "evalue": "name 'double' is not defined"}
STOPPED = ERROR | {"ename": "ZeroDivisionError", "evalue": "division by zero"}


def executed(missed: dict, *, name: str = "double", source: str = "") -> nbformat.NotebookNode:
    """The toy, whose first answer stopped with an error, and whose first test with another."""
    notebook = toy.source()
    answer, test = notebook.cells[1:3]
    answer.metadata.nbgrader.grade_id = name
    answer.source = source or answer.source
    answer.outputs, test.outputs = [new_output(**STOPPED)], [new_output(**missed)]
    return notebook


SAID = {"double_visible": "your answer's cell stopped: ZeroDivisionError: division by zero"}


@pytest.mark.parametrize("name", ["double", "cell-1b2c"])
def test_an_answers_cell_is_known_by_its_name_or_by_what_it_makes(name):
    assert stopped.answers(executed(MISSED, name=name)) == SAID
    assert stopped.answers(executed(MISSED, name=name, source="1 / 0\ndouble = 2")) == SAID


def test_an_error_of_another_name_is_the_tests_own():
    other = MISSED | {"evalue": "name 'triple' is not defined"}
    assert stopped.answers(executed(other)) == {}
    assert stopped.answers(executed(MISSED | {"ename": "ValueError"})) == {}
    assert stopped.answers(executed(MISSED, name="half", source="1 / 0")) == {}
