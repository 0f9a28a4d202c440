"""nbgrader's marks on cells, also where a file holds something else in their place."""

import json

import pytest
from nbformat.v4 import new_code_cell

from autograder.lms.which_notebook import cells_of
from autograder.marked_cells import by_name, grade_id, mark_on

pytestmark = pytest.mark.quick
ODD = [None, [], ["grade_id"], "grade_id", 5, True, {}]


@pytest.mark.parametrize("mark", ODD)
def test_what_is_no_mark_is_read_as_none(mark):
    cell = new_code_cell(metadata={"nbgrader": mark})
    assert mark_on(cell) == {} and grade_id(cell) is None
    assert mark_on(new_code_cell()) == {}


@pytest.mark.parametrize("name", [None, [], {}, 5, ""])
def test_what_is_no_name_names_no_cell(name):
    cells = [new_code_cell(metadata={"nbgrader": {"grade_id": each}}) for each in (name, "double")]
    assert grade_id(cells[0]) is None
    assert by_name(cells) == {"double": cells[1]}


def test_a_mark_may_be_written_to():
    cell = new_code_cell(metadata={"nbgrader": {"grade_id": "double"}})
    mark_on(cell)["points"] = 2
    assert cell.metadata.nbgrader.points == 2


@pytest.mark.parametrize("mark", ODD)
def test_one_odd_cell_hides_no_other_when_a_file_is_sorted_to_its_chapter(mark):
    marks = (mark, {"grade_id": "double"})
    cells = [new_code_cell(metadata={"nbgrader": each}) for each in marks]
    assert cells_of(json.dumps({"cells": cells}).encode()) == {"double"}
