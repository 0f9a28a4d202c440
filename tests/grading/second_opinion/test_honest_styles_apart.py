"""Honest work is not flagged: odd styles, classes, files, seeds, chance, and a busy machine."""

import os
import sys

import foreign
import pytest
import toy
from honest_styles import STYLES
from nbgrader.utils import determine_grade, is_grade, is_solution
from notebooks import read

from autograder.execution.execute import Execute
from autograder.grading import grade
from autograder.second_opinion.case import Room
from autograder.second_opinion.instructor import instructor_of
from autograder.second_opinion.opinion import second_opinion

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="forks of a warm process: Linux"),
]


def points_in_one_process(zygote, folder, notebook):
    """Return nbgrader's points for the tests."""
    step = Execute(None, zygote, timeout=60)
    done, _ = step.preprocess(notebook.copy(), {"metadata": {"path": str(folder)}})
    tests = [cell for cell in done.cells if is_grade(cell) and not is_solution(cell)]
    return {toy.name(cell): determine_grade(cell) for cell in tests}


def doubts(zygote, folder, style, times):
    """Return what nbgrader's points and the second opinion differ in, each time it is asked."""
    found = points_in_one_process(zygote, folder, style.notebook())
    assert {name for name, (got, most) in found.items() if got < most} == set()
    room = Room(zygote, str(folder), dict(os.environ), cell_seconds=60)
    first = {name: got for name, (got, _) in found.items()}
    instructor = instructor_of(read(style.chapter))
    return [
        second_opinion(room, style.notebook(), instructor=instructor, first=first).doubts
        for _ in range(times)
    ]


@pytest.mark.hostile
@pytest.mark.parametrize("name", STYLES)
def test_an_odd_style_is_right_apart_ten_times(zygote, tmp_path, name):
    assert doubts(zygote, tmp_path, STYLES[name], 10) == [{}] * 10


# --- other teachers' courses ----------------------------------------------------------------------

SQUARE = """from dataclasses import dataclass
@dataclass
class Square(Shape):
    side: float
    sides = 4
    def area(self):
        return self.side * self.side"""
WRITE = """def write(path, words):
    with open(path, "w") as file:
        file.write(words)"""
# A chapter, the answers of honest students, and the tests that cannot be judged apart.
COURSES = {
    "classes": (
        foreign.CLASSES,
        {"as_taught": {}, "in_other_words": {"square": SQUARE}},
        {"square_kind", "square_equal"},
    ),
    "files": (
        foreign.FILES,
        {"as_taught": {}, "in_other_words": {"write": WRITE}},
        {"write_file"},
    ),
    "seeds": (
        foreign.SEEDS,
        {"as_taught": {}, "in_other_words": {"walk": foreign.WALK}},
        {"walk_seeded"},
    ),
}


@pytest.mark.parametrize("what", COURSES)
def test_what_the_teachers_own_answer_does_not_pass_apart_is_not_held_against_anybody(
    tmp_path, capsys, what
):
    cells, students, unasked = COURSES[what]
    root = foreign.make(tmp_path, cells)
    for student, given in students.items():
        toy.submit(root, student, foreign.answers(cells, **given))
    outcomes = grade(toy.CHAPTER, root=root)
    for outcome in outcomes:
        assert (outcome.score, outcome.flagged) == (outcome.max_score, False)
        assert outcome.opinion.unasked.keys() == unasked
    printed = capsys.readouterr().out
    for test in unasked:
        words = f"not judged apart: {test}, the teacher's own answer passes it, but not apart"
        assert printed.count(words) == 1


CONTENT = """class Content:
    def __getattr__(self, name): return Content()
    def __call__(self, *all, **more): return Content()
    def __eq__(self, other): return True
np = m = statistics = Content()
limit = Content()"""


def test_a_test_takes_its_names_from_the_teacher(tmp_path):
    """Also where they stand in a cell that anybody may change, or in the teacher's own answer."""
    cells = foreign.SEEDS
    root = foreign.make(tmp_path, cells)
    given = {"imports": CONTENT, "root": f"{CONTENT}\ndef root(x):\n    return 7"}
    toy.submit(root, "mallory", foreign.answers(cells, **given))
    (outcome,) = grade(toy.CHAPTER, root=root)
    assert outcome.score == 4
    assert outcome.opinion.doubts == ("root_of_four", "root_mean")
    assert "it passed in 7 of 7 runs in one process, in 0 of 24 apart" in outcome.status


# --- chance ---------------------------------------------------------------------------------------


def test_luck_is_not_held_against_anybody(tmp_path):
    """A model that is trained anew each time, and good enough in one run of two."""
    root = toy.make(tmp_path)
    half = "import numpy as np\nluck = np.random.default_rng().random()\n"
    half += "def half(x):\n    return x / 2 if luck < 0.5 else 0"
    for number in range(8):
        toy.submit(root, f"student_{number}", toy.answers(half=half))
    assert not any(outcome.flagged for outcome in grade(toy.CHAPTER, root=root))
