"""A submission's notebooks, executed one after the other in a folder of their own."""

import contextlib
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from autograder.execution.apart_execute import ApartExecute, Split
from autograder.execution.execute import NOT_RUN, Execute
from autograder.execution.job import Job
from autograder.files import write_all
from autograder.kernels import Zygote
from autograder.marked_cells import grade_id, is_test
from autograder.printable import first_line

_SAYING = ("AssertionError", "CheckFailure", NOT_RUN)  # errors whose words say it all
# A share of a cell's points: the score of a scored exercise varies by chance.
_SLACK = 0.2
_ROUNDING = 1e-9


@dataclass
class Executed:
    """Executed notebooks.

    Attributes:
      notebooks: by name, with their outputs.
      died: whether a kernel died.
      starved: whether a cell's time ended because it got next to none on its core.
      answers: by name, and by grade_id of a test: what the questions about failed answers gave.
    """

    notebooks: dict[str, NotebookNode] = field(default_factory=dict)
    died: bool = False
    starved: bool = False
    answers: dict[str, dict[str, str]] = field(default_factory=dict)


def executed(
    job: Job,
    zygote: Zygote | None,
    stop: Event | None,
    core: int | None,
    splits: Mapping[str, Split] | None = None,
    hurried: Mapping[str, Collection[str]] | None = None,
) -> Executed:
    """Execute a job's notebooks.

    Args:
      splits: by name, how the cells are split between two kernels; None runs all cells in one, as
        nbgrader does.
      hurried: by name, cells that get a part of their time only.

    Raises:
      StoppedError: `stop` was set.
    """
    made, settings = Executed(), job.settings.execute
    with folder_of(job) as folder:
        for name, text in job.notebooks.items():
            if splits is None:
                step = Execute(stop, zygote, core, **settings)
            else:
                step = ApartExecute(stop, zygote, core, splits[name], **settings)
            step.hurried = frozenset((hurried or {}).get(name, ()))
            resources = {"metadata": {"name": name, "path": str(folder)}}
            notebook = nbformat.reads(text, as_version=4)
            made.notebooks[name], _ = step.preprocess(notebook, resources)
            made.died |= step.died
            made.starved |= step.starved
            if isinstance(step, ApartExecute):
                made.answers[name] = step.came
    return made


def automatic_tests(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return by grade_id the cells for which the machine gives points."""
    return {grade_id(cell): cell for cell in notebook.cells if is_test(cell)}


def lost_points(notebook: NotebookNode) -> dict[str, str]:
    """Return the tests of an executed notebook that give clearly less than all, and what came."""
    found = {}
    for name, cell in automatic_tests(notebook).items():
        most = float(cell.metadata.nbgrader.points)
        given = points_of(cell)
        if given is None or is_clearly_less(given, most, most):
            found[name] = error_line(cell) or f"it gave {given or 0:g} of {most:g} points"
    return found


def points_of(test: NotebookNode) -> float | None:
    """Return what nbgrader will give for an executed test; None for more than there is."""
    try:
        return determine_grade(test)[0]
    except ValueError:
        return None


def is_clearly_less(some: float, others: float, most: float) -> bool:
    """Tell whether points of a cell are fewer than others, beyond what chance does to a score."""
    return some < others - _SLACK * most - _ROUNDING


def error_line(cell: NotebookNode) -> str:
    """Return the first line of a cell's error, with its kind if no check says it; "" for none."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            line = first_line(output.evalue, str(output.ename))
            return line if output.ename in (*_SAYING, line) else f"{output.ename}: {line}"
    return ""


@contextlib.contextmanager
def folder_of(job: Job) -> Iterator[Path]:
    """Make the job's folder, and remove it with all that was written there."""
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        written = {f"{name}.ipynb": text.encode() for name, text in job.notebooks.items()}
        write_all(folder, {**job.files, **written})
        yield folder
