"""Strangers' answers are graded in their notebook's place, and a wrong one is told."""

import nbformat
import pytest
from study import blind

CELLS = {
    "setup": "from types import SimpleNamespace\ndef doubles(f):\n"
    "    if f(2) != 4: raise ValueError('not doubled')\n"
    "check = SimpleNamespace(twice=doubles)",
    "twice": "def twice(x):\n    return 2 * x",
    "twice_visible": "check.twice(twice)",
}


def toy(folder):
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    for name, cell in zip(CELLS, cells, strict=True):
        grade = name.endswith("visible")
        cell.metadata["nbgrader"] = {"grade_id": name, "grade": grade, "solution": name == "twice"}
    cells.insert(1, nbformat.v4.new_code_cell("factor = 2"))
    path = folder / "source" / "toy" / "toy.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


@pytest.mark.long
def test_each_answer_is_graded_as_often_as_wanted(tmp_path, monkeypatch):
    toy(tmp_path)
    monkeypatch.setattr(blind, "ROOT", tmp_path)
    codes = {
        "right, by what another cell made": "twice = lambda x: factor * x",
        "cubed": "twice = lambda x: x ** 3",
        "no function": "twice = ",
    }
    answers = [{"exercise": "twice", "label": each, "code": codes[each]} for each in codes]
    gone = {"exercise": "an exercise of last year", "label": "", "code": ""}
    found = {each["label"]: each for each in blind._judged([*answers, gone], 2, 1)}
    assert {label: each["passed"] for label, each in found.items()} == {
        "right, by what another cell made": 2,
        "cubed": 0,
        "no function": 0,
    }
    assert found["cubed"]["said"] == "ValueError: not doubled"
    assert "SyntaxError" in found["no function"]["said"]
