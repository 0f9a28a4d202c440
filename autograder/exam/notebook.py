"""An exam's notebooks: the one that nbgrader knows, and the one that each student is given."""

from collections.abc import Sequence

import nbformat
import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.course_folders.known_again import SCHEMA
from autograder.exam.key import Key
from autograder.practice.program import program, signature
from autograder.practice.scale import BUDGETS
from autograder.practice.task_plan import Plan
from autograder.practice.task_words import describe
from autograder.printable import counted

MARK = "autograder_exam"  # the key in a notebook's metadata
_TOOLS = """\
import numpy as np
import pandas as pd

from autograder import practice
from dplib.data import load_adult"""
_KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
_RULES = """\
# {exam}

You have {tasks}, worth {points:g} points each. They are yours alone: your neighbor has other ones.

Write one function for each task. It may use numpy, pandas and everything in `dplib`. The cell below
it runs the function once, and does not judge it: that is done when you have handed in."""
_EXAMPLE = {"epsilon": 1.0, "delta": 1e-5, "rho": 0.1}


def answer_name(task: int) -> str:
    """Return the name of the function that a task asks for; tasks count from 0."""
    return f"task_{task + 1}"


def test_name(task: int) -> str:
    """Return the grade_id of a task's test."""
    return f"{answer_name(task)}_test"


def held_text(task: int) -> str:
    """Return the text of the test that nbgrader stores for everybody: it judges nothing."""
    return f"practice.not_judged_here({answer_name(task)!r})"


def test_text(task: int, plan: Plan) -> str:
    """Return the text of a test that judges an answer by a plan."""
    name = answer_name(task)
    return f"practice.judge({plan.text()!r}, {name}, {name!r})"


def source(key: Key) -> NotebookNode:
    """Return the notebook that nbgrader knows: every student's has these cells."""
    cells = [_rules(key), _locked("tools", _TOOLS)]
    for task in range(len(key.slots)):
        name = answer_name(task)
        stub = (
            f"def {name}(given, **budget):\n    ### BEGIN SOLUTION\n    raise NotImplementedError"
        )
        cells += [
            new_markdown_cell(f"## Task {task + 1}\n\nEach student has a text of their own here."),
            _answer(name, f"{stub}\n    ### END SOLUTION"),
            _locked(test_name(task), held_text(task), key.points),
        ]
    return _numbered(new_notebook(cells=cells, metadata={"kernelspec": _KERNEL}))


def handout(key: Key, student: str, plans: Sequence[Plan]) -> NotebookNode:
    """Return the notebook that a student is given."""
    cells = [_rules(key), _locked("tools", _TOOLS)]
    for task, plan in enumerate(plans):
        name = answer_name(task)
        generator = np.random.default_rng(key.seed("words", student, task))
        cells += [
            new_markdown_cell(f"## Task {task + 1}\n\n{describe(plan, name, generator)}"),
            _answer(name, f"def {signature(plan, name)}:\n    raise NotImplementedError"),
            _locked(test_name(task), _example(task, plan), key.points),
        ]
    mark = {"exam": key.exam, "mark": key.mark(student)}
    metadata = {"kernelspec": _KERNEL, MARK: mark}
    return _numbered(new_notebook(cells=cells, metadata=metadata))


def solutions(plans: Sequence[Plan]) -> dict[str, str]:
    """Return a right answer for each task, by the name of its cell."""
    return {answer_name(task): program(plan, answer_name(task)) for task, plan in enumerate(plans)}


def _example(task: int, plan: Plan) -> str:
    """Return a call that shows whether the function runs."""
    names = BUDGETS.get(plan.noise, ("epsilon",))
    budget = ", ".join(f"{name}={_EXAMPLE[name]}" for name in names)
    if plan.question == "answer":
        value = plan.condition[2] if plan.condition else "White"
        given = repr(value) if plan.condition else f"load_adult()[{plan.columns[0]!r}][0]"
    else:
        given = "load_adult()[:1000]"
    comment = "# This runs your function once. It is judged when you have handed in."
    return f"{comment}\nprint({answer_name(task)}({given}, {budget}))"


def _rules(key: Key) -> NotebookNode:
    tasks = counted(len(key.slots), "task")
    return new_markdown_cell(_RULES.format(exam=key.exam, tasks=tasks, points=key.points))


def _locked(name: str, text: str, points: float | None = None) -> NotebookNode:
    return _marked(new_code_cell(text), name, locked=True, grade=points is not None, points=points)


def _answer(name: str, text: str) -> NotebookNode:
    return _marked(new_code_cell(text), name, solution=True)


def _marked(cell: NotebookNode, name: str, *, points: float | None = None, **flags) -> NotebookNode:
    mark = {"grade": False, "locked": False, "solution": False, "task": False, **flags}
    mark |= {"grade_id": name, "schema_version": SCHEMA}
    cell.metadata["nbgrader"] = mark if points is None else mark | {"points": points}
    return cell


def _numbered(notebook: NotebookNode) -> NotebookNode:
    """Give each cell an id by its place, so that the same exam is the same file."""
    for place, cell in enumerate(notebook.cells):
        cell.id = f"exam-{place}"
    nbformat.validate(notebook)
    return notebook
