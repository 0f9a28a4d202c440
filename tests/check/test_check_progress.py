"""What a learner sees of how far they are: noted beside the notebook, never graded."""

import json
import os

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.coursedir import CourseDirectory
from notebooks import RELEASED_CHAPTERS, mark, read
from traitlets.config.loader import PyFileConfigLoader

from autograder import progress
from autograder.authoring.generate import PASSED, files_of
from autograder.cli import main
from autograder.progress.kept import kept

RIGHT = """
import numpy as np
from autograder import check

def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(0, sensitivity / epsilon)
"""


def write_chapter(folder, title, *exercises):
    """Write a chapter with a test cell for each exercise, and one hidden cell for the first."""
    graded = {"nbgrader": {"grade": True, "solution": False}}
    cells = [new_markdown_cell(f"# {title}\n\nText."), new_code_cell("check.no_exercise(1)")]
    cells += [new_code_cell(f"check.{each}({each})", metadata=graded) for each in exercises]
    cells += [new_code_cell("check.first(first)", metadata=graded)] if exercises else []
    folder.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), folder / f"{folder.name}.ipynb")


@pytest.fixture
def release(tmp_path):
    """Two chapters and a page; of the first chapter something has passed."""
    write_chapter(tmp_path / "release/01_one", "1 One <b>", "first", "second", "third")
    write_chapter(tmp_path / "release/02_two", "2 Two", "first")
    write_chapter(tmp_path / "release/00_start", "0 Start")
    (tmp_path / "release/notes").mkdir()
    progress.keep("first", 1.0, tmp_path / "release/01_one")
    progress.keep("second", 0.5, tmp_path / "release/01_one")
    return tmp_path / "release"


def test_a_better_share_replaces_a_smaller_one(tmp_path):
    for share in (0.5, 0.25, 0.75, 0.0):
        progress.keep("a", share, tmp_path)
    progress.keep("b", 0.0, tmp_path)
    assert kept(tmp_path) == {"a": 0.75}


@pytest.mark.parametrize("damage", ["", "[1]", "[" * 100_000, '{"a": "1", "b": true, "c": 7}'])
def test_a_damaged_file_holds_nothing_and_is_replaced(tmp_path, damage):
    (tmp_path / progress.FILE).write_text(damage, "utf-8")
    assert kept(tmp_path) == {}
    progress.keep("a", 1.0, tmp_path)
    assert kept(tmp_path) == {"a": 1.0}


def test_nothing_fails_where_no_file_can_be_written(tmp_path):
    progress.keep("a", 1.0, tmp_path / "not there")
    assert kept(tmp_path / "not there") == {}


def test_chapters_are_those_with_exercises(release):
    one, two = progress.chapters(release)
    assert (one.name, one.title, one.shares) == ("01_one", "1 One <b>", (1.0, 0.5, 0.0))
    assert (one.passed, str(one), one.share) == (2, "2 of 3 exercises", 0.5)
    assert two.shares == (0.0,)


@pytest.mark.parametrize("damage", ["", "{}", '{"cells": 1}', '{"cells": [{"source": [1]}]}'])
def test_a_notebook_that_cannot_be_read_is_no_chapter(release, damage):
    (release / "01_one/01_one.ipynb").write_text(damage, "utf-8")
    assert [each.name for each in progress.chapters(release)] == ["02_two"]


def test_every_exercise_of_the_course_counts(root):
    found = progress.chapters(root / "release")
    assert [each.name for each in found] == RELEASED_CHAPTERS
    for each in found:
        cells = [cell for cell in read(each.name, "release").cells if mark(cell).get("solution")]
        codes = [cell for cell in cells if cell.cell_type == "code"]
        assert len(each.shares) == len(codes), each.name


def test_the_terminal_and_the_tiles_say_the_same(release, capsys, monkeypatch):
    assert main(["--root", str(release.parent), "progress"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "1 One <b>  [#####     ]  2 of 3 exercises"
    assert second == "2 Two      [          ]  0 of 1 exercises"
    monkeypatch.chdir(release / "00_start")
    shown = progress.tiles()
    assert repr(shown).splitlines() == [first, second]
    page = shown._repr_html_()
    assert "1 One &lt;b&gt;" in page and 'href="../02_two/02_two.ipynb"' in page
    assert "width:50%" in page and "2 of 4 exercises" in page
    for where in ("DPLIB_STATIC", "NBGRADER_EXECUTION"):
        with monkeypatch.context() as patch:
            patch.setenv(where, "1")
            assert shown._repr_html_() is None


def test_it_says_where_there_is_nothing(tmp_path, capsys):
    assert main(["--root", str(tmp_path), "progress"]) == 1
    assert "No chapter lies in" in capsys.readouterr().out
    with pytest.raises(ValueError, match="folder must be a folder of chapters, got 'nowhere'"):
        progress.tiles("nowhere")


@pytest.mark.long
@pytest.mark.parametrize("grader", [False, True])
def test_a_check_that_passes_in_a_notebook_is_noted_and_a_graders_run_is_not(tmp_path, grader):
    folder = tmp_path / "03_some"
    write_chapter(folder, "3 Some", "laplace_mechanism", "other")
    cells = [new_code_cell(RIGHT), new_code_cell("check.laplace_mechanism(laplace_mechanism)")]
    resources = {"metadata": {"path": str(folder)}}
    client = nbclient.NotebookClient(new_notebook(cells=cells), resources=resources)
    environment = os.environ | ({"NBGRADER_EXECUTION": "validate"} if grader else {})
    (output,) = client.execute(env=environment).cells[1].outputs
    if grader:
        assert not (folder / progress.FILE).exists()
    else:
        noted = json.loads((folder / progress.FILE).read_text("utf-8"))
        assert noted == {"laplace_mechanism": 1.0}
        assert "●○○</span> 1 of 3 exercises of this chapter" in output.data["text/html"]


def test_git_nbgrader_and_the_build_leave_the_file_out(root, tmp_path):
    assert PASSED == progress.FILE
    assert progress.FILE in (root / ".gitignore").read_text("utf-8").splitlines()
    for settings in ("nbgrader_config.py", "deploy/hub/nbgrader_config.py"):
        config = PyFileConfigLoader(settings, path=str(root)).load_config()
        assert progress.FILE in CourseDirectory(config=config).ignore
    (tmp_path / progress.FILE).write_text("{}", "utf-8")
    assert files_of(tmp_path) == {}
