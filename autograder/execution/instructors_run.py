"""Tries the instructor's answers with the tests that students get."""

from threading import Event

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution

from autograder.execution.job import Job
from autograder.execution.notebooks import error_line, executed, points_of
from autograder.kernels import Zygote
from autograder.second_opinion.case import doubtful

# How the reason begins where a test is wrong, not an answer.
BROKEN = "the teacher's own answer does not pass it"


def broken(seen: str) -> str:
    """Return the reason why a test judges nobody."""
    return f"{BROKEN}, look at the test first ({seen})"


def unpassed(
    job: Job, zygote: Zygote | None = None, stop: Event | None = None, core: int | None = None
) -> dict[str, dict[str, str]]:
    """Return the tests that a job's own answers do not pass, and what came.

    Args:
      job: its notebooks are the instructor's.
      stop: set from outside to end at the next cell.

    Returns:
      By notebook and by grade_id.

    Raises:
      StoppedError: `stop` was set.
    """
    made, _, starved = executed(job, zygote, stop, core)
    if starved:  # a busy machine says nothing of a test
        return {name: {} for name in made}
    return {name: lost_points(notebook) for name, notebook in made.items()}


def lost_points(notebook: NotebookNode) -> dict[str, str]:
    """Return the tests of an executed notebook that give clearly less than all, and what came."""
    tests = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if is_grade(cell)}
    most = {
        name: float(cell.metadata.nbgrader.points)
        for name, cell in tests.items()
        if cell.cell_type == "code" and not is_solution(cell)
    }
    try:
        points = points_of(notebook)
    except ValueError as error:
        return dict.fromkeys(most, str(error))
    return {
        name: error_line(tests[name]) or f"it gave {points[name]:g} of {most[name]:g} points"
        for name in doubtful(most, points, most)
    }
