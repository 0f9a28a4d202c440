"""The grader's end of the process that kernels are forked from."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.kernels import pipe
from autograder.sandbox import copied_files
from autograder.sandbox.limits import Limits
from autograder.sandbox.variables import allowed

# Seconds that a fork may take for it; a busy machine may need some.
_TO_BEGIN, _TO_END = 60.0, 10.0


class _Fork:
    """A forked process, seen from the grader.

    Args:
      life: a socket that says how the fork began, and closes when the fork ends.
    """

    def __init__(self, life: socket.socket):
        self._life, self._written, self._target = life, -1, None
        self._most = 0
        life.settimeout(_TO_BEGIN)

    def begun(self) -> str:
        """Wait until it has begun; return why it could not, or ""."""
        try:
            _, descriptors, _, _ = socket.recv_fds(self._life, 1, 1)
            self._written = next(iter(descriptors), -1)
            return pipe.receive(self._life)["error"]
        except (EOFError, OSError) as error:
            return str(error) or "it ended before it had begun"

    def keep(self, folder: Path, limits: Limits | None) -> None:
        """When it ends, copy the files that it has written back into this folder."""
        if limits:
            self._target, self._most = folder, limits.file_megabytes << 20

    def end(self) -> None:
        """Wait until it has ended."""
        self._life.settimeout(_TO_END)
        with self._life, contextlib.suppress(OSError):
            gone = not self._life.recv(1)
            if gone and self._target and self._written >= 0:
                copied_files.copy_back(self._written, self._target, most=self._most)
        # Once only: by now another file may have the number.
        number, self._written = self._written, -1
        if number >= 0:
            os.close(number)


class Zygote:
    """The grader's handle on the process that forks kernels; any thread may ask for a kernel.

    Args:
      modules: what to import before the first fork: what the notebook's locked cells import.
      limits: what a fork may use; None sets no limits and contains nothing.
      entries: modules with a function `serve(connection, request)`, which a fork can run in place
        of a kernel, or `part`, for one of two kernels; they are imported before the first fork too.
    """

    def __init__(
        self, modules: Sequence[str], limits: Limits | None = None, entries: Sequence[str] = ()
    ):
        ours, theirs = socket.socketpair()
        self.limits = limits
        self._control, self._lock = ours, threading.Lock()
        self._forks: dict[int, _Fork] = {}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "autograder.kernels.zygote", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**self._variables(os.environ), "OPENBLAS_NUM_THREADS": "1"},
            )
        setup = {"modules": list(modules), "entries": list(entries)}
        pipe.send(self._control, {**setup, "limits": limits and asdict(limits)})
        self._ready: dict | None = None

    def ready(self) -> dict:
        """Wait until it can fork; return its first message.

        Raises:
          RuntimeError: it could not start.
        """
        with self._lock:
            if self._ready is None:
                try:
                    self._ready = pipe.receive(self._control)
                except (EOFError, OSError):
                    self._ready = {"error": f"it ended with {self._process.wait()}"}
        if "error" in self._ready:
            raise RuntimeError(f"the kernels' process could not start: {self._ready['error']}")
        return self._ready

    def fork(
        self,
        *,
        folder: str,
        environment: dict[str, str],
        entry: str = "",
        given: Any = None,
        part: str = "",
        keep: bool = True,
        core: int | None = None,
    ) -> tuple[int, socket.socket]:
        """Start a process from this one, with everything in memory.

        Args:
          folder: where it works.
          environment: its variables.
          entry: the module whose `serve(connection, request)` it runs; "" makes it a kernel.
          given: plain data for the entry, as request["given"].
          part: the module of the kernel's part, where two share a notebook's cells.
          keep: whether the submission's next notebook may look for what a kernel writes.
          core: the only one that it and its children will run on; None for all.

        Returns:
          Its process id, for `interrupt` and `kill`, and the socket that it listens to.

        Raises:
          RuntimeError: it could not start, because of this machine.
        """
        self.ready()
        variables = self._variables(environment)
        request = {"environment": variables, "entry": entry, "given": given, "part": part}
        request |= {"folder": str(Path(folder).absolute()), "core": core}
        ours, theirs = socket.socketpair()
        life, held = socket.socketpair()  # `held` is closed when the fork has ended
        with theirs, held, self._lock:
            socket.send_fds(self._control, [b"+"], [theirs.fileno(), held.fileno()])
            pipe.send(self._control, request)
            child = pipe.receive(self._control)["child"]
        fork = _Fork(life)
        error = fork.begun()
        if error:
            ours.close()
            self._signal(child, signal.SIGKILL)
            fork.end()
            raise RuntimeError(f"a process for a notebook could not start: {error}")
        if keep and not entry:
            fork.keep(Path(folder), self.limits)
        self._forks[child] = fork
        return child, ours

    def interrupt(self, child: int) -> None:
        """Send SIGINT, as Ctrl+C does, to a fork and to the processes that it has started."""
        self._signal(child, signal.SIGINT)

    def kill(self, child: int) -> None:
        """End a fork and the processes that it has started; wait for all to end; keep the files."""
        fork = self._forks.pop(child, None)
        if fork:
            self._signal(child, signal.SIGKILL)
            fork.end()

    def is_alive(self) -> bool:
        """Say whether it can still fork."""
        return self._process.poll() is None

    def close(self) -> None:
        """End it, and with it every kernel that is left."""
        self._control.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def _contained(self) -> bool:
        return self.limits is not None and self.limits.contained

    def _variables(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the variables that a fork may have: it could read its own memory."""
        return allowed(environment) if self._contained else dict(environment)

    def _signal(self, child: int, number: int) -> None:
        # A process that has ended has taken its forks with it.
        with self._lock, contextlib.suppress(OSError, EOFError):
            self._control.sendall(b"-")
            pipe.send(self._control, {"child": child, "signal": number})
            pipe.receive(self._control)  # a signal never comes after what is sent next
