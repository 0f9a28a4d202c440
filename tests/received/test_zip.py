"""The students' zip as a student has it: unpacked, installed, and nothing of the repository."""

import nbformat
import pytest
from notebooks import EXAMPLE, RELEASED_CHAPTERS, mark
from received.received_notebooks import errors, ran, shown

from autograder import practice
from autograder.practice.program import program

pytestmark = pytest.mark.xdist_group("received")

OURS = ("autograder", "dplib", "ville")
WRONG = (
    "def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):\n"
    "    return value + np.random.default_rng(rng).laplace(scale=sensitivity * epsilon)\n"
)
TASK = "from autograder import practice\ntask = practice.new(level=1, seed=41)\ntask"


def test_the_project_is_not_there(away, tmp_path):
    """Else nothing below would show what the files lack."""
    code = "from importlib.util import find_spec as f; print([f(name) for name in {}])"
    assert away.run("-c", code.format(OURS), cwd=tmp_path) == f"{[None] * len(OURS)}\n"
    assert "ModuleSpec" in away.run("-c", code.format(["nbgrader"]), cwd=tmp_path)


def modules(folder):
    """Yield the name of each module in a folder of what was handed out."""
    for top in OURS:
        for path in (folder / top).rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_module_can_be_imported(student, tmp_path):
    names = sorted(modules(student.folder))
    assert len(names) > 300
    (tmp_path / "all.py").write_text("\n".join(f"import {name}" for name in names))
    student.away.run("all.py", cwd=tmp_path)


def until(notebook, name):
    """Return the code cells of a notebook up to one of them."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    last = [mark(cell).get("grade_id") for cell in cells].index(name)
    return cells[: last + 1]


@pytest.fixture(scope="module")
def worked(student):
    """The notebooks of a student who has read the first page, answered wrongly, then rightly."""
    start, chapter = (student.folder / "chapters" / name for name in ("00_start", EXAMPLE))
    first = nbformat.read(start / "00_start.ipynb", 4)
    notebook = nbformat.read(chapter / f"{EXAMPLE}.ipynb", 4)
    *before, _stub, check = until(notebook, "laplace_mechanism_visible")
    texts = (WRONG, check.source, WRONG.replace("sensitivity *", "sensitivity /"), check.source)
    task = practice.new(level=1, seed=41)
    own = (TASK, program(task.plan), "task.check(release)")
    added = [nbformat.v4.new_code_cell(text) for text in (*texts, *own)]
    notebook.cells = [*before, *added]
    return ran(student.away, {start / "again.ipynb": first, chapter / "again.ipynb": notebook})


def test_the_first_page_runs(worked):
    assert [errors(cell) for cell in worked[0].cells if errors(cell)] == []


@pytest.mark.skipif(EXAMPLE != "03_laplace", reason="COURSE/CHAPTERS.TXT LEAVES CHAPTER 3 OUT")
def test_a_wrong_answer_is_told_its_mistake_and_a_right_one_passes(student, worked):
    told, _answer, passed, *_ = worked[1].cells[-6:]
    assert [errors(cell) for cell in worked[1].cells if errors(cell) and cell is not told] == []
    assert "epsilon multiplies instead of divides" in errors(told)[0]
    assert "✓" in shown(passed)


def test_a_practice_task_is_shown_and_judged(worked):
    *_, task, _, check = worked[1].cells
    assert "epsilon" in shown(task) and "✓" in shown(check)


def test_progress_counts_what_passed(student, worked):
    said = student.away.run("start.py", "progress", cwd=student.folder)
    (line,) = [each for each in said.splitlines() if EXAMPLE in each or "Laplace" in each]
    assert "1 of " in line and len(said.splitlines()) >= len(RELEASED_CHAPTERS)
