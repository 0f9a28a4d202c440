"""A submission's notebooks, executed one after the other in a folder of their own."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_grade

from autograder.execution.execute import NOT_RUN, Execute
from autograder.execution.job import Job
from autograder.files import write_all
from autograder.kernels import Zygote
from autograder.printable import first_line
from autograder.second_opinion.case import Points

_SAYING = ("AssertionError", "CheckFailure", NOT_RUN)  # errors whose words say it all


def executed(
    job: Job, zygote: Zygote | None, stop: Event | None, core: int | None, until: str = ""
) -> tuple[dict[str, NotebookNode], bool, bool]:
    """Return the notebooks with their outputs, and whether a kernel died, or was starved.

    Args:
      until: the last notebook to execute; "" for all.
    """
    made, died, starved = {}, False, False
    with folder_of(job) as folder:
        for name, text in job.notebooks.items():
            step = Execute(stop, zygote, core, **job.settings.execute)
            resources = {"metadata": {"name": name, "path": str(folder)}}
            made[name], _ = step.preprocess(nbformat.reads(text, as_version=4), resources)
            died, starved = died or step.died, starved or step.starved
            if name == until:
                break
    return made, died, starved


def points_of(executed: NotebookNode) -> Points:
    """Return what nbgrader will give for each graded cell."""
    graded = filter(is_grade, executed.cells)
    return {cell.metadata.nbgrader["grade_id"]: determine_grade(cell)[0] for cell in graded}


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
