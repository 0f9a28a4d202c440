"""The scores are nbgrader's own: plain `nbgrader autograde` on the same class gives the same."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import toy

from autograder.grading import grade

pytestmark = pytest.mark.long

HALF_RIGHT = "def half(x):\n    return 0 if x < 2 else x / 2"

CLASS = {
    "right": toy.answers(written="Because."),
    "blank": toy.released(),
    "wrong": toy.answers(double="def double(x):\n    return x + 1"),
    "partly": toy.answers(half=HALF_RIGHT),
    # It sleeps: to time out it needs no core.
    "loops": toy.answers(
        double="import time\ndef double(x):\n    while True:\n        time.sleep(1)"
    ),
    "warns": toy.answers(
        half="import sys\ndef half(x):\n    sys.stderr.write('!')\n    return x / 2"
    ),
    "cheats": toy.answers(half=HALF_RIGHT, half_parts="4.0", double_visible=None),
}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """One class, graded by plain nbgrader in one folder and by us in another."""
    plain = toy.make(tmp_path_factory.mktemp("plain"))
    for student, notebook in CLASS.items():
        path = toy.submit(plain, student, notebook)
        when = "2027-03-02" if student == "wrong" else "2027-02-28"
        (path.parent / "timestamp.txt").write_text(f"{when} 12:00:00 UTC")
    toy.due(plain, "2027-03-01")
    ours = toy.copy(plain, tmp_path_factory.mktemp("ours") / "course")
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(_grade_plainly, plain)
        outcomes = grade(toy.CHAPTER, root=ours)
        other.result()
    return plain, ours, outcomes


def _grade_plainly(root) -> None:
    assert toy.nbgrader(root, "generate_assignment", toy.CHAPTER).returncode == 0
    assert toy.nbgrader(root, "autograde", toy.CHAPTER).returncode == 0


@pytest.mark.parametrize("which", [(), ("comment", "comment.auto_comment")])
def test_every_record_is_equal(both, which):
    plain, ours, _ = both
    expected = toy.records(plain, *which)
    assert len(expected) >= len(CLASS)
    assert toy.records(ours, *which) == expected


def test_the_table_shows_the_gradebook(both):
    _, _, outcomes = both
    scores = {outcome.student: outcome.score for outcome in outcomes}
    assert [outcome.student for outcome in outcomes] == sorted(CLASS)
    assert all(outcome.graded and outcome.max_score == 10 for outcome in outcomes)
    # double_visible 1, double_hidden 2, half_visible 1, half_parts 4; 2 more by hand.
    assert scores == {
        "right": 8,
        "blank": 0,
        "wrong": 6,  # 1 + 1 is 2 * 1: the visible test passes
        "partly": 7,
        "loops": 5,
        "warns": 3,  # nbgrader gives nothing for a test that writes to stderr
        "cheats": 7,  # a changed test is put back, and so is a deleted one
    }


def test_the_status_says_what_needs_a_person(both):
    _, _, outcomes = both
    status = {outcome.student: outcome.status for outcome in outcomes}
    assert status["right"] == "graded; 1 to grade by hand"
    assert status["blank"] == "graded"
    assert status["loops"] == "graded; timed out: double_visible, double_hidden; 1 to grade by hand"
    assert status["wrong"] == (
        "graded; 1 to grade by hand; late: 1 day 12 hours after the date, 6 points off"
    )


def test_nothing_is_left_over_and_release_is_not_touched(both):
    _, ours, _ = both
    assert not (ours / "release").exists()
    for step in ("autograded", "feedback"):
        assert sorted(path.name for path in (ours / step).iterdir()) == sorted(CLASS)
        assert len(list((ours / step).glob(f"*/{toy.CHAPTER}/{toy.CHAPTER}.*"))) == len(CLASS)


def test_nbgrader_goes_on_from_our_result(both):
    """nbgrader finds nothing left to do."""
    _, ours, _ = both
    before = toy.records(ours)
    assert toy.nbgrader(ours, "autograde", toy.CHAPTER).returncode == 0
    assert toy.records(ours) == before
