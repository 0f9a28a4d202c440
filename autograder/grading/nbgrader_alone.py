"""Plain `nbgrader autograde` on one student's submission, in a folder of its own.

A fork of the zygote runs it (`serve`), so that it can be contained. It imports nothing of nbgrader,
and starts nbgrader as a program.
"""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.imports import nbgrader
from autograder.kernels import pipe

DATABASE = "gradebook.db"
NEEDS = "needs a person"
# For each table with a row for a cell: its fields, and what they are called in a sentence.
# A new grading asks for a person again where one has graded, so both states count as equal.
_FIELDS = {
    "grade": {
        "automatic score": "auto_score",
        "score by hand": "manual_score",
        "extra credit": "extra_credit",
        NEEDS: "needs_manual_grade or manual_score is not null",
        "late penalty": "late_submission_penalty",
    },
    "comment": {"comment": "auto_comment", "comment by hand": "manual_comment"},
}
_QUERY = """
select notebook.name || '/' || base_cell.name, {fields} from {table}
join base_cell on base_cell.id = {table}.cell_id
join submitted_notebook on submitted_notebook.id = {table}.notebook_id
join notebook on notebook.id = submitted_notebook.notebook_id
join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
join assignment on assignment.id = submitted_assignment.assignment_id
where assignment.name = ? and submitted_assignment.student_id = ?
"""


def records(database: Path, chapter: str, student: str) -> dict[str, Any]:
    """Return a gradebook's records of one submission: by "NOTEBOOK/cell: field"."""
    found = {}
    with contextlib.closing(sqlite3.connect(database)) as connection:
        for table, fields in _FIELDS.items():
            query = _QUERY.format(table=table, fields=", ".join(fields.values()))
            for cell, *values in connection.execute(query, (chapter, student)):
                pairs = zip(fields, values, strict=True)
                found |= {f"{cell}: {field}": value for field, value in pairs}
    return found


def autograde(
    folder: Path, chapter: str, student: str, seconds: float, settings: Sequence[str] = ()
) -> dict:
    """Let plain nbgrader grade a submission again.

    Args:
      folder: a course of this one student, in nbgrader's own layout.
      seconds: how long it may take.
      settings: more settings, as on a command line.

    Returns:
      "records", as `records`; and "failed", why nbgrader could not, or "".
    """
    step = ("autograde", chapter, "--student", student, "--force")
    process = subprocess.Popen(
        nbgrader(*step, *_layout(folder), *settings),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        _, log = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return {"records": {}, "failed": f"it did not end in {seconds:g} seconds"}
    if process.returncode:
        return {"records": {}, "failed": _reason(log)}
    return {"records": records(folder / DATABASE, chapter, student), "failed": ""}


def _layout(folder: Path) -> list[str]:
    """Return the settings that make `folder` a course in nbgrader's own layout."""
    settings = {
        "CourseDirectory.root": folder,
        "CourseDirectory.db_url": f"sqlite:///{folder / DATABASE}",
        "CourseDirectory.directory_structure": "{nbgrader_step}/{student_id}/{assignment_id}",
    }
    steps = ("source", "submitted", "autograded", "feedback")
    settings |= {f"CourseDirectory.{step}_directory": step for step in steps}
    return [f"--{name}={value}" for name, value in settings.items()]


def serve(connection: socket.socket, request: dict) -> None:
    """Grade in this process's working folder; send the result."""
    folder = Path.cwd()
    # There is no network, not even to itself: kernels use sockets in files.
    sockets = ["--KernelManager.transport=ipc", f"--KernelManager.ip={folder / 'kernel'}"]
    pipe.send(connection, autograde(folder, **request["given"], settings=sockets))


def _reason(log: str) -> str:
    """Return the last line of a log that says what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR" in line or "Error" in line]
    return (errors or lines or ["it said nothing"])[-1]
