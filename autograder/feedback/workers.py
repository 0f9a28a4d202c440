"""Makes feedback pages while notebooks are graded, each in its own process with limits.

For each student, a process that has read all settings and laid out the chapter's own text is
forked. A student's work can end only that fork: the student then gets a page on which no cell is
laid out.
"""

import contextlib
import gc
import multiprocessing
import os
import queue
import select
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from autograder.feedback.pages import Feedback
from autograder.nbgrader import reasons
from autograder.problem import Problem
from autograder.sandbox import system

try:
    import resource
except ImportError:  # Windows
    resource = None

_BESIDE_CELLS = 10.0  # seconds of CPU time for reading and writing the notebooks
_WAITING = 10  # times the CPU time that a process may take by the clock: the machine may be busy
_LONGEST = 1_000  # bytes of a reason


class PageError(Problem):
    """A student's page could not be made; the message says why."""


class Pages:
    """Makes feedback pages. Create it before any thread is started, because it forks.

    Args:
      workers: how many notebooks are graded at the same time.
    """

    def __init__(self, feedback: Feedback, workers: int):
        # Last in, first out: idle processes stay idle.
        self._feedback, self._makers = feedback, queue.LifoQueue()
        self._threads: ThreadPoolExecutor | None = None
        if sys.platform == "linux":
            # A page takes a tenth of a grading's time. Where all is graded, only pages are made.
            number = max(-(-workers // 4), min(workers, 2))
            self._all = [_Maker(feedback, at_once=place == 0) for place in range(number)]
            for maker in reversed(self._all):
                self._makers.put(maker)
            self._threads = ThreadPoolExecutor(len(self._all))

    def make(self, student: str) -> Future[None]:
        """Start to make one student's pages."""
        if self._threads:
            return self._threads.submit(self._make, student)
        done: Future[None] = Future()
        try:
            done.set_result(self._feedback.generate(student))
        except Exception as error:
            done.set_exception(error)
        return done

    def _make(self, student: str) -> None:
        maker = self._makers.get()
        try:
            maker.make(student)
        finally:
            if maker.is_alive() or not any(other.is_alive() for other in self._all):
                self._makers.put(maker)

    def close(self) -> None:
        """End the processes; pages that are still waiting are not made."""
        if self._threads:
            self._threads.shutdown(cancel_futures=True)
            for maker in self._all:
                maker.close()


class _Maker:
    """The grader's side of a process that is forked for each student."""

    def __init__(self, feedback: Feedback, *, at_once: bool):
        """Start it; it gets ready at once, or when it has a page to make."""
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, feedback, at_once), daemon=True
        )
        self._process.start()
        theirs.close()

    def make(self, student: str) -> None:
        try:
            self._connection.send(student)
            reason = self._connection.recv()
        except (OSError, EOFError) as error:
            raise PageError("the process that makes pages was killed") from error
        if reason:
            raise PageError(reason)

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it was killed
            self._connection.send(None)
        self._connection.close()
        self._process.join()


def _serve(connection: Connection, feedback: Feedback, at_once: bool) -> None:
    """Make pages until there are no more to make."""
    system.die_with_parent()  # a grader that is killed must not leave it waiting
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader ends this process
    if at_once:
        _get_ready(feedback)
    for number, student in enumerate(iter(connection.recv, None)):
        if number == 0:
            if not at_once:
                _get_ready(feedback)
            feedback.learn_questions(student)  # the gradebook has nobody before
        reason = _in_fork(feedback, partial(feedback.generate, student))
        if reason:
            reason = _in_fork(feedback, partial(feedback.generate, student, seconds=0))
        connection.send(reason)


def _get_ready(feedback: Feedback) -> None:
    feedback.warm_up()
    gc.collect()
    gc.freeze()


def _in_fork(feedback: Feedback, make: Callable[[], None]) -> str:
    """Make a page in a fork with limits; return why it was not made, or ""."""
    seconds, megabytes = feedback.limits()
    seconds += _BESIDE_CELLS
    mine, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(mine)
        _limit(seconds, megabytes)
        os.write(theirs, _reason(make)[:_LONGEST])
        os._exit(0)
    os.close(theirs)
    words = _heard(mine, time.monotonic() + _WAITING * seconds)
    os.close(mine)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if words is None:
        return f"it takes more than {seconds:g} seconds, or {megabytes} megabytes of memory"
    return words.decode("utf-8", "replace").removeprefix(_DONE.decode())


_DONE = b"\0"  # before the reason: a killed process has not sent it


def _limit(seconds: float, megabytes: int) -> None:
    system.die_with_parent()
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # if memory is short, it is the first
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _reason(make: Callable[[], None]) -> bytes:
    try:
        make()
    except BaseException as error:
        return _DONE + reasons.words(error).encode("utf-8", "replace")
    return _DONE


def _heard(descriptor: int, until: float) -> bytes | None:
    """Return a fork's message; None if the fork or the time ends without one."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    ready = poll.poll(max(until - time.monotonic(), 0) * 1000)
    return (os.read(descriptor, _LONGEST) or None) if ready else None
