"""Questions about answers that fail: asked where the student's code cannot reach them."""

import ast
import contextlib
from collections.abc import Mapping

from nbformat import NotebookNode

from autograder.execution import instructors
from autograder.execution.job import Job
from autograder.execution.notebooks import folder_of, points_of
from autograder.execution.opinions import room_of
from autograder.execution.zygotes import start, tried
from autograder.marked_cells import grade_id
from autograder.second_opinion.case import opened


def answered(
    job: Job, notebooks: Mapping[str, NotebookNode], core: int | None
) -> dict[str, dict[str, str]]:
    """Return by notebook and by test what the questions about failed answers gave.

    A question that cannot be asked gives nothing: no score depends on it.
    """
    found: dict[str, dict[str, str]] = {}
    if not job.settings.second_opinion or not job.questions or start(job.settings) is None:
        return found
    for name, questions in job.questions.items():
        with contextlib.suppress(Exception):  # the score stands without it
            points = points_of(notebooks[name])
            failed = {test: text for test, text in questions.items() if points.get(test) == 0}
            if failed:
                found[name] = _asked(job, name, failed, core)
    return found


def _asked(job: Job, name: str, failed: Mapping[str, str], core: int | None) -> dict[str, str]:
    notebook, instructor = instructors.read(job, name)
    for cell in notebook.cells:
        cell.source = failed.get(grade_id(cell), cell.source)

    def ask(zygote):
        with folder_of(job) as folder:
            room = room_of(job, zygote, folder, core)
            with opened(room, notebook, instructor) as case:
                others = [test for test in case.most if test not in failed]
                return case.ask(lean=True, left_out=others).came

    came = tried(job.settings, ask)
    results = {test: came.get(test, {}).get("result") for test in failed}
    return {test: str(ast.literal_eval(text)) for test, text in results.items() if text}
