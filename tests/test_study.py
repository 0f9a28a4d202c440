"""The study of the checks finds what it looks for; `make test-check` runs all of it."""

from __future__ import annotations

import pytest
from study.report import page, shortcomings
from study.tasks import LEVELS, Task, all_tasks, done

from autograder import check
from autograder.check.claims import CLAIMS


def record(kind: str, failed: int, runs: int = 20, **more) -> dict:
    return {"key": f"{kind}/x", "kind": kind, "name": "x", "failed": failed, "runs": runs, **more}


def test_a_failed_right_answer_and_a_passed_wrong_one_are_shortcomings():
    nothing = [record("right", 0), record("wrong", 20), record("accepted", 0)]
    assert shortcomings(nothing) == []
    assert len(shortcomings([*nothing, record("right", 1), record("wrong", 19)])) == 2


def test_evidence_that_is_too_high_too_often_is_a_shortcoming():
    # At most one run in ten ever reaches 10: of 10,000 runs 1,000 do, and 1,200 is beyond chance.
    good = record("law", 0, 10_000, beyond=[900, 90, 9, 1])
    assert shortcomings([good]) == []
    assert len(shortcomings([{**good, "beyond": [1_200, 90, 9, 1]}])) == 1
    assert len(shortcomings([{**good, "beyond": [900, 90, 9, 20]}])) == 1


@pytest.mark.parametrize(
    ("task", "failed"),
    [
        (Task("wrong", "laplace_mechanism", 0, 2), 2),
        (Task("right", "laplace_mechanism", 0, 2), 0),
        (Task("law", "private_histogram", 0, 2), 0),
        (Task("blunder", "0", 0, 2), 2),
        (Task("accepted", "0", 0, 2), 0),
    ],
)
def test_a_task_finds_what_is_there(task, failed):
    # A false verdict has probability below 1e-9.
    found = done(task)
    assert (found["failed"], found["runs"]) == (failed, 2)
    if "beyond" in found and task.kind != "accepted":
        assert len(found["beyond"]) == len(LEVELS)


def test_more_draws_find_smaller_errors():
    found = [done(Task("power", draws, 0, 20))["median"] for draws in ("100", "10000")]
    assert 1.0 < found[1] < 1.3 < found[0]


def test_every_answer_has_its_task_once():
    tasks = all_tasks()
    assert len({task.key for task in tasks}) == len(tasks)
    assert {task.name for task in tasks if task.kind == "wrong"} == set(CLAIMS)


def test_the_page_has_its_parts_and_says_what_is_left():
    wrong = done(Task("wrong", "laplace_mechanism", 0, 2))
    text = page([wrong, {**wrong, "kind": "late", "failed": 1}], 3)
    assert "3 tasks are left" in text
    assert "2 of 2 runs" in text
    assert "0 of 1 always rejected" in text
    assert "| late | `laplace_mechanism` | 0 | 1 | 2 |" in text


def test_the_study_looks_at_every_check():
    assert set(CLAIMS) <= set(dir(check))
