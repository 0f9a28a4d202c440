"""The grader's side: what nbclient takes for a kernel manager and its client."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from autograder.classroom.warm import pipe

__all__ = ["WarmKernelManager", "Zygote"]


class Zygote:
    """The process that kernels are forked from; any thread may ask for one.

    Args:
      modules: what to import before the first fork: what the notebook's locked cells import.
    """

    def __init__(self, modules: Sequence[str]):
        ours, theirs = socket.socketpair()
        self._control, self._lock = ours, threading.Lock()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "autograder.classroom.warm.zygote",
                str(theirs.fileno()),
                json.dumps(list(modules)),
            ],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        theirs.close()
        self._ready: dict | None = None

    def ready(self) -> dict:
        """Wait until it can fork; return what it says of itself.

        Raises:
          RuntimeError: it could not start.
        """
        with self._lock:
            if self._ready is None:
                try:
                    self._ready = pipe.receive(self._control)
                except EOFError as error:
                    code = self._process.wait()
                    raise RuntimeError(f"the kernels' process ended with {code}") from error
            return self._ready

    def fork(self, *, folder: str, environment: dict[str, str]) -> tuple[int, socket.socket]:
        """Return a new kernel: its process id, and the socket that it listens to."""
        self.ready()
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            socket.send_fds(self._control, [b"+"], [theirs.fileno()])
            pipe.send(self._control, {"folder": folder, "environment": environment})
            return pipe.receive(self._control)["pid"], ours

    def close(self) -> None:
        """End it, and with it every kernel that is left."""
        self._control.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Channel:
    """Messages of one kind, as they come."""

    def __init__(self):
        self._messages: asyncio.Queue[dict | None] = asyncio.Queue()

    def put(self, message: dict) -> None:
        self._messages.put_nowait(message)

    async def get_msg(self, timeout: float | None = None) -> dict:
        """Return the next message; raise queue.Empty if there is none in time."""
        try:
            return await asyncio.wait_for(self._messages.get(), timeout)
        except TimeoutError:
            raise queue.Empty from None


class _WarmClient:
    """What nbclient asks of a kernel's client."""

    def __init__(self, manager: WarmKernelManager, connection: socket.socket):
        self.allow_stdin = False
        self._manager, self._connection = manager, connection
        self._numbers = itertools.count(1)
        self.shell_channel, self.iopub_channel = _Channel(), _Channel()
        self._unread = bytearray()
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
        return await self._manager.is_alive()

    def kernel_info(self) -> str:
        """Answer for the kernel, which is like its siblings."""
        number = str(next(self._numbers))
        content = {"status": "ok", "language_info": self._manager.zygote.ready()["language_info"]}
        reply = {"msg_type": "kernel_info_reply", "content": content}
        self.shell_channel.put({**reply, "parent_header": {"msg_id": number}})
        return number

    async def execute(self, code: str, store_history: bool = True, stop_on_error: bool = True):
        """Send a cell; return the number that its messages will bear."""
        number = str(next(self._numbers))
        request = {"msg_id": number, "code": code}
        request |= {"store_history": store_history, "stop_on_error": stop_on_error}
        # A kernel that has gone is noticed by whoever waits for its answer.
        with contextlib.suppress(OSError):
            await self._loop.sock_sendall(self._connection, pipe.packed(request))
        return number

    def _read(self) -> None:
        """Take in what has come; pass on the messages that are complete."""
        with contextlib.suppress(BlockingIOError, InterruptedError):
            try:
                part = self._connection.recv(1 << 20)
            except ConnectionError:
                part = b""
            if not part:
                self._manager.lost = True
                self._loop.remove_reader(self._connection)
            self._unread += part
        for message in pipe.complete(self._unread):
            self._sort(message)

    def _sort(self, message: dict) -> None:
        reply = message["msg_type"] == "execute_reply"
        (self.shell_channel if reply else self.iopub_channel).put(message)


class WarmKernelManager:
    """What nbclient asks of a kernel manager; its kernels are forks of a zygote."""

    ipykernel = True

    def __init__(self, zygote: Zygote, **_settings: Any):
        self.zygote, self.lost = zygote, False
        self._process: int | None = None
        self._connection: socket.socket | None = None

    @property
    def has_kernel(self) -> bool:
        """Say whether a kernel was started and not yet shut down."""
        return self._process is not None

    async def start_kernel(self, *, cwd: str | None = None, env=None, **_settings: Any) -> None:
        """Fork a kernel that works in the folder `cwd`."""
        environment = dict(os.environ if env is None else env)
        fork = self.zygote.fork
        self._process, self._connection = await asyncio.to_thread(
            lambda: fork(folder=cwd or str(os.getcwd()), environment=environment)  # noqa: PTH109
        )
        self.lost = False

    def client(self) -> _WarmClient:
        """Return the one client of this kernel."""
        return _WarmClient(self, self._connection)

    async def is_alive(self) -> bool:
        """Say whether the kernel's end of the socket is open."""
        return self.has_kernel and not self.lost

    async def interrupt_kernel(self) -> None:
        """Do what Ctrl+C does, to the kernel and to what it has started."""
        self._signal(signal.SIGINT)

    async def shutdown_kernel(self, now: bool = False, restart: bool = False) -> None:
        """Kill the kernel and what it has started."""
        self._signal(signal.SIGKILL)
        self._process = None

    async def cleanup_resources(self, restart: bool = False) -> None:
        """Leave nothing behind: there are no files."""

    def _signal(self, number: int) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process, number)
