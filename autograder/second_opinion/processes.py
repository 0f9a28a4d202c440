"""The two processes of a second opinion, as the grader drives them: it starts and ends cells.

The answers' process sends the grader one byte a cell, and only that byte is read.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from multiprocessing.connection import wait
from time import monotonic
from typing import Any

from autograder.kernels import Zygote, pipe
from autograder.kernels.clock import Allowance, Clock
from autograder.marked_cells import grade_id
from autograder.second_opinion.plan import Step

# Why a cell did not finish: it has used its time, or the machine had none for it.
LATE, BUSY = "late", "busy"
_PART = 1 / 6  # of a cell's time
_GRACE = 3.0  # seconds for a process to answer after it was interrupted, or has lost the other


class ForkedProcess:
    """One of the two: a fork of the kernels' process."""

    def __init__(
        self,
        zygote: Zygote,
        entry: str,
        folder: str,
        environment: dict[str, str],
        core: int | None = None,
    ):
        self._zygote, self.alive = zygote, True
        self.number, self.connection = zygote.fork(
            folder=folder, environment=environment, entry=entry, core=core
        )
        self.connection.settimeout(_GRACE)

    def __enter__(self) -> ForkedProcess:
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

    def interrupt(self) -> None:
        """Send SIGINT, as Ctrl+C does."""
        self._zygote.interrupt(self.number)

    def kill(self) -> None:
        """End it, and what it has started."""
        if self.alive:
            self.alive = False
            self._zygote.kill(self.number)
            self.connection.close()


def introduce(answers: ForkedProcess, tests: ForkedProcess) -> None:
    """Give each of the two one end of a connection of their own."""
    for process, end in zip((answers, tests), socket.socketpair(), strict=True):
        with end, contextlib.suppress(OSError):
            socket.send_fds(process.connection, [b"+"], [end.fileno()])


class TwoProcesses:
    """Runs a notebook's cells in the two processes.

    Args:
      names: the names that a test may take from the answers; None for any name that it lacks.
      seconds: how long all cells may run; None for no limit.
      cell_seconds: how long a cell may run; None for as long as there is time.
      hurried: by name, the cells that get only a part of that time.

    Attributes:
      starved: whether a cell's time ended because the two got next to none on their core.
    """

    def __init__(
        self, answers: ForkedProcess, tests: ForkedProcess, names, seconds, cell_seconds, hurried=()
    ):
        self._answers, self._tests = answers, tests
        self._names = None if names is None else sorted(names)
        self._limit, self._cell_seconds, self.starved = seconds, cell_seconds, False
        self._hurried = frozenset(hurried)
        self._began, self._clock = monotonic(), Clock(answers.number, tests.number)
        self._late = ""  # why the last cell was interrupted
        self._spoiled = False  # whether an answer was interrupted because the machine was busy
        self._changed = False  # whether a cell has run with the answers since the last test
        self._notes: list[str] = []

    def run(self, plan: Sequence[Step]) -> tuple[dict[str, dict], list[str]]:
        """Return the result of each cell that ran with the tests, by name, and notes.

        An interrupted cell is "late", or "busy" if the machine was too busy.
        """
        came = {}
        for number, step in enumerate(plan):
            name = grade_id(step.cell) or f"cell {number + 1}"
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

    def _comes(
        self, culprit: ForkedProcess, name: str, waited: ForkedProcess | None = None
    ) -> bool:
        """Wait for a process as long as a cell may run; then interrupt the culprit, and end it.

        A test that takes too long usually waits for an answer: then the answers are the culprit.
        """
        waited = waited or culprit
        if self._in_time(waited, _PART if name in self._hurried else 1.0):
            return True
        self._note(f"{name} ran out of time")
        for process in dict.fromkeys((culprit, waited)):
            for action in (process.interrupt, process.kill):
                if process.alive:
                    action()
                if waited.alive and waited.answers_in(_GRACE):
                    self._end_what_goes_on()
                    return True
        return False

    def _end_what_goes_on(self) -> None:
        """End the answers if processes that an interrupted cell started do not end with it."""
        if self._answers.alive and not Clock(self._answers.number).comes_to_rest():
            self._answers.kill()

    def _in_time(self, waited: ForkedProcess, part: float) -> bool:
        left = self._left()
        if left is None:
            return waited.answers_in(None)
        allowance = Allowance(part * left, self._clock)
        while pause := allowance.next():
            if waited.answers_in(pause):
                return True
            allowance.spend()
        self._late, self.starved = BUSY if allowance.cut else LATE, self.starved or allowance.cut
        return False

    def _left(self) -> float | None:
        """Return how long the next cell may run; None for no limit."""
        end = self._began + (self._limit or 0.0) + self._clock.lost
        left = [max(0.0, end - monotonic())] if self._limit else []
        return min([*left, *([self._cell_seconds] if self._cell_seconds else [])], default=None)

    def _note(self, note: str) -> None:
        self._notes.append(note)


def _byte(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1)
    except OSError:
        return b""
