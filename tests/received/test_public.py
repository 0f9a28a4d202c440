"""The public repository, and a notebook alone, in the hands of somebody who has nothing else."""

import subprocess

import nbformat
import pytest
from notebooks import EXAMPLE, RELEASED, mark
from places import ROOT
from received.away import with_pip
from received.received_notebooks import answers, errors, ran, shown

from autograder.authoring.publish import publish

pytestmark = [pytest.mark.received, pytest.mark.xdist_group("public")]


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    """A bare repository, to which the course was published and sent as the command says."""
    place = tmp_path_factory.mktemp("public")
    address = f"file://{place}/course.git"
    with pytest.MonkeyPatch.context() as patch:
        for part in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{part}_NAME", "A Teacher")
            patch.setenv(f"GIT_{part}_EMAIL", "teacher@example.org")
        assert publish(ROOT, place / "made", address=address) == RELEASED
    git("init", "--quiet", "--bare", "--initial-branch=main", place / "course.git")
    git("-C", place / "made", "push", "--quiet", "--force", address, "main")
    return address


def git(*arguments):
    subprocess.run(["git", *map(str, arguments)], check=True)


def answered(path):
    """Return a notebook with the course's answers, up to its first exercise."""
    notebook = nbformat.read(path, as_version=4)
    right = answers(EXAMPLE)
    names = [mark(cell).get("grade_id") for cell in notebook.cells]
    first = next(name for name in names if name in right)
    notebook.cells = notebook.cells[: names.index(f"{first}_visible") + 1]
    for cell in notebook.cells:
        cell.source = right.get(mark(cell).get("grade_id"), cell.source)
    return notebook


def passes(notebook):
    """Say whether no cell of a notebook stops, and its last one shows a pass."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [errors(cell) for cell in code if errors(cell)] == []
    return "✓" in shown(code[-1])


def test_a_newcomer_installs_it_as_its_readme_says(public, tmp_path):
    """With what the package registry has today, in an environment in which nothing is."""
    git("clone", "--quiet", public, tmp_path / "course")
    away = with_pip(tmp_path / "away")
    away.run("-m", "pip", "install", "--quiet", "-e", ".", cwd=tmp_path / "course")
    path = tmp_path / "course" / "chapters" / EXAMPLE / f"{EXAMPLE}.ipynb"
    notebook = answered(path)
    assert passes(ran(away, {path: notebook})[0])
    said = away.run("start.py", "progress", cwd=tmp_path / "course")
    assert "1 of " in said
    assert "Success!" in away.run("-m", "nbgrader", "validate", path, cwd=path.parent)


def test_a_notebook_opened_alone_installs_the_course(public, away_alone, tmp_path):
    """As on Colab: the usual packages are there, and of the course this one file."""
    git("clone", "--quiet", public, tmp_path / "course")
    notebook = answered(tmp_path / "course" / "chapters" / EXAMPLE / f"{EXAMPLE}.ipynb")
    (tmp_path / "alone").mkdir()
    assert "pip install" in notebook.cells[0].source
    assert passes(ran(away_alone, {tmp_path / "alone" / "mine.ipynb": notebook})[0])
