"""The process that kernels are forked from. It never opens the gradebook and holds no thread.

Run as `python -m autograder.classroom.warm.zygote FD MODULE...`. It imports the modules, builds one
ready IPython kernel, and forks itself for each notebook. A child answers execute requests over its
own socket with the messages that a kernel would send by zmq.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import ctypes
import gc
import importlib
import io
import json
import logging
import os
import select
import signal
import socket
import sys
import threading
import types

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session
from traitlets.config import Config

from autograder.classroom.warm import pipe

_PR_SET_PDEATHSIG = 1
# Draws a figure once, so that fonts and the inline backend are in memory before the first fork.
_WARM_UP = """
import matplotlib.pyplot
figure, axes = matplotlib.pyplot.subplots()
axes.hist([1, 2, 3])
axes.set_xlabel("x")
matplotlib.pyplot.show()
1
"""


class _PipeSession(Session):
    """Sends a kernel's messages into the socket of the grader."""

    connection: socket.socket | None = None

    def send(
        self,
        stream,
        msg_or_type,
        content=None,
        parent=None,
        ident=None,
        buffers=None,
        track=False,
        header=None,
        metadata=None,
    ):
        if isinstance(msg_or_type, dict):
            message, buffers = msg_or_type, buffers or msg_or_type.get("buffers")
        else:
            message = self.msg(msg_or_type, content, parent, header, metadata)
        if self.connection is not None:
            pipe.send(self.connection, _plain(message, buffers), default=json_default)
        return message


def _plain(message: dict, buffers) -> dict:
    """Return of a message what nbclient reads."""
    return {
        "msg_type": message["header"]["msg_type"],
        "header": {"msg_type": message["header"]["msg_type"]},
        "parent_header": {"msg_id": (message.get("parent_header") or {}).get("msg_id")},
        "metadata": message.get("metadata") or {},
        "content": message["content"],
        "buffers": [base64.b64encode(bytes(buffer)).decode() for buffer in buffers or ()],
    }


class _Stream(io.TextIOBase):
    """A child's sys.stdout or sys.stderr: what is written becomes stream messages."""

    encoding, errors = "UTF-8", "replace"
    _MOST = 1 << 16

    def __init__(self, kernel: _PipeKernel, name: str, number: int):
        self._kernel, self._name, self._number = kernel, name, number
        self._kept: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        self._kept.append(text)
        self._size += len(text)
        if self._size > self._MOST:
            self.flush()
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number

    def flush(self) -> None:
        if self._kept:
            text, self._kept, self._size = "".join(self._kept), [], 0
            content = {"name": self._name, "text": text}
            self._kernel.session.send(None, "stream", content, self._kernel.get_parent())


class _PipeKernel(IPythonKernel):
    """IPython's kernel without sockets of its own."""

    def _publish_status_and_flush(self, status, channel, stream, parent=None):
        self._publish_status(status, channel, parent)

    def _abort_queues(self, subshell_id=None):
        """Nothing is queued: the next request is sent when this one has been answered."""


def make_kernel() -> _PipeKernel:
    """Return a kernel that is ready, as if freshly started, with everything in memory."""
    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    kernel = _PipeKernel.instance(
        config=config,
        session=_PipeSession(config=config),
        user_ns={},
        log=logging.getLogger("zygote"),
    )
    # %matplotlib and %gui look the kernel up there.
    IPKernelApp.instance(config=config).kernel = kernel
    kernel.shell_channel_thread = types.SimpleNamespace(parent_thread=threading.main_thread())
    kernel.shell.displayhook.get_execution_count = lambda: kernel.execution_count
    if "matplotlib.pyplot" in sys.modules:
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            kernel.shell.run_cell(_WARM_UP)
    kernel.shell.reset(new_session=False)
    kernel.shell.execution_count, kernel.execution_count = 1, 0
    return kernel


def serve(control: socket.socket, modules: list[str]) -> None:
    """Fork a kernel for each request, until the grader has gone."""
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    for name in modules:
        with contextlib.suppress(ImportError):  # the notebook will say so itself
            importlib.import_module(name)
    kernel = make_kernel()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the grader's to handle
    gc.collect()
    gc.freeze()
    ready = {"threads": threading.active_count(), "language_info": kernel.language_info}
    pipe.send(control, ready, default=json_default)
    while True:
        if not select.select([control], [], [], 0.2)[0]:
            _reap()
            continue
        head, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not head:
            return
        request = pipe.receive(control)
        connection = socket.socket(fileno=descriptors[0])
        child = os.fork()
        if not child:
            _run_child(kernel, control, connection, request)
        connection.close()
        pipe.send(control, {"pid": child})


def _reap() -> None:
    """Let ended children go."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _run_child(kernel, control: socket.socket, connection: socket.socket, request: dict) -> None:
    """Be the kernel of one notebook; never return."""
    try:
        control.close()
        _become(kernel, connection, request)
        asyncio.run(_answer(kernel, connection))
    except BaseException:  # the socket closes with the process: the grader sees a dead kernel
        os._exit(1)
    os._exit(0)


def _become(kernel, connection: socket.socket, request: dict) -> None:
    """Set this process up as a kernel that was started for this notebook alone."""
    # Die with the zygote, which dies with the grader.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "numpy" in sys.modules:
        # Each fork would draw the same numbers. Python's own `random` sees to it itself.
        sys.modules["numpy"].random.seed()
    for number in (1, 2):
        file = os.memfd_create("output")
        os.dup2(file, number)
        os.close(file)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    kernel.session.connection = connection
    sys.stdout, sys.stderr = _Stream(kernel, "stdout", 1), _Stream(kernel, "stderr", 2)
    sys.path[0] = ""


async def _answer(kernel, connection: socket.socket) -> None:
    """Execute what the grader sends, one request at a time, until it closes the socket."""
    from tornado.ioloop import IOLoop

    kernel.io_loop = IOLoop.current()
    seen = [0, 0]
    while True:
        try:
            request = pipe.receive(connection)
        except (EOFError, OSError):
            return
        except KeyboardInterrupt:  # meant for the request before, which had just ended
            continue
        await _execute(kernel, _as_message(request), seen)


def _as_message(request: dict) -> dict:
    """Return an execute request as the kernel would get it by zmq."""
    content = {
        "code": request["code"],
        "silent": False,
        "store_history": request["store_history"],
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": request["stop_on_error"],
    }
    header = {"msg_id": request["msg_id"], "msg_type": "execute_request", "session": "grader"}
    header |= {"username": "grader", "version": "5.3", "date": None}
    return {
        "header": header,
        "msg_id": request["msg_id"],
        "msg_type": "execute_request",
        "parent_header": {},
        "metadata": {},
        "content": content,
    }


async def _execute(kernel, message: dict, seen: list[int]) -> None:
    kernel.set_parent([], message, channel="shell")
    kernel._publish_status("busy", "shell", message)
    kernel.pre_handler_hook()
    try:
        await kernel.execute_request(None, [], message)
    except KeyboardInterrupt:
        # It came between the cell's end and the reply: the grader knows that it interrupted.
        error = {"status": "error", "ename": "KeyboardInterrupt", "evalue": "", "traceback": []}
        kernel.session.send(None, "execute_reply", error, message)
    finally:
        kernel.post_handler_hook()
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdout.flush()
    sys.stderr.flush()
    for place, name in enumerate(("stdout", "stderr")):
        _send_captured(kernel, message, place + 1, name, seen)
    kernel._publish_status("idle", "shell", message)


def _send_captured(kernel, message: dict, number: int, name: str, seen: list[int]) -> None:
    """Send what programs and C code wrote to a file descriptor since the last time."""
    with contextlib.suppress(OSError):
        end = os.lseek(number, 0, os.SEEK_END)
        start, seen[number - 1] = seen[number - 1], end
        if end > start:
            text = os.pread(number, end - start, start).decode("utf-8", "replace")
            kernel.session.send(None, "stream", {"name": name, "text": text}, message)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), json.loads(sys.argv[2]))
