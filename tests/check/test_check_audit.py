"""How long an audit looks: as long as a larger loss is likely, and a little otherwise."""

import random
import time

import pytest

from autograder.check import CheckFailure, audit, door
from autograder.check.audit import AuditClaim, Pair

# Sixteen answers a side certify nothing, a hundred certify a loss of more than 1.
STAGES = (16, 100)


def claim():
    return AuditClaim(
        name="release",
        established="no larger loss was certified",
        pairs=lambda generator: [
            Pair({"side": 0}, {"side": 1}, epsilon=1.0, problem="it tells the side", ask="how?")
        ],
        stages=STAGES,
        arguments=lambda parameters: ((parameters["side"],), {}),
        situation=lambda parameters: "two sides",
    )


def telling(side):
    return float(side)


@pytest.mark.parametrize(("patience", "fails"), [(1e9, True), (-1.0, False)])
def test_a_likely_loss_is_looked_at_beyond_the_usual_work(monkeypatch, patience, fails):
    monkeypatch.setattr(audit, "_WORK", 1e-9)
    # Below 0: the clock of the work may stand still for some milliseconds.
    monkeypatch.setattr(audit, "_PROMISING", patience * 1e9)
    if not fails:
        claim().check(telling)
        return
    with pytest.raises(CheckFailure, match="it tells the side"):
        claim().check(telling)


def test_an_answer_that_is_slow_on_one_side_is_compared_in_equal_numbers(monkeypatch):
    monkeypatch.setattr(door, "_LONGEST_SAMPLE", 0.01)

    def slower(side):
        time.sleep(0.02 * side)
        return random.random()

    assert claim().check(slower).draws < 4 * sum(STAGES)


def test_an_unlikely_loss_is_looked_at_for_the_usual_time(monkeypatch):
    monkeypatch.setattr(audit, "_WORK", 1e-9)
    monkeypatch.setattr(audit, "_PROMISING", 1e12)
    calls = []

    def silent(side):
        calls.append(side)
        return random.random()

    # Two calls for the contract, then the first stage. Sixteen random numbers a side look like a
    # loss of 0.8 with probability below 0.1 (0 of 300 times): ten times in a row below 1e-10.
    looked_on = 0
    for _ in range(10):
        calls.clear()
        claim().check(silent)
        looked_on += len(calls) > 2 + 4 * STAGES[0]
    assert looked_on < 10
