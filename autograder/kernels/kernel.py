"""IPython's kernel with a socket to the grader in place of zmq's five."""

import contextlib
import importlib
import io
import logging
import os
import signal
import socket
import sys
import threading
import types

import tornado.platform.asyncio  # noqa: F401 (IOLoop.current does: once, before the fork)
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from tornado.ioloop import IOLoop
from traitlets.config import Config

from autograder.kernels import pipe
from autograder.kernels.session import Captured, PipeSession, Stream

# Code that shows an error or a figure, or loads the course's data, is run before the first fork if
# its libraries have been imported: children then have the results in memory.
_WARM = {
    "matplotlib.figure": """
import io
from matplotlib.figure import Figure
figure = Figure()
axes = figure.subplots()
axes.hist([1, 2, 3], label="$x^2$")
axes.set(xlabel="x", title="x")
axes.legend()
figure.savefig(io.BytesIO(), bbox_inches="tight")
""",
    "matplotlib.pyplot": """
import matplotlib.pyplot
figure, axes = matplotlib.pyplot.subplots()
axes.hist([1, 2, 3])
axes.set_xlabel("x")
matplotlib.pyplot.show()
""",
    "dplib.data": "import dplib.data\ndplib.data.load_adult()",
}
_ERROR = """
def wrong(number):
    assert number == 2, "wrong"
wrong(1)
"""


class PipeKernel(IPythonKernel):
    """IPython's kernel without sockets of its own."""

    def _publish_status_and_flush(self, status, channel, stream, parent=None):
        self._publish_status(status, channel, parent)

    def _abort_queues(self, subshell_id=None):
        """Do nothing: no request is queued, as each is sent after the last was answered."""


def make_kernel() -> PipeKernel:
    """Return a kernel that is ready, as if freshly started, with everything in memory."""
    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    config.PipeKernel._execute_sleep = 0  # zmq needs time to carry outputs; a socket does not
    kernel = PipeKernel.instance(
        config=config,
        session=PipeSession(config=config),
        user_ns={},
        log=logging.getLogger("zygote"),
    )
    # %matplotlib and %gui look the kernel up there.
    IPKernelApp.instance(config=config).kernel = kernel
    kernel.shell_channel_thread = types.SimpleNamespace(parent_thread=threading.main_thread())
    kernel.shell.displayhook.get_execution_count = lambda: kernel.execution_count
    # IPython would format each traceback a second time, for its %notebook command.
    kernel.shell._format_exception_for_storage = _brief
    _warm_up(kernel.shell)
    kernel.shell.reset(new_session=False)
    kernel.shell.user_ns.update({"_": "", "__": "", "___": ""})
    kernel.shell.execution_count, kernel.execution_count = 1, 0
    return kernel


def _brief(exception: BaseException, *_, **__) -> dict:
    return {"ename": type(exception).__name__, "evalue": str(exception), "traceback": []}


def _warm_up(shell) -> None:
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        shell.run_cell(_ERROR)
        shell.run_cell("1")
        for name, cell in _WARM.items():
            if name in sys.modules:
                shell.run_cell(cell)
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        vars(sys).pop(name, None)


class Alone:
    """The part of a kernel that runs all cells of its notebook.

    Where two kernels share them, each has a part of its own, made by a function `part` of its
    module with the kernel, the grader's socket, and the outputs that were captured.
    """

    def wait(self) -> None:
        """Return when the grader says something."""

    def takes(self, request: dict) -> bool:
        """Do what a request asks for that is not a cell; say whether it was one."""
        return False

    def before(self, request: dict) -> None:
        """Prepare for the cell of a request."""

    def after(self) -> None:
        """Conclude a cell."""


async def answer(
    kernel: PipeKernel, connection: socket.socket, megabytes: float, part: str = ""
) -> None:
    """Execute what the grader sends, one request at a time, until it closes the socket.

    Args:
      megabytes: how much the cells may show together.
      part: the module of the kernel's part; "" where it runs all cells.
    """
    kernel.session.use(connection, megabytes)
    streams = [Stream(kernel, "stdout", 1), Stream(kernel, "stderr", 2)]
    sys.stdout, sys.stderr = streams
    kernel.io_loop = IOLoop.current()
    captured = [Captured(stream) for stream in streams]
    process = os.getpid()
    own = importlib.import_module(part).part(kernel, connection, captured) if part else Alone()
    _ignore_interrupts()
    while True:
        try:
            own.wait()
            request = pipe.receive(connection)
        except (EOFError, OSError):
            return
        if own.takes(request):
            continue
        own.before(request)
        kernel.session.begin_cell()
        await _execute(kernel, as_message(request), captured)
        own.after()
        if os.getpid() != process:  # the cell has forked, and this is not the kernel
            os._exit(0)


def as_message(request: dict) -> dict:
    """Return an execute request as the kernel would get it by zmq."""
    content = {
        "code": request.get("code", ""),
        "silent": False,
        "store_history": request.get("store_history", False),
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": request.get("stop_on_error", False),
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


async def _execute(kernel, message: dict, captured: list[Captured]) -> None:
    kernel.set_parent([], message, channel="shell")
    kernel._publish_status("busy", "shell", message)
    interrupted = False
    try:
        kernel.pre_handler_hook()  # from here on SIGINT raises KeyboardInterrupt
        await kernel.execute_request(None, [], message)
    except KeyboardInterrupt:
        interrupted = True
    _ignore_interrupts()
    if interrupted:
        # It came between the cell's end and the reply: the grader knows that it interrupted.
        error = {"status": "error", "ename": "KeyboardInterrupt", "evalue": "", "traceback": []}
        kernel.session.send(None, "execute_reply", error, message)
    for capture in captured:
        capture.send(message)
    kernel._publish_status("idle", "shell", message)


def _ignore_interrupts() -> None:
    """Ignore interrupts between cells: they are meant for the cell that has just ended."""
    while True:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return
        except KeyboardInterrupt:
            continue
