"""A course small enough to grade in seconds: one chapter, made with nbformat."""

import contextlib
import html
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import warm_nbgrader
from marks import hidden, mark, solved
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from rich.console import Console

from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.grading.options import Options
from autograder.regrade.preview import again

CHAPTER = "01_toy"

CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "toy"
c.Execute.timeout = 3
c.Execute.iopub_timeout = 2
c.Execute.shutdown_kernel = "immediate"
c.OverwriteCells.add_missing_cells = True
c.LateSubmissionPlugin.penalty_method = "zero"
"""

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
SENTENCE = "double: the answer must be twice the number"

_OF_A_CELL = """
select submitted_assignment.student_id, base_cell.name, {fields} from {table}
join base_cell on base_cell.id = {table}.cell_id
join submitted_notebook on submitted_notebook.id = {table}.notebook_id
join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
"""
_GRADE = """grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade,
       submitted_notebook.late_submission_penalty"""


def sql(root: Path, statement: str, *values) -> list[tuple]:
    """Run a statement in a course's gradebook; return its rows."""
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as database, database:
        return database.execute(statement, values).fetchall()


def records(root: Path, table: str = "grade", fields: str = _GRADE) -> list[tuple]:
    """Return every grade in a course's gradebook, or every comment."""
    return sql(root, _OF_A_CELL.format(table=table, fields=fields) + "order by 1, 2")


def give(root: Path, points: float, cell: str = "written", *, student: str = "alice") -> None:
    """Give points by hand, as formgrader does."""
    which = _OF_A_CELL.format(table="grade", fields="grade.id")
    change = f"""update grade set manual_score = ?, needs_manual_grade = 0 where id in (
        select "id" from ({which} where student_id = ? and base_cell.name = ?)) returning id"""
    assert len(sql(root, change, points, student, cell)) == 1


def source() -> nbformat.NotebookNode:
    """Two exercises with a visible and a hidden test, one with partial credit, one by hand."""
    cells = [
        new_markdown_cell("# A toy"),
        new_code_cell(
            solved("def double(x):", "return 2 * x"),
            metadata=mark("double", solution=True),
        ),
        new_code_cell(
            f"assert double(1) == 2, {SENTENCE!r}", metadata=mark("double_visible", points=1)
        ),
        new_code_cell(
            hidden(f"secret = 21\nassert double(secret) == 42, {SENTENCE!r}"),
            metadata=mark("double_hidden", points=2),
        ),
        new_code_cell(
            solved("def half(x):", "return x / 2"),
            metadata=mark("half", solution=True),
        ),
        new_code_cell("assert half(4) == 2", metadata=mark("half_visible", points=1)),
        new_code_cell(
            "float(sum(half(x) == x / 2 for x in range(4)))",
            metadata=mark("half_parts", points=4),
        ),
        new_markdown_cell("Answer in words.", metadata=mark("written", points=2, solution=True)),
    ]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    for position, cell in enumerate(notebook.cells):
        cell.id = f"toy-{position}"
    return notebook


def make(root: Path, config: str = CONFIG) -> Path:
    """Write the course's settings and source/ into `root`."""
    (root / "source" / CHAPTER).mkdir(parents=True)
    nbformat.write(source(), file_of(root, "source"))
    (root / "nbgrader_config.py").write_text(config, "utf-8")
    return root


def answers(**cells: str | None) -> nbformat.NotebookNode:
    """Return the notebook with these sources by grade_id (None: deleted), the others right.

    The written answer is one of the student's own.
    """
    cells = {"written": "My words.", **cells}
    notebook = source()
    for cell in notebook.cells:
        cell.source = cells.get(name(cell), cell.source)
    notebook.cells = [cell for cell in notebook.cells if cell.source is not None]
    return notebook


def released() -> nbformat.NotebookNode:
    """Return the notebook with nothing answered."""
    stub = "    # YOUR CODE HERE\n    raise NotImplementedError()"
    return answers(
        double=f"def double(x):\n{stub}", half=f"def half(x):\n{stub}", written="YOUR ANSWER HERE"
    )


def name(cell: nbformat.NotebookNode) -> str | None:
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def cell(notebook: nbformat.NotebookNode, grade_id: str) -> nbformat.NotebookNode:
    (found,) = (each for each in notebook.cells if name(each) == grade_id)
    return found


def file_of(root: Path, step: str, student: str = ".", ending: str = "ipynb") -> Path:
    """Return the chapter's file in source/, autograded/ or feedback/."""
    return root / step / student / CHAPTER / f"{CHAPTER}.{ending}"


@contextlib.contextmanager
def edited(root: Path) -> Iterator[nbformat.NotebookNode]:
    """Yield the notebook of source/, and write what has become of it."""
    notebook = nbformat.read(file_of(root, "source"), as_version=4)
    yield notebook
    nbformat.write(notebook, file_of(root, "source"))


def page(root: Path, student: str = "alice") -> str:
    """Return what a student's page says."""
    text = file_of(root, "feedback", student, "html").read_text("utf-8")
    return html.unescape(text[text.index("<main") :])


def due(root: Path, date: str) -> None:
    """Give the chapter a date."""
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(CHAPTER, duedate=date)


def submit(root: Path, student: str, content: nbformat.NotebookNode | bytes, name=CHAPTER) -> Path:
    """Hand in a notebook, or whatever bytes take its place."""
    path = root / "submitted" / student / CHAPTER / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(json.dumps(content), "utf-8")
    return path


def activated() -> dict[str, str]:
    """Return the variables of an activated environment: plain nbgrader starts programs by name."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path}


def run(root: Path, *words: str) -> int:
    """Run the command `autograder` in `root`."""
    return main(["--root", str(root), *words])


def run_again(root: Path, *, answer: bool) -> tuple[bool, str, list[str]]:
    """Run `--again`; return whether it wrote, what it printed, and what stood there as it asked."""
    printed, asked = io.StringIO(), []

    def confirm() -> bool:
        asked.append(printed.getvalue())
        return answer

    how = {"options": Options(workers=2, apart=False), "confirm": confirm}
    ended = again(CHAPTER, root=root, **how, console=Console(file=printed, width=250))
    return ended.written, printed.getvalue(), asked


def rows(printed: str) -> list[str]:
    """Return the rows of a table that was printed, without its lines."""
    return [" ".join(line.replace("│", " ").split()) for line in printed.splitlines()]


def nbgrader(root: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run plain nbgrader in `root`."""
    return warm_nbgrader.run(root, arguments, activated())


def copy(root: Path, to: Path) -> Path:
    """Copy a course, with what has been graded."""
    return Path(shutil.copytree(root, to))
