"""`--cluster`: the same records as here, although a worker is killed in the middle."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import toy
from waiting import until

from autograder.grading import GradingError, cluster, grade

pytestmark = pytest.mark.load

pytest.importorskip("distributed")

STUDENTS = 10
TAKES_TIME = "import time\ntime.sleep(0.5)\ndef double(x):\n    return {}"


class Cluster:
    """A scheduler and workers, each a process of its own on this machine."""

    def __init__(self, folder: Path):
        self._folder, self._running = folder, []
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--scheduler-file", self.file, "--port", "0")
        until(lambda: self.file.exists() and self.file.read_text("utf-8"))
        self.address = json.loads(self.file.read_text("utf-8"))["address"]

    def worker(self, **variables: str) -> subprocess.Popen:
        """Start a worker with these variables changed."""
        arguments = ("--nthreads", "1", "--no-nanny", "--local-directory", self._folder)
        return self._start("worker", self.address, *arguments, **variables)

    def _start(self, what: str, *arguments, **variables: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "dask", what, *map(str, arguments)]
        with (self._folder / f"{what}_{len(self._running)}.log").open("w") as log:
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--no-dashboard"],
                cwd=self._folder,
                env={**os.environ, **variables},
                stdout=log,
                stderr=log,
            )
        self._running.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self._running):
            process.kill()
            process.wait()


@pytest.fixture
def machines(tmp_path):
    made = Cluster(tmp_path)
    yield made
    made.close()


def make(folder: Path) -> Path:
    """A class whose answers differ and take a moment."""
    root = toy.make(folder)
    for number in range(STUDENTS):
        answer = TAKES_TIME.format("2 * x" if number % 3 else "x + 1")
        toy.submit(root, f"student{number}", toy.answers(double=answer))
    return root


def finished(root: Path) -> int:
    return len(list(root.glob(f"autograded/*/{toy.CHAPTER}/*.ipynb")))


def when_begun(root: Path, action) -> threading.Thread:
    """Do something, in a thread of its own, when the first two students have been graded."""

    def wait() -> None:
        until(lambda: finished(root) >= 2)
        action()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def test_a_worker_is_killed_and_every_record_is_that_of_a_local_run(tmp_path, machines):
    here = make(tmp_path / "here")
    there = toy.copy(here, tmp_path / "there")
    grade(toy.CHAPTER, root=here, apart=False)
    first, _ = machines.worker(), machines.worker()
    graded_then = []

    def kill() -> None:
        graded_then.append(finished(there))
        first.send_signal(signal.SIGKILL)

    killer = when_begun(there, kill)
    outcomes = grade(toy.CHAPTER, root=there, cluster=str(machines.file), apart=False)
    killer.join()
    assert first.wait() == -signal.SIGKILL
    assert graded_then[0] < STUDENTS - 2, "the worker was killed too late to be in the middle"
    assert all(outcome.graded and outcome.new for outcome in outcomes)
    assert len(toy.records(here)) == STUDENTS * 5
    assert toy.records(there) == toy.records(here)


def test_a_cluster_that_is_lost_is_said_in_a_sentence(tmp_path, machines, monkeypatch):
    """Who was graded stays graded, and the same command, here, does the rest."""
    monkeypatch.setattr(cluster, "_CONNECT", "5s")
    root = make(tmp_path / "course")
    machines.worker()
    killer = when_begun(root, machines.scheduler.kill)
    reasons = set()
    try:
        outcomes = grade(toy.CHAPTER, root=root, cluster=machines.address, apart=False)
        reasons = {outcome.notes[0] for outcome in outcomes if not outcome.graded}
    except GradingError as error:
        reasons = {str(error)}
    killer.join()
    assert len(reasons) == 1
    assert "cluster" in reasons.pop()
    before = finished(root)
    assert 2 <= before < STUDENTS
    outcomes = grade(toy.CHAPTER, root=root, apart=False)
    assert all(outcome.graded for outcome in outcomes)
    assert sum(outcome.new for outcome in outcomes) == STUDENTS - before


_ATTACKS_THE_SCHEDULER = """
import socket
host, port = {!r}
def double(x):
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError:
        return -1
    return 2 * x
"""


def test_no_room_on_a_worker_reaches_the_scheduler(tmp_path, machines):
    """Whoever speaks to a scheduler can run code on every machine: an answer must not."""
    host, port = machines.address.removeprefix("tcp://").split(":")
    socket.create_connection((host, int(port)), timeout=2).close()  # from outside a room it works
    root = toy.make(tmp_path / "course")
    toy.submit(root, "ann", toy.answers())
    attack = _ATTACKS_THE_SCHEDULER.format((host, int(port)))
    toy.submit(root, "eve", toy.answers(double=attack))
    machines.worker()
    grade(toy.CHAPTER, root=root, cluster=machines.address)
    scores = {row[:2]: row[2] for row in toy.records(root)}
    assert scores["ann", "double_visible"] == 1
    assert scores["eve", "double_visible"] == 0


def test_a_worker_with_other_checks_is_refused(course, machines, tmp_path):
    root = Path(cluster.__file__).parents[2]
    for package in ("autograder", "dplib", "ville"):
        shutil.copytree(root / package, tmp_path / "other" / package)
    changed = tmp_path / "other" / "autograder" / "check" / "judge.py"
    changed.write_text(changed.read_text("utf-8") + "CHANGED = True\n", "utf-8")
    machines.worker(PYTHONPATH=str(tmp_path / "other"))
    with pytest.raises(GradingError, match=r"has other checks .* install the same version"):
        grade(toy.CHAPTER, root=course, cluster=machines.address)


def test_a_cluster_that_cannot_be_used_is_said_in_a_sentence(course, machines, monkeypatch):
    monkeypatch.setattr(cluster, "_JOIN", 0.5)
    with pytest.raises(GradingError, match=r"no worker has joined the cluster in 0\.5 seconds"):
        grade(toy.CHAPTER, root=course, cluster=machines.address)
    with pytest.raises(GradingError, match="no cluster answers at nonsense: "):
        grade(toy.CHAPTER, root=course, cluster="nonsense")
    machines.close()
    monkeypatch.setattr(cluster, "_CONNECT", "1s")
    with pytest.raises(GradingError, match=f"no cluster answers at {machines.address}"):
        grade(toy.CHAPTER, root=course, cluster=machines.address)
