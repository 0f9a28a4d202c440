"""Serves an answer to a judge in another process: it does what `remote.py` asks for.

It runs beside the answer, which can change it. So it decides nothing.
"""

import _signal
import contextlib
import copy
import importlib
import signal
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from autograder.apart.proxy import error_like
from autograder.apart.remote import Connection
from autograder.apart.wire import MOST_BYTES, packed, unpacked
from autograder.check.answers import BadAnswer
from autograder.check.calls import CallEnded, calls_that_end
from autograder.check.effort import queued
from autograder.check.elsewhere import CONDITIONS
from autograder.check.remade_argument import RemadeArgument

_BAD = ("problem", "seen", "ask", "sure")
# As in the judge's door: the first failed call of a sample is let through, the second ends it.
_MOST_FAILURES = 2
_FINAL = (KeyboardInterrupt, CallEnded)  # no further call is made
_MOST_ITEMS = 100_000
_MOST_WORDS = 500  # of an error, in characters
# `signal.signal` turns numbers into members of an enumeration: ten times the work of the rest.
_IGNORED = int(signal.SIG_IGN)
_ABILITIES = ("__call__", "__array__", "__len__", "__iter__", "__getitem__", "__contains__")
_ABILITIES += ("__float__", "__int__", "__index__")


class Server:
    """The answer's end of the connection to its judge.

    Args:
      connection: its end.
      names: the names that the judge may ask for.
    """

    def __init__(self, connection: Connection, names: Mapping[str, Any]):
        self._connection, self._names = connection, names
        self._things: list[Any] = []  # that the judge has a Remote for
        self._handles: dict[int, int] = {}
        self._given: dict[int, Any] = {}  # the judge's functions
        self._counted: dict[int, Any] = {}  # how often they were called, as the judge knows it
        self._lock = threading.RLock()
        self._told = _work()  # what the judge knows of this process's work
        self._conditions: list[contextlib.ExitStack] = []

    def begin(self) -> None:
        """Begin a test: what was worked before is not its answers' work."""
        self._told = _work()

    def serve(self) -> None:
        """Serve the judge's next request.

        Raises:
          EOFError: the judge has gone.
        """
        message = self._receive()
        if message[0] == "ask":
            self._reply(*message[1:])

    def _reply(self, name: str, *given: Any) -> None:
        try:
            message = packed(["came", getattr(self, f"_do_{name}")(*given)], self._refer)
        except BaseException as error:
            message = packed(["failed", self._error(error)])
        self._connection.send_bytes(message)

    def _do_name(self, name: str) -> Any:
        if name not in self._names:
            raise NameError(f"name {name!r} is not defined")
        return self._names[name]

    def _do_attribute(self, handle: int, name: str) -> Any:
        with _interruptible():
            return getattr(self._things[handle], name)

    def _do_special(self, handle: int, name: str, given: list) -> Any:
        thing = self._things[handle]
        with _interruptible():
            if name == "__iter__":
                return iter(list(islice(iter(thing), _MOST_ITEMS)))
            if name == "__array__":
                return np.asarray(thing)
            return getattr(type(thing), name)(thing, *given)

    def _do_enter(self, name: str, handle: int, given: list) -> Any:
        stack = contextlib.ExitStack()
        entered = stack.enter_context(CONDITIONS[name](self._things[handle], *given))
        self._conditions.append(stack)
        return entered

    def _do_leave(self) -> None:
        self._conditions.pop().close()

    def _do_call(self, handle, positional: list, keywords: dict, number: int, seconds: float):
        """Return the results of calls, failures, changed arguments, counts, and seconds."""
        thing = self._things[handle]
        before = self._packed_arguments(positional, keywords)
        came, failed = _called(lambda: thing(*positional, **keywords), number, seconds)
        after = self._packed_arguments(positional, keywords)
        changed = [
            [place, (keywords if isinstance(place, str) else positional)[place]]
            for place in before
            if before[place] != after[place]
        ]
        failures = [[place, self._error(error)] for place, error in failed]
        return [came, failures, changed, self._newly_counted(), self._newly_worked()]

    def _newly_worked(self) -> list[float]:
        """Return the seconds of work, and in the queue for a core, that the judge does not know.

        To read what was asked for, and to pack the last answers, is work, too: an answer that makes
        large tables does not wait meanwhile.
        """
        told, self._told = self._told, _work()
        return [now - before for now, before in zip(self._told, told, strict=True)]

    def _newly_counted(self) -> list[list]:
        """Return how often each of the judge's remade arguments was called, if that is new."""
        news = []
        for number, each in self._given.items():
            if isinstance(each, RemadeArgument) and self._counted.get(number) != each.calls:
                self._counted[number] = copy.copy(each.calls)
                news.append([number, each.calls])
        return news

    def _packed_arguments(self, positional: list, keywords: dict) -> dict[Any, bytes]:
        """Return each argument that a call could change, as bytes."""
        return {
            place: packed(each, self._refer)
            for place, each in [*enumerate(positional), *keywords.items()]
            if not isinstance(each, _UNCHANGING)
        }

    def _error(self, error: BaseException) -> dict[str, Any]:
        """Return an error as plain data."""
        bad = {part: getattr(error, part) for part in _BAD} if isinstance(error, BadAnswer) else {}
        kinds = [kind.__name__ for kind in type(error).__mro__]
        try:
            words = str(error)
        except Exception:
            words = ""
        words = words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]} …"
        return {"kinds": kinds, "words": words, "bad": bad, "ours": getattr(error, "_ours", None)}

    def _call_judge(self, number: int, positional: tuple, keywords: dict) -> Any:
        """Call one of the judge's functions; serve what is asked meanwhile."""
        message = packed(["call", number, list(positional), keywords], self._refer)
        with self._lock, _interruptible(False):
            self._connection.send_bytes(message)
            while True:
                match self._receive():
                    case ["ask", *request]:
                        self._reply(*request)
                    case ["came", value]:
                        return value
                    case ["failed", number, kinds, words]:
                        raise _judges_error(number, kinds, words)

    def _receive(self) -> Any:
        return unpacked(self._connection.recv_bytes(MOST_BYTES), self._resolve)

    def _refer(self, value: Any) -> tuple[str, Any]:
        ours = next((number for number, each in self._given.items() if each is value), None)
        if ours is not None:
            return "given", ours
        if isinstance(value, types.ModuleType):
            return "module", value.__name__
        if id(value) not in self._handles:
            self._handles[id(value)] = len(self._things)
            self._things.append(value)
        kind = type(value)
        abilities = [name for name in _ABILITIES if hasattr(kind, name)]
        return "remote", [
            *(self._handles[id(value)], _words(value)),
            *(kind.__module__, kind.__name__, abilities),
        ]

    def _resolve(self, kind: str, parts: Any) -> Any:
        if kind == "here":
            return self._things[parts]
        number = parts if kind == "given" else parts[0]
        if number not in self._given:
            made = self._standing_for(number) if kind == "given" else _arrived(*parts[1:])
            self._given[number] = made
        return self._given[number]

    def _standing_for(self, number: int) -> Callable:
        def function(*positional: Any, **keywords: Any) -> Any:
            return self._call_judge(number, positional, keywords)

        return function


_UNCHANGING = (bool, int, float, complex, str, bytes, type(None), types.FunctionType)
_UNCHANGING += (RemadeArgument,)


def _called(call: Callable[[], Any], number: int, seconds: float) -> tuple[list, list]:
    """Return the results of calls (None where one failed), and the failures with their places."""
    came: list[Any] = []
    failed: list[tuple[int, BaseException]] = []
    until = time.perf_counter() + seconds
    with calls_that_end() as calls, _interruptible():
        while len(came) < number and (not came or time.perf_counter() < until):
            try:
                with calls:
                    came.append(_kept(call()))
            except BaseException as error:
                failed.append((len(came), error))
                came.append(None)
                if len(failed) == _MOST_FAILURES or isinstance(error, _FINAL):
                    break
    return came, failed


def _work() -> tuple[float, float]:
    """Return the seconds that this process has worked so far, and was queued for a core."""
    return time.process_time(), queued()


def _kept(value: Any) -> Any:
    """Return a value that a later call cannot change: an answer may reuse one array."""
    return value.copy() if type(value) in (np.ndarray, list, dict, set) else value


def _arrived(module: str, name: str, made_from: list) -> RemadeArgument:
    return getattr(importlib.import_module(module), name)(*made_from)


def _judges_error(number: int, kinds: list[str], words: str) -> Exception:
    """Return an error of a judge's function, which the judge will recognise."""
    error = BadAnswer(words) if "BadAnswer" in kinds else error_like(kinds, words)
    error._ours = number
    return error


def _words(value: Any) -> str:
    try:
        return repr(value)[:200]
    except Exception:
        return f"a {type(value).__name__}"


@contextlib.contextmanager
def _interruptible(allowed: bool = True) -> Iterator[None]:
    """Allow or ignore SIGINT: between messages it would put them out of step."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = _signal.signal(signal.SIGINT, signal.default_int_handler if allowed else _IGNORED)
    try:
        yield
    finally:
        _signal.signal(signal.SIGINT, before if before is not None else _IGNORED)
