"""Every chapter with the library of its own zip, where the repository is not."""

import nbformat
import pytest
from notebooks import CHAPTERS, RELEASED, mark
from places import ROOT
from received.received_notebooks import answers, errors, ran, shown

from autograder.authoring.bundle import student_folder
from autograder.files import write_all

pytestmark = pytest.mark.received

MOVE = """
from ipywidgets.widgets import widget, Output, SelectionSlider, FloatSlider, IntSlider
everything = list(widget._instances.values())
moved = 0
for slider in everything:
    if isinstance(slider, SelectionSlider):
        for slider.index in (0, len(slider.options) - 1):
            moved += 1
    elif isinstance(slider, FloatSlider | IntSlider):
        for slider.value in (slider.min, slider.max):
            moved += 1
wrong = [each.outputs for each in everything if isinstance(each, Output)]
wrong = [output for outputs in wrong for output in outputs if output["output_type"] == "error"]
print(moved, len(wrong))
"""


@pytest.mark.parametrize("name", RELEASED)
def test_a_chapter_runs_with_the_courses_answers(name, away, tmp_path):
    """Each cell and each check that a student can run; then each slider is moved to its ends."""
    write_all(tmp_path, student_folder(ROOT, [name])[0])
    path = tmp_path / "chapters" / name / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    right = answers(name)
    for cell in notebook.cells:
        if cell.cell_type == "code" and mark(cell).get("solution"):
            cell.source = right[mark(cell)["grade_id"]]
    notebook.cells.append(nbformat.v4.new_code_cell(MOVE))
    (notebook,) = ran(away.with_path(tmp_path), {path: notebook})
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [errors(cell) for cell in cells if errors(cell)] == []
    # Of a hidden test, students have an empty cell.
    checks = [shown(cell) for cell in cells if mark(cell).get("grade") and "check." in cell.source]
    assert len(checks) >= 4 or name not in CHAPTERS
    assert all(checks)
    moved, wrong = shown(cells[-1]).split()
    assert wrong == "0" and (int(moved) > 0 or name not in CHAPTERS)
