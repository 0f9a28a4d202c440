"""course/chapters.txt: one edit leaves chapters out, everywhere, and one brings them back."""

import nbformat
import pytest
import toy_course

from autograder.authoring.build import build, differences
from autograder.authoring.bundle import student_folder
from autograder.authoring.chapter_list import glossary, handed_out, syllabus, without
from autograder.authoring.pair import BuildError
from autograder.authoring.scaffold import new_chapter

START = """
- [no row](elsewhere.md)

1. [One](../01_toy/01_toy.ipynb): a question?
2. [Two](../02_toy/02_toy.ipynb): another?
3. [Three](../03_toy/03_toy.ipynb): a third?

| chapter | what |
|---|---|
| 01 one | x |
| 02 two | y |

Now open [chapter two](../02_toy/02_toy.ipynb).
"""
SYLLABUS = """# Syllabus

| chapter | the question |
|---|---|
| [00 Start](00_start.md) | how? |
| [01 One](01_toy/01_toy.md) | what? |
| [02 Two](02_toy/02_toy.md) | why? |

In all: 99 points, 0 of them given by a person.
"""


@pytest.fixture
def course(root, tmp_path):
    """A course of three chapters and a first page; its list leaves none out."""
    toy_course.make(tmp_path)
    for name in ("02_toy", "03_toy"):
        (tmp_path / "course" / name).mkdir()
        (tmp_path / "course" / name / f"{name}.md").write_text(toy_course.CHAPTER)
    (tmp_path / "course" / "00_start.md").write_text(toy_course.HEADER + START)
    (tmp_path / "course" / "README.md").write_text(SYLLABUS)
    toy_course.give_library(tmp_path, root)
    lists(tmp_path, "00_start", "01_toy", "02_toy", "03_toy")
    build(tmp_path)
    return tmp_path


def lists(course, *names):
    (course / "course" / "chapters.txt").write_text("# for this term\n" + "\n".join(names) + "\n")


def text(course, top, name="00_start"):
    notebook = nbformat.read(course / top / name / f"{name}.ipynb", as_version=4)
    return "\n".join(cell.source for cell in notebook.cells)


def test_one_edit_leaves_a_chapter_out_and_one_brings_it_back(course):
    before = {path: path.read_bytes() for path in course.glob("release/*/*")}
    lists(course, "00_start", "01_toy", "# 02_toy", "03_toy")
    assert build(course) and differences(course) == []
    released = {path.name for path in (course / "release").iterdir()}
    assert released == {"00_start", "01_toy", "03_toy"}
    assert (course / "source" / "02_toy" / "02_toy.ipynb").exists()
    page = text(course, "release")
    assert "02_toy" not in page and "| 02 two" not in page
    assert "- 1 [One](../01_toy/01_toy.ipynb): a question?\n- 3 [Three]" in page
    assert "Now open chapter two." in page and "[no row](elsewhere.md)" in page
    assert "02_toy" in text(course, "source")
    lists(course, "00_start", "01_toy", "02_toy", "03_toy")
    build(course)
    assert {path: path.read_bytes() for path in course.glob("release/*/*")} == before


def test_what_somebody_wrote_into_a_released_chapter_is_not_removed(course):
    path = course / "release" / "02_toy" / "02_toy.ipynb"
    path.write_text(path.read_text().replace("NotImplementedError()", "NotImplementedError"))
    lists(course, "00_start", "01_toy", "03_toy")
    build(course)
    assert path.exists()
    assert [each.path for each in differences(course)] == ["release/02_toy/02_toy.ipynb"]


def test_students_get_what_is_listed(course):
    lists(course, "00_start", "01_toy")
    files, names = student_folder(course)
    assert names == ["00_start", "01_toy"]
    given = files["SYLLABUS.md"].decode()
    assert "[01 One](chapters/01_toy/01_toy.ipynb) | what? |" in given and "Two" not in given
    assert "In all: 3 points, 0 of them given by a person." in given
    assert "| 01 One | what? |" in student_folder(course, ["00_start"])[0]["SYLLABUS.md"].decode()
    with pytest.raises(BuildError, match=r"course/chapters\.txt leaves 02_toy out"):
        student_folder(course, ["02_toy"])


def test_a_list_with_a_wrong_name_or_none_is_refused(course):
    lists(course, "00_start", "04_toy")
    with pytest.raises(BuildError, match="no text of a chapter '04_toy'"):
        build(course)
    lists(course)
    with pytest.raises(BuildError, match="lists no chapter"):
        build(course)


def test_without_a_list_all_are_handed_out(tmp_path):
    assert handed_out(tmp_path, ["01_a", "02_b"]) == ["01_a", "02_b"]


def test_a_new_chapter_is_listed_at_its_place(root, tmp_path):
    (tmp_path / "course").mkdir()
    lists(tmp_path, "00_start", "# 02_left_out", "04_last")
    (tmp_path / "course" / "00_start.md").write_text(toy_course.HEADER)
    (tmp_path / "course" / "04_last.md").write_text(toy_course.HEADER)
    (tmp_path / "autograder" / "check" / "claims").mkdir(parents=True)
    new_chapter(tmp_path, "03_new", ["some_sum"])
    listed = (tmp_path / "course" / "chapters.txt").read_text().splitlines()
    assert listed == ["# for this term", "00_start", "# 02_left_out", "03_new", "04_last"]


def test_a_chapter_keeps_its_tables():
    cell = nbformat.v4.new_markdown_cell("| 02 | a row of data |\n\n[x](../02_b/02_b.ipynb)")
    marked = nbformat.v4.new_code_cell("", metadata={"nbgrader": {}})
    notebook = nbformat.v4.new_notebook(cells=[cell, marked])
    assert without(notebook, ["02_b"])
    assert notebook.cells[0].source == "| 02 | a row of data |\n\nx"
    assert not without(notebook, ["02_b"])


def test_the_syllabus_and_the_glossary_of_the_course_are_read(root):
    text = (root / "docs" / "glossary.md").read_text("utf-8")
    some = glossary(text, ["00_start", "03_laplace"])
    rows = [line for line in some.splitlines() if line.startswith("| 0")]
    assert len(rows) > 5 and all(row.startswith("| 03 ") for row in rows)
    course = (root / "course" / "README.md").read_text("utf-8")
    empty = nbformat.v4.new_notebook()
    given = syllabus(course, {"00_start": empty, "03_laplace": empty}, ["03_laplace"])
    assert given.count("\n| ") == 3 and "In all: 0 points" in given
    assert "[03 The Laplace mechanism](chapters/03_laplace/03_laplace.ipynb)" in given
