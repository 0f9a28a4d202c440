"""What students get of the project's code follows from the imports of their chapters."""

import re
from pathlib import Path

import nbformat
import pytest
import toy_course
from notebooks import CHAPTERS, NAMES, RELEASED, read
from places import ROOT

from autograder.authoring.pair import BuildError
from autograder.authoring.student_code import student_code

pytestmark = pytest.mark.quick

# Folders whose modules are for students. Those that no chapter needs stay at home:
FOR_STUDENTS = (
    "dplib",
    "ville",
    "autograder/check",
    "autograder/practice",
    "autograder/progress",
)
AT_HOME = {
    "ville/picture.py",  # of the plugin below
    "ville/pytest_plugin.py",  # needs pytest
}
# What is imported by a name that is made at run time: claims, by the names of the checks that are
# called; and the library's function of an exercise, wherever chapters have it from.
BY_NAME = {"autograder/check/claims/__init__.py", "autograder/check/library.py"}


@pytest.fixture(scope="module")
def files():
    """The code that students of all chapters get, by name."""
    chapters = [read(name) for name in NAMES]
    return student_code(ROOT, chapters, chapters)


def test_no_module_goes_to_students_that_is_the_graders(files):
    """A check that imports a room of the grader takes it along, and all that this imports."""
    inside = tuple(f"{folder}/" for folder in FOR_STUDENTS)
    assert [name for name in files if not name.startswith(inside)] == ["autograder/__init__.py"]


def test_no_module_stays_at_home_that_is_for_students(files):
    """Whatever no chapter needs is needless there, or dead."""
    every = {
        path.relative_to(ROOT).as_posix()
        for folder in FOR_STUDENTS
        for path in (ROOT / folder).rglob("*.py")
    }
    assert every - files.keys() == AT_HOME


def test_no_module_is_imported_by_a_name_that_is_made_at_run_time(files):
    """Such an import would not be seen."""
    made = re.compile(rb"import_module|__import__|spec_from_|run_module|run_path")
    assert {name for name, content in files.items() if made.search(content)} == BY_NAME


def test_a_chapter_of_its_own_takes_the_checks_that_it_calls():
    chapters = [read(name) for name in NAMES]
    for name in (RELEASED[0], *CHAPTERS[:3]):
        claims = student_code(ROOT, chapters, [read(name)])
        called = {Path(each).stem for each in claims if "/claims/" in each} - {"__init__"}
        assert called >= exercises(name)
        assert len(called) < 30


def exercises(name):
    """The names of a chapter's checks."""
    return {
        cell.metadata.nbgrader.grade_id.removesuffix("_visible")
        for cell in read(name).cells
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").endswith("_visible")
    }


def project(folder, texts):
    """Make a project of a few modules."""
    (folder / "pyproject.toml").write_text('[tool.setuptools.package-data]\ndplib = ["*.txt"]\n')
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


SMALL = {
    "autograder/__init__.py": "",
    "autograder/check/__init__.py": "def f():\n    from autograder.check import late\n",
    "autograder/check/late.py": "import dplib.one\n",
    "autograder/practice/__init__.py": "",
    "autograder/progress/__init__.py": "",
    "autograder/check/claims/a/count.py": "",
    "autograder/check/claims/a/other.py": "",
    "dplib/__init__.py": "",
    "dplib/one.py": "FILE = 'public.txt'",
    "dplib/two.py": "",
    "dplib/public.txt": "",
    "dplib/private.txt": "",
}


def test_an_import_counts_wherever_it_stands(tmp_path):
    project(tmp_path, SMALL)
    chapter = toy_course.as_notebook("from autograder import check\ncheck.count(count)")
    made = set(student_code(tmp_path, [chapter], [chapter]))
    assert {"autograder/check/late.py", "dplib/one.py", "dplib/public.txt"} <= made
    assert "autograder/check/claims/a/count.py" in made
    assert not made & {"dplib/two.py", "dplib/private.txt", "autograder/check/claims/a/other.py"}


def test_a_module_that_a_text_names_goes_along(tmp_path):
    """A reader may import what a chapter speaks of."""
    project(tmp_path, SMALL)
    words = nbformat.v4.new_markdown_cell("`f` from `dplib.two` is exact, and so is dplib.none.")
    chapter = nbformat.v4.new_notebook(cells=[words])
    assert "dplib/two.py" in student_code(tmp_path, [chapter], [])


def test_a_module_that_is_missing_is_named(tmp_path):
    project(tmp_path, {name: text for name, text in SMALL.items() if name != "dplib/one.py"})
    chapter = toy_course.as_notebook("from autograder import check")
    wanted = r"autograder/check/late\.py imports dplib\.one, which is missing"
    with pytest.raises(BuildError, match=wanted):
        student_code(tmp_path, [chapter], [])
