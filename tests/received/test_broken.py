"""What is left out of an artefact on purpose is named by the test that tries this artefact."""

import shutil

import nbformat
import pytest
from notebooks import EXAMPLE
from received.received_notebooks import errors, ran

pytestmark = [pytest.mark.received, pytest.mark.xdist_group("received")]


@pytest.fixture
def copied(student, tmp_path):
    """A folder of a student's, to break."""
    return shutil.copytree(student.folder, tmp_path / "copied")


def first_error(away, folder):
    """Return what the first cells of a chapter say with the library of a folder."""
    path = folder / "chapters" / EXAMPLE / f"{EXAMPLE}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"][:1]
    (made,) = ran(away.with_path(folder), {path.with_name("first.ipynb"): notebook})
    return errors(made.cells[0])


def test_a_whole_folder_says_nothing(away, copied):
    assert first_error(away, copied) == []


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("autograder/check/effort.py", "autograder.check.effort"),
        ("autograder/progress/kept.py", "autograder.progress.kept"),
        ("dplib/laplace.py", "dplib.laplace"),
        ("ville/process.py", "ville.process"),
    ],
)
def test_a_module_left_out_is_named(away, copied, file, module):
    (copied / file).unlink()
    assert first_error(away, copied) == [f"ModuleNotFoundError: No module named '{module}'"]


def test_a_data_file_left_out_is_named(away, copied):
    (copied / "dplib" / "data" / "adult.csv.gz").unlink()
    (error,) = first_error(away, copied)
    assert error.startswith("FileNotFoundError") and "adult.csv.gz" in error


def test_a_notebook_left_out_is_missed(student, copied):
    shutil.rmtree(copied / "chapters" / EXAMPLE)
    said = student.away.run("start.py", "progress", cwd=copied)
    assert len(said.splitlines()) < len(
        student.away.run("start.py", "progress", cwd=student.folder).splitlines()
    )


def test_a_wrong_version_is_named_by_pip(student, copied):
    """A release that cannot run the course is refused when it is installed, not in a chapter."""
    project = copied / "pyproject.toml"
    project.write_text(project.read_text().replace('"numpy>=', '"numpy>=99,>='))
    options = ("--no-build-isolation", "--no-index", "-e", ".")
    said = student.away.run("-m", "pip", "install", *options, cwd=copied, check=False)
    assert "numpy" in said and "99" in said
