"""The attacked course: two small chapters, with wrong answers that earn nothing.

Every attack is handed in with these wrong answers, so each point that it earns is stolen.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

COURSE, CHECKS = "01_numbers", "02_noise"  # the chapters
POINTS = 10  # of each

SETTINGS = """
c = get_config()
c.CourseDirectory.course_id = "under_attack"
c.Execute.timeout = 5
c.Execute.iopub_timeout = 2
c.Execute.shutdown_kernel = "immediate"
c.OverwriteCells.add_missing_cells = True
# Small limits, so that the battery is quick. nbgrader has no such settings.
c.Containment.memory_megabytes = 400
c.Containment.seconds = 12
c.Containment.output_megabytes = 2
c.Containment.processes = 40
c.Containment.file_megabytes = 20
c.SubmittedFiles.megabytes = 20
"""

_HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
HIDDEN_LINE = "expected = 2 * secret"  # no student should get to see it

# By grade_id: the source, and the points of a test (None: an answer; 0: only locked).
_NUMBERS = {
    "setup": ("import numpy as np", 0),
    "double": (
        "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
        None,
    ),
    "double_visible": ("assert double(3) == 6", 1),
    "double_hidden": (
        _HIDDEN.format(
            "secret = int(np.random.default_rng().integers(100, 10_000))\n"
            f"{HIDDEN_LINE}\nassert double(secret) == expected"
        ),
        2,
    ),
    "average": (
        "def average(values):\n    ### BEGIN SOLUTION\n    return sum(values) / len(values)\n"
        "    ### END SOLUTION",
        None,
    ),
    "average_visible": ("np.testing.assert_allclose(average([1.0, 2.0, 9.0]), 4.0)", 1),
    "average_hidden": (
        _HIDDEN.format(
            "values = np.random.default_rng().normal(3.0, 1.0, size=50)\n"
            "assert abs(average(values) - np.mean(values)) < 1e-9"
        ),
        2,
    ),
    "half": ("def half(x):\n    ### BEGIN SOLUTION\n    return x / 2\n    ### END SOLUTION", None),
    "half_parts": (
        "numbers = np.random.default_rng().integers(1, 1000, size=3).tolist()\n"
        "float(sum(half(number) == number / 2 for number in numbers))",
        3,
    ),
    "multiples": (
        "def multiples(x):\n    ### BEGIN SOLUTION\n    return [x * k for k in range(10)]\n"
        "    ### END SOLUTION",
        None,
    ),
    "multiples_hidden": (
        _HIDDEN.format(
            "number = int(np.random.default_rng().integers(100, 10_000))\n"
            "assert 7 * number in multiples(number)"
        ),
        1,
    ),
}
_NOISE = {
    "setup": ("import numpy as np\n\nfrom autograder import check", 0),
    "laplace_mechanism": (
        "def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):\n    ### BEGIN SOLUTION\n"
        "    rng = rng or np.random.default_rng()\n"
        "    return value + rng.laplace(scale=sensitivity / epsilon, size=np.shape(value))\n"
        "    ### END SOLUTION",
        None,
    ),
    "laplace_mechanism_visible": ("check.laplace_mechanism(laplace_mechanism)", 4),
    "laplace_mechanism_hidden": (_HIDDEN.format("check.laplace_mechanism(laplace_mechanism)"), 6),
}
_CELLS = {COURSE: _NUMBERS, CHECKS: _NOISE}
TESTS = [name for cells in _CELLS.values() for name, (_, points) in cells.items() if points]

# What an attacker hands in where the attack does not say otherwise: no test passes.
WRONG = {
    "double": "def double(x):\n    return 0\n",
    "average": "def average(values):\n    return 0.0\n",
    "half": "def half(x):\n    return -1\n",
    "multiples": "def multiples(x):\n    return []\n",
    "laplace_mechanism": (
        "def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):\n    return value\n"
    ),
}


def activated() -> dict[str, str]:
    """Return the variables of an activated environment: nbgrader starts a program by its name."""
    programs = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([programs, os.environ["PATH"]])}


def source(chapter: str) -> NotebookNode:
    """Return the instructor's notebook."""
    cells = [new_markdown_cell("# Under attack")]
    cells += [
        new_code_cell(text, metadata=_mark(name, points))
        for name, (text, points) in _CELLS[chapter].items()
    ]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    for position, cell in enumerate(notebook.cells):
        cell.id = f"cell-{position}"
    return notebook


def _mark(grade_id: str, points: float | None) -> dict:
    mark = {"grade_id": grade_id, "schema_version": 3, "task": False}
    mark |= {"solution": points is None, "locked": points is not None, "grade": bool(points)}
    return {"nbgrader": {**mark, **({"points": points} if points else {})}}


def make(root: Path) -> Path:
    """Write the course, with a gradebook that knows its chapters, as plain nbgrader needs it."""
    root.mkdir(parents=True)
    (root / "nbgrader_config.py").write_text(SETTINGS, "utf-8")
    for chapter in _CELLS:
        folder = root / "source" / chapter
        folder.mkdir(parents=True)
        nbformat.write(source(chapter), folder / f"{chapter}.ipynb")
        (folder / "data.csv").write_text("1,2,3\n", "utf-8")
        command = [sys.executable, "-m", "nbgrader", "generate_assignment", chapter]
        subprocess.run(
            command, cwd=root, env=activated(), check=True, capture_output=True, timeout=120
        )
    return root


def released(root: Path, chapter: str, **answers: str) -> NotebookNode:
    """Return what a student got, with these answers in it."""
    notebook = nbformat.read(root / "release" / chapter / f"{chapter}.ipynb", as_version=4)
    for name, text in answers.items():
        cell(notebook, name).source = text
    return notebook


def right(root: Path, chapter: str) -> NotebookNode:
    """Return the notebook of an honest student who knows it all."""
    answers = {name: text for name, (text, points) in _CELLS[chapter].items() if points is None}
    return released(root, chapter, **answers)


def wrong(root: Path, chapter: str, **answers: str) -> NotebookNode:
    """Return the notebook of one who knows nothing."""
    known = {name: WRONG[name] for name, (_, points) in _CELLS[chapter].items() if points is None}
    return released(root, chapter, **{**known, **answers})


def cell(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    """Return a cell by the name that nbgrader knows it by."""
    (found,) = (
        each
        for each in notebook.cells
        if each.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    )
    return found


def hand_in(root: Path, student: str, chapter: str, content: NotebookNode | bytes) -> Path:
    """Write a submission; return its folder."""
    folder = root / "submitted" / student / chapter
    folder.mkdir(parents=True)
    path = folder / f"{chapter}.ipynb"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(json.dumps(content), "utf-8")
    return folder


def copy(root: Path, to: Path) -> Path:
    """Copy the course."""
    return Path(shutil.copytree(root, to, symlinks=True))


def answers(chapter: str) -> list[str]:
    """Return the names of a chapter's answers."""
    return [name for name, (_, points) in _CELLS[chapter].items() if points is None]


def answer(chapter: str, name: str) -> str:
    """Return the right answer."""
    return _CELLS[chapter][name][0]
