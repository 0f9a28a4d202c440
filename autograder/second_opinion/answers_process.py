"""The process of the answers: it runs the student's cells, and the calls that the tests ask for.

The student's code can change anything here, so nothing is decided here.
"""

import signal
import socket
import sys
from multiprocessing.connection import Connection, wait
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.check.quiet import Sink
from autograder.kernels import pipe
from autograder.second_opinion.server import Server

_DONE = b"."


def serve(connection: socket.socket, request: dict[str, Any]) -> None:
    """Run cells for the grader, and functions for the tests, until the grader has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # except while a student's code runs
    link = received(connection)
    shell, errors = quiet_shell(), Sink()
    sys.stdout, sys.stderr = Sink(), errors
    server = Server(Connection(link), shell.user_ns, errors)
    while True:
        if connection in wait([connection, link]):
            try:
                _run(shell, pipe.receive(connection)["source"])
            except EOFError:
                return
            connection.sendall(_DONE)
        else:
            server.serve()


def received(connection: socket.socket) -> int:
    """Return the descriptor that the grader sends first: the link between the two processes."""
    _, (descriptor,), _, _ = socket.recv_fds(connection, 1, 1)
    return descriptor


def quiet_shell() -> InteractiveShell:
    """Return this process's IPython, without figures and messages, which nobody would see."""
    shell = InteractiveShell.instance(config=Config(HistoryManager={"hist_file": ":memory:"}))
    shell.display_formatter.active_types = ["text/plain"]
    for name in ("showtraceback", "showsyntaxerror", "showindentationerror"):
        setattr(shell, name, lambda *given, **named: None)
    return shell


def _run(shell: InteractiveShell, source: str) -> None:
    """Run one cell; ignore what it raises, as the next cell still runs."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        shell.run_cell(source, store_history=True)
    except BaseException:  # IPython catches most errors of a cell, not all
        return
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
