"""Displays: one that is updated many times in many places costs no more than it sends."""

import nbformat
import pytest
import toy

from autograder.execution.execute import Execute
from autograder.grading import grade

MEGABYTE = 1 << 20


@pytest.fixture
def execute():
    made = Execute(allow_errors=True)
    cells = [nbformat.v4.new_code_cell("1") for _ in range(3)]
    made.nb = nbformat.v4.new_notebook(cells=cells)
    made.reset_execution_trackers()
    made.clear_before_next_output = False
    return made


def send(execute, kind, text, *, cell=0, name="same"):
    content = {"data": {"text/plain": text}, "metadata": {}, "transient": {"display_id": name}}
    message = {"msg_type": kind, "content": content, "parent_header": {"msg_id": "1"}}
    message["header"] = {"msg_type": kind}
    execute.process_message(message, execute.nb.cells[cell], cell)


def texts(execute, cell=0):
    return [output.data["text/plain"] for output in execute.nb.cells[cell].outputs]


def test_a_display_is_shown_anew_in_all_its_cells(execute):
    for cell in (0, 1):
        send(execute, "display_data", "old", cell=cell)
    send(execute, "update_display_data", "new", cell=2)
    assert texts(execute, 0) == texts(execute, 1) == ["new"]


def test_one_place_may_be_shown_anew_without_end(execute):
    send(execute, "display_data", "0")
    for number in range(2000):
        send(execute, "update_display_data", f"{number} {'x' * 10_000}")
    assert texts(execute)[0].startswith("1999 ")


@pytest.mark.long
def test_the_copies_of_a_display_are_bounded(execute):
    for _ in range(3000):
        send(execute, "display_data", "x")
    send(execute, "update_display_data", "x" * 100_000)
    assert sum(map(len, texts(execute))) < 11 * MEGABYTE


def test_cleared_places_are_forgotten(execute):
    for number in range(100):
        send(execute, "display_data", "x", name=str(number))
    message = {"msg_type": "clear_output", "content": {"wait": False}}
    message["parent_header"] = {"msg_id": "1"}
    execute.process_message(message, execute.nb.cells[0], 0)
    send(execute, "display_data", "own", name="other")
    send(execute, "update_display_data", "new", name="1")
    assert texts(execute) == ["own"]
    assert not any(execute._display_id_map[str(number)] for number in range(100))


OUTPUT_WIDGET = """
import ipywidgets
from IPython.display import display
out = ipywidgets.Output()
display(out)
with out:
    for number in range(500):
        display(number)
    print("shown")
ipywidgets.interact(lambda x: print(x), x=(0, 3))
"""


@pytest.mark.long
def test_an_output_widget_costs_nobody_a_score(course):
    toy.submit(course, "bob", toy.answers(double=f"{OUTPUT_WIDGET}\ndef double(x): return 2 * x"))
    (outcome,) = grade(toy.CHAPTER, root=course, students=["bob"])
    assert outcome.score == 8
