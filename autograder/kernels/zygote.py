"""The process that forks kernels. It never opens the gradebook and holds no thread.

Run as `python -m autograder.kernels.zygote FD`, where FD is the socket of the grader. It
imports what the grader names, builds one ready IPython kernel, and forks itself for each notebook.
A child answers over a socket of its own, with the messages that a kernel would send by zmq, or by
another module's `serve`.
"""

import asyncio
import contextlib
import fcntl
import gc
import importlib
import math
import os
import pkgutil
import select
import signal
import socket
import sys
import threading
from dataclasses import dataclass

from ipykernel.ipkernel import IPythonKernel
from jupyter_client.jsonutil import json_default

from autograder.kernels import pipe
from autograder.kernels.kernel import answer, make_kernel
from autograder.sandbox import system, variables
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import Sandbox

_BACKEND = "module://matplotlib_inline.backend_inline"


class _Family:
    """The children, each kept until the grader gives it up, so that no process id is used twice."""

    def __init__(self):
        self._lives: dict[int, socket.socket] = {}
        self._given_up: set[int] = set()

    def add(self, child: int, life: socket.socket) -> None:
        """Add a child; `life` is closed when it and its own children have ended."""
        self._lives[child] = life

    def signal(self, child: int, number: int) -> None:
        """Send a signal to a child and to the processes it has started; SIGKILL gives it up."""
        if child not in self._lives:
            return
        for send in (os.killpg, os.kill) if number == signal.SIGKILL else (os.killpg,):
            with contextlib.suppress(ProcessLookupError):  # it has no group of its own yet
                send(child, number)
        if number == signal.SIGKILL:
            self._given_up.add(child)

    def reap(self) -> None:
        """Reap the children that have ended and been given up."""
        for child in list(self._given_up):
            if os.waitpid(child, os.WNOHANG)[0]:
                self._given_up.discard(child)
                self._lives.pop(child).close()
        for child, life in self._lives.items():
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                life.close()  # killed from outside, maybe before it had begun


@dataclass(frozen=True)
class _Ready:
    """The state that every child starts from."""

    kernel: IPythonKernel
    sandbox: Sandbox | None
    megabytes: float  # of output


def serve(control: socket.socket) -> None:
    """Fork a child for each request, until the grader ends."""
    gc.disable()  # imports throw nothing away
    try:
        ready = _prepare(**pipe.receive(control))
    except Exception as error:
        pipe.send(control, {"error": f"{type(error).__name__}: {error}"})
        return
    ended = _told_of_ends()
    gc.collect()
    gc.freeze()
    gc.enable()
    words = {"threads": threading.active_count(), "language_info": ready.kernel.language_info}
    pipe.send(control, words, default=json_default)
    family = _Family()
    while True:
        told = select.select([control, ended], [], [])[0]
        if ended in told:
            ended.recv(1 << 10)
        if control in told:
            head, descriptors, _, _ = socket.recv_fds(control, 1, 2)
            if not head:
                return
            request = pipe.receive(control)
            if descriptors:
                _fork(ready, control, family, request, descriptors)
            else:
                family.signal(request["child"], request["signal"])
                pipe.send(control, {})
        family.reap()


def _prepare(modules: list[str], entries: list[str], limits: dict | None) -> _Ready:
    """Import the modules that children need, and make the kernel."""
    os.environ.setdefault("MPLBACKEND", _BACKEND)
    for name in modules:
        with contextlib.suppress(Exception):  # the notebook will say so itself
            pkgutil.resolve_name(name)
    for name in entries:
        importlib.import_module(name)
    kernel = make_kernel()
    if limits is None:
        return _Ready(kernel, None, math.inf)
    sandbox = Sandbox(Limits(**limits)) if limits["contained"] else None
    return _Ready(kernel, sandbox, limits["output_megabytes"])


def _told_of_ends() -> socket.socket:
    """Return a socket that can be read when a child has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the grader's to handle
    signal.signal(signal.SIGCHLD, lambda *_: None)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.detach(), warn_on_full_buffer=False)
    return ours


def _fork(ready: _Ready, control, family: _Family, request: dict, descriptors: list[int]) -> None:
    connection, life = (socket.socket(fileno=number) for number in descriptors)
    child = 0
    try:
        child = ready.sandbox.fork() if ready.sandbox else os.fork()
    except OSError as error:
        _send(life, error)
        life.close()
    else:
        if not child:
            control.close()
            _run_child(ready, request, connection, life)
        family.add(child, life)
    connection.close()
    pipe.send(control, {"child": child})


def _run_child(ready: _Ready, request: dict, connection: socket.socket, life: socket.socket):
    """Be the process of one notebook; never return."""
    try:
        _become(ready, request, connection, life)
    except BaseException as error:
        _send(life, error)
        os._exit(1)
    life.close()
    try:
        if request["entry"]:
            importlib.import_module(request["entry"]).serve(connection, request)
        else:
            asyncio.run(answer(ready.kernel, connection, ready.megabytes, request["part"]))
    except BaseException:  # the socket closes with the process: the grader sees a dead kernel
        os._exit(1)
    os._exit(0)


def _become(ready: _Ready, request: dict, connection: socket.socket, life: socket.socket) -> None:
    """Set this process up as if it had been started for this notebook alone."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _redirect()
    if request["core"] is not None:
        os.sched_setaffinity(0, {request["core"]})
    environment, folder = request["environment"], None
    if ready.sandbox:
        ready.sandbox.enter(request["folder"], keep=(connection.fileno(), life.fileno()))
        environment = variables.inside(environment)
        # A file of the submission must not replace a module that is not imported yet.
        sys.path[:] = [*sys.path[1:], ""]
        folder = os.open(".", os.O_RDONLY)
    else:
        system.die_with_parent()  # with the zygote, which dies with the grader
        os.setsid()
        os.chdir(request["folder"])
        sys.path[0] = ""
    os.environ.clear()
    os.environ.update({"MPLBACKEND": _BACKEND, **environment})
    if "numpy" in sys.modules:
        # Each fork would draw the same numbers. Python's own `random` reseeds itself.
        sys.modules["numpy"].random.seed()
    _send(life, None, folder)


def _send(life: socket.socket, error: BaseException | None, folder: int | None = None) -> None:
    """Tell the grader that this process begins, or why it cannot; send its folder's descriptor."""
    words = f"{type(error).__name__}: {error}" if error else ""
    with contextlib.suppress(OSError):  # the grader has gone
        socket.send_fds(life, [b"+"], [] if folder is None else [folder])
        pipe.send(life, {"error": words})
    if folder is not None:
        os.close(folder)


def _redirect() -> None:
    """Catch the output of programs and C code; give them an empty standard input."""
    for number in (1, 2):
        file = os.memfd_create("output")
        # Without it, processes that write at the same time would write at one place.
        fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
