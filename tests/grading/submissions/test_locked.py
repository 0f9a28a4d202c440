"""Locked cells come back in their place, once, whatever a student did to them; answers stay."""

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.course_folders.known_again import Original
from autograder.course_folders.locked_cells import put_back
from autograder.grading import grade

SETUP = "import numpy as np"
# The instructor's cells: a locked text, a locked cell without points, and two exercises.
CELLS = (
    ("rules", "markdown", "Work alone.", {}),
    ("setup", "code", SETUP, {}),
    ("double", "code", "def double(x): ...", {"solution": True}),
    ("double_test", "code", "assert double(1) == 2", {"points": 1.0}),
    ("double_hidden", "code", "assert double(3) == 6", {"points": 1.0}),
    ("half", "code", "def half(x): ...", {"solution": True}),
    ("half_test", "code", "assert half(2) == 1", {"points": 2.0}),
)
LOCKED = [name for name, _, _, more in CELLS if "solution" not in more]


def originals() -> list[Original]:
    return [
        Original(
            name=name,
            cell_type=kind,
            source=source,
            locked="solution" not in more,
            grade="points" in more,
            solution="solution" in more,
            task=False,
            points=more.get("points"),
            tags=(),
            cell_id=f"id-{name}",
        )
        for name, kind, source, more in CELLS
    ]


def notebook(order=None, **change):
    """A submission with one cell of the student's own behind each of the instructor's."""
    new = {"code": new_code_cell, "markdown": new_markdown_cell}
    made = {}
    for name, kind, source, more in CELLS:
        mark = toy.mark(name, points=more.get("points"), solution="solution" in more)
        made[name] = new[kind](source, metadata=mark, id=f"id-{name}")
    cells = []
    for name in order or made:
        cells += [made[name], new_code_cell(f"own = {name!r}", id=f"own-{name}")]
    return nbformat.v4.new_notebook(cells=cells)


def restored(nb):
    put_back(nb, originals(), LOCKED)
    nbformat.validate(nb)
    return nb


def names(nb) -> list[str]:
    return [toy.name(cell) or "own" for cell in nb.cells]


def marked(nb) -> list[str]:
    return [name for name in names(nb) if name != "own"]


ALL = [name for name, *_ in CELLS]


def without(*left_out):
    return [name for name in ALL if name not in left_out]


def remove_mark(nb, name, source=None):
    for cell in nb.cells:
        if toy.name(cell) == name:
            del cell.metadata["nbgrader"]
            cell.source = cell.source if source is None else source
    return nb


def as_of_old(nb):
    """A notebook whose cells have no ids, as editors before 2021 write them."""
    nb.nbformat_minor = 4
    for cell in nb.cells:
        del cell["id"]
    return nb


def with_copy(nb, name, place):
    cell = toy.cell(nb, name)
    copy = nbformat.from_dict(cell | {"id": "a-copy", "source": "a copy"})
    nb.cells.insert(place, copy)
    return nb


CHANGED = {
    "nothing": lambda: notebook(),
    "setup deleted": lambda: notebook(without("setup")),
    "text deleted": lambda: notebook(without("rules")),
    "a test deleted": lambda: notebook(without("double_hidden")),
    "all locked cells deleted": lambda: notebook(without(*LOCKED)),
    "setup at the end": lambda: notebook([*without("setup"), "setup"]),
    "setup behind an answer": lambda: notebook([*without("setup")[:2], "setup", *ALL[3:]]),
    "a test before its answer": lambda: notebook(
        ["rules", "setup", "double_test", "double", *ALL[4:]]
    ),
    "tests exchanged": lambda: notebook([*ALL[:3], "half_test", *ALL[4:6], "double_test"]),
    "locked cells turned round": lambda: notebook(
        ["half_test", "double_hidden", "double_test", "setup", "rules", "double", "half"]
    ),
    "an unmarked setup": lambda: remove_mark(notebook(), "setup", "check = print"),
    "an unmarked setup, no ids": lambda: as_of_old(remove_mark(notebook(), "setup")),
    "a changed unmarked setup, no ids": lambda: as_of_old(
        remove_mark(notebook(), "setup", "check = print")
    ),
    "setup copied to the end": lambda: with_copy(notebook(), "setup", 14),
    "setup copied to the front": lambda: with_copy(notebook(), "setup", 0),
}


@pytest.mark.parametrize("what", CHANGED)
def test_each_locked_cell_is_there_once_and_in_its_place(what):
    nb = restored(CHANGED[what]())
    assert marked(nb) == ALL
    texts = {toy.name(cell): cell for cell in nb.cells}
    for original in originals():
        mark = texts[original.name].metadata.nbgrader
        assert (mark.locked, mark.grade) == (original.locked, original.grade)


@pytest.mark.parametrize("what", CHANGED)
def test_the_students_own_cells_stay_in_order(what):
    before = CHANGED[what]()
    own = [cell.source for cell in before.cells if cell.source.startswith("own")]
    after = [cell.source for cell in restored(before).cells if cell.source.startswith("own")]
    assert after == own


def test_what_is_in_its_place_is_not_touched():
    before = notebook()
    assert nbformat.writes(restored(notebook())) == nbformat.writes(before)


def test_an_unmarked_cell_that_is_known_by_its_id_or_text_is_not_doubled():
    for nb in (remove_mark(notebook(), "setup"), as_of_old(remove_mark(notebook(), "setup"))):
        assert [cell.source for cell in restored(nb).cells].count(SETUP) == 1


def test_an_exercise_that_was_moved_with_its_tests_still_comes_before_them():
    moved = ["rules", "setup", "half", "half_test", "double", "double_test", "double_hidden"]
    found = marked(restored(notebook(moved)))
    assert [name for name in found if name in LOCKED] == LOCKED
    assert found.index("half") < found.index("half_test")
    assert found.index("double") < found.index("double_test")


def test_a_deleted_setup_comes_before_the_answers():
    nb = notebook(without("setup", "rules"))
    nb.cells.insert(0, new_code_cell("check = print", id="first"))
    assert [toy.name(cell) for cell in restored(nb).cells[:3]] == ["rules", "setup", None]


def course_with_setup(root):
    """The toy course, its numbers made by a locked cell that gives no points."""
    toy.make(root)
    with toy.edited(root) as source:
        source.cells.insert(1, new_code_cell("two = 2", metadata=toy.mark("setup"), id="setup"))
        toy.cell(source, "double_visible").source = "assert double(two) == 4"
    return source


@pytest.mark.long
@pytest.mark.parametrize("how", ["deleted", "last", "unmarked"])
def test_a_setup_that_gives_no_points_is_run_in_its_place(tmp_path, how):
    nb = course_with_setup(tmp_path)
    setup = nb.cells.pop(1)
    for cell in nb.cells:
        if toy.name(cell) == "double":
            cell.source = "def double(x):\n    return 4 if x == two else 2 * x"
    if how != "deleted":
        nb.cells.append(setup)
    if how == "unmarked":
        del setup.metadata["nbgrader"]
        setup.source = "two = 5"
    toy.submit(tmp_path, "bob", nb)
    (outcome,) = grade(toy.CHAPTER, root=tmp_path)
    assert outcome.score == 8
    assert not outcome.flagged
