"""Every wrong answer loses its points by name, every right style keeps them, in every chapter.

This is the share that `make test` runs; `make test-check` runs the whole study.
"""

from __future__ import annotations

import pytest
from wrong_answers import ZOO, fragments, sentence

from autograder import check
from autograder.check.claim import StatisticalClaim
from autograder.check.claims import CLAIMS

LEAST_WRONG = {"random": 12, "exact": 5}
LEAST_RIGHT = {"random": 5, "exact": 3}


def entries(answers: dict, *, quick: int) -> list:
    """Every answer of every exercise; `make quick` looks at the first ones of each."""
    return [
        pytest.param(
            name,
            number,
            id=f"{name}-{number}",
            marks=[pytest.mark.quick] if number < quick else [],
        )
        for name, given in answers.items()
        for number in range(len(given))
    ]


@pytest.mark.parametrize("name", CLAIMS)
def test_an_exercise_has_enough_answers(name):
    kind = "random" if isinstance(CLAIMS[name], StatisticalClaim) else "exact"
    assert len(ZOO.wrong[name]) >= LEAST_WRONG[kind]
    assert len(ZOO.right[name]) >= LEAST_RIGHT[kind]


def test_answers_are_for_exercises_that_exist():
    assert set(ZOO.wrong) <= set(CLAIMS)


@pytest.mark.parametrize(("name", "number"), entries(ZOO.wrong, quick=2))
def test_a_wrong_answer_is_rejected_and_its_mistake_named(name, number):
    # Rejected every time. A name is a best guess, wrong in at most 7 % of the runs (measured: 0 to
    # 5 % for each of these). Run until right names lead by 1, mostly once, or wrong ones by 9: with
    # a rate of 0.07 the walk gets 9 behind with probability below (0.07 / 0.93) ** 9 = 8e-11.
    answer, words = ZOO.wrong[name][number]
    lead = 0
    while -9 < lead < 1:
        said = sentence(name, answer)
        assert said.startswith(f"✗ {name}: ")
        lead += 1 if any(each in said for each in fragments(words)) else -1
    assert lead > 0, f"{words!r} is not in {said!r}"


@pytest.mark.parametrize(("name", "number"), entries(ZOO.right, quick=1))
def test_a_right_answer_passes(name, number):
    # Fails on a right answer with probability below 1e-9: that is what the judge guarantees.
    result = getattr(check, name)(ZOO.right[name][number])
    assert isinstance(result, check.Result)
    assert repr(result).startswith("✓ ")
