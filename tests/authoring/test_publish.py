"""The public repository: one commit, nothing secret in it or behind it, and nothing lost."""

import io
import shlex
import subprocess

import nbformat
import pytest
import toy_course
from IPython.core.interactiveshell import InteractiveShell

from autograder.authoring.pair import BuildError
from autograder.authoring.publish import publish
from autograder.cli import main


@pytest.fixture
def project(root, tmp_path, monkeypatch):
    """A project with one small chapter, and the library of this one."""
    for part in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{part}_NAME", "A Teacher")
        monkeypatch.setenv(f"GIT_{part}_EMAIL", "teacher@example.org")
    course = tmp_path / "private"
    toy_course.make(course)
    toy_course.give_library(course, root)
    return course


def git(folder, *arguments):
    return subprocess.check_output(["git", "-C", str(folder), *arguments], text=True)


def objects(folder):
    """Every text that a clone of the repository brings along."""
    clone = folder.parent / "clone"
    subprocess.run(["git", "clone", "-q", f"file://{folder}", str(clone)], check=True)
    every = ["git", "-C", str(clone), "cat-file", "--batch", "--batch-all-objects"]
    held = io.BytesIO(subprocess.check_output(every))
    return "\n".join(texts(held))


def texts(held):
    """The texts among git's objects, of its answer: `name kind size`, and so many bytes."""
    while head := held.readline().split():
        content = held.read(int(head[2]))
        held.readline()
        if head[1] == b"tree" or not (b"\0" in content or content.startswith(b"\x1f")):
            yield content.decode(errors="replace")  # a tree has names, and bytes between them


def test_it_has_one_commit_without_answers(project, tmp_path):
    folder = tmp_path / "public"
    assert publish(project, folder) == ["01_toy"]
    assert len(git(folder, "rev-list", "--all").split()) == 1
    held = git(folder, "ls-files").splitlines()
    assert {"README.md", "start.py", "chapters/01_toy/01_toy.ipynb", ".gitignore"} <= set(held)
    assert not any(name.startswith(("course/", "source/", "tests/")) for name in held)
    text = objects(folder)
    assert "def two():" in text and "BEGIN " not in text
    assert not any(line.strip('", ') == "return 2" for line in text.replace("\\n", "").split("\n"))


def test_again_it_replaces_its_commit(project, tmp_path):
    folder = tmp_path / "public"
    publish(project, folder, open_library=True)
    toy_course.write(project, toy_course.CHAPTER.replace("A toy chapter", "Another title"))
    publish(project, folder)
    publish(project, folder)
    text = objects(folder)
    assert len(git(folder, "rev-list", "--all").split()) == 1
    assert "Another title" in text and "A toy chapter" not in text
    assert "def laplace_mechanism" not in text  # what was open before is in no object that is sent


def test_it_replaces_nothing_else(project, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    with pytest.raises(BuildError, match="holds other files"):
        publish(project, other)
    git(other, "init", "-q")
    git(other, "add", ".")
    git(other, "commit", "-q", "-m", "mine")
    with pytest.raises(BuildError, match="a history of its own"):
        publish(project, other)
    folder = tmp_path / "public"
    publish(project, folder)
    (folder / "note.txt").write_text("mine")
    with pytest.raises(BuildError, match="changes of its own"):
        publish(project, folder)
    assert (folder / "note.txt").exists() and (other / "mine.txt").read_text() == "mine"


def test_the_command_says_what_to_do_next(project, tmp_path, capsys):
    assert main(["--root", str(project), "publish", str(tmp_path / "public")]) == 0
    said = capsys.readouterr().out
    assert "01_toy; one commit, no answers" in said and "push --force ADDRESS main" in said
    assert main(["--root", str(project), "publish", str(tmp_path)]) == 1
    assert "holds other files" in capsys.readouterr().err


def test_the_line_to_copy_works_in_a_folder_with_a_space(project, tmp_path, capsys):
    folder = tmp_path / "my course"
    assert main(["--root", str(project), "publish", str(folder), "--address", "file:///a/b"]) == 0
    line = capsys.readouterr().out.splitlines()[-1].partition(": ")[2]
    assert shlex.split(line)[:3] == ["git", "-C", str(folder)]


def first_cell(folder):
    notebook = nbformat.read(folder / "chapters/01_toy/01_toy.ipynb", as_version=4)
    return notebook.cells[0]


def test_with_an_address_a_notebook_installs_the_course_itself(project, tmp_path):
    folder = tmp_path / "public"
    publish(project, folder, address="https://github.com/someone/course.git")
    cell = first_cell(folder)
    assert '--no-deps "git+https://github.com/someone/course@main"' in cell.source
    assert "nbgrader" not in cell.metadata
    # Where the course is installed already, the cell does nothing.
    assert InteractiveShell().run_cell(cell.source).success
    text = (folder / "README.md").read_text()
    place = "someone/course/{}main{}chapters/01_toy/01_toy.ipynb"
    assert f"https://colab.research.google.com/github/{place.format('blob/', '/')}" in text
    binder = place.format("", "?urlpath=lab/tree/")
    assert f"https://mybinder.org/v2/gh/{binder}" in text
    publish(project, folder, address="https://gitlab.com/someone/course")
    assert "no link" in (folder / "README.md").read_text()


def test_an_address_that_nobody_can_install_from_is_refused(project, tmp_path):
    for address in ("git@github.com:someone/course.git", 'https://a"; rm'):
        with pytest.raises(BuildError, match="no address of a repository"):
            publish(project, tmp_path / "public", address=address)
    assert not (tmp_path / "public").exists()
