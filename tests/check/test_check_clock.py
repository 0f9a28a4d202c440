"""Patience goes by work: a busy machine must not make a check lenient, nor a sleep make it wait."""

from __future__ import annotations

import time

import pytest

from autograder.check import clock


def at(monkeypatch, passed: float, worked: float, **kind) -> float:
    """What a stopwatch shows when so much has passed, and the process has worked so much."""
    times = {"perf_counter": passed, "process_time": worked}
    for name in times:
        monkeypatch.setattr(clock, name, lambda: 100.0)
    watch = clock.Stopwatch(**kind)
    for name, seconds in times.items():
        monkeypatch.setattr(clock, name, lambda seconds=seconds: 100.0 + seconds)
    return watch.seconds()


@pytest.mark.parametrize(
    ("passed", "worked", "shown"),
    [(6.0, 6.0, 6.0), (6.0, 0.0, 2.0), (6.0, 3.0, 4.0), (6.0, 20.0, 6.0), (0.0, 0.0, 0.0)],
)
def test_waiting_counts_a_third(monkeypatch, passed, worked, shown):
    assert at(monkeypatch, passed, worked) == pytest.approx(shown)


def test_where_another_process_works_all_time_counts(monkeypatch):
    assert at(monkeypatch, 6.0, 0.5, elsewhere=True) == pytest.approx(6.0)


def test_an_answer_cannot_stop_it(monkeypatch):
    watch = clock.Stopwatch()
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    time.sleep(0.03)
    assert watch.seconds() >= 0.009
