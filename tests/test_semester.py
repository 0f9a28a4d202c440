"""The simulated semester: its answers are the known ones, and it would notice a wrong score.

Four submissions to two chapters are graded here; `make semester` grades two hundred to all.
"""

import dataclasses
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import correlation
from types import CodeType

import pytest
from rich.console import Console
from semester.answers import _read, text
from semester.chapters import CHAPTERS, chapter
from semester.cheats import CHEATS
from semester.compare import compare
from semester.conclude import conclude
from semester.files import check_files, collected
from semester.plan import Given, Semester, Work, plan, planted
from semester.truth import truth
from wrong_answers import ZOO

from autograder.execution.job import Findings
from autograder.nbgrader.recorded_marks import Marks
from autograder.report.data import ClassData, Row
from autograder.sandbox.containment import unavailable

TWO = ["01_deidentification", "02_k_anonymity"]
# An attack, and honest students who are right, wrong and silent.
SMALL = {"students": 2, "each": 2, "hostile": 0.25, "seed": 2027}


# The answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", ZOO.right)
def test_a_known_answer_is_written_as_it_is(exercise):
    known = {"right": ZOO.right[exercise], "wrong": [one for one, _ in ZOO.wrong[exercise]]}
    for kind, answers in known.items():
        for number, answer in enumerate(answers):
            space: dict = {}
            cell = text(exercise, kind, number, "written")
            assert "wrong_answers" not in cell  # a student's room does not have them
            exec(cell, space)
            assert callable(space["written"])
            assert _shape(space["written"]) == _shape(answer)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "WRONG = [(lambda: 1, 'one')]",
            '18_dice.py: WRONG["fair"] is not found; write WRONG["fair"]',
        ),
        ("for number in (1, 2):\n    pass", "18_dice.py, line 1: wanted are definitions, imports"),
    ],
)
def test_answers_that_cannot_be_read_are_met_with_a_sentence(tmp_path, written, said):
    path = tmp_path / "18_dice.py"
    path.write_text(written)
    with pytest.raises(ValueError, match=re.escape(said)):
        _read(path).list_of("WRONG", "fair")


def _shape(answer) -> tuple:
    """Return what two pieces of the same code have in common, wherever they stand."""
    code = getattr(answer, "__code__", None)
    if code is None:
        return (type(answer),)
    plain = [each for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_varnames, plain


# The plan ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> Semester:
    chapters = [chapter(name) for name in CHAPTERS]
    return plan(chapters, students=25, each=8, hostile=0.17, seed=2027)


def test_two_hundred_submissions_are_spread_over_all_chapters(whole):
    number = Counter(work.chapter.name for work in whole.works)
    assert sum(number.values()) == 200
    assert set(number) == set(CHAPTERS)
    assert set(number.values()) == {11, 12}
    assert len({(work.student, work.chapter.name) for work in whole.works}) == 200


def test_every_attack_is_made_and_every_chapter_has_something_to_steal(whole):
    attacks = [work for work in whole.works if work.cheat]
    assert len(attacks) == 34
    assert {work.cheat.name for work in attacks} == {cheat.name for cheat in CHEATS}
    assert {work.chapter.name for work in attacks if work.cheat.steals} == set(CHAPTERS)


def test_who_can_do_more_has_more_right(whole):
    share = {name: [] for name in whole.ability}
    for work in whole.works:
        if not work.cheat:
            share[work.student] += [given.how == "right" for given in work.given.values()]
    means = [sum(each) / len(each) for each in share.values()]
    assert correlation(list(whole.ability.values()), means) > 0.8


def test_attacks_that_steal_are_over_wrong_answers(whole):
    steals = [work for work in whole.works if work.cheat and work.cheat.steals]
    assert steals
    assert all(set(truth(work).values()) == {(0.0, 0.0)} for work in steals)


# Comparing --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest(whole) -> Work:
    return next(w for w in whole.works if not w.cheat and w.chapter.name == "03_laplace")


def row(work: Work, *, doubts: tuple[str, ...] = (), **changed: float) -> Row:
    """Return what must come, and what is changed of it."""
    points = {cell: least for cell, (least, _) in truth(work).items()} | changed
    score = sum(points.values())
    marks = Marks(score, 25, 0, points, (), True, points)
    return Row(work.student, marks, findings=Findings(doubts=dict.fromkeys(doubts, "why")))


def test_a_right_score_is_no_difference(honest):
    assert compare(honest, row(honest)) == []


def test_each_wrong_cell_is_a_difference(honest):
    for cell, (must, _) in truth(honest).items():
        (found,) = compare(honest, row(honest, **{cell: 0.5}))
        assert (found.student, found.chapter) == (honest.student, "03_laplace")
        assert found.exercise == cell
        assert f"must be {must:g}, is 0.5" in str(found)


def test_who_is_missing_flagged_or_without_a_score_is_a_difference(honest):
    cell = next(iter(truth(honest)))
    gone = dataclasses.replace(row(honest), marks=None, reason="the disk is full")
    beside = dataclasses.replace(row(honest), findings=None)
    for wrong in (None, row(honest, doubts=(cell,)), gone, beside):
        assert len(compare(honest, wrong)) == 1


def _attack(whole, name: str) -> Work:
    return next(work for work in whole.works if work.cheat and work.cheat.name == name)


def test_stolen_points_are_a_difference(whole):
    thief = _attack(whole, "replaced_checks")
    cell = next(iter(truth(thief)))
    assert compare(thief, row(thief)) == []
    (found,) = compare(thief, row(thief, **{cell: 1.0}))
    assert "must be 0, is 1 " in str(found)


def test_what_must_be_refused_or_said_is(whole):
    refused, loop = _attack(whole, "cut_off"), _attack(whole, "loop")
    assert compare(refused, Row("x", reason="it is not valid JSON")) == []
    assert len(compare(refused, Row("x", reason="the moon is full"))) == 1
    assert len(compare(refused, row(refused))) == 2
    assert len(compare(loop, row(loop))) == 1
    assert compare(loop, dataclasses.replace(row(loop), notes=("timed out: x",))) == []


# A small semester -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ran(root, tmp_path_factory) -> tuple[Path, subprocess.CompletedProcess]:
    """A semester with a planted difference, run as `make semester` runs it."""
    if unavailable():
        pytest.skip(f"NOTHING IS CONTAINED HERE, so no class is graded: {unavailable()}")
    folder = tmp_path_factory.mktemp("run") / "semester"
    command = [sys.executable, "-m", "semester", "--plant", "--folder", str(folder)]
    command += [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]
    command += [word for name in TWO for word in ("--chapter", name)]
    paths = {**os.environ, "PYTHONPATH": str(root / "tests")}
    done = subprocess.run(command, env=paths, capture_output=True, text=True, check=False)
    return folder / "course", done


@pytest.fixture(scope="module")
def small() -> Semester:
    return plan([chapter(name) for name in TWO], **SMALL)


@pytest.mark.load
def test_a_planted_difference_is_found(ran, small):
    _, done = ran
    assert done.returncode == 1, done.stderr
    changed = planted(small)
    ((was, now),) = [(a, b) for a, b in zip(small.works, changed.works, strict=True) if a != b]
    (exercise,) = [name for name in was.given if was.given[name] != now.given[name]]
    lines = [line for line in done.stdout.splitlines() if line.startswith("DIFFERENCE")]
    assert len(lines) == 2
    for line, part in zip(lines, ("visible", "hidden"), strict=True):
        place = f"DIFFERENCE {was.student}, {was.chapter.name}, {exercise}_{part}"
        assert line.startswith(place)
        assert ", is 0 (" in line
    assert done.stdout.splitlines()[-1].startswith("submissions=4 differences=2 wall_seconds=")


@pytest.mark.load
def test_with_the_planted_answer_known_all_is_as_it_must_be(ran, small):
    course, _ = ran
    classes = [collected(course, name) for name in TWO]
    console = Console(record=True, width=120)
    assert conclude(planted(small), classes, course, seconds=1, console=console) == 0
    assert "submissions=4 differences=0 wall_seconds=1" in console.export_text()


@pytest.mark.load
def test_the_attacks_have_nothing(ran, small):
    course, _ = ran
    attacks = {(w.chapter.name, w.student) for w in small.works if w.cheat}
    rows = {(name, one.student): one for name in TWO for one in collected(course, name).rows}
    assert attacks and all(rows[place].marks.score == 0 for place in attacks)


@pytest.mark.load
def test_a_file_with_another_score_is_found(ran):
    course, _ = ran
    data = collected(course, TWO[0])
    assert check_files(course, [data]) == []
    first = data.rows[0]
    more = dataclasses.replace(first.marks, score=first.marks.score + 1)
    wrong = ClassData(TWO[0], data.cells, (dataclasses.replace(first, marks=more), *data.rows[1:]))
    assert len(check_files(course, [wrong])) == 3
    none = dataclasses.replace(first, marks=None)
    assert len(check_files(course, [ClassData(TWO[0], data.cells, (none,))])) == 3


def test_another_folder_is_left_alone(tmp_path):
    from semester.hand_in import make

    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="move it"):
        make(tmp_path, [])
    assert (tmp_path / "mine.txt").exists()


def test_a_planted_answer_is_a_wrong_one(small):
    (changed,) = [b for a, b in zip(small.works, planted(small).works, strict=True) if a != b]
    assert not changed.cheat
    assert Given("wrong") in changed.given.values()
