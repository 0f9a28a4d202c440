"""An exam's notebook as a student has it: beside the zip's library, without the repository."""

import nbformat
import pytest
from notebooks import mark
from practice.exam_class import made_course, right
from received.received_notebooks import errors, ran, shown

from autograder.exam.new import new
from autograder.exam.notebook import answer_name

pytestmark = [pytest.mark.received, pytest.mark.xdist_group("received")]

EXAM, STUDENT = "final", "ada"


def test_an_exam_s_notebook_runs_with_the_zip_alone(student, tmp_path):
    made_course(tmp_path, [STUDENT])
    new(EXAM, root=tmp_path, students=tmp_path / "roster.csv")
    given = tmp_path / "exams" / EXAM / STUDENT / EXAM / f"{EXAM}.ipynb"
    notebook = nbformat.read(given, as_version=4)
    answers = {answer_name(task): text for task, text in right(tmp_path, EXAM, STUDENT).items()}
    assert answers
    for cell in notebook.cells:
        cell.source = answers.get(mark(cell).get("grade_id"), cell.source)
    place = student.folder / "chapters" / f"{EXAM}.ipynb"
    cells = [each for each in ran(student.away, {place: notebook})[0].cells if "outputs" in each]
    assert [errors(cell) for cell in cells if errors(cell)] == []
    assert sum(bool(shown(cell)) for cell in cells if mark(cell).get("grade")) == len(answers)
