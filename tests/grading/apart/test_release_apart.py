"""A release is judged through a meter that stands on the other side of the answer's process."""

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook
from notebooks import mark, read

from autograder.apart.instructor import calls_check
from autograder.execution.execute import Execute
from autograder.execution.verdicts import _not_passed

pytestmark = pytest.mark.long

SETUP = """import gc, math, os, sys
import numpy as np
import pandas as pd
import dplib
from autograder import check
"""
TEST = """result = check.publish_visits(publish_visits)
print(result)
result.points(10)
"""


def solution() -> str:
    """Return the model answer of the exercise, with what its cell needs."""
    cells = {mark(cell).get("grade_id"): cell.source for cell in read("18_release").cells}
    return "PLACES = dplib.release.visits.PLACES\n" + cells["publish_visits"]


def handed_in(answer: str, test: str = TEST):
    return new_notebook(
        cells=[
            new_code_cell(SETUP, metadata=toy.mark("setup")),
            new_code_cell(answer, metadata=toy.mark("answer", solution=True)),
            new_code_cell(test, metadata=toy.mark("test", points=10)),
        ]
    )


def said(found) -> str:
    return "\n".join(each.get("text", "") for cell in found.notebook.cells for each in cell.outputs)


def test_points_by_quality_reach_nbgraders_own_score(judge):
    found = judge(handed_in(solution()))
    assert 5 <= found.points["test"] < 10
    assert "of 80: a person pays epsilon 1" in said(found)


# Each looks for the rows in its own way, and writes what it finds into the table of dollars.
SEARCHES = {
    "objects": "found += [each for each in gc.get_objects() if isinstance(each, pd.DataFrame)]",
    "ask": "found += [ask.meter._table]",
    "closure": "found += [cell.cell_contents._connection for cell in ask.__closure__]\n"
    "    found = [each for each in found if isinstance(each, pd.DataFrame)]",
    "frames": "frame = sys._getframe()\n"
    "    while frame:\n"
    "        found += [v for v in frame.f_locals.values() if isinstance(v, pd.DataFrame)]\n"
    "        frame = frame.f_back",
    "seed": "found += [dplib.make_visits([int(os.environ['COURSE_SEED']), 1])]",
    "patched": "dplib.MeteredVisits.ask = lambda self, *given, **named: found.append(self._table)",
}
ATTACK = """
honest = publish_visits

def publish_visits(ask, *, epsilon):
    tables, found = honest(ask, epsilon=epsilon), []
    try:
        {}
    except Exception as error:
        print(type(error).__name__)
    for each in found:
        if isinstance(each, pd.DataFrame) and "amount" in each:
            print("ROWS ARE HERE", len(each))
            paid = dplib.clean_visits(each).groupby("quarter")["paid"].sum()
            tables["paid by quarter"] = np.repeat(paid.to_numpy()[:, None], 3, axis=1)
    return tables
"""


@pytest.mark.parametrize("search", SEARCHES)
def test_who_looks_for_the_rows_finds_none(judge, search):
    lines = SEARCHES[search].replace("\n    ", "\n        ")
    found = judge(handed_in(solution() + ATTACK.format(lines)))
    assert "ROWS ARE HERE" not in said(found)
    assert 5 <= found.points["test"] < 10  # what the honest part is worth


def test_a_patched_library_beside_the_answer_changes_no_bill(judge):
    patch = (
        "dplib.release.meter.MeteredVisits._raise_if_overspent = lambda *_: None\n"
        "import autograder.check.claims.release._ask as theirs\n"
        "theirs.MeteredVisits = None\n"
    )
    twice = solution().replace("share * epsilon", "2 * share * epsilon")
    found = judge(handed_in(patch + twice))
    assert found.points["test"] == 0
    assert "the bill would be larger than the budget" in str(found.notebook.cells[-1].outputs)


def test_the_seed_of_the_course_is_the_tests_alone(judge):
    answer = "import os\ndef publish_visits():\n    return os.environ.get('COURSE_SEED', 'none')"
    test = "import os\nassert os.environ['COURSE_SEED'] == '18' and publish_visits() == 'none'"
    assert judge(handed_in(answer, test)).points["test"] == 10
    assert Execute().trait_values(config=True)["course_seed"] == 18


def test_a_part_of_the_points_is_a_pass_of_the_instructors_where_a_check_gives_it():
    """Else the test would run beside every student's answer, and the rows would lie there."""

    def ended_with(value, test):
        output = nbformat.v4.new_output("execute_result", {"text/plain": value}, execution_count=1)
        notebook = handed_in("f = 3", test)
        notebook.cells[-1].outputs = [output]
        return notebook

    assert calls_check(ended_with("7.5", TEST)) == {"test"}
    assert _not_passed(ended_with("7.5", TEST)) == {}
    assert _not_passed(ended_with("0.0", TEST)) != {}
    assert _not_passed(ended_with("7.5", "f + 4.5")) != {}  # no check of ours
