"""nbgrader's exchange: no answer goes out, and pages made by `autograder grade` go back."""

import json

import nbformat
import pytest
import toy
from marks import hidden

from autograder.grading import grade

pytestmark = pytest.mark.long

RELEASE = """
c.ExchangeFactory.release_assignment = "autograder.nbgrader.release.Release"
c.ExchangeFactory.release_feedback = "autograder.nbgrader.release.ReleaseFeedback"
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The toy course, generated; its exchange is beside it, wherever it is copied."""
    settings = (
        f'c.Exchange.root = str(__import__("pathlib").Path.cwd().parent / "exchange")\n{RELEASE}'
    )
    root = toy.make(tmp_path_factory.mktemp("generated") / "course", toy.CONFIG + settings)
    assert toy.nbgrader(root, "generate_assignment", toy.CHAPTER).returncode == 0
    return root


@pytest.fixture
def root(generated, tmp_path):
    """A copy of that course, with an exchange of its own."""
    (tmp_path / "exchange").mkdir(mode=0o777)
    return toy.copy(generated, tmp_path / "course")


def released(root) -> list[str]:
    return sorted(path.name for path in (root.parent / "exchange").rglob("*.ipynb"))


def release(root) -> str:
    return toy.nbgrader(root, "release_assignment", toy.CHAPTER).stderr


def test_what_was_generated_is_released(root):
    path = root / "release" / toy.CHAPTER / ".ipynb_checkpoints" / "tried.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(toy.answers()))  # nbgrader leaves it out
    release(root)
    assert released(root) == [f"{toy.CHAPTER}.ipynb"]


def answered(notebook):
    notebook.cells[1].source = "def double(x):\n    return x + x"


def with_picture(notebook):
    notebook.cells[-1]["attachments"] = {"model.png": {"image/png": ""}}


def with_hidden_test(notebook):
    notebook.cells[3].source = hidden("1")


@pytest.mark.parametrize(
    ("change", "cell"),
    [(answered, "double"), (with_picture, "written"), (with_hidden_test, "double_hidden")],
)
def test_answers_are_not_released(root, change, cell):
    path = root / "release" / toy.CHAPTER / f"{toy.CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)
    said = release(root)
    assert f"({toy.CHAPTER}.ipynb: {cell})" in said and "Generate in formgrader" in said
    assert released(root) == []


def test_pages_of_autograder_are_released_to_those_who_submitted(root):
    folder = toy.submit(root, "alice", toy.answers()).parent
    (folder / "timestamp.txt").write_text("2027-03-01 12:00:00 UTC")
    (folder / "submission_secret.txt").write_text("secret")
    toy.submit(root, "aaron", toy.answers())  # by mail
    grade(toy.CHAPTER, root=root, apart=False)
    said = toy.nbgrader(root, "release_feedback", toy.CHAPTER)
    assert said.returncode == 0, said.stderr
    assert "Not released to aaron" in said.stderr and "Not released to alice" not in said.stderr
    assert len(list((root.parent / "exchange").rglob("feedback/*.html"))) == 1
