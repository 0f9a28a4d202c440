"""course → source → release: what comes out, that it repeats, and what is refused in words."""

import json
import shutil

import jupytext
import nbformat
import pytest
from toy_course import ANSWER, CHAPTER, HEADER, code_cell, make, notebook, write

from autograder.authoring.build import build, chapters, differences
from autograder.authoring.pair import BuildError, source_notebook
from autograder.cli import main


@pytest.fixture
def toy(tmp_path):
    """A course of one small chapter with a picture beside it."""
    return make(tmp_path)


def read(toy, top):
    return nbformat.read(notebook(toy, top), as_version=4)


def test_source_has_the_answer_and_release_has_not(toy):
    build(toy)
    source, release = (json.dumps(read(toy, top)) for top in ("source", "release"))
    assert "return 2" in source and "HIDDEN" in source
    assert "return 2" not in release and "two() + 1" not in release
    assert "def two()" in release and "YOUR CODE HERE" in release
    assert (toy / "release" / "01_toy" / "picture.png").read_bytes() == b"picture"
    assert not list(toy.glob("release/**/*.md"))
    assert "jupytext" not in release


def test_a_second_build_and_another_machine_give_the_same_bytes(toy, tmp_path_factory):
    build(toy)
    assert build(toy) == []
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(toy / "course", elsewhere / "course")
    build(elsewhere)
    for top in ("source", "release"):
        name = f"{top}/01_toy/01_toy.ipynb"
        assert (toy / name).read_bytes() == (elsewhere / name).read_bytes()
    assert differences(toy) == []


def test_check_names_the_file_and_the_reason(toy, capsys):
    build(toy)
    released = notebook(toy, "release")
    released.write_text(released.read_text().replace("def two", "def three"))
    (toy / "source" / "01_toy" / "picture.png").unlink()
    (toy / "release" / "stray.txt").write_text("stray")
    found = {difference.path: difference.reason for difference in differences(toy)}
    assert "cell 1 (two) differs in its source" in found["release/01_toy/01_toy.ipynb"]
    assert "missing" in found["source/01_toy/picture.png"]
    assert "nothing in course/" in found["release/stray.txt"]
    assert main(["--root", str(toy), "build", "--check"]) == 1
    assert "3 out of step" in capsys.readouterr().out


def test_check_sees_a_notebook_that_is_no_longer_one_and_build_mends_it(toy, capsys):
    build(toy)
    notebook(toy).write_text("{")
    assert "not a readable notebook" in str(differences(toy)[0])
    assert build(toy) == [notebook(toy)]
    assert main(["--root", str(toy), "build", "--check"]) == 0
    assert "agree" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEADER + code_cell("two", "def two(): ...", solution=True), "loses its signature"),
        (CHAPTER + code_cell("two_visible", "assert True", points=1), "used twice"),
    ],
)
def test_what_nbgrader_would_spoil_in_silence_is_refused(toy, text, words):
    build(toy)
    before = notebook(toy).read_bytes()
    write(toy, text)
    with pytest.raises(BuildError, match=words):
        build(toy)
    assert notebook(toy).read_bytes() == before


def test_what_nbgrader_itself_refuses_is_said_by_the_command(toy, capsys):
    unfinished = ANSWER.replace("    ### END SOLUTION", "")
    write(toy, HEADER + code_cell("two", unfinished, solution=True))
    assert main(["--root", str(toy), "build"]) == 1
    assert "01_toy: nbgrader refuses it: RuntimeError: " in capsys.readouterr().err


def test_a_page_beside_the_chapters_is_built_into_a_folder_of_its_own(toy):
    """nbgrader wants a folder for each; what else lies in course/ is no page's business."""
    course = toy / "course"
    (course / "00_start.md").write_text(HEADER)
    (course / "README.md").write_text("# No page")
    (course / "logo.png").write_bytes(b"logo")
    assert [path.name for path in chapters(toy)] == ["00_start.md", "01_toy.md"]
    build(toy)
    for top in ("source", "release"):
        folder = toy / top / "00_start"
        assert [path.name for path in folder.iterdir()] == ["00_start.ipynb"]
    assert not list(toy.glob("release/**/logo.png"))
    assert differences(toy) == [] and build(toy, ["00_start"]) == []


def test_a_page_and_a_chapter_of_one_name_are_refused(toy):
    """JupyterLab makes the second one when it saves the notebook of a page."""
    (toy / "course" / "01_toy.md").write_text(HEADER)
    words = r"01_toy\.md and .*01_toy\.md would give one notebook.* `autograder adopt 01_toy`"
    with pytest.raises(BuildError, match=words):
        build(toy)
    assert not (toy / "release").exists()


def edit(path, old, new):
    """Edit a notebook as an editor does, which keeps the metadata that it does not know."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_an_edited_source_notebook_is_not_overwritten(toy, capsys):
    build(toy)
    edit(notebook(toy), "A toy chapter", "A changed chapter")
    before = notebook(toy).read_bytes()
    with pytest.raises(BuildError, match="run `autograder adopt 01_toy`; to lose it, `auto"):
        build(toy)
    assert "01_toy.ipynb: edited; run `autograder adopt 01_toy`" in str(differences(toy)[0])
    write(toy, CHAPTER.replace("toy chapter", "text edited too"))
    assert main(["--root", str(toy), "build"]) == 1
    assert "edited since the last build: source/01_toy" in capsys.readouterr().err
    assert notebook(toy).read_bytes() == before
    assert main(["--root", str(toy), "build", "--force"]) == 0
    assert "text edited too" in notebook(toy).read_text() and differences(toy) == []


def earlier(root):
    """The file that says what students were given before."""
    return root / "earlier" / "01_toy.txt"


def test_a_text_edited_in_a_fresh_clone_is_built(toy, tmp_path_factory):
    """A clone has the files and no memory; the notebook itself says what it was built from."""
    build(toy)
    clone = shutil.copytree(toy, tmp_path_factory.mktemp("clone") / "clone")
    write(clone, CHAPTER.replace("toy chapter", "text edited"))
    assert build(clone) == [notebook(clone), earlier(clone), notebook(clone, "release")]
    assert "text edited" in notebook(clone, "release").read_text()


def test_a_notebook_saved_together_with_its_text_is_no_edit(toy):
    build(toy)
    write(toy, CHAPTER.replace("toy chapter", "chapter saved twice"))
    edit(notebook(toy), "A toy chapter", "A chapter saved twice")
    assert build(toy) == [notebook(toy), earlier(toy), notebook(toy, "release")]


def test_a_notebook_that_was_only_run_is_no_edit(toy):
    build(toy)
    wanted = notebook(toy).read_bytes()
    content = read(toy, "source")
    content.cells[2].outputs = [nbformat.v4.new_output("stream", text="run")]
    content.cells[2].execution_count = 7
    nbformat.write(content, notebook(toy))
    assert build(toy) == [notebook(toy)]
    assert notebook(toy).read_bytes() == wanted


def test_a_notebook_of_unknown_origin_is_taken_for_edited(toy):
    """Made before notebooks said where they came from, or by hand: nothing says that it may go."""
    build(toy)
    content = read(toy, "source")
    del content.metadata["autograder_build"]
    nbformat.write(content, notebook(toy))
    assert build(toy) == [notebook(toy)]  # it says what the text says
    nbformat.write(content, notebook(toy))
    write(toy, CHAPTER.replace("toy chapter", "text edited"))
    with pytest.raises(BuildError, match="edited since the last build"):
        build(toy)


def test_the_record_of_the_build_reaches_no_student(toy):
    build(toy)
    assert "autograder_build" in notebook(toy).read_text()
    assert "autograder_build" not in notebook(toy, "release").read_text()


def test_a_folder_without_chapters_is_refused(tmp_path):
    with pytest.raises(BuildError, match="no chapter"):
        build(tmp_path)


def test_course_files_are_as_jupyterlab_would_save_them(root):
    """Saving the paired notebook in JupyterLab then changes only what was edited."""
    for chapter in chapters(root):
        text = chapter.read_text("utf-8")
        notebook = source_notebook(chapter)
        header = jupytext.read(chapter, fmt="md:myst").metadata["jupytext"]
        notebook.metadata["jupytext"] = header
        saved = jupytext.writes(notebook, fmt="md:myst").splitlines()
        assert [line for line in saved if "jupytext_version" not in line] == text.splitlines()
