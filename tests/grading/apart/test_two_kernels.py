"""Two kernels for one notebook: what stands in its cells, which verdict counts, and what ends."""

import dataclasses
import sys

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution import run_job, verdicts
from autograder.execution.job import Job, Settings
from autograder.execution.notebooks import automatic_tests, points_of
from autograder.execution.verdicts import Runner, as_nbgrader, judged
from autograder.problem import Problem

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="forks of a warm process: Linux"),
]


def cells(*texts: tuple[str, str], setup: str = "import numpy as np") -> nbformat.NotebookNode:
    """A setup cell, then cells by name; a name that begins with `test` is a test's."""
    made = [new_code_cell(setup, metadata=toy.mark("setup"))]
    for name, text in texts:
        mark = {"points": 4} if name.startswith("test") else {"solution": True}
        made.append(new_code_cell(text, metadata=toy.mark(name, **mark)))
    return new_notebook(cells=made)


def shown(notebook, name: str) -> str:
    cell = toy.cell(notebook, name)
    return "".join(str(output.get("text") or output.get("data")) for output in cell.outputs)


# --- what stands in the cells ---------------------------------------------------------------------


def test_what_an_answer_shows_during_a_test_stands_in_the_tests_cell(judge):
    answer = "import matplotlib.pyplot as plt, os\ndef f():\n    print('printed')\n"
    answer += "    os.system('echo by a program')\n    plt.plot([1, 2])\n    return 3"
    test = "print('before')\nassert f() == 3\nprint('after')"
    found = judge(cells(("answer", answer), ("test", test), ("next", "'mine'"))).notebook
    words = shown(found, "test")
    assert all(each in words for each in ("before", "printed", "by a program", "after"))
    assert "image/png" in words
    assert shown(found, "next") == "{'text/plain': \"'mine'\"}"


def test_what_an_answer_writes_to_stderr_costs_the_test_its_points_as_in_one_kernel(judge):
    answer = "import sys\ndef f():\n    sys.stderr.write('!')\n    return 3"
    found = judge(cells(("answer", answer), ("test", "assert f() == 3"), ("test2", "f")))
    assert found.points == {"test": 0, "test2": 4}


def test_an_answer_shows_no_points_in_a_test(judge):
    answer = "def f():\n    get_ipython().displayhook(4.0)\n    return 0"
    found = judge(cells(("answer", answer), ("test", "f()\n1.0"), ("test2", "assert f()")))
    assert found.points == {"test": 1, "test2": 0}


def test_cells_are_numbered_as_in_one_kernel(judge):
    found = judge(cells(("a", "x = 1"), ("test", "x"), ("b", "x"), ("test2", "2.0"))).notebook
    assert [cell.execution_count for cell in found.cells] == [1, 2, 3, 4, 5]
    (result,) = toy.cell(found, "test2").outputs
    assert result.execution_count == 5


def test_a_test_sees_names_as_they_were_when_its_turn_came(judge):
    found = judge(
        cells(("a", "x = 1"), ("test", "assert x == 1"), ("b", "x = 2"), ("test2", "assert x == 2"))
    )
    assert found.points == {"test": 4, "test2": 4}


def test_a_students_kernel_knows_nothing_of_the_tests(judge):
    spy = "found = [each for each in In if 'sec' 'ret' in each], 'sec' 'ret' in globals()"
    tests = ("test", "secret = 5\nassert True"), ("test2", "assert found == ([], False)")
    assert judge(cells(tests[0], ("spy", spy), tests[1])).points == {"test": 4, "test2": 4}


# --- what ends ------------------------------------------------------------------------------------


def test_a_test_that_calls_without_end_is_interrupted_and_the_next_one_runs(judge):
    found = judge(
        cells(
            ("answer", "def f():\n    return 0"),
            ("test", "while f() < 1:\n    pass"),
            ("test2", "assert f() == 0"),
        ),
        seconds=1.0,
    )
    assert found.points == {"test": 0, "test2": 4}


def test_a_call_without_end_is_interrupted_and_the_next_test_runs(judge):
    answer = "def f(x):\n    while x:\n        pass\n    return 3"
    found = judge(
        cells(("answer", answer), ("test", "f(1)"), ("test2", "assert f(0) == 3")), seconds=1.0
    )
    assert found.points == {"test": 0, "test2": 4}


def test_who_dies_in_a_test_is_told_in_that_test(judge):
    answer = "import os\ndef f():\n    os._exit(0)"
    found = judge(cells(("answer", answer), ("test", "f()"), ("test2", "assert True")))
    assert found.points == {"test": 0, "test2": 0}
    (error, *_) = toy.cell(found.notebook, "test").outputs
    assert error.evalue == "the kernel died in this cell"


# --- which verdict counts -------------------------------------------------------------------------

FOOL = "class Any:\n    def __eq__(self, other):\n        return True\ndef f():\n    return Any()\n"
FOOL += "from autograder import check\ncheck.noise_scale = lambda answer: None"
CHECK, PLAIN = "check.noise_scale(f)", "assert f() == 3"


@pytest.fixture
def runs(zygote, monkeypatch):
    """Return what runs a job, and the list of its executions: whether each was apart."""
    apart = []
    real = verdicts.executed

    def executed(job, zygote, stop, core, splits=None, hurried=None):
        apart.append(splits is not None)
        return real(job, zygote, stop, core, splits, hurried)

    def run(notebook, **about):
        settings = Settings(execute={"timeout": 20}, apart=True)
        done = run_job.run(Job({"toy": nbformat.writes(notebook)}, {}, settings, **about))
        made = nbformat.reads(done.notebooks["toy"], as_version=4)
        points = {name: points_of(test) for name, test in automatic_tests(made).items()}
        return points, done.findings["toy"]

    monkeypatch.setattr(verdicts, "executed", executed)
    monkeypatch.setattr(run_job, "tried", lambda settings, action: action(zygote))
    return run, apart


def test_a_test_that_calls_a_check_is_final_and_runs_once(runs):
    run, apart = runs
    made = cells(("f", FOOL), ("test", CHECK), setup="from autograder import check")
    points, found = run(made)
    assert (points, found.doubts, apart) == ({"test": 0}, {}, [True])


def test_a_plain_test_that_is_passed_beside_only_keeps_its_points_and_is_named(runs):
    run, apart = runs
    texts = ("f", FOOL), ("test", PLAIN), ("test2", CHECK)
    made = cells(*texts, setup="from autograder import check")
    points, found = run(made)
    assert points == {"test": 4, "test2": 0}
    assert (list(found.doubts), apart) == (["test"], [True, False])


def test_a_plain_test_that_fails_beside_too_says_what_it_said_apart(runs):
    run, apart = runs
    points, found = run(cells(("f", "def f():\n    return 2"), ("test", PLAIN)))
    assert (points, found.doubts, apart) == ({"test": 0}, {}, [True, False])


def test_an_answer_as_it_was_handed_out_is_not_run_again(runs):
    run, apart = runs
    points, _ = run(cells(("f", "def f():\n    raise NotImplementedError"), ("test", PLAIN)))
    assert (points, apart) == ({"test": 0}, [True])


def test_an_exams_tests_run_apart_only(runs):
    run, apart = runs
    points, found = run(cells(("f", FOOL), ("test", PLAIN)), own_tests=True)
    assert (points, found.doubts, apart) == ({"test": 0}, {}, [True])
    job = Job({}, {}, Settings(apart=True), own_tests=True)
    for where in (job, dataclasses.replace(job, settings=Settings(apart=False))):
        with pytest.raises(Problem, match="apart from the answers only"):
            judged(where, Runner())


def test_beside_run_the_tests_that_are_asked_and_what_they_need():
    made = cells(
        ("f", "def f(): ..."),
        ("test", CHECK),
        ("test2", f"result = {CHECK}"),
        ("test3", "assert result"),
        setup="from autograder import check",
    )
    text = nbformat.writes(made)
    job = Job({"one": text, "two": text, "three": text}, {}, Settings())
    work = as_nbgrader(job, {"one": {}, "two": {"test3": ""}, "three": {}})
    assert list(work.notebooks) == ["one", "two"]
    left = nbformat.reads(work.notebooks["two"], as_version=4)
    assert [bool(cell.source) for cell in left.cells] == [True, True, False, True, True]
