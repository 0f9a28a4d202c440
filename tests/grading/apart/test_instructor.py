"""The instructor's notebook, the library's own text in an answer, and the names in a cell."""

import ast
import inspect
import itertools

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook
from notebooks import CHAPTERS, read

import dplib
from autograder.apart.instructor import calls_check, instructor_of
from autograder.apart.library_text import copied
from autograder.apart.names import tree_of

# --- the instructor's notebook --------------------------------------------------------------------

SOURCE = {
    "setup": ("from autograder import check", False),
    "free": ("import numpy as np\nlimit = 3\nshown = limit", None),
    "answer": (
        "import statistics as st\ndef f(x):\n    global count\n    count = 1\n    return x\n"
        "class Kind:\n    inside = 1\nplace, other = 1, 2\nfor each in range(3):\n    pass",
        True,
    ),
    "test": ("check.f(f)\nassert np.isclose(f(limit), st.mean([3]))", False),
}


def instructors(**given) -> nbformat.NotebookNode:
    cells = []
    for name, (source, solution) in {**SOURCE, **given}.items():
        points = 1 if name == "test" else None
        mark = {} if solution is None else toy.mark(name, points=points, solution=solution)
        cells.append(new_code_cell(source, metadata=mark))
    return new_notebook(cells=cells)


def test_the_names_of_answers_are_what_the_teachers_answers_make():
    found = instructor_of(instructors())
    assert found.answers == {"f", "count", "Kind", "place", "other", "each"}


def test_what_else_a_test_needs_is_the_teachers():
    found = instructor_of(instructors())
    texts = [cell.source for cell in found.before["test"]]
    assert texts == [SOURCE["free"][0], "import statistics as st"]


def test_without_the_answers_a_test_that_needs_more_than_was_released_is_not_judged():
    found = instructor_of(instructors(answer=("def f(x): ...", True)), with_answers=False)
    assert found.answers == {"f"}
    assert found.unknown == {"test": ["limit", "np", "st"]}
    assert "source/ is missing" in found.unknown_words()["test"]


def test_a_test_calls_a_check_of_ours_if_it_mentions_what_is_imported_from_here():
    tests = {
        "by_name": "check.f(f)",
        "in_a_call": "def g():\n    check.f(f)\ng()",
        "from_a_module": "practice.judge('plan', f)",
        "plain": "assert f(1) == 1",
        "in_words": "# check it\nassert f('check')",
    }
    cells = [new_code_cell("from autograder import check, practice", metadata=toy.mark("setup"))]
    cells += [new_code_cell(text, metadata=toy.mark(n, points=1)) for n, text in tests.items()]
    assert calls_check(new_notebook(cells=cells)) == {"by_name", "in_a_call", "from_a_module"}
    cells[0].source = "from mycourse import check, practice"
    assert calls_check(new_notebook(cells=cells)) == set()


# --- the library's text ---------------------------------------------------------------------------


def answer(source: str) -> nbformat.NotebookNode:
    return new_notebook(cells=[new_code_cell(source, metadata=toy.mark("a", solution=True))])


def library_text(name: str) -> str:
    return inspect.getsource(getattr(dplib, name))


def bare(name: str) -> str:
    """Return a function of the library without the lines that look at its arguments."""
    return "\n".join(line for line in library_text(name).splitlines() if "_validate" not in line)


@pytest.mark.parametrize("text", [library_text, bare])
@pytest.mark.parametrize("name", ["synthesize_from_pairs", "noisy_gradient_descent"])
def test_a_copy_of_the_librarys_text_is_seen(name, text):
    other = answer("def other(x):\n    return x")
    found = copied(answer(text(name).replace(f"def {name}(", "def mine(")), other, [name])
    assert f"dplib.{name} stand in the answer word for word" in found[name]


def test_an_answer_of_ones_own_is_none():
    for chapter in CHAPTERS:
        own = read(chapter)
        names = instructor_of(own).answers
        assert copied(own, answer("def other(x):\n    return x"), names) == {}


# --- threads --------------------------------------------------------------------------------------


def test_a_text_is_read_though_another_thread_reads_one(monkeypatch):
    """Python 3.11 mixes up the depths of two trees: an honest student was flagged for that."""
    parse, calls = ast.parse, itertools.count()

    def disturbed(source):
        if next(calls) < 3:
            raise SystemError("AST constructor recursion depth mismatch (before=42, after=38)")
        return parse(source)

    monkeypatch.setattr(ast, "parse", disturbed)
    assert len(tree_of("x = 1").body) == 1
