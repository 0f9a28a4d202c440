"""A class that has handed in an exam: whose answers are known."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import nbformat
from places import ROOT

from autograder.exam import key as keys
from autograder.exam.notebook import answer_name
from autograder.exam.tasks import plans_of
from autograder.practice.program import program
from autograder.practice.task_plan import Plan


def made_course(folder: Path, students: list[str]) -> None:
    """Make a course's folder, with a class list."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / "nbgrader_config.py", folder / "nbgrader_config.py")
    (folder / "roster.csv").write_text("id\n" + "".join(f"{name}\n" for name in students))


def plans(folder: Path, exam: str, student: str) -> list[Plan]:
    return plans_of(keys.read(folder, exam), student)


def right(folder: Path, exam: str, student: str, style: str = "arrays") -> dict[int, str]:
    """Return a student's right answers, by task."""
    found = plans(folder, exam, student)
    return {k: program(plan, answer_name(k), style) for k, plan in enumerate(found)}


def hand_in(
    folder: Path, exam: str, student: str, answers: Mapping[int, str], notebook_of: str = ""
) -> Path:
    """Write a student's submission; return its notebook.

    Args:
      answers: by task, the text of the cell.
      notebook_of: who was given the notebook that is handed in; the student if "".
    """
    given = folder / "exams" / exam / (notebook_of or student) / exam / f"{exam}.ipynb"
    notebook = nbformat.read(given, as_version=4)
    for task, text in answers.items():
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade_id") == answer_name(task):
                cell.source = text
    path = folder / "submitted" / student / exam / f"{exam}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path
