"""Running a notebook's cells: the step that can move to another process or another machine.

Everything that a student's code can do to the grader happens here, and nothing here opens the
gradebook. What goes in is a notebook in a folder; what comes out is the notebook with its outputs.
"""

from __future__ import annotations

import math
import subprocess
from threading import Event
from time import monotonic

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader import preprocessors

from autograder.classroom.warm import WarmKernelManager, Zygote

TIMED_OUT = "CellTimeoutError"
DIED = "DeadKernelError"
NOT_RUN = "CellNotRun"


class StoppedError(Exception):
    """The person at the terminal stopped the run; this notebook has not been graded."""


class Execute(preprocessors.Execute):
    """nbgrader's Execute, which ends with the notebook even when its kernel is lost.

    A cell that loops is interrupted after its time, and the next cells still run: that is
    nbgrader's. When the kernel cannot be interrupted, or dies, nbgrader drops the student. Here the
    kernel is killed, the cell says what happened, each cell after it says that it could not be run,
    and so the cells before it keep their points.

    With a zygote the kernel is a fork of it. All else is nbclient's and nbgrader's.
    """

    def __init__(self, stop: Event | None = None, zygote: Zygote | None = None, **kwargs):
        super().__init__(**kwargs)
        self._stop, self._zygote = stop or Event(), zygote
        self._position: int | None = None
        self._started = 0.0

    def preprocess(self, nb, resources=None, km=None):
        self._position = None
        if km is None and self._zygote:
            km = WarmKernelManager(self._zygote)
        try:
            return super().preprocess(nb, resources, km)
        except CellTimeoutError:
            if self._position is None or monotonic() - self._started < (self.timeout or math.inf):
                raise  # a message was lost, not a cell's time: the machine is to blame
            reason = "the cell ran out of time and could not be interrupted; its kernel was killed"
            _give_up(nb, self._position, TIMED_OUT, reason)
        except DeadKernelError:
            if self._position is None:
                raise  # it never started: the machine is to blame, not the student
            _give_up(nb, self._position, DIED, "the kernel died in this cell")
        return nb, resources

    def start_new_kernel(self, **kwargs):
        # A kernel's own warnings would land in the middle of the progress bar.
        super().start_new_kernel(stderr=subprocess.DEVNULL, **kwargs)

    def preprocess_cell(self, cell, resources, index):
        if self._stop.is_set():
            raise StoppedError
        self._position, self._started = index, monotonic()
        return super().preprocess_cell(cell, resources, index)


def problems(notebook: NotebookNode) -> list[str]:
    """Return what kept executed cells from their end, in words for the instructor's table."""
    found: dict[str, list[str]] = {}
    for position, cell in enumerate(notebook.cells):
        errors = [o.ename for o in cell.get("outputs", []) if o.output_type == "error"]
        what = next((_WORDS[name] for name in errors if name in _WORDS), None)
        if what:
            found.setdefault(what, []).append(_name(cell, position))
    return [f"{what}: {', '.join(cells)}" for what, cells in found.items()]


_WORDS = {
    TIMED_OUT: "timed out",
    "KeyboardInterrupt": "timed out",  # nobody else is there to interrupt a cell
    DIED: "kernel died",
    NOT_RUN: "not run",
}


def _name(cell: NotebookNode, position: int) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {position + 1}"


def _give_up(nb: NotebookNode, position: int, name: str, reason: str) -> None:
    """Write why the kernel was lost into its cell, and into every cell that had to wait for it."""
    for index, cell in enumerate(nb.cells[position:], start=position):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        lost = index == position
        ename = name if lost else NOT_RUN
        value = reason if lost else f"not run: in {_name(nb.cells[position], position)}, {reason}"
        kept = cell.outputs if lost else []
        cell.outputs = [*kept, _error(ename, value)]


def _error(name: str, value: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=value, traceback=[f"{name}: {value}"])
