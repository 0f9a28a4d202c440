"""The zip for students: the released chapters, the library and the checks."""

import json
import re
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nbformat import NotebookNode

from autograder.authoring.build import chapters, check_adopted, generated
from autograder.authoring.chapter_list import glossary, handed_out, syllabus
from autograder.authoring.pair import BuildError, source_notebook
from autograder.authoring.student_code import STUDENT, student_code
from autograder.authoring.student_library import student_files

_FOLDER = "privacy-workbook"  # everything lies in it, so that unpacking makes one folder
# Of the packages for working on the course, those that open notebooks, and the Validate button.
_TOOLS = ("jupyterlab", "nbgrader")
_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold


def bundle(
    root: Path, path: Path, only: Sequence[str] = (), *, open_library: bool = False
) -> list[str]:
    """Write the zip for students; the same course gives the same bytes.

    The chapters are made anew from course/, so answers that someone wrote in release/ stay out.
    course/, source/, the tests and the class grader are not in it. Of the library and the checks
    there is what `student_code` finds that chapters need, as `student_files` lets it out.

    Args:
      root: the project's folder.
      path: the zip file; its folder is made.
      only: the chapters; all of them if empty.
      open_library: give the library and the checks as they are, to read.

    Returns:
      The names of the chapters in it.

    Raises:
      BuildError: a chapter cannot be built, a notebook of source/ was edited, or a file of the
        project is missing. Nothing has been written then.
    """
    files, names = student_folder(root, only, open_library=open_library)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, files)
    return names


def student_folder(
    root: Path, only: Sequence[str] = (), *, open_library: bool = False
) -> tuple[dict[str, bytes], list[str]]:
    """Return the files that students get, by name, and the names of the chapters among them.

    Args, Raises: as for `bundle`.
    """
    files = dict(_project_files(root))
    with generated(root, only) as made:
        check_adopted(root, made)
        release = made / "release"
        names = sorted(folder.name for folder in release.glob("*"))
        if missing := sorted(set(only) - set(names)):
            raise BuildError(f"course/chapters.txt leaves {', '.join(missing)} out")
        for file in release.rglob("*"):
            if file.is_file():
                files[f"chapters/{file.relative_to(release).as_posix()}"] = file.read_bytes()
    notebooks = {path.stem: source_notebook(path) for path in chapters(root)}
    checked = notebooks if open_library else names
    files |= student_code(root, notebooks.values(), [notebooks[name] for name in checked])
    files |= _lists(
        root, {name: notebooks[name] for name in handed_out(root, list(notebooks))}, names
    )
    if open_library:
        return files, names
    return student_files(files, notebooks, names), names


def _lists(
    root: Path, listed: Mapping[str, NotebookNode], given: Sequence[str]
) -> dict[str, bytes]:
    """Return the syllabus and the glossary of the chapters that students get."""
    made = {}
    syllabus_file, glossary_file = root / "course" / "README.md", root / "docs" / "glossary.md"
    if syllabus_file.exists():
        text = syllabus(syllabus_file.read_text("utf-8"), listed, given)
        made["SYLLABUS.md"] = text.encode()
    if glossary_file.exists():
        made["GLOSSARY.md"] = glossary(glossary_file.read_text("utf-8"), listed).encode()
    return made


def _project_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of every file that is no chapter, and no code of a package."""
    try:
        yield "LICENSE", (root / "LICENSE").read_bytes()
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except OSError as error:
        raise BuildError(
            f"{error.filename} is missing: a bundle needs the whole project"
        ) from error
    for name in ("README.md", "start.py"):
        yield name, (STUDENT / name).read_bytes()
    yield "pyproject.toml", _pyproject(project).encode()
    yield "environment.yml", _environment(project["project"]).encode()


def _requirements(project: dict) -> list[str]:
    """Return the packages that a student installs."""
    tools = {
        re.match(r"[\w.-]+", line)[0]: line for line in project["optional-dependencies"]["lab"]
    }
    return [*project["dependencies"], *(tools[name] for name in _TOOLS)]


def _pyproject(pyproject: dict) -> str:
    project = pyproject["project"]
    dependencies = json.dumps(_requirements(project), indent=4)
    data = json.dumps(pyproject["tool"]["setuptools"]["package-data"]["dplib"])
    return f"""\
[build-system]
requires = {json.dumps(pyproject["build-system"]["requires"])}
build-backend = "setuptools.build_meta"

[project]
name = "{project["name"]}"
version = "{project["version"]}"
requires-python = "{project["requires-python"]}"
dependencies = {dependencies}

[tool.setuptools]
packages = {{ find = {{ include = ["dplib*", "ville*", "autograder*"] }} }}

[tool.setuptools.package-data]
dplib = {data}
"""


def _environment(project: dict) -> str:
    packages = "".join(f"  - {name}\n" for name in _requirements(project))
    return f"""\
name: {project["name"]}
channels:
  - conda-forge
dependencies:
  - python{project["requires-python"]}
{packages}  - pip
  - pip:
      - --no-deps
      - -e .
"""


def _write(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{_FOLDER}/{name}", date_time=_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, also where it is made on Windows
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name])
