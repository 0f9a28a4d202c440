"""The process of the tests: it runs the instructor's cells, and sees answers through a link.

No student's code runs here. The names that the instructor's solution cells make are looked up in
the answers' process, each time anew: a function there becomes a `Remote`, and plain data a copy.
Any other name is the instructor's or Python's own, whatever the student means by it; an unknown one
is a NameError. A name that a locked cell has made is looked up only if it was made None, a place
for an answer to fill.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import ctypes
import signal
import socket
from multiprocessing.connection import Connection
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from autograder.check.quiet import Sink
from autograder.check.result import Result
from autograder.check.words import NOT_TO_THE_END
from autograder.kernels import pipe
from autograder.second_opinion.answers_process import quiet_shell, received
from autograder.second_opinion.proxy import NotJudged, Remote
from autograder.second_opinion.remote import Link

_PR_SET_DUMPABLE = 4
_MOST_WORDS = 300


def serve(connection: socket.socket, request: dict[str, Any]) -> None:
    """Run cells for the grader until it has gone."""
    # No other process of this user may look into this one, or write into it.
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    link = Link(Connection(received(connection)))
    quiet_shell()  # for cells that import `display`
    names = _Names(link)
    while True:
        try:
            asked = pipe.receive(connection)
        except EOFError:
            return
        except KeyboardInterrupt:  # meant for the cell before, which had just ended
            continue
        if asked["changed"]:
            link.verdicts.clear()
        names.answers = asked["answers"]
        pipe.send(connection, {**_ran(asked["source"], asked["name"], names), **_unjudged(link)})


class _Names(dict):
    """The names of the instructor's cells; answers' names are looked up in the answers' process.

    Attributes:
      answers: names that are looked up there; None for all names that are missing here.
    """

    def __init__(self, link: Link):
        nothing = _Nothing()
        super().__init__(__name__="__main__", display=nothing, get_ipython=lambda: nothing)
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
        for name in [name for name, value in self.items() if value is None]:
            self._places.add(name)
            del self[name]


class _Nothing:
    """A stand-in for IPython in cells with magics or displays: any call does nothing."""

    def __call__(self, *given: Any, **named: Any) -> None:
        return None

    def __getattr__(self, name: str) -> _Nothing:
        return self


def _ran(source: str, name: str, names: _Names) -> dict[str, Any]:
    """Run a cell; return its result in words (None if it has none), or why it failed."""
    errors = Sink()
    try:
        with contextlib.redirect_stdout(Sink()), contextlib.redirect_stderr(errors):
            result = _result(source, name, names)
    except NotJudged as reason:
        return {"not_judged": str(reason)[:_MOST_WORDS]}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"[:_MOST_WORDS]}
    finally:
        names.open_places()
    return {"result": result, "complained": errors.used}


def _unjudged(link: Link) -> dict[str, str]:
    """Return the words of a check that has passed without looking to the end, if there is one."""
    verdicts = [each for of in link.verdicts.values() for each in of.values()]
    notes = [each.note for each in verdicts if isinstance(each, Result)]
    found = next((note for note in notes if NOT_TO_THE_END in note), "")
    return {"unjudged": found[:_MOST_WORDS]} if found else {}


def _result(source: str, name: str, names: _Names) -> str | None:
    """Run a cell as IPython would; return the value of its last line as text."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # for example a magic
        tree = ast.parse(TransformerManager().transform_cell(source))
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, f"<{name}>", "exec"), names)
    value = None if last is None else eval(compile(last, f"<{name}>", "eval"), names)
    # An answer's own object gives no points, whatever its repr says.
    if value is None or isinstance(value, Remote) or hasattr(value, "_ipython_display_"):
        return None
    return repr(value)[:_MOST_WORDS]
