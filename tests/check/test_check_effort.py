"""Looks go by work: neither a busy machine nor an answer that sleeps makes a check lenient."""

import importlib.util
import os
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import check
from autograder.check import effort
from autograder.check.claims import CLAIMS
from autograder.check.wording import passes
from autograder.check.words import NOT_TO_THE_END


def at(monkeypatch, passed: float, worked: float, queued: float = 0.0, **kind) -> effort.Stopwatch:
    """A stopwatch after so much has passed, of which the process has worked and was queued."""
    times = {"perf_counter": passed, "process_time": worked, "queued": queued}
    for name in times:
        monkeypatch.setattr(effort, name, lambda: 100.0)
    watch = effort.Stopwatch(**kind)
    for name, seconds in times.items():
        monkeypatch.setattr(effort, name, lambda seconds=seconds: 100.0 + seconds)
    return watch


@pytest.mark.parametrize(
    ("passed", "worked", "queued", "idle"),
    [(6.0, 6.0, 0.0, 0.0), (6.0, 0.0, 0.0, 6.0), (6.0, 2.0, 3.0, 1.0), (6.0, 20.0, 0.0, 0.0)],
)
def test_who_waits_for_a_core_is_not_idle(monkeypatch, passed, worked, queued, idle):
    watch = at(monkeypatch, passed, worked, queued)
    assert watch.worked() == pytest.approx(min(worked, passed))
    assert watch.idle() == pytest.approx(idle)


def test_the_work_of_an_answer_elsewhere_counts(monkeypatch):
    spent = [0.0, 0.0]
    watch = at(monkeypatch, 6.0, 0.5, elsewhere=lambda: tuple(spent))
    spent[:] = 4.0, 1.0
    assert (watch.worked(), watch.idle()) == pytest.approx((4.5, 0.5))
    spent[:] = 1e9, 0.0  # a lie: no more than what has passed
    assert (watch.worked(), watch.idle()) == pytest.approx((6.0, 0.0))


@pytest.mark.parametrize("seconds", [1.0, 2.9, 3.1, 9.0])
def test_what_is_within_a_time_is_what_is_counted(monkeypatch, seconds):
    watch = at(monkeypatch, 4.0, 2.0, queued=1.0)
    assert watch.seconds() == pytest.approx(3.0)
    assert watch.within(seconds) == (watch.seconds() < seconds)


def test_an_answer_cannot_stop_it(monkeypatch):
    watch = effort.Stopwatch()
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    time.sleep(0.03)
    assert watch.idle() >= 0.009


def noisy(factor: float, wait: float = 0.0):
    """An answer whose scale is wrong by a factor, and which sleeps."""

    def answer(value, *, sensitivity, epsilon):
        time.sleep(wait)
        return value + np.random.laplace(0, factor * sensitivity / epsilon)  # noqa: NPY002

    return answer


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_where_points_are_given_sleeping_never_pays(monkeypatch, factor):
    # A dozen answers cannot reach a verdict about a scale that is half as large.
    short = replace(effort.SHORT, idle=0.2, graded=True)
    with (
        effort.at_length("laplace_mechanism", short),
        pytest.raises(check.CheckFailure, match=NOT_TO_THE_END),
    ):
        CLAIMS["laplace_mechanism"].check(noisy(factor, wait=0.05))


def test_the_second_look_is_long_where_points_are_given(monkeypatch):
    monkeypatch.setattr(effort, "_GRADED", True)
    monkeypatch.setattr(effort, "_seen", {})
    found = []
    for _ in range(3):
        with effort.at_length("an_exercise") as length:
            found.append(length)
    assert [each.work for each in found] == [0.125, 1.0, 1.0]
    assert all(length.graded for length in found)


def test_in_a_notebook_every_look_is_short():
    for _ in range(2):
        with effort.at_length("an_exercise") as length:
            assert length == effort.SHORT


def test_a_long_look_goes_on_to_its_own_end():
    few = replace(effort.LONG, answers=40_000, work=1e9, rounds=1)
    with effort.at_length("laplace_mechanism", few):
        assert CLAIMS["laplace_mechanism"].check(noisy(1.0)).draws >= 40_000


def test_the_levels_of_all_looks_add_up_to_the_claims():
    looks = list(effort.LONG.looks())
    assert sum(each.level for each in looks) == pytest.approx(1)
    assert sum(each.work for each in looks) <= effort.LONG.work


def test_a_part_with_little_of_a_long_look_is_looked_at_to_the_end_as_well(monkeypatch):
    # Otherwise the mistakes that one answer tells little about would be passed for lack of work.
    monkeypatch.setattr(effort, "_seen", {"of_two": {0: 9_000, 1: 100}})
    with effort.at_length("of_two", effort.LONG):
        fast, _ = effort.of_parts("of_two", [SimpleNamespace(level=1e-10)] * 2)
    first, *others = fast.looks()
    assert first.long
    assert not any(each.long for each in others)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="NO FORK HERE: NOTHING TO INHERIT")
def test_a_child_does_not_read_the_queue_of_its_parents_thread():
    effort.queued()
    child = os.fork()
    if not child:
        os._exit(len(effort._schedules))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_part_that_was_seen_least_gets_most(monkeypatch):
    monkeypatch.setattr(effort, "_seen", {"of_two": {0: 9_000, 1: 100}})
    with effort.at_length("of_two", effort.LONG):
        parts = [SimpleNamespace(level=1e-10)] * 2
        fast, slow = effort.of_parts("of_two", parts)
        sure, *others = effort.of_parts("of_three", [SimpleNamespace(), *parts])
    assert slow.work > 6 * fast.work  # all but one short look of the second that there is
    assert fast.work >= effort.SHORT.work
    assert fast.patience >= effort.SHORT.patience
    assert sure.work == effort.SHORT.work  # without chance: there is no more to see
    assert sum(each.work for each in others) == pytest.approx(effort.LONG.work)
    with effort.at_length("of_two", effort.SHORT):
        assert [each.work for each in effort.of_parts("of_two", [None, None])] == [0.125, 0.125]


def loaded(monkeypatch, platform: str):
    """The module as another system loads it."""
    monkeypatch.setattr(sys, "platform", platform)
    spec = importlib.util.spec_from_file_location("effort_there", effort.__file__)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "effort_there", module)
    spec.loader.exec_module(module)
    return module


def test_a_browsers_python_has_more_work_and_others_have_what_they_had(monkeypatch):
    browser, here = (loaded(monkeypatch, name) for name in ("emscripten", "linux"))
    assert (
        here.Effort(answers=20_000, work=0.125, most_answers=60_000, patience=4.0, idle=4.0)
        == here.SHORT
    )
    assert browser.SHORT.work == 8 * here.SHORT.work < browser.SHORT.patience
    assert (browser.SLOW, here.SLOW) == (True, False)


def test_a_file_that_is_not_there_is_not_looked_for_at_each_draw(monkeypatch):
    monkeypatch.setattr(os.path, "exists", lambda path: False)
    module = loaded(monkeypatch, "emscripten")
    monkeypatch.setattr(module, "open_file", lambda *given: pytest.fail("looked for again"))
    assert module.queued() == 0.0


@pytest.mark.parametrize(
    ("slow", "worth", "words"),
    [
        (True, "would have seen much", "a quick look, which would have seen much"),
        (True, "too few calls", "a quick look: too few calls"),
        (True, "", ""),
        (False, "would have seen much", "would have seen much"),
    ],
)
def test_a_pass_in_a_browser_says_that_the_look_was_quick(monkeypatch, slow, worth, words):
    monkeypatch.setattr(passes, "SLOW", slow)
    verdict = SimpleNamespace(draws=400, unrefuted=())
    claim = SimpleNamespace(name="f", established="the law")
    assert passes.passed(claim, verdict, worth=worth, printed=False).worth == words
