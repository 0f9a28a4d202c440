"""Honest work is not flagged: odd styles, classes, files, seeds, chance, and a busy machine."""

import sys

import foreign
import pytest
import toy
from honest_styles import STYLES
from notebooks import read

from autograder.execution.notebooks import lost_points
from autograder.grading import grade

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="forks of a warm process: Linux"),
]


@pytest.mark.hostile
@pytest.mark.parametrize("name", STYLES)
def test_an_odd_style_is_right_apart_ten_times(judge, name):
    style = STYLES[name]
    for _ in range(10):
        found = judge(style.notebook(), seconds=60, source=read(style.chapter))
        assert lost_points(found.notebook) == {}


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
    cells, students, beside = COURSES[what]
    root = foreign.make(tmp_path, cells)
    for student, given in students.items():
        toy.submit(root, student, foreign.answers(cells, **given))
    outcomes = grade(toy.CHAPTER, root=root)
    for outcome in outcomes:
        assert (outcome.score, outcome.flagged) == (outcome.max_score, False)
        assert outcome.findings.beside.keys() == beside
    printed = capsys.readouterr().out
    for test in beside:
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
    assert outcome.findings.doubts.keys() == {"root_of_four", "root_mean"}
    assert (
        "FLAGGED: passed beside the answers, not apart: root_of_four, root_mean" in outcome.status
    )
