"""The study of the checks finds what it looks for; `make test-check` runs all of it."""

import json

import pytest
from study import __main__ as study_command
from study import earlier, report, tasks
from study.nulls import highest
from study.report import missing, page, shortcomings, tables
from study.tasks import LEVELS, Task, all_tasks, done

from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.effort import LONG, SHORT
from autograder.version import version


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
        (Task("graded", "laplace_mechanism", 0, 2), 0),
        (Task("law", "private_histogram", 0, 2), 0),
        (Task("null", "Laplace", 0, 2), 0),
        (Task("null", "audit of a true claim", 0, 2), 0),
        (Task("blunder", "0", 0, 2), 2),
        (Task("accepted", "0", 0, 2), 0),
    ],
)
def test_a_task_finds_what_is_there(task, failed):
    # A false verdict has probability below 1e-9.
    found = done(task)
    assert (found["failed"], found["runs"]) == (failed, 2)
    assert found.get("at_once", failed) == failed
    if "beyond" in found and task.kind != "accepted":
        assert len(found["beyond"]) == len(LEVELS)


def test_a_second_look_is_for_what_the_first_one_passes(monkeypatch):
    asked = []

    def look(name, answer, length):
        asked.append(length)
        return "no" if length is LONG else ""

    monkeypatch.setattr(tasks, "_failure", look)
    found = tasks._judged("laplace_mechanism", None, 2, (SHORT, LONG))
    assert (found["said"], found["at_once"]) == (["no", "no"], 0)
    assert asked == [SHORT, LONG, SHORT, LONG]
    assert tasks._judged("laplace_mechanism", None, 2)["said"] == []


@pytest.mark.long
def test_more_draws_find_smaller_errors():
    found = [done(Task("power", draws, 0, 20))["median"] for draws in ("100", "10000")]
    assert 1.0 < found[1] < 1.3 < found[0]


def test_tasks_of_one_law_draw_numbers_of_their_own():
    # Forked processes began with one generator of the module: all of them judged the same draws.
    assert highest("Laplace", 3) != highest("Laplace", 3)


def test_evidence_on_draws_of_the_law_counts_as_a_shortcoming():
    good = record("null", 0, 10_000, beyond=[900, 90, 9, 1], largest=9.0)
    assert shortcomings([good]) == []
    assert len(shortcomings([{**good, "beyond": [1_200, 90, 9, 1]}])) == 1
    assert len(shortcomings([{**good, "failed": 1}])) == 1


def test_the_page_names_what_was_not_measured():
    tasks = [Task("wrong", "x", 0, 2), Task("slow", "x", 0, 2), Task("slow", "x", 1, 2)]
    assert missing(tasks, {task.key for task in tasks}) == ""
    words = missing(tasks, {tasks[1].key})
    assert words == "catalogued wrong answers; slow right answers (1 of 2 tasks)"
    text = page([], "0123abcd", words)
    assert f"**Not measured of this version, or not to the end:** {words}." in text


def test_no_task_begins_after_its_time(tmp_path):
    with (tmp_path / "tasks.jsonl").open("w") as file:
        study_command._run([Task("null", "geometric", 0, 1)], 1, file, minutes=0)
    assert (tmp_path / "tasks.jsonl").read_text("utf-8") == ""


def test_every_answer_has_its_task_once():
    tasks = all_tasks()
    assert len({task.key for task in tasks}) == len(tasks)
    assert {task.name for task in tasks if task.kind == "wrong"} == set(CLAIMS)


def test_the_page_has_its_parts_and_says_of_which_checks_it_is():
    wrong = done(Task("wrong", "laplace_mechanism", 0, 2))
    text = page([wrong, {**wrong, "failed": 1}], "0123abcd")
    assert "Version of the checks: `0123abcd`" in text
    assert "3 of 4 runs" in text
    assert "| `laplace_mechanism` | 0 | 1 | 2 |" in text


def test_the_page_begins_with_what_strangers_answers_met_at_first(tmp_path, monkeypatch):
    answers = [("P", False), ("P", True), ("R", True), *((kind, False) for kind in "SEMCT")]
    lines = [json.dumps({"kind": kind, "passed_at_first": passed}) for kind, passed in answers]
    (tmp_path / "some.jsonl").write_text("\n".join(lines))
    (tmp_path / "second_some.jsonl").write_text(lines[0])
    (tmp_path / "third_some.jsonl").write_text(lines[2])
    monkeypatch.setattr(report, "STRANGERS", tmp_path)
    text = page([], "0123abcd")
    assert "promises | 1 of 2 rejected (50.0%) | 1 of 1 rejected (100.0%) |  |" in text
    assert "another style | 1 of 1 passed (100.0%) |  | 1 of 1 passed (100.0%) |" in text


def test_each_exercise_has_a_row_in_the_long_table():
    wrong, right = (done(Task(kind, "laplace_mechanism", 0, 2)) for kind in ("wrong", "right"))
    text = tables([wrong, right], "0123abcd")
    assert "`0123abcd`" in text and "| 03 | `laplace_mechanism` | 2 of 2 |" in text


def test_only_a_whole_study_of_these_checks_is_written(tmp_path, monkeypatch):
    kept, tasks = tmp_path / "tasks.jsonl", [t for t in all_tasks() if t.name == "k_anonymity"][:2]
    for name, path in (("KEPT", kept), ("PAGE", tmp_path / "page"), ("TABLES", tmp_path / "long")):
        monkeypatch.setattr(study_command, name, path)
    monkeypatch.setattr(study_command, "all_tasks", lambda: tasks)
    records = [{**done(task), "version": version()} for task in tasks]
    old = {**records[1], "version": "an older one"}
    kept.write_text("".join(f"{json.dumps(each)}\n" for each in (records[0], old)), "utf-8")
    study_command._conclude(study_command._kept())
    assert not (tmp_path / "page").exists()
    study_command._conclude(study_command._kept(), write=True)
    assert "(1 of 2 tasks)" in (tmp_path / "page").read_text("utf-8")
    (tmp_path / "page").unlink()
    kept.write_text("".join(f"{json.dumps(each)}\n" for each in records), "utf-8")
    study_command._conclude(study_command._kept())
    assert version() in (tmp_path / "page").read_text("utf-8")
    assert (tmp_path / "long").exists()


def test_the_study_looks_at_every_check():
    assert set(CLAIMS) <= set(dir(check))


def test_what_passes_of_the_first_edition_s_answers_is_on_the_page_with_its_reason():
    kept = json.loads(earlier.KEPT.read_text("utf-8"))
    assert kept["wrong"] - kept["rejected"] == len(kept["passing"])
    text = page([], "1234")
    for each in kept["passing"]:
        assert f"- `{each['exercise']}`, {each['label']}: {each['why']}." in text
        assert each.get("gone", False) is (each["exercise"] not in CLAIMS)
