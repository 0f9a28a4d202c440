"""The kernel of the answers: it runs the student's cells, and between them the tests' calls.

The student's code can change anything here, so nothing is decided here.
"""

import contextlib
import socket
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from autograder.apart.server import Server
from autograder.kernels import pipe
from autograder.kernels.kernel import Alone, as_message
from autograder.kernels.session import Captured


def part(kernel: Any, connection: socket.socket, captured: Sequence[Captured]) -> Alone:
    """Return this kernel's part; the grader sends the link to the tests' kernel first."""
    return _Answers(kernel, connection, captured)


class _Answers(Alone):
    def __init__(self, kernel: Any, connection: socket.socket, captured: Sequence[Captured]):
        self._kernel, self._connection, self._captured = kernel, connection, captured
        self._link = Connection(pipe.receive_descriptor(connection))
        self._server = Server(self._link, kernel.shell.user_ns)
        self._test: dict = {}

    def wait(self) -> None:
        """Serve the tests until the grader says something."""
        while self._connection not in wait([self._connection, self._link]):
            self._server.serve()

    def takes(self, request: dict) -> bool:
        """Begin or end a test: what is shown meanwhile belongs to it."""
        match request:
            case {"begins": number}:
                self._server.begin()
                self._kernel.session.begin_cell()
                # As IPython does before each cell: what warned in an earlier one warns again.
                self._kernel.shell.user_ns.pop("__warningregistry__", None)
                self._test = as_message({"msg_id": number})
                self._kernel.set_parent([], self._test, channel="shell")
            case {"ends": _}:
                self._show_the_rest()
            case _:
                return False
        return True

    def _show_the_rest(self) -> None:
        """Send what is left to show: figures, and the output of programs."""
        with contextlib.suppress(BaseException):
            self._kernel.shell.events.trigger("post_execute")
        for capture in self._captured:
            capture.send(self._test)
        self._kernel._publish_status("idle", "shell", self._test)
