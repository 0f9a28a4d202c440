"""Two kernels for one notebook, as nbclient drives them: the answers', and the tests'.

During a test both work: the tests' kernel runs it, and the answers' kernel makes the calls that it
asks for. What the answers show meanwhile stands in the test's cell, as if both were one kernel. It
gives no points, and takes them only as in one kernel: by what is written to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from autograder.kernels import pipe
from autograder.kernels.clock import Clock
from autograder.kernels.manager import WarmClient, WarmKernelManager
from autograder.kernels.process import Zygote

_SHOWN = ("display_data", "update_display_data", "stream")


class _AnswersClient(WarmClient):
    """The client of the kernel in which the student's cells run."""

    tests: _TestsClient

    def start_channels(self) -> None:
        super().start_channels()
        self.tests.start_channels()

    def stop_channels(self) -> None:
        super().stop_channels()
        self.tests.stop_channels()

    async def say(self, number: str, **message: Any) -> None:
        """Say that a test begins or ends; `number` is borne by what is shown meanwhile."""
        self.current = number
        self.ration.begin_cell()
        with contextlib.suppress(OSError):
            await self.send(pipe.packed(message))

    def take(self, message: dict) -> None:
        if self.current.startswith("test "):
            self.tests.take_beside(message)
        else:
            super().take(message)

    def lose(self) -> None:
        super().lose()
        self.tests.conclude()


class _TestsClient(WarmClient):
    """The client of the kernel in which the locked cells run.

    Attributes:
      given: what its part of the kernel is told with each cell.
    """

    def __init__(self, manager: WarmKernelManager, connection: socket.socket, answers):
        super().__init__(manager, connection)
        self._answers, self.given, self._idle = answers, {}, None

    async def execute(self, code: str, store_history: bool = True, stop_on_error: bool = True):
        number = next(self.numbers)
        self._idle = None
        await self._answers.say(f"test {number}", begins=f"test {number}")
        return await self.run(number, {"code": code, "store_history": store_history, **self.given})

    def take_beside(self, message: dict) -> None:
        """Take what the answers say during a test."""
        kind, content = message["msg_type"], message["content"]
        if kind == "status" and content["execution_state"] == "idle":
            self.conclude()
        elif kind in _SHOWN:
            self.iopub_channel.put({**message, "parent_header": {"msg_id": self.current}})

    def take(self, message: dict) -> None:
        if message["content"].get("execution_state") != "idle":
            super().take(message)
            return
        self._idle = message
        if self.manager.lost:
            self.conclude()
        else:  # a test has ended when the answers have shown the rest, too
            loop = asyncio.get_running_loop()
            self._ending = loop.create_task(self._answers.say(self._answers.current, ends=True))

    def conclude(self) -> None:
        """End the test, if its own kernel has."""
        idle, self._idle = self._idle, None
        if idle:
            self.iopub_channel.put(idle)


class PairManager(WarmKernelManager):
    """The manager of the two kernels.

    Args:
      parts: the modules of the two parts: the answers', and the tests'.
      folder: where the tests run; the answers run in the submission's.
      given: variables that only the tests' kernel has.
    """

    def __init__(
        self,
        zygote: Zygote,
        core: int | None,
        parts: tuple[str, str],
        folder: str,
        given: Mapping[str, str] = MappingProxyType({}),
    ):
        super().__init__(zygote, core)
        self._parts, self._folder, self._given = parts, folder, given
        self._tests: int | None = None
        self._tests_connection: socket.socket | None = None

    async def start_kernel(self, *, cwd: str | None = None, env=None, **_settings: Any) -> None:
        """Fork both kernels: the answers work in the folder `cwd`."""
        answers, tests = self._parts
        variables = dict(os.environ if env is None else env)
        variables = {name: each for name, each in variables.items() if name not in self._given}
        self._process, self._connection = await self.forked(cwd, variables, part=answers)
        try:
            self._tests, self._tests_connection = await self.forked(
                self._folder, {**variables, **self._given}, part=tests, keep=False
            )
        except RuntimeError:
            await self.shutdown_kernel()
            raise
        connections = self._connection, self._tests_connection
        for connection, end in zip(connections, socket.socketpair(), strict=True):
            with end, contextlib.suppress(OSError):
                pipe.send_descriptor(connection, end.fileno())
        self.lost, self.clock = False, Clock(self._process, self._tests)

    def client(self) -> _AnswersClient:
        """Return the client of the answers' kernel; it has the other one."""
        answers = _AnswersClient(self, self._connection)
        answers.tests = _TestsClient(self, self._tests_connection, answers)
        return answers

    async def interrupt_kernel(self) -> None:
        """Interrupt both kernels: the one that waits for the other ends its cell with it."""
        await super().interrupt_kernel()
        if self._tests is not None:
            self.zygote.interrupt(self._tests)

    async def shutdown_kernel(self, now: bool = False, restart: bool = False) -> None:
        if self._tests is not None:
            tests, self._tests = self._tests, None
            await asyncio.to_thread(self.zygote.kill, tests)
        await super().shutdown_kernel(now, restart)
