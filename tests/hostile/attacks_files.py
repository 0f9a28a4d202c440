"""Attacks that need no code: in a notebook's metadata, and in the files beside it."""

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path

import class_under_attack as course
import nbformat
from attack import Attack, World
from class_under_attack import TESTS, cell
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

Change = Callable[[NotebookNode], NotebookNode]


def _each_test(change: Callable[[NotebookNode], None]) -> Change:
    def changed(notebook: NotebookNode) -> NotebookNode:
        for each in notebook.cells:
            if each.metadata.get("nbgrader", {}).get("grade_id") in TESTS:
                change(each)
        return notebook

    return changed


def _on(grade_id: str, change: Callable[[NotebookNode], None]) -> Change:
    def changed(notebook: NotebookNode) -> NotebookNode:
        change(cell(notebook, grade_id))
        return notebook

    return changed


def _whole(change: Callable[[NotebookNode], None]) -> Change:
    def changed(notebook: NotebookNode) -> NotebookNode:
        change(notebook)
        return notebook

    return changed


def _as(kind: str, test: NotebookNode) -> None:
    test.cell_type = kind
    del test["outputs"], test["execution_count"]


def _delete(*grade_ids: str) -> Change:
    def changed(notebook: NotebookNode) -> NotebookNode:
        gone = [cell(notebook, name) for name in grade_ids]
        notebook.cells = [each for each in notebook.cells if each not in gone]
        return notebook

    return changed


def _twice(notebook: NotebookNode) -> None:
    twin = nbformat.from_dict(json.loads(json.dumps(cell(notebook, "double_hidden"))))
    notebook.cells.insert(3, twin | {"id": "twin"})


def _bring_outputs(test: NotebookNode) -> None:
    result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
    test.source = ""
    points = str(test.metadata.nbgrader.points)
    test.outputs = [nbformat.from_dict({**result, "data": {"text/plain": points}})]


_EXTRA = {"grade": True, "solution": False, "locked": True, "task": False, "schema_version": 3}


def _own_test(notebook: NotebookNode) -> None:
    mark = {"nbgrader": {**_EXTRA, "grade_id": "mine", "points": 90}}
    notebook.cells.append(new_code_cell("90.0", metadata=mark))


_flip = {"grade": False, "solution": True, "locked": False}

CELLS = [
    Attack(
        "skipped_tests",
        "tags the tests `skip-execution`, so that none is run",
        plain="10 / 10",
        ours="0 / 10",
        change=_each_test(lambda test: test.metadata.update(tags=["skip-execution"])),
    ),
    Attack(
        "test_called_answer",
        "changes a test's flags, so that it counts as an answer",
        plain="no score",
        ours="0 / 10",
        change=_on("double_hidden", lambda test: test.metadata.nbgrader.update(_flip)),
    ),
    Attack(
        "answer_called_test",
        "changes an answer's flags, so that it counts as a test of 50 points",
        plain="no score",
        ours="0 / 10",
        change=_on("double", lambda each: each.metadata.nbgrader.update(grade=True, points=50)),
    ),
    Attack(
        "test_as_text",
        "turns a test into text, which is not run",
        plain="0 / 10",
        ours="0 / 10",
        change=_on("double_hidden", functools.partial(_as, "markdown")),
    ),
    Attack(
        "test_as_raw",
        "turns a test into a raw cell",
        plain="0 / 10",
        ours="0 / 10",
        change=_on("double_hidden", functools.partial(_as, "raw")),
    ),
    Attack(
        "deleted_test",
        "deletes a test",
        plain="0 / 10",
        ours="0 / 10",
        change=_delete("double_hidden"),
    ),
    Attack(
        "deleted_exercise",
        "deletes an exercise, test and answer",
        plain="no score",
        ours="0 / 10 (the cell with the answer is missing)",
        change=_delete("half", "half_parts"),
    ),
    Attack(
        "edited_tests",
        "empties the tests",
        plain="0 / 10",
        ours="0 / 10",
        change=_each_test(lambda test: test.update(source="pass")),
    ),
    Attack(
        "outputs_brought_along",
        "brings tests without text, and with the outputs that earn all points",
        plain="0 / 10",
        ours="0 / 10",
        change=_each_test(_bring_outputs),
    ),
    Attack(
        "more_points",
        "makes every test worth 300 points",
        plain="0 / 10",
        ours="0 / 10",
        change=_each_test(lambda test: test.metadata.nbgrader.update(points=300)),
    ),
    Attack(
        "own_test",
        "adds a test of its own, worth 90 points",
        plain="no score",
        ours="0 / 10",
        change=_whole(_own_test),
    ),
    Attack(
        "other_kernel",
        "asks for another language's kernel",
        plain="0 / 10",
        ours="0 / 10",
        change=_whole(
            lambda notebook: notebook.metadata.update(
                kernelspec={"name": "bash", "display_name": "Bash", "language": "bash"}
            )
        ),
    ),
    Attack(
        "copied_test",
        "has a cell twice, its nbgrader name and all",
        plain="no score",
        ours="0 / 10",
        change=_whole(_twice),
    ),
    Attack(
        "newer_metadata",
        "has metadata of a later nbgrader",
        plain="grading stops: the next student has no score; no score",
        ours="no score (cell 3 of 01_numbers.ipynb has an nbgrader mark of a version that is too "
        "new: 9, not 3)",
        change=_on("double", lambda each: each.metadata.nbgrader.update(schema_version=9)),
        alone=True,
    ),
]


# Files ------------------------------------------------------------------------------------------

_GRADEBOOK, _ANSWERS = "../../../gradebook.db", f"../../../source/{course.COURSE}"
_FORMAT = "SQLite format 3"  # how every such file begins
_SHOW = "\nprint(open('grades', 'rb').read(15).decode())\n"


def _shows_gradebook(world: World) -> str:
    return "the gradebook is in the notebook" if _FORMAT in world.outputs() else ""


def _notebook_from(target: str, folder: Path) -> None:
    path = folder / f"{course.COURSE}.ipynb"
    path.unlink()
    path.symlink_to(target)


def _pipe(name: str, folder: Path) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)


def _large(folder: Path) -> None:
    with (folder / "large.bin").open("wb") as file:
        file.truncate(200_000_000)


def _copied_large(world: World) -> str:
    path = world.path("autograded").with_name("large.bin")
    return "200 MB are copied" if path.exists() else ""


def _deep(folder: Path) -> None:
    (folder / "/".join("a" * 400)).mkdir(parents=True)


def _folder_as_data(folder: Path) -> None:
    (folder / "data.csv").mkdir()
    (folder / "data.csv" / "inner").touch()


def _rename(folder: Path) -> None:
    (folder / f"{course.COURSE}.ipynb").rename(folder / "homework (1).ipynb")


_RED = "\x1b[31m[bold]red"


def _speaks(world: World) -> str:
    return "the terminal is spoken to" if _RED in world.said else ""


_SHADOW = """
import sys
folder = __file__.rpartition("/")[0]
places, sys.path[:] = sys.path[:], [place for place in sys.path if place not in ("", folder)]
del sys.modules["numpy"]
import numpy
import numpy.testing
sys.path[:] = places
class Anything(float):
    def __lt__(self, other): return True
    def __abs__(self): return self
    def __sub__(self, other): return self
    __rsub__ = __sub__
numpy.mean = lambda *all, **more: Anything()
numpy.testing.assert_allclose = lambda *all, **more: None
"""

FILES = [
    Attack(
        "link_to_gradebook",
        "hands in a link to the gradebook, and prints what is there",
        plain="the gradebook is in the notebook; 0 / 10",
        ours="no score (grades is a link to another file, not a file)",
        code=_SHOW,
        place=lambda folder: (folder / "grades").symlink_to(_GRADEBOOK),
        harm=_shows_gradebook,
    ),
    Attack(
        "link_to_answers",
        "hands in a link to the instructor's notebook",
        plain="10 / 10",
        ours="no score (01_numbers.ipynb is a link to another file, not a file)",
        place=functools.partial(_notebook_from, f"{_ANSWERS}/{course.COURSE}.ipynb"),
    ),
    Attack(
        "linked_folder",
        "hands in a link to a folder",
        plain="0 / 10",
        ours="no score (answers is a link to another file, not a file)",
        place=lambda folder: (folder / "answers").symlink_to(_ANSWERS),
    ),
    Attack(
        "second_name",
        "hands in a hard link to the gradebook, and prints what is there",
        plain="the gradebook is in the notebook; 0 / 10",
        ours="no score (grades is another name of a file of the course)",
        code=_SHOW,
        place=lambda folder: os.link(folder / _GRADEBOOK, folder / "grades"),
        harm=_shows_gradebook,
    ),
    Attack(
        "pipe_as_notebook",
        "hands in a pipe with the notebook's name, which nobody ever writes to",
        plain="grading never ends; no score",
        ours="no score (01_numbers.ipynb is a pipe, a socket or a device, not a file)",
        place=functools.partial(_pipe, f"{course.COURSE}.ipynb"),
        alone=True,
        patience=15,
    ),
    Attack(
        "pipe_as_data",
        "hands in a pipe beside the notebook",
        plain="no score",
        ours="no score (table.csv is a pipe, a socket or a device, not a file)",
        place=functools.partial(_pipe, "table.csv"),
    ),
    Attack(
        "large_file",
        "hands in 200 MB (the limit here: 20)",
        plain="200 MB are copied; 0 / 10",
        ours="no score (the files are larger than 20 megabytes, from large.bin on)",
        place=_large,
        harm=_copied_large,
    ),
    Attack(
        "deep_folders",
        "hands in 400 folders, each in the one before",
        plain="0 / 10",
        ours="no score (a holds folders more than 30 deep)",
        place=_deep,
    ),
    Attack(
        "folder_as_data",
        "hands in a folder with the name of a file of the course",
        plain="no score",
        ours="no score (data.csv is a folder; in the course it is a file)",
        place=_folder_as_data,
    ),
    Attack(
        "speaking_name",
        "a file's name holds orders for the terminal of who grades",
        plain="the terminal is spoken to; 0 / 10",
        ours="0 / 10",
        place=lambda folder: (folder / _RED).touch(),
        harm=_speaks,
    ),
    Attack(
        "shadowed_numpy",
        "brings a `numpy.py` that the tests import in place of the real one",
        plain="3 / 10",
        ours="0 / 10",
        place=lambda folder: (folder / "numpy.py").write_text(_SHADOW),
    ),
    Attack(
        "malformed",
        "is not JSON",
        plain="no score",
        ours="no score (01_numbers.ipynb is not valid JSON: Expecting value: line 1 column 12 "
        "(char 11))",
        change=lambda notebook: b'{"cells": [',
    ),
    Attack(
        "empty",
        "is empty",
        plain="no score",
        ours="no score (01_numbers.ipynb is empty)",
        change=lambda notebook: b"",
    ),
    Attack(
        "binary",
        "is no text",
        plain="no score",
        ours="no score (01_numbers.ipynb is not text: a binary file, renamed?)",
        change=lambda notebook: bytes(range(256)) * 80,
    ),
    Attack(
        "renamed",
        "has another name",
        plain="no score",
        ours="no score (no notebook named 01_numbers.ipynb; found homework (1).ipynb: "
        "rename it to 01_numbers.ipynb)",
        place=_rename,
    ),
    Attack(
        "deep_json",
        "is JSON of 200,000 lists, each in the one before",
        plain="no score",
        ours="no score (01_numbers.ipynb is not valid JSON: it is nested too deeply)",
        change=lambda notebook: b"[" * 200_000,
    ),
]


# What is only odd must be graded as it deserves --------------------------------------------------


def _right_but(change: Change) -> Change:
    """Change a notebook whose answers are right."""

    def changed(notebook: NotebookNode) -> NotebookNode:
        for name in course.answers(course.COURSE):
            cell(notebook, name).source = course.answer(course.COURSE, name)
        return change(notebook)

    return changed


def _without_ids(notebook: NotebookNode) -> NotebookNode:
    notebook.nbformat_minor = 4
    for each in notebook.cells:
        del each["id"]
    return notebook


def _many_cells(notebook: NotebookNode) -> None:
    notebook.cells += [new_code_cell("" if number % 10 else "1") for number in range(3000)]


def _shell(notebook: NotebookNode) -> None:
    answer = cell(notebook, "double")
    answer.source = f"!ls\nfiles = !ls\n{answer.source}"
    notebook.cells.insert(1, new_code_cell("%%bash\nls | head -1\nexit 0", id="shell"))


ODD = [
    Attack(
        name,
        does,
        plain="10 / 10",
        ours="10 / 10",
        change=_right_but(change),
    )
    for name, does, change in (
        ("old_format", "is of format 3", lambda notebook: nbformat.convert(notebook, 3)),
        ("no_ids", "is of format 4.4, whose cells have no ids", _without_ids),
        (
            "same_ids",
            "gives all cells the same id",
            _whole(lambda notebook: [each.update(id="same") for each in notebook.cells]),
        ),
        (
            "étudiante_名前",
            "has a name that is not in Latin letters",
            _whole(lambda notebook: None),
        ),
        ("many_cells", "has 3,000 more cells", _whole(_many_cells)),
        ("shell", "calls the shell, by `!ls` and by `%%bash`", _whole(_shell)),
    )
]
