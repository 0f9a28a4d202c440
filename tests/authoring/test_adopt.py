"""source → course: what an editor changed comes back, what running left behind does not."""

import json
import shutil
import tempfile
from pathlib import Path

import jupytext
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupytext.sync_contentsmanager import build_sync_jupytext_contents_manager_class
from nbformat import v4
from places import ROOT
from toy_course import CHAPTER, HEADER, make, notebook, write

from autograder.authoring.adopt import adopt
from autograder.authoring.build import build, chapters, differences
from autograder.authoring.pair import BuildError, course_text, source_notebook
from autograder.cli import main


@pytest.fixture
def toy(tmp_path):
    """A course of one small chapter, built."""
    make(tmp_path)
    build(tmp_path)
    return tmp_path


def text(toy, name="01_toy/01_toy"):
    return (toy / "course" / f"{name}.md").read_text()


def change(path, **sources):
    """Edit cells of a notebook by their grade_id; `text` is the first cell."""
    content = nbformat.read(path, as_version=4)
    for name, source in sources.items():
        (cell,) = (each for each in content.cells if grade_id(each) == name)
        cell.source = source
    nbformat.write(content, path)


def grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "text")


def said(content):
    """What the cells of a notebook say."""
    return [
        (cell.cell_type, cell.source, cell.metadata.get("nbgrader"))
        for cell in content.cells
        if cell.source or cell.metadata
    ]


def test_an_edit_comes_back_and_reaches_the_students(toy):
    change(notebook(toy), text="# A changed chapter")
    written = adopt(toy, "01_toy")
    changed = ["01_toy.md", "01_toy.ipynb", "01_toy.txt", "01_toy.ipynb"]
    assert [path.name for path in written] == changed
    # The two parts of a header that a text may leave out stand there now.
    assert jupytext.reads(text(toy), fmt="md:myst").cells[0].source == "# A changed chapter"
    assert "A changed chapter" in notebook(toy, "release").read_text()
    assert differences(toy) == [] and adopt(toy, "01_toy") == []


def test_the_text_of_every_chapter_comes_back_as_it_is(root):
    for markdown in chapters(root):
        assert course_text(source_notebook(markdown), markdown) == markdown.read_text("utf-8")


# What JupyterLab leaves in a notebook that is run, looked at, and saved.
NOISE = st.fixed_dictionaries(
    {},
    optional={
        "execution": st.just({"iopub.execute_input": "2027-01-01T00:00:00Z"}),
        "scrolled": st.booleans(),
        "collapsed": st.booleans(),
        "trusted": st.just(True),
        "jupyter": st.fixed_dictionaries({"outputs_hidden": st.booleans()}),
        "editable": st.just(True),
        "slideshow": st.just({"slide_type": ""}),
        "tags": st.just([]),
    },
)
LINES = st.text("ab =()[]{}:#*_$^\\|<>%&'\"é∈ε0.-", max_size=12)
# Code never begins with a colon, and text holds it not.
SOURCES = st.lists(LINES, max_size=4).map("\n".join).filter(lambda s: not s.strip().startswith(":"))
CELLS = st.tuples(st.sampled_from(["code", "markdown", "raw"]), SOURCES, NOISE)


@pytest.mark.long
@settings(max_examples=200)
@given(cells=st.lists(CELLS, max_size=5), number=st.integers(1, 99))
def test_only_what_is_said_comes_back(cells, number):
    bare = [getattr(v4, f"new_{kind}_cell")(source) for kind, source, _ in cells]
    noisy = v4.new_notebook(cells=[cell.copy() for cell in bare])
    for cell, (_, _, noise) in zip(noisy.cells, cells, strict=True):
        cell.metadata = nbformat.from_dict(noise)
        if cell.cell_type == "code":
            cell.execution_count = number
            cell.outputs = [v4.new_output("stream", text="printed")]
    noisy.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "my own", "language": "python", "name": "mine"},
            "language_info": {"name": "python", "version": "3.99"},
            "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
        }
    )
    where = Path("source")
    assert course_text(noisy, where) == course_text(v4.new_notebook(cells=bare), where)
    back = jupytext.reads(course_text(noisy, where), fmt="md:myst")
    trimmed = [(kind, "\n".join(trim(source)), None) for kind, source, _ in cells]
    assert said(back) == [each for each in trimmed if each[1]]


def trim(source):
    """The lines of a cell without the empty ones at both ends."""
    lines = source.rstrip().split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    return lines


@settings(max_examples=8)
@given(words=st.text("ab é\n*$-", min_size=1, max_size=30), points=st.integers(1, 20))
def test_after_adopt_the_build_gives_the_same_notebook(words, points):
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder))
        build(root)
        content = nbformat.read(notebook(root), as_version=4)
        content.cells.insert(1, v4.new_markdown_cell(f"Words: {words}.", id="from-jupyterlab"))
        content.cells[3].metadata.nbgrader.points = points
        content.cells[3].outputs = [v4.new_output("stream", text="printed")]
        nbformat.write(content, notebook(root))
        adopt(root, "01_toy")
        assert said(nbformat.read(notebook(root), as_version=4)) == said(content)
        assert "printed" not in text(root) and "from-jupyterlab" not in text(root)
        assert differences(root) == [] and build(root) == []


def jupyterlab(root):
    """The part of JupyterLab that opens and saves notebooks, with jupytext's pairing."""
    shutil.copyfile(ROOT / "jupytext.toml", root / "jupytext.toml")
    manager = build_sync_jupytext_contents_manager_class(LargeFileManager)()
    manager.root_dir = str(root)
    return manager


def save(root, name, words):
    """Open a notebook in JupyterLab, change its first cell, save it."""
    manager = jupyterlab(root)
    model = manager.get(f"source/{name}/{name}.ipynb")
    model["content"].cells[0].source = words
    manager.save(model, f"source/{name}/{name}.ipynb")


def test_a_chapter_saved_in_jupyterlab_is_released_anew(toy):
    save(toy, "01_toy", "# Saved")
    assert "# Saved" in text(toy)
    # There is nothing to bring back, but what students get is still as it was.
    before = text(toy)
    assert notebook(toy, "release") in adopt(toy, "01_toy")
    assert text(toy) == before and differences(toy) == []
    # The notebook still says what it was built from: the text may be edited next.
    write(toy, text(toy).replace("# Saved", "# Edited"))
    build(toy)
    assert "# Edited" in notebook(toy).read_text()


def test_a_page_saved_in_jupyterlab_goes_back_to_its_own_place(toy):
    """jupytext pairs folder with folder, and a page has none in course/."""
    page = toy / "course" / "00_start.md"
    page.write_text(HEADER)
    build(toy)
    save(toy, "00_start", "# Saved")
    stray = toy / "course" / "00_start" / "00_start.md"
    assert stray.exists() and "# Saved" not in page.read_text()
    assert adopt(toy, "00_start")[:2] == [stray, page]
    assert "# Saved" in page.read_text() and not stray.parent.exists()
    assert differences(toy) == []


def test_two_texts_of_a_page_that_differ_are_both_kept(toy):
    page, stray = toy / "course" / "00_start.md", toy / "course" / "00_start" / "00_start.md"
    page.write_text(HEADER)
    build(toy)
    save(toy, "00_start", "# Saved")
    stray.write_text(stray.read_text().replace("Saved", "Edited by hand"))
    with pytest.raises(BuildError, match="differ: keep what you need"):
        adopt(toy, "00_start")
    assert stray.exists() and "# Saved" not in page.read_text()


def test_a_new_notebook_becomes_a_new_chapter(toy):
    content = v4.new_notebook(cells=[v4.new_markdown_cell("# New")])
    path = notebook(toy, name="02_new")
    path.parent.mkdir()
    nbformat.write(content, path)
    adopt(toy, "02_new")
    assert "# New" in text(toy, "02_new/02_new") and notebook(toy, "release", "02_new").exists()


def test_adopt_never_loses_an_edit_of_the_text(toy):
    write(toy, CHAPTER.replace("toy chapter", "text edited"))
    with pytest.raises(
        BuildError, match=r"was not edited since the last build, but .*01_toy\.md was"
    ):
        adopt(toy, "01_toy")
    change(notebook(toy), text="# A notebook edited")
    with pytest.raises(BuildError, match="were both edited since the last build"):
        adopt(toy, "01_toy")
    assert "text edited" in text(toy)
    adopt(toy, "01_toy", force=True)
    assert "A notebook edited" in text(toy)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (v4.new_markdown_cell("one\n+++\ntwo"), "cell 4 .*text cannot hold this cell"),
        (v4.new_markdown_cell("a", attachments={"a.png": {}}), "no attached picture"),
        (
            v4.new_code_cell(
                "def f(): ...",
                metadata={"nbgrader": {"grade_id": "f", "solution": True, "grade": False}},
            ),
            "loses its signature",
        ),
    ],
)
def test_what_cannot_come_back_is_refused_and_nothing_changes(toy, cell, words):
    content = nbformat.read(notebook(toy), as_version=4)
    content.cells += [v4.new_markdown_cell("before"), cell, v4.new_markdown_cell("after")]
    nbformat.write(content, notebook(toy))
    with pytest.raises(BuildError, match=words):
        adopt(toy, "01_toy")
    assert text(toy) == CHAPTER
    with pytest.raises(BuildError, match="edited since the last build"):
        build(toy)


def test_what_nbgrader_refuses_leaves_the_text_as_it_was(toy):
    change(notebook(toy), two="def two():\n    ### BEGIN SOLUTION\n    return 2")
    with pytest.raises(BuildError, match="nbgrader refuses it"):
        adopt(toy, "01_toy")
    assert text(toy) == CHAPTER


def test_the_command_says_what_it_did_or_why_not(toy, capsys):
    assert main(["--root", str(toy), "adopt", "01_toy"]) == 0
    assert "nothing to bring back" in capsys.readouterr().out
    change(notebook(toy), text="# A changed chapter")
    assert main(["--root", str(toy), "adopt", "01_toy"]) == 0
    assert "course/01_toy/01_toy.md" in capsys.readouterr().out
    notebook(toy).write_text(json.dumps({"cells": 1}))
    assert main(["--root", str(toy), "adopt", "01_toy"]) == 1
    assert "cannot adopt: " in capsys.readouterr().err


def test_a_heading_that_says_other_points_is_named(toy, capsys):
    path = notebook(toy)
    content = nbformat.read(path, as_version=4)
    (first,) = (cell for cell in content.cells if grade_id(cell) == "text")
    first.source += "\n\n### Exercise 1 ★ `two` (3 points)"
    nbformat.write(content, path)
    command = ["--root", str(toy), "adopt", "01_toy", "--untried"]
    assert main(command) == 0
    change(path, text=first.source.replace("3 points", "2 points"))
    capsys.readouterr()
    assert main(command) == 3
    said = capsys.readouterr().out
    assert "The heading of Exercise 1 says 2 points, its cells give 3: change the heading" in said
    change(path, text=f"### Exercise 7 (4 points)\n\n{first.source}")
    assert main(command) == 3
    assert "says 4 points, its cells give 0: change" in capsys.readouterr().out
