"""Runs a notebook's cells: the step that can move to another process or another machine.

A student's code runs only here, and nothing here opens the gradebook. The input is a notebook in a
folder; the result is the notebook with its outputs.
"""

import json
import math
import os
import subprocess
from threading import Event
from time import monotonic

from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbclient.output_widget import OutputWidget
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader import preprocessors
from traitlets import Integer

from autograder.kernels import WarmKernelManager, Zygote
from autograder.marked_cells import grade_id

TIMED_OUT = "CellTimeoutError"
DIED = "DeadKernelError"
NOT_RUN = "CellNotRun"
_PART = 1 / 6  # of a cell's time, where it is hurried


class _OutOfTimeError(Exception):
    """The notebook has had its time."""


class StoppedError(Exception):
    """The person at the terminal stopped the run; this notebook has not been graded."""


class Execute(preprocessors.Execute):
    """nbgrader's Execute, which returns the notebook even when its kernel is lost.

    As in nbgrader, a cell that loops is interrupted after its time, and the next cells still run.
    When the kernel cannot be interrupted, or dies, nbgrader drops the student. Here the kernel is
    killed, the cell says what happened, each cell after it says that it could not be run, and the
    cells before it keep their points.

    With a zygote, the kernel is a fork of it. The rest is nbclient's and nbgrader's.

    Attributes:
      course_seed: draws what one class shares and another class does not, in tests that ask for it.
      hurried: cells that get a part of their time only.
      died: whether the last notebook's kernel died.
      starved: whether a cell's time ended because it got next to none on its core.
    """

    course_seed = Integer(
        18, min=0, help="Draws what a class shares, such as the county that its releases are about."
    ).tag(config=True)

    def __init__(
        self,
        stop: Event | None = None,
        zygote: Zygote | None = None,
        core: int | None = None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self._stop, self._zygote, self._core = stop or Event(), zygote, core
        self.died, self.hurried = False, frozenset()
        self._warm: WarmKernelManager | None = None
        self._position: int | None = None
        self._copies = _Copies(zygote.limits.output_megabytes if zygote and zygote.limits else 10)
        self._started, self._allowed, self._end = 0.0, math.inf, math.inf

    def preprocess(self, nb, resources=None, km=None):
        self._position, self._end, self.died = None, math.inf, False
        try:
            return super().preprocess(nb, resources, km)
        except CellTimeoutError:
            late = monotonic() - self._started >= self._allowed
            if self._position is None or not (late or self._zygote):
                raise  # a message was lost, not a cell's time: the machine's fault
            self.died = not late  # our own kernels lose no message unless they die
            reason = "the cell ran out of time and could not be interrupted; its kernel was killed"
            _give_up(nb, self._position, TIMED_OUT, reason)
        except _OutOfTimeError as error:
            _give_up(nb, self._position, TIMED_OUT, str(error))
        except DeadKernelError:
            if self._position is None:
                raise  # it never started: the machine's fault, not the student's
            self.died = True
            _give_up(nb, self._position, DIED, "the kernel died in this cell")
        return nb, resources

    def create_kernel_manager(self):
        if self._zygote is None:
            return super().create_kernel_manager()
        self.widget_registry = {"@jupyter-widgets/output": {"OutputModel": _Output}}
        self.km = self._warm = WarmKernelManager(self._zygote, self._core)
        return self.km

    @property
    def starved(self) -> bool:
        return self._warm is not None and self._warm.starved

    def start_new_kernel(self, **kwargs):
        # A kernel's own warnings would land in the middle of the progress bar.
        super().start_new_kernel(stderr=subprocess.DEVNULL, env=environment(), **kwargs)

    def preprocess_cell(self, cell, resources, index):
        if self._stop.is_set():
            raise StoppedError
        limits = self._zygote.limits if self._zygote else None
        if limits and self._position is None:  # the first of all
            self._end = monotonic() + limits.seconds
        self._position, self._started = index, monotonic()
        if not self._left() and cell.cell_type == "code" and cell.source.strip():
            raise _OutOfTimeError(f"all cells together have run for {limits.seconds:g} seconds")
        if self._warm and not self._warm.comes_to_rest():
            raise _OutOfTimeError("a cell ran out of time, and what it had started did not end")
        self._allowed = self._get_timeout(cell) or math.inf
        return super().preprocess_cell(cell, resources, index)

    def _get_timeout(self, cell):
        """Return the seconds that a cell may run: its own, or what is left for all together."""
        seconds = min(super()._get_timeout(cell) or math.inf, self._left())
        if cell and grade_id(cell) in self.hurried:
            seconds *= _PART
        return None if seconds == math.inf else seconds

    def _left(self) -> float:
        """Return the seconds of its own time that are left to the notebook."""
        lost = self._warm.clock.lost if self._warm else 0.0
        return max(self._end + lost - monotonic(), 0.0)

    def _update_display_id(self, display_id, msg):
        places = self._display_id_map.get(display_id, {})
        if self._copies.take(msg["content"], places):
            super()._update_display_id(display_id, msg)

    def output(self, outs, msg, display_id, cell_index):
        if display_id:
            self._copies.names.setdefault(cell_index, set()).add(display_id)
        return super().output(outs, msg, display_id, cell_index)

    def clear_display_id_mapping(self, cell_index):
        # nbclient's own method walks all displays of the notebook each time one is cleared.
        for name in self._copies.names.pop(cell_index, ()):
            self._display_id_map.get(name, {}).pop(cell_index, None)

    def process_message(self, msg, cell, cell_index):
        try:
            return super().process_message(msg, cell, cell_index)
        except CellExecutionComplete:
            raise
        except Exception:  # nbclient accepts everything that a real kernel sends
            if self._zygote is None:
                raise
            self.kc.lose()
        return None


class _Output(OutputWidget):
    """nbclient's mimic of an output widget, which `interact` uses.

    With each output, nbclient sends the kernel the widget's whole content. Our kernels take only
    cells, and nothing in a graded notebook reads that content.
    """

    def sync_state(self) -> None:
        """Tell the kernel nothing."""


class _Copies:
    """The limit on a notebook's growth by displays that are updated in all their places.

    A display may stand in thousands of places, and be updated thousands of times.

    Args:
      megabytes: for all copies but the first of each.

    Attributes:
      names: the displays that each cell shows.
    """

    def __init__(self, megabytes: float):
        self._left = megabytes * (1 << 20)
        self.names: dict[int, set[str]] = {}

    def take(self, content: dict, places: dict[int, list[int]]) -> bool:
        """Take the cost of showing this in these places; tell whether enough was left."""
        if self._left < 0:
            return False
        copies = sum(map(len, places.values())) - 1
        if copies > 0:
            self._left -= copies * len(json.dumps(content))
        return self._left >= 0


def environment() -> dict[str, str]:
    """Return a kernel's variables: nbgrader's own, by which a notebook knows that it is graded."""
    return {**os.environ, "NBGRADER_EXECUTION": "autograde"}


def problems(notebook: NotebookNode) -> list[str]:
    """Return why executed cells did not finish, in words for the instructor's table."""
    found: dict[str, list[str]] = {}
    for position, cell in enumerate(notebook.cells):
        errors = [o.ename for o in cell.get("outputs", []) if o.output_type == "error"]
        what = next((_WORDS[name] for name in errors if name in _WORDS), None)
        if what:
            found.setdefault(what, []).append(_name(cell, position))
    return [f"{what}: {', '.join(cells)}" for what, cells in found.items()]


def timed_out(notebook: NotebookNode) -> list[str]:
    """Return the executed cells that ran out of time."""
    return [
        _name(cell, position)
        for position, cell in enumerate(notebook.cells)
        if any(_WORDS.get(output.get("ename")) == _LATE for output in cell.get("outputs", []))
    ]


_LATE = "timed out"
_WORDS = {
    TIMED_OUT: _LATE,
    "KeyboardInterrupt": _LATE,  # only the grader interrupts a cell
    "MemoryError": "out of memory",
    DIED: "kernel died",
    NOT_RUN: "not run",
}


def _name(cell: NotebookNode, position: int) -> str:
    return grade_id(cell) or f"cell {position + 1}"


def _give_up(nb: NotebookNode, position: int, name: str, reason: str) -> None:
    """Write why the kernel was lost into its cell, and into every cell after it."""
    for index, cell in enumerate(nb.cells[position:], start=position):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        lost = index == position
        ename = name if lost else NOT_RUN
        value = reason if lost else f"not run: in {_name(nb.cells[position], position)}, {reason}"
        kept = cell.outputs if lost else []
        # In front: a result before it would count as points.
        cell.outputs = [_error(ename, value), *kept]


def _error(name: str, value: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=value, traceback=[f"{name}: {value}"])
