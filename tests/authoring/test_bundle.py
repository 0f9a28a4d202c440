"""The zip for students: what is in it, what is not, and that a chapter validates from it."""

import ast
import fnmatch
import json
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest
import toy_course
import yaml
from lab_server import served
from notebooks import EXAMPLE, RELEASED, RELEASED_CHAPTERS, mark, read
from packaging.requirements import Requirement
from servers import first_answer
from zipped import FOLDER, zipped

from autograder.authoring.bundle import bundle
from autograder.authoring.pair import BuildError
from autograder.cli import main

pytestmark = pytest.mark.long

# What is imported, by the package that brings it along.
MODULES = {"ipywidgets": {"ipywidgets", "IPython"}, "matplotlib": {"matplotlib", "PIL"}}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder that a student gets by unpacking the zip of the whole course."""
    folder = tmp_path_factory.mktemp("bundle")
    zipped().extractall(folder)
    return folder / FOLDER


@pytest.fixture
def project(root, tmp_path):
    """A project with one small chapter, and the library of this one."""
    toy_course.make(tmp_path)
    toy_course.give_library(tmp_path, root)
    return tmp_path


OURS = ("dplib/", "ville/", "autograder/check/", "autograder/practice/", "autograder/progress/")


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_it_holds_the_chapters_the_library_and_how_to_begin(unpacked):
    chapters = {f"chapters/{name}/{name}.ipynb" for name in RELEASED}
    begin = {"README.md", "start.py", "pyproject.toml", "environment.yml", "LICENSE"}
    begin |= {
        "SYLLABUS.md",
        "GLOSSARY.md",
        "autograder/__init__.py",
    }
    rest = names(unpacked) - chapters - begin
    assert chapters | begin <= names(unpacked)
    assert {name.split("/")[0] for name in rest} == {"autograder", "dplib", "ville"}
    assert all(name.startswith(OURS) for name in rest)
    assert not any("__pycache__" in name for name in rest)


def test_it_holds_no_solution_and_no_hidden_test(unpacked):
    for path in unpacked.rglob("*"):
        if path.is_file() and path.suffix != ".gz":
            text = path.read_text("utf-8")
            assert "BEGIN SOLUTION" not in text and "BEGIN HIDDEN" not in text, path
    for name in RELEASED_CHAPTERS:
        released = "\n".join(cell.source for cell in released_notebook(unpacked, name).cells)
        for secret in secrets(name):
            assert secret not in released, name


def secrets(name):
    """What a chapter keeps from students: answers, model answers."""
    for cell in read(name).cells:
        if mark(cell).get("solution") and cell.cell_type == "code":
            yield from re.findall(r"### BEGIN SOLUTION\n(.*?)### END", cell.source, re.DOTALL)
        elif mark(cell).get("solution"):
            yield cell.source


def released_notebook(unpacked, name):
    return nbformat.read(unpacked / "chapters" / name / f"{name}.ipynb", as_version=4)


def test_what_it_imports_is_what_it_installs(unpacked):
    lines = tomllib.loads((unpacked / "pyproject.toml").read_text())["project"]["dependencies"]
    installed = {Requirement(line).name for line in lines}
    modules = set().union(*(MODULES.get(name, {name}) for name in installed))
    own = {"dplib", "ville", "autograder"} | set(sys.stdlib_module_names)
    for path in unpacked.rglob("*.py"):
        # What makes the data needs more; it is run in the project only.
        if path.is_relative_to(unpacked / "dplib" / "data") and path.name == "people.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                found = [node.module]
            assert {module.split(".")[0] for module in found} <= modules | own, path


def test_conda_and_pip_install_the_same(unpacked):
    project = tomllib.loads((unpacked / "pyproject.toml").read_text())
    conda = yaml.safe_load((unpacked / "environment.yml").read_text())["dependencies"]
    assert set(project["project"]["dependencies"]) < set(conda[:-2])
    assert conda[0] == f"python{project['project']['requires-python']}"
    patterns = project["tool"]["setuptools"]["package-data"]["dplib"]
    for name in names(unpacked / "dplib"):
        assert name.endswith(".py") or any(fnmatch.fnmatch(name, each) for each in patterns), name


def environment(unpacked):
    """The variables that start.py gives to JupyterLab, and so to every notebook."""
    given = runpy.run_path(str(unpacked / "start.py"))["environment"]()
    return {**given, "OPENBLAS_NUM_THREADS": "1"}


def run(unpacked, *arguments):
    """Run Python as a notebook of the bundle does."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=unpacked / "chapters",
        env=environment(unpacked),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_library_is_the_one_of_the_bundle(unpacked):
    code = "import dplib, autograder.check as check; print(dplib.__file__, check.__file__)"
    assert run(unpacked, "-c", code).count(str(unpacked)) == 2


@pytest.mark.long
def test_validate_fails_what_is_not_answered_and_passes_what_is(unpacked):
    """With nbgrader's own command and kernels, as a student has them."""
    name = EXAMPLE
    path = unpacked / "chapters" / name / f"{name}.ipynb"
    exercises = sum(
        mark(cell).get("grade_id", "").endswith("_visible") for cell in read(name).cells
    )
    answers = {mark(cell)["grade_id"]: cell.source for cell in read(name).cells if mark(cell)}
    content = released_notebook(unpacked, name)
    for cell in content.cells:
        if mark(cell).get("solution"):
            cell.source = answers[mark(cell)["grade_id"]]
    answered = path.with_name("answered.ipynb")
    nbformat.write(content, answered)
    # Both at once: to start the command takes as long as to run a notebook.
    said = run(unpacked, "-m", "nbgrader", "validate", str(path), str(answered))
    answered.unlink()
    failed = f"{exercises} cell(s) failed" in said
    assert exercises and (failed or said.count("not answered yet") == exercises), said
    assert said.count("Success! Your notebook passes all the tests.") == 1, said


def test_start_opens_the_chapters_without_the_panels_of_teachers(unpacked, tmp_path):
    command = [sys.executable, unpacked / "start.py", "--no-browser", "--allow-root"]
    with served(command, tmp_path) as address:
        page = first_answer(f"{address}/lab?token=t")
        listed = json.loads(first_answer(f"{address}/api/contents?token=t"))["content"]
    assert sorted(entry["name"] for entry in listed) == RELEASED
    disabled = json.loads(re.search(r'"disabledExtensions": (\[.*?\])', page)[1])
    assert "@jupyter/nbgrader:formgrader" in disabled
    assert "@jupyter/nbgrader:validate-assignment" not in disabled


def test_start_says_what_is_not_installed(unpacked, capsys):
    start = runpy.run_path(str(unpacked / "start.py"))["main"]
    start.__globals__["NEEDED"] = ("json", "a_package_that_is_not_there")
    assert start([]) == 1
    assert "Not installed here: a_package_that_is_not_there. README.md" in capsys.readouterr().out


def test_the_same_course_gives_the_same_bytes(project):
    one, two = project / "one.zip", project / "two.zip"
    assert bundle(project, one) == bundle(project, two) == ["01_toy"]
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert "privacy-workbook/chapters/01_toy/picture.png" in {entry.filename for entry in entries}


def test_what_was_answered_in_release_goes_to_nobody(project):
    main(["--root", str(project), "build"])
    path = toy_course.notebook(project, "release")
    path.write_text(path.read_text().replace("raise NotImplementedError()", "return 2"))
    bundle(project, project / "b.zip")
    with zipfile.ZipFile(project / "b.zip") as archive:
        text = archive.read("privacy-workbook/chapters/01_toy/01_toy.ipynb").decode()
    assert "return 2" not in text and "NotImplementedError" in text


def test_an_edit_that_is_only_in_source_is_not_left_out_in_silence(project):
    main(["--root", str(project), "build"])
    path = toy_course.notebook(project)
    path.write_text(path.read_text().replace("A toy chapter", "Changed"))
    with pytest.raises(BuildError, match="autograder adopt 01_toy"):
        bundle(project, project / "b.zip")
    assert not (project / "b.zip").exists()


def test_the_command_names_the_file_and_the_chapters(project, capsys):
    assert main(["--root", str(project), "bundle"]) == 0
    assert "dist/privacy-workbook.zip: 01_toy (" in capsys.readouterr().out
    assert main(["--root", str(project), "bundle", "1_toy", "-o", str(project / "x.zip")]) == 1
    assert "Is 1_toy one of these? 01_toy" in capsys.readouterr().err
    assert main(["--root", str(project), "bundle", "-o", str(project / "mistyped" / "x.zip")]) == 1
    assert "there is no folder" in capsys.readouterr().err
    assert not (project / "mistyped").exists()
    (project / "LICENSE").unlink()
    assert main(["--root", str(project), "bundle"]) == 1
    assert "LICENSE is missing: a bundle needs the whole project" in capsys.readouterr().err
    assert not Path(project / "x.zip").exists()
