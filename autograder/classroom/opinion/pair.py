"""The two processes of a second opinion, as the grader sees them: it starts cells, and ends them.

What the answers' process says to the grader is one byte a cell, and is not read further.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from multiprocessing.connection import wait
from time import monotonic
from typing import Any

from autograder.classroom.opinion.plan import Step
from autograder.classroom.opinion.waiting import has_children, queued
from autograder.classroom.warm import Zygote, pipe

__all__ = ["BUSY", "LATE", "Pair", "Process", "introduce"]

# Why a cell came to no end: it has used its time, or the machine had none for it.
LATE, BUSY = "late", "busy"
_LEAST = 0.05  # seconds that are worth waiting

# A cell that had to wait for a processor gets this many times its own time, and no more.
_PATIENCE = 10.0
_GRACE = 3.0  # seconds for a process to answer after it was interrupted, or has lost the other


class Process:
    """One of the two: a fork of the kernels' process."""

    def __init__(self, zygote: Zygote, entry: str, folder: str, environment: dict[str, str]):
        self._zygote, self.alive = zygote, True
        self._number, self.connection = zygote.fork(
            folder=folder, environment=environment, entry=entry
        )
        self.connection.settimeout(_GRACE)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    def send(self, **message: Any) -> None:
        """Say something, if it listens."""
        try:
            pipe.send(self.connection, message)
        except OSError:
            self.kill()

    def answers_in(self, seconds: float | None) -> bool:
        """Say whether it says something, or ends, in this time."""
        return bool(wait([self.connection], seconds))

    def queued(self) -> float:
        """Return for how many seconds it has been ready to run while others ran."""
        return queued(self._number)

    def has_children(self) -> bool:
        """Say whether it has started processes: then it may be waiting for its own."""
        return has_children(self._number)

    def interrupt(self) -> None:
        """Do what Ctrl+C does."""
        self._zygote.interrupt(self._number)

    def kill(self) -> None:
        """End it, and what it has started."""
        if self.alive:
            self.alive = False
            self._zygote.kill(self._number)
            self.connection.close()


def introduce(answers: Process, tests: Process) -> None:
    """Give each of the two one end of a connection of their own."""
    for process, end in zip((answers, tests), socket.socketpair(), strict=True):
        with end, contextlib.suppress(OSError):
            socket.send_fds(process.connection, [b"+"], [end.fileno()])


class Pair:
    """Runs a notebook's cells in the two processes.

    Args:
      names: what a test may take from the answers; None for whatever it does not find.
      seconds: how long all cells may run; None for no limit.
      cell_seconds: how long a cell may run; None for as long as there is time.
    """

    def __init__(self, answers: Process, tests: Process, names, seconds, cell_seconds):
        self._answers, self._tests = answers, tests
        self._names = None if names is None else sorted(names)
        self._limit, self._cell_seconds = seconds, cell_seconds
        self._began = monotonic()
        self._late = ""  # why the last cell was interrupted
        self._spoiled = False  # whether an answer was interrupted because the machine was busy
        self._changed = False  # whether a cell has run with the answers since the last test
        self._notes: list[str] = []

    def run(self, plan: Sequence[Step]) -> tuple[dict[str, dict], list[str]]:
        """Return what came of each cell that ran with the tests, by name, and notes.

        A cell that was interrupted came "late", or "busy" where the machine is to blame.
        """
        came = {}
        for number, step in enumerate(plan):
            name = step.cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {number + 1}"
            if self._left() == 0:
                self._note(f"{name}: no time was left")
                break
            if step.answers and self._answers.alive:
                self._run_answer(step.cell.source, name)
            if step.tests and self._tests.alive:
                came[name] = self._run_test(step.cell.source, name)
        return came, self._notes

    def _run_answer(self, source: str, name: str) -> None:
        self._changed, self._late = True, ""
        self._answers.send(source=source)
        if not self._comes(self._answers, name) or not _byte(self._answers.connection):
            self._note(f"{name}: the process of the answers has ended")
            self._answers.kill()
        self._spoiled |= self._late == BUSY

    def _run_test(self, source: str, name: str) -> dict[str, Any]:
        self._tests.send(source=source, name=name, changed=self._changed, answers=self._names)
        self._changed, self._late = False, BUSY if self._spoiled else ""
        came: dict[str, Any] = {}
        if self._tests.alive and self._comes(self._answers, name, self._tests):
            with contextlib.suppress(EOFError, OSError):
                came = pipe.receive(self._tests.connection)
        if "not_judged" in came:
            self._note(f"{name} needs more than plain data: {came['not_judged']}")
        if not came:
            self._note(f"{name}: the process of the tests has ended")
            self._tests.kill()
        return {**came, self._late: True} if self._late else came

    def _comes(self, culprit: Process, name: str, waited: Process | None = None) -> bool:
        """Wait for a process as long as a cell may run; then interrupt who is to blame, and end it.

        A test that takes too long waits for an answer, as a rule: so the answers are to blame.
        """
        waited = waited or culprit
        if self._in_time(waited):
            return True
        self._note(f"{name} ran out of time")
        for process in dict.fromkeys((culprit, waited)):
            for action in (process.interrupt, process.kill):
                if process.alive:
                    action()
                if waited.alive and waited.answers_in(_GRACE):
                    return True
        return False

    def _in_time(self, waited: Process) -> bool:
        """Wait for a process. The time in which others have used the processor does not count."""
        limit, began, before = self._left(), monotonic(), self._queued()
        if waited.answers_in(limit):
            return True
        while True:
            lost = 0.0 if self._answers.has_children() else self._queued() - before
            left = min(limit + lost, _PATIENCE * limit) - (monotonic() - began)
            if left > _LEAST and waited.answers_in(left):
                return True
            if left <= _LEAST:
                self._late = BUSY if limit + lost >= _PATIENCE * limit else LATE
                return False

    def _queued(self) -> float:
        return sum(each.queued() for each in (self._answers, self._tests) if each.alive)

    def _left(self) -> float | None:
        """Return how long the next cell may run; None for no limit."""
        limits = [self._cell_seconds] if self._cell_seconds else []
        if self._limit:
            used = monotonic() - self._began
            if used >= self._limit and not self._answers.has_children():
                used -= min(self._queued(), _PATIENCE * self._limit)
            limits.append(max(0.0, self._limit - used))
        return min(limits, default=None)

    def _note(self, note: str) -> None:
        self._notes.append(note)


def _byte(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1)
    except OSError:
        return b""
