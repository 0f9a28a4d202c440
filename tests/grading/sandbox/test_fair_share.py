"""A submission's processes share one core, and a cell's limit counts the room's own time."""

import contextlib
import dataclasses
import json
import os
import sys
import time

import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution import run_job
from autograder.execution.execute import Execute
from autograder.grading import grade
from autograder.kernels import Limits, Zygote, clock, cores, pipe

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")

# Each process in a session of its own, which is a group of its own to the scheduler.
BUSY = """
import os
for _ in range({}):
    if not os.fork():
        os.setsid()
        while True: pass
print("busy", flush=True)
"""
WORK = """
import time
end = time.process_time() + {}
while time.process_time() < end: pass
print("done")
"""


@pytest.fixture(scope="module")
def zygote():
    with contextlib.closing(Zygote([], Limits())) as zygote:
        zygote.ready()
        yield zygote


@pytest.fixture
def core():
    return min(os.sched_getaffinity(0))


@pytest.fixture
def busy_core(zygote, tmp_path, core):
    """A core that four processes of another room keep busy."""
    (tmp_path / "other").mkdir()
    child, connection = zygote.fork(folder=str(tmp_path / "other"), environment={}, core=core)
    code = BUSY.format(4)
    pipe.send(connection, {"msg_id": "1", "code": code, "store_history": 1, "stop_on_error": 1})
    with connection:
        while pipe.receive(connection)["msg_type"] != "execute_reply":
            pass
        yield core
        zygote.kill(child)


def run(zygote, folder, source, core, timeout=30):
    step = Execute(zygote=zygote, core=core, timeout=timeout, iopub_timeout=9, allow_errors=True)
    notebook = new_notebook(cells=[new_code_cell(source)])
    step.preprocess(notebook, {"metadata": {"path": str(folder)}})
    return step, json.dumps(notebook.cells[0].outputs)


# Cores ------------------------------------------------------------------------------------------


def test_all_that_a_room_starts_stays_on_its_core(zygote, tmp_path, core):
    looks = (
        "import os, subprocess, sys, threading\nlook = 'import os; print(os.sched_getaffinity(0))'"
    )
    looks += "\nsubprocess.run([sys.executable, '-c', look], start_new_session=True)\nexec(look)\n"
    looks += "thread = threading.Thread(target=exec, args=[look])\nthread.start()\nthread.join()"
    _, said = run(zygote, tmp_path, looks, core)
    assert said.count(f"{{{core}}}") == 3, said


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this machine has one core")
def test_a_core_is_held_by_one_until_it_is_given_back(monkeypatch):
    monkeypatch.setattr(cores, "_NAME", f"\0autograder/test/{os.getpid()}/{{}}")
    known = sorted(os.sched_getaffinity(0))
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(cores.taken()) for _ in known]
        assert held == known
        assert stack.enter_context(cores.taken()) in known  # one more than there are: it shares
    with cores.taken() as core:
        assert core == known[0]


# Time -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("went_by", "used", "waited", "lost"),
    [
        pytest.param(10, 2, 8, 8, id="another room has the core"),
        pytest.param(10, 0, 0, 0, id="it sleeps"),
        pytest.param(10, 10, 600, 0, id="its own sixty processes wait for each other"),
        pytest.param(10, 4, 60, 6, id="its sixty processes wait for another room too"),
        pytest.param(10, 2, -3, 0, id="a process that had waited has ended"),
    ],
)
def test_what_is_lost(monkeypatch, went_by, used, waited, lost):
    readings = [clock._Reading(0, 0, 0), clock._Reading(went_by, used, waited)]
    monkeypatch.setattr(clock.Clock, "_read", lambda self: readings.pop(0))
    watch = clock.Clock(1)
    watch.start()
    assert watch.look() == lost == watch.lost


@pytest.mark.parametrize(("share", "cut"), [(1.0, False), (0.5, False), (0.01, True)])
def test_an_allowance_ends_at_its_time_or_where_there_is_no_time_to_be_had(monkeypatch, share, cut):
    now = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    watch = clock.Clock()
    monkeypatch.setattr(
        clock.Clock,
        "_read",
        lambda self: clock._Reading(now[0], share * now[0], (1 - share) * now[0]),
    )
    allowance = clock.Allowance(10, watch)
    while pause := allowance.next():
        now[0] += pause
        allowance.spend()
    assert allowance.cut == cut
    assert now[0] == pytest.approx(min(10 / share, 30), abs=1.1)


def test_a_cell_is_not_timed_out_for_what_another_room_takes(zygote, tmp_path, busy_core):
    """Half a second's work takes its five-fold here, and the limit is a second."""
    step, said = run(zygote, tmp_path, WORK.format(0.5), busy_core, timeout=1)
    assert "done" in said or step.starved, said  # on a machine with still more to do


def test_a_cell_that_sleeps_ends_at_its_limit(zygote, tmp_path, core):
    step, said = run(zygote, tmp_path, "import time\ntime.sleep(1000)", core, timeout=1)
    assert "KeyboardInterrupt" in said
    assert not step.starved


# The class --------------------------------------------------------------------------------------


@pytest.mark.long
def test_who_was_starved_is_run_again_when_nobody_else_is(course, monkeypatch):
    for name in ("bob", "carol", "dave"):
        toy.submit(course, name, toy.answers())
    began, running, real = [], [], run_job.run

    def starved_first(work, stop):
        running.append(work)
        try:
            began.append((work.alone, len(running)))
            done = real(work, stop)
            time.sleep(0.05)
            return done if work.alone else dataclasses.replace(done, starved=len(began) < 3)
        finally:
            running.remove(work)

    monkeypatch.setattr(run_job, "run", starved_first)
    outcomes = grade(toy.CHAPTER, root=course, workers=2)
    assert {outcome.student: outcome.score for outcome in outcomes} == dict.fromkeys(
        ("alice", "bob", "carol", "dave"), 8
    )
    assert [alone for alone, _ in began] == [False] * 3 + [True] * sum(a for a, _ in began)
    assert all(together == 1 for alone, together in began if alone)
    assert began[-1] == (True, 1)


@pytest.mark.load
def test_an_honest_student_is_graded_beside_sixty_busy_processes(course):
    for number in range(2):
        toy.submit(course, f"busy{number}", toy.answers(half=BUSY.format(60) + "while True: pass"))
    works = f"{WORK.format(1.5)}\ndef half(x):\n    return x / 2"
    for number in range(3):
        toy.submit(course, f"honest{number}", toy.answers(half=works))
    outcomes = grade(toy.CHAPTER, root=course, workers=2)
    found = {outcome.student: (outcome.score, outcome.flagged) for outcome in outcomes}
    assert all(found[f"honest{number}"] == (8, False) for number in range(3)), found
