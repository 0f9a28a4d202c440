"""The kernel manager and client that nbclient uses, on the grader's side."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import math
import os
import queue
import socket
from typing import Any

from autograder.kernels import messages, pipe
from autograder.kernels.clock import Allowance, Clock
from autograder.kernels.output import Ration
from autograder.kernels.process import Zygote

_TO_SEND = 10.0  # seconds that a kernel may take to read a cell


class _Channel:
    """Messages of one kind, in order; waiting for one counts as the sandbox's own time."""

    def __init__(self, manager: WarmKernelManager):
        self._messages: asyncio.Queue[dict] = asyncio.Queue()
        self._manager = manager

    def put(self, message: dict) -> None:
        self._messages.put_nowait(message)

    async def get_msg(self, timeout: float | None = None) -> dict:
        """Return the next message; raise queue.Empty if there is none in time."""
        if not self._messages.empty():  # to wait would cost a task
            return self._messages.get_nowait()
        if timeout is None:
            return await self._messages.get()
        allowance = Allowance(timeout, self._manager.clock)
        while pause := allowance.next():
            try:
                return await asyncio.wait_for(self._messages.get(), pause)
            except TimeoutError:
                allowance.spend()
        self._manager.starved |= allowance.cut
        raise queue.Empty


class WarmClient:
    """The client of a forked kernel, as nbclient uses it.

    Attributes:
      manager: the kernel's.
      numbers: of the cells to come.
      current: the number of the cell that is being run: what bears another is dropped.
      ration: how much it may still say.
    """

    def __init__(self, manager: WarmKernelManager, connection: socket.socket):
        self.allow_stdin = False
        self.manager, self._connection = manager, connection
        self.numbers = map(str, itertools.count(1))
        self.shell_channel, self.iopub_channel = _Channel(manager), _Channel(manager)
        self._unread, self.current = bytearray(), ""
        limits = manager.zygote.limits
        # The kernel counts too; the slack keeps honest outputs from being cut here.
        self.ration = Ration(limits.output_megabytes if limits else math.inf, slack=2)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start_channels(self) -> None:
        """Begin to read what the kernel says."""
        self._connection.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._connection, self._read)

    def stop_channels(self) -> None:
        """Stop reading."""
        if self._loop:
            self._loop.remove_reader(self._connection)
            self._loop = None
        self._connection.close()

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Return at once: a forked kernel has started before it is forked."""

    async def is_alive(self) -> bool:
        """Say whether the kernel is there."""
        return await self.manager.is_alive()

    def kernel_info(self) -> str:
        """Answer for the kernel: all forked kernels are alike."""
        number = next(self.numbers)
        content = {"status": "ok", "language_info": self.manager.zygote.ready()["language_info"]}
        reply = {"msg_type": "kernel_info_reply", "content": content}
        self.shell_channel.put({**reply, "parent_header": {"msg_id": number}})
        return number

    async def execute(self, code: str, store_history: bool = True, stop_on_error: bool = True):
        """Send a cell; return the number that its messages will bear."""
        request = {"code": code, "store_history": store_history, "stop_on_error": stop_on_error}
        return await self.run(next(self.numbers), request)

    async def run(self, number: str, request: dict) -> str:
        """Send a request to run a cell; return its number."""
        self.current = number
        self.ration.begin_cell()
        try:
            await self.send(pipe.packed({"msg_id": number, **request}))
        except OSError:  # gone, or it does not listen: the wait for its answer notices
            self.lose()
        return number

    async def send(self, packed: bytes) -> None:
        """Send a message.

        Raises:
          OSError: the kernel has gone, or does not listen.
        """
        with contextlib.suppress(BlockingIOError):
            packed = packed[self._connection.send(packed) :]
        if packed:
            sent = self._loop.sock_sendall(self._connection, packed)
            await asyncio.wait_for(sent, _TO_SEND)

    def _read(self) -> None:
        """Read from the socket; pass on the messages that are complete."""
        try:
            part = self._connection.recv(1 << 20)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            part = b""
        self._unread += part
        try:
            for body in pipe.complete(self._unread, lambda: self.ration.largest):
                self._take_packed(body)
        except ValueError:  # it cannot be trusted any more
            part = b""
        if not part:
            self.lose()

    def _take_packed(self, body: bytes) -> None:
        """Read a message, and take it.

        Raises:
          ValueError: no kernel sends this, or so much.
        """
        if not self.ration.take_needed(len(body)):
            raise messages.ForgedError("more than a kernel sends")
        message = messages.read(body, self.current)
        if message:
            self.take(message)

    def take(self, message: dict) -> None:
        """Pass on a message."""
        reply = message["msg_type"] == "execute_reply"
        (self.shell_channel if reply else self.iopub_channel).put(message)

    def lose(self) -> None:
        """Treat the kernel as dead: it has gone, or it sends what no kernel sends."""
        self.manager.lost = True
        self._unread.clear()
        if self._loop:
            self._loop.remove_reader(self._connection)


class WarmKernelManager:
    """The manager of one forked kernel, as nbclient uses it.

    Attributes:
      lost: whether the kernel has gone, or sends what no kernel sends.
      interrupted: whether a cell was.
      starved: whether a cell's time ended because the kernel got next to none on its core.
      clock: the kernel's own time.
    """

    ipykernel = True

    def __init__(self, zygote: Zygote, core: int | None = None, **_settings: Any):
        self.zygote, self.lost, self.starved = zygote, False, False
        self.interrupted = False
        self.clock, self._core = Clock(), core
        self._process: int | None = None
        self._connection: socket.socket | None = None

    @property
    def has_kernel(self) -> bool:
        """Say whether a kernel was started and not yet shut down."""
        return self._process is not None

    async def start_kernel(self, *, cwd: str | None = None, env=None, **_settings: Any) -> None:
        """Fork a kernel that works in the folder `cwd`."""
        environment = dict(os.environ if env is None else env)
        self._process, self._connection = await self.forked(cwd, environment)
        self.lost, self.clock = False, Clock(self._process)

    async def forked(self, folder: str | None, environment: dict[str, str], **how: Any):
        """Return a forked kernel's process and connection; `how` as `Zygote.fork` takes it."""
        given = {"folder": folder or str(os.getcwd()), "core": self._core}  # noqa: PTH109
        fork = functools.partial(self.zygote.fork, environment=environment, **given, **how)
        return await asyncio.to_thread(fork)

    def client(self) -> WarmClient:
        """Return the one client of this kernel."""
        return WarmClient(self, self._connection)

    async def is_alive(self) -> bool:
        """Say whether the kernel's end of the socket is open."""
        return self.has_kernel and not self.lost

    def comes_to_rest(self) -> bool:
        """Say whether the processes that an interrupted cell has started end with it."""
        interrupted, self.interrupted = self.interrupted, False
        return not interrupted or self.clock.comes_to_rest()

    async def interrupt_kernel(self) -> None:
        """Send SIGINT, as Ctrl+C does, to the kernel and to the processes that it has started."""
        if self._process is not None:
            self.interrupted = True
            self.zygote.interrupt(self._process)

    async def shutdown_kernel(self, now: bool = False, restart: bool = False) -> None:
        """Kill the kernel and the processes that it has started; wait until all have ended."""
        if self._process is not None:
            process, self._process = self._process, None
            await asyncio.to_thread(self.zygote.kill, process)

    async def cleanup_resources(self, restart: bool = False) -> None:
        """Clean up after a kernel that was lost."""
        await self.shutdown_kernel(now=True)
