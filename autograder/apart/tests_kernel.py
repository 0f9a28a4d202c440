"""The kernel of the tests: it runs the instructor's cells, and sees answers through a link.

No student's code runs here. The names that the instructor's solution cells make are looked up in
the answers' kernel, each time anew: a function there becomes a `Remote`, and plain data a copy.
Any other name is the instructor's or Python's own, whatever the student means by it; an unknown one
is a NameError. A name that a locked cell has made is looked up only if it was made None, a place
for an answer to fill.
"""

import builtins
import ctypes
import socket
import sys
from multiprocessing.connection import Connection
from typing import Any

from autograder.apart.remote import Link
from autograder.kernels import pipe
from autograder.kernels.kernel import Alone

_PR_SET_DUMPABLE = 4


def part(kernel: Any, connection: socket.socket, captured: object) -> Alone:
    """Return this kernel's part; the grader sends the link to the answers' kernel first."""
    return _Tests(kernel, connection)


class _Tests(Alone):
    def __init__(self, kernel: Any, connection: socket.socket):
        # No other process of this user may look into this one, or write into it.
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)
        self._link = Link(Connection(pipe.receive_descriptor(connection)))
        shell = kernel.shell
        self._names = shell.user_ns = _Names(self._link, shell.user_ns)
        shell.user_module = _Module("__main__")
        shell.user_module.__dict__ = self._names
        sys.modules["__main__"] = shell.user_module
        shell.displayhook.shell = shell

    def before(self, request: dict) -> None:
        """Forget the verdicts on answers that may have changed."""
        if request["changed"]:
            self._link.verdicts.clear()
        self._names.answers = request["answers"]

    def after(self) -> None:
        """Look up, from now on, the places for answers."""
        self._names.open_places()


class _Module:
    """The module of the notebook's names: a real one could not have such names."""

    def __init__(self, name: str):
        self.__name__ = name


class _Names(dict):
    """The names of the instructor's cells; answers' names are looked up in the answers' kernel.

    Attributes:
      answers: names that are looked up there; None for all names that are missing here.
    """

    def __init__(self, link: Link, names: dict[str, Any]):
        super().__init__(names)
        self._link = link
        self.answers: list[str] | None = None
        self._places: set[str] = set()

    def __missing__(self, name: str) -> Any:
        answers = self.answers
        if hasattr(builtins, name) and (answers is None or name not in answers):
            return getattr(builtins, name)
        if answers is not None and name not in answers:
            if name in self._places:
                return None
            raise KeyError(name)
        try:
            return self._link.named(name)
        except NameError:
            if name in self._places:
                return None
            raise KeyError(name) from None

    def open_places(self) -> None:
        """From now on, look up the names that were made None."""
        for name in [name for name, value in self.items() if value is None and name[0] != "_"]:
            self._places.add(name)
            del self[name]
