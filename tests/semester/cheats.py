"""The attacks of the semester: those of the battery that work in any chapter, and a few more."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

sys.path.append(str(Path(__file__).resolve().parents[1] / "hostile"))
from battery import BATTERY


@dataclass(frozen=True)
class Cheat:
    """One way to attack.

    Attributes:
      code: added to an answer. NAME, OBJECT and ROOT stand for the exercise, what it must define,
        and the course's folder.
      change: changes the finished notebook, or gives the bytes that are handed in instead.
      steals: whether it is to earn points for wrong answers.
      ends: whether nothing runs behind it: then it stands in the last answer.
      refused: whether it must have no score, and a reason.
      says: what the reason or the status must contain.
    """

    name: str
    code: str = ""
    change: Callable[[NotebookNode], NotebookNode | bytes] | None = None
    steals: bool = False
    ends: bool = False
    refused: bool = False
    says: str = ""


_REPLACED_CHECKS = """
from autograder import check
for name in dir(check):
    if name.islower():
        setattr(check, name, lambda answer: None)
"""

# A check calls an answer often; the points are shown at the first call in each cell.
_SHOWN_POINTS = """
shown = set()
def OBJECT(*all, **more):
    shell = get_ipython()
    if shell.execution_count not in shown:
        shown.add(shell.execution_count)
        shell.displayhook(1.0)
    return 0
"""

# 3 GB; the limit here is 1. What is kept would be missing in the exercises behind it.
_MEMORY = """
kept = []
try:
    for _ in range(6):
        kept.append(bytearray(b"x") * 500_000_000)
finally:
    kept.clear()
"""

_DELETED = """
import shutil
for place in ("ROOT/submitted", "ROOT/source", "ROOT/autograded", "../../..", "."):
    shutil.rmtree(place, ignore_errors=True)
"""


def _tests(notebook: NotebookNode) -> list[NotebookNode]:
    return [
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade")
        and not cell.metadata["nbgrader"]["solution"]
    ]


def _each_test(change: Callable[[NotebookNode], object]):
    def changed(notebook: NotebookNode) -> NotebookNode:
        for test in _tests(notebook):
            change(test)
        return notebook

    return changed


def _without_tests(notebook: NotebookNode) -> NotebookNode:
    gone = {test["id"] for test in _tests(notebook)}
    notebook.cells = [cell for cell in notebook.cells if cell["id"] not in gone]
    return notebook


def _copied_test(notebook: NotebookNode) -> NotebookNode:
    twin = nbformat.from_dict({**_tests(notebook)[0], "id": "twin"})
    notebook.cells.append(twin)
    return notebook


def _own_test(notebook: NotebookNode) -> NotebookNode:
    flags = {"grade": True, "solution": False, "locked": True, "task": False}
    made = {"nbgrader": {**flags, "schema_version": 3, "grade_id": "mine", "points": 90}}
    notebook.cells.append(new_code_cell("90.0", metadata=made))
    return notebook


def _cut_off(notebook: NotebookNode) -> bytes:
    return nbformat.writes(notebook).encode()[:2000]


def _from_battery(*names: str, **more) -> list[Cheat]:
    return [Cheat(name, BATTERY[name].code, **more) for name in names]


CHEATS = [
    Cheat("shown_points", _SHOWN_POINTS, steals=True),
    Cheat("replaced_checks", _REPLACED_CHECKS, steals=True),
    *_from_battery("rewritten_checker", "remembered_verdict", steals=True),
    *_from_battery("input_transformer", "asserts_stripped", "cells_not_run", steals=True),
    *_from_battery("errors_silenced", steals=True),
    *_from_battery("loop", says="timed out"),
    *_from_battery("loop_without_end", ends=True, says="timed out"),
    Cheat("memory", _MEMORY),
    *_from_battery("exit_at_once", ends=True, says="kernel died"),
    *_from_battery("kill_parent", "processes", "printing"),
    Cheat("deleted_files", _DELETED),
    Cheat("deleted_tests", change=_without_tests),
    Cheat("edited_tests", change=_each_test(lambda test: test.update(source="pass"))),
    Cheat(
        "skipped_tests",
        change=_each_test(lambda test: test.metadata.update(tags=["skip-execution"])),
    ),
    Cheat("more_points", change=_each_test(lambda test: test.metadata.nbgrader.update(points=300))),
    Cheat("own_test", change=_own_test),
    Cheat("cut_off", change=_cut_off, refused=True, says="not valid JSON"),
    Cheat("empty", change=lambda notebook: b"", refused=True, says="empty"),
    Cheat("copied_test", change=_copied_test, refused=True, says="twice"),
]
