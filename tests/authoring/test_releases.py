"""What students were given stays known when a chapter is built anew; what it means is said."""

import json

import nbformat
import toy_course
from marks import mark
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.authoring.build import build
from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.nbgrader.assignment import prepare
from autograder.releases import Earlier, digest

QUESTION = "\nWhat does a taxi ride tel?\n"


def earlier(root):
    return Earlier(root, "01_toy")


def chapter(*, typo=True, more=""):
    question = QUESTION if typo else QUESTION.replace("tel?", "tell?")
    return toy_course.CHAPTER + question + more


def built(root, text):
    toy_course.write(root, text)
    return {path.relative_to(root).as_posix() for path in build(root)}


def test_a_text_that_was_released_is_known_when_it_has_changed(tmp_path):
    toy_course.make(tmp_path)
    assert "earlier/01_toy.txt" not in built(tmp_path, chapter())
    assert "earlier/01_toy.txt" in built(tmp_path, chapter(typo=False))
    assert digest(QUESTION) in earlier(tmp_path).texts("01_toy")
    assert built(tmp_path, chapter(typo=False)) == set()


def test_no_answer_of_the_instructors_is_kept(tmp_path):
    toy_course.make(tmp_path)
    built(tmp_path, chapter())
    source = json.loads(toy_course.notebook(tmp_path).read_text())
    (answer,) = (cell for cell in source["cells"] if "SOLUTION" in "".join(cell["source"]))
    built(tmp_path, chapter(typo=False))
    assert digest("".join(answer["source"])) not in earlier(tmp_path).texts("01_toy")


def test_the_cells_of_a_release_are_known_with_their_flags(tmp_path):
    notebook = new_notebook(
        cells=[
            new_markdown_cell("Words.", metadata=mark("written", points=2, solution=True)),
            new_markdown_cell("A text."),
        ]
    )
    path = tmp_path / "01_toy.ipynb"
    nbformat.write(notebook, path)
    assert earlier(tmp_path).add([path])
    assert not earlier(tmp_path).add([path])
    assert earlier(tmp_path).cells("01_toy") == [frozenset({"written:gs"})]


def test_a_damaged_line_says_nothing(tmp_path):
    (tmp_path / "earlier").mkdir()
    (tmp_path / "earlier" / "01_toy.txt").write_text("<<<<<<< HEAD\n01_toy\ttext\tabc\n\n")
    assert earlier(tmp_path).texts("01_toy") == {"abc"}


def test_build_says_what_an_added_exercise_means_for_graded_work(tmp_path, capsys):
    toy_course.make(tmp_path)
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    built(tmp_path, chapter())
    course = Course(tmp_path)
    with course.environment():
        prepare(course, "01_toy")
        with course.gradebook() as gradebook:
            gradebook.add_student("ann")
            gradebook.add_submission("01_toy", "ann")
    new = toy_course.code_cell("three_visible", "assert two() + 1 == 3", points=1)
    toy_course.write(tmp_path, chapter(more=new))
    assert main(["--root", str(tmp_path), "build"]) == 0
    said = capsys.readouterr().out
    assert "01_toy is graded already for some (new: three_visible)." in said
    assert "autograder grade 01_toy --again shows their new sums" in said
    assert main(["--root", str(tmp_path), "build"]) == 0
    assert "graded already" not in capsys.readouterr().out
