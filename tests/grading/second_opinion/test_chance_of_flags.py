"""The test of chance: when a difference between one process and two is more than chance or time."""

import ast
import inspect
import itertools
import math
import sys

import nbformat
import numpy as np
import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook
from notebooks import CHAPTERS, read
from scipy import stats

import dplib
from autograder.second_opinion.chance import Tally, by_chance, confirmed
from autograder.second_opinion.instructor import instructor_of
from autograder.second_opinion.library_text import copied
from autograder.second_opinion.names import tree_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks of a warm process: Linux")


@pytest.mark.parametrize(("given", "of", "kept", "asked"), [(12, 12, 0, 12), (5, 9, 2, 7)])
def test_it_is_fishers_exact_test(given, of, kept, asked):
    table = [[given, of - given], [kept, asked - kept]]
    expected = stats.fisher_exact(table, alternative="greater").pvalue
    assert by_chance(Tally(given, of, kept, asked)) == pytest.approx(expected)


def asked(in_one: float, apart: float, generator=None) -> list[str]:
    """Return what is confirmed of a test that passes with these chances."""
    generator = generator or np.random.default_rng()
    tallies = {"test": Tally(given=1, of=1, asked=1)}
    runs = [lambda chance=each: {"test": generator.random() < chance} for each in (in_one, apart)]
    return confirmed(["test"], tallies, once=runs[0], apart=runs[1], seconds=math.inf)


def test_who_always_passes_and_never_apart_is_confirmed():
    assert asked(1, 0) == ["test"]


def test_who_fools_a_test_now_and_then_is_confirmed_too():
    """An answer that fools a test in nine runs of ten hides in about two of a hundred."""
    found = sum(bool(asked(0.9, 0)) for _ in range(200))
    assert found > 150  # P(fewer) < 1e-9 at a rate of 0.95


def test_equal_chances_are_hardly_ever_confirmed():
    """Below 1e-6 at every chance, the luck of the first run included: summed over all outcomes."""
    assert [asked(chance, chance) for chance in (0.1, 0.5, 0.9) for _ in range(300)] == [[]] * 900
    for chance in np.linspace(0.02, 0.98, 25):
        once, apart = stats.binom(7, chance).pmf, stats.binom(24, chance).pmf
        outcomes = itertools.product(range(8), range(25))
        rate = sum(
            once(given) * apart(kept)
            for given, kept in outcomes
            if by_chance(Tally(given, 7, kept, 24)) <= 5e-7
        )
        assert rate <= 5e-7


def test_a_notebook_without_end_is_asked_three_times():
    seen = []

    def slow(apart: bool) -> dict[str, bool]:
        seen.append(apart)
        return {"test": not apart}

    tallies = {"test": Tally(given=1, of=1, asked=1)}
    found = confirmed(
        ["test"], tallies, once=lambda: slow(False), apart=lambda: slow(True), seconds=-1
    )
    assert found == ["test"]
    assert seen.count(True) == seen.count(False) == 2


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
