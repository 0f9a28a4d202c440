"""kill -9 at any moment, then the same command again: everyone has exactly one right record.

Killed at random: the grader, the process that kernels are forked from, a kernel, a process that
makes feedback pages. The seed of a failure is in its message; KILL_SEED=... repeats it (moments on
a clock, so not to the instruction).
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import psutil
import pytest
import toy
from waiting import until

from autograder.grading import grade

pytestmark = [pytest.mark.load, pytest.mark.skipif(sys.platform != "linux", reason="Linux only")]

LANES = 3
OPTIONS = {"workers": 2, "apart": False}
# How often each is killed: once in each of so many equal parts of a run, at a moment that is drawn
# anew each time the test is run. KILL_TIMES=4 kills four times as often.
TIMES = int(os.environ.get("KILL_TIMES", "1"))
KILLS = {"grader": 9 * TIMES, "zygote": 3 * TIMES, "kernel": 3 * TIMES, "page": 3 * TIMES}
WRONG = "def double(x):\n    return x + 1"
SCORES = {"alice": 6, "bob": 8, "carol": 8, "dave": 6}


@pytest.fixture(scope="module")
def class_(tmp_path_factory) -> Path:
    """Two students were graded, and one of them has handed in anew; two are new."""
    root = toy.make(tmp_path_factory.mktemp("class"))
    for student in ("alice", "bob"):
        toy.submit(root, student, toy.answers())
    grade(toy.CHAPTER, root=root, **OPTIONS)
    toy.submit(root, "alice", toy.answers(double=WRONG))
    toy.submit(root, "carol", toy.answers())
    toy.submit(root, "dave", toy.answers(double=WRONG))
    return root


class Lane:
    """Kills one grader after the other."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("killer.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()

    def start(self, root: Path, **options) -> psutil.Process:
        """Begin to grade; return the grader."""
        request = {"root": str(root), "options": {**OPTIONS, **options}}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return psutil.Process(int(self.process.stdout.readline()))

    def end(self) -> int:
        """Wait for the grader's end, and for everything that it started; return its status."""
        status = int(self.process.stdout.readline().split()[1])
        until(lambda: not self.left())  # one that has only begun looks up when it is ready
        return status

    def left(self) -> list[list[str]]:
        """Return what still runs of what graders have started, the ended ones reaped."""
        found = []
        for process in psutil.Process(self.process.pid).children(recursive=True):
            try:
                if process.status() != psutil.STATUS_ZOMBIE:
                    found.append([process.pid, *process.cmdline()[-3:]])
            except psutil.NoSuchProcess:
                continue
        return found


def victims(grader: psutil.Process, target: str) -> list[psutil.Process]:
    """Return the processes of a kind that a grader has now."""
    if target == "grader":
        return [grader]
    try:
        children = grader.children()
        zygotes = [each for each in children if "autograder.kernels.zygote" in each.cmdline()]
        if target == "zygote":
            return zygotes
        if target == "kernel":
            return [kernel for zygote in zygotes for kernel in zygote.children()]
        return [each for each in children if each not in zygotes]
    except psutil.NoSuchProcess:
        return []


def kill(lane: Lane, root: Path, target: str, moment: float, **options) -> str:
    """Grade, and kill the target as soon after the moment as there is one; return what was."""
    grader = lane.start(root, **options)
    time.sleep(moment)
    killed = "nothing"
    while grader.is_running() and grader.status() != psutil.STATUS_ZOMBIE:
        found = victims(grader, target)
        if found:
            try:
                found[0].send_signal(signal.SIGKILL)
                killed = target
            except psutil.NoSuchProcess:
                continue
            break
        time.sleep(0.002)
    lane.end()
    return killed


def check(root: Path, expected: list) -> None:
    """Everyone has exactly one right record, and nothing unfinished lies about."""
    assert toy.sql(root, "pragma integrity_check") == [("ok",)]
    assert toy.records(root) == expected
    assert toy.sql(root, "select count(*) from submitted_assignment") == [(len(SCORES),)]
    for step, ending in (("autograded", "ipynb"), ("feedback", "html")):
        assert {path.name for path in (root / step).iterdir()} == SCORES.keys(), step
        for student in SCORES:
            path = toy.file_of(root, step, student, ending)
            assert path.stat().st_size > 1000, path
    for student, score in SCORES.items():
        notebook = nbformat.read(toy.file_of(root, "autograded", student), as_version=4)
        assert (toy.cell(notebook, "double").source == WRONG) == (score == 6)


@pytest.fixture(scope="module")
def unbroken(class_, tmp_path_factory) -> tuple[list, float]:
    """What a run that nobody disturbs writes, and its seconds."""
    root = toy.copy(class_, tmp_path_factory.mktemp("unbroken") / "course")
    lane = Lane()
    try:
        lane.start(toy.copy(class_, tmp_path_factory.mktemp("first") / "course"))
        assert lane.end() == 0
        begun = time.monotonic()
        lane.start(root)
        assert lane.end() == 0
        seconds = time.monotonic() - begun
    finally:
        lane.close()
    expected = toy.records(root)
    assert len(expected) == 5 * len(SCORES)
    check(root, expected)
    return expected, seconds


def test_killed_at_any_moment_everyone_has_one_right_record(class_, unbroken, tmp_path):
    seed = int(os.environ.get("KILL_SEED", random.SystemRandom().randrange(10**6)))
    expected, seconds = unbroken
    chance = random.Random(seed)
    plan = [
        (target, (part + chance.random()) / number * seconds, chance.random() < 0.25)
        for target, number in KILLS.items()
        for part in range(number)
    ]
    chance.shuffle(plan)
    killed, failures = [], []

    def work(number: int) -> None:
        lane = Lane()
        try:
            for place in range(number, len(plan), LANES):
                target, moment, second = plan[place]
                root = toy.copy(class_, tmp_path / str(place))
                try:
                    killed.append(kill(lane, root, target, moment, apart=second))
                    lane.start(root)
                    status = lane.end()
                    assert status == 0, (root / "log.txt").read_text()
                    check(root, expected)
                except Exception as error:
                    failures.append(f"kill {place}, {target} at {moment:.2f} s: {error!r}")
                    return
                shutil.rmtree(root)
        finally:
            lane.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(LANES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, f"KILL_SEED={seed}: {failures}"
    counts = {target: killed.count(target) for target in (*KILLS, "nothing")}
    print(f"killed in {seconds:.1f} seconds: {counts}")
    assert len(killed) == len(plan)
    assert len(killed) - counts["nothing"] >= 15 * TIMES, counts
