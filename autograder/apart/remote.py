"""The judge's side of an answer that lives in another process. `server.py` is the other side.

The judge asks, the other process answers, and only plain data crosses; other objects are shown as
a `Remote`. So the other process as a whole is the answer: whatever runs there is one more way to
write the function, and is judged by its replies. Reading a reply runs no code, and no verdict is
ever taken from it.

Facts that can be seen only beside the answer are taken on trust: that dplib's own version was shut,
what calls gave while the clock stood still, while chance was repeated or in another session of
Python, how much processor time they took, and how often a `RemadeArgument` was called. A lie about
these hides that a rule was broken, but changes no value. And a process may hold any text that its
author has read: the instructor's own answer, typed in or copied, is a right answer everywhere.
"""

import _signal
import contextlib
import math
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from autograder.apart.proxy import NotJudged, Remote, error_like, remote_class
from autograder.apart.wire import MOST_BYTES, packed, unpacked
from autograder.check.answers import BadAnswer
from autograder.check.calls import CallEnded
from autograder.check.library import LibraryCalled
from autograder.check.remade_argument import RemadeArgument, made_from

_MOST_WORDS = 510  # of an error, in characters
_OURS = (LibraryCalled, CallEnded)  # raised there by our own code, with no words
_MALFORMED = (LookupError, TypeError, ValueError, AttributeError)


class Connection(Protocol):
    """One end of a pipe: messages of bytes, as in `multiprocessing.connection.Connection`."""

    def send_bytes(self, message: bytes) -> None: ...

    def recv_bytes(self, most: int) -> bytes: ...

    def close(self) -> None: ...


class Gone(Exception):
    """The other process has ended, or sends what cannot be read."""


class Link:
    """The judge's end of the connection to the process of an answer.

    Attributes:
      verdicts: the checks' verdicts on functions there, by handle. Clear it after other code ran.
      worked: the seconds that calls have worked there, and were queued for a core.
    """

    def __init__(self, connection: Connection):
        self.verdicts: dict[int, dict[str, Any]] = {}
        self.worked = 0.0, 0.0
        self._connection = connection
        self._remotes: dict[int, Remote] = {}
        self._given: list[Any] = []  # functions of ours that were handed over
        self._raised: list[Exception] = []  # by these functions
        self._waiting: list[tuple[bool, Any]] = []  # outcomes of calls that were made ahead
        self._waiting_for: tuple = ()

    def named(self, name: str) -> Any:
        """Return the object of this name there.

        Raises:
          NameError: there is none.
          Gone: the other process does not answer.
        """
        return self.ask("name", name)

    def call(self, handle: int, positional: tuple, keywords: dict) -> Any:
        """Call the object there; return the outcome of the same call made ahead, if any."""
        this = (handle, positional, keywords)
        if self._waiting and _same_call(self._waiting_for, this):
            returned, value = self._waiting.pop(0)
        else:
            ((returned, value),) = self._outcomes(*this, 1, 0.0)
        if returned:
            return value
        raise self._error(value)

    def call_ahead(self, handle: int, number: int, seconds: float, *given: Any) -> int:
        """Make up to `number` calls in about `seconds`, and at least one; return how many."""
        self._waiting_for = (handle, *given)
        self._waiting = self._outcomes(handle, *given, number, seconds)
        return len(self._waiting)

    @contextlib.contextmanager
    def condition(self, name: str, handle: int, *given: Any) -> Iterator[Any]:
        """Set one of CONDITIONS there while the context lasts."""
        entered = self.ask("enter", name, handle, list(given))
        try:
            yield entered
        finally:
            with contextlib.suppress(Gone):
                self.ask("leave")

    def ask(self, *request: Any) -> Any:
        """Ask the other side, and answer what it asks before it answers.

        An interrupt waits until then: half a message would put all that follow out of step. The
        other side is interrupted, too, and ends the call that it makes.
        """
        with _interrupts_later():
            self._send(["ask", *request])
            while True:
                match self._receive():
                    case ["call", int(number), list(positional), dict(keywords)]:
                        self._send(self._called(number, positional, keywords))
                    case ["came", value]:
                        return value
                    case ["failed", error]:
                        raise self._error(error)
                    case _:
                        raise self._lost("sent what nobody can read")

    def _outcomes(self, handle, positional, keywords, number: int, seconds: float) -> list[tuple]:
        """Return for each call whether it returned, and what; or what it raised."""
        came = self.ask("call", handle, list(positional), keywords, number, seconds)
        try:
            values, failed, changed, counted, (worked, queued) = came
            self._work(float(worked), float(queued))
            outcomes = [(True, value) for value in values]
            for place, error in failed:
                outcomes[place] = (False, error)
            for place, value in changed:
                _overwrite((keywords if isinstance(place, str) else positional)[place], value)
            for place, calls in counted:
                if isinstance(self._given[place], RemadeArgument):
                    self._given[place].calls = calls
        except _MALFORMED:
            raise self._lost("sent what nobody can read") from None
        if not 1 <= len(outcomes) <= number:
            raise self._lost("made more calls than were asked for, or none")
        return outcomes

    def _work(self, *seconds: float) -> None:
        """Add the seconds of a call; what cannot be is none."""
        news = (each if 0 <= each < math.inf else 0.0 for each in seconds)
        self.worked = tuple(map(sum, zip(self.worked, news, strict=True)))

    def _called(self, number: int, positional: list, keywords: dict) -> list:
        """Call a function of the judge's for the answer; return the reply."""
        try:
            return ["came", self._given[number](*positional, **keywords)]
        except Exception as error:
            self._raised.append(error)
            kinds = [kind.__name__ for kind in type(error).__mro__]
            return ["failed", len(self._raised) - 1, kinds, str(error)[:200]]

    def _send(self, message: list) -> None:
        try:
            self._connection.send_bytes(packed(message, self._refer))
        except OSError:
            raise self._lost("has ended") from None

    def _receive(self) -> Any:
        try:
            return unpacked(self._connection.recv_bytes(MOST_BYTES), self._resolve)
        except (EOFError, OSError):
            raise self._lost("has ended") from None
        except ValueError:
            raise self._lost("sent what nobody can read") from None

    def _lost(self, reason: str) -> Gone:
        # The next message could be out of step.
        with contextlib.suppress(OSError):
            self._connection.close()
        return Gone(f"the answer's process {reason}")

    def _refer(self, value: Any) -> tuple[str, Any]:
        if isinstance(value, Remote):
            return "here", value._handle
        if not callable(value):
            raise NotJudged(f"a {type(value).__name__} cannot be handed to the answer's process")
        number = next((k for k, each in enumerate(self._given) if each is value), len(self._given))
        if number == len(self._given):
            self._given.append(value)
        if isinstance(value, RemadeArgument):
            kind = type(value)
            return "remade", [number, kind.__module__, kind.__name__, made_from(value)]
        return "given", number

    def _resolve(self, kind: str, parts: Any) -> Any:
        if kind == "given":
            return self._given[parts]
        if kind == "module" and parts in sys.modules:
            return sys.modules[parts]
        if kind != "remote":
            raise ValueError(f"unknown kind of plain data: {kind!r:.40}")
        handle, words, *named, abilities = parts
        if handle not in self._remotes:
            made = remote_class(*(str(each)[:80] for each in named), frozenset(abilities))
            self._remotes[handle] = made(self, int(handle), str(words)[:200])
        return self._remotes[handle]

    def _error(self, error: Any) -> BaseException:
        """Return what was raised there: an error of ours that came back, or one like it."""
        try:
            if error["ours"] is not None:
                return self._raised[error["ours"]]
            kinds, words = (
                [str(kind)[:80] for kind in error["kinds"]],
                str(error["words"])[:_MOST_WORDS],
            )
            if error["bad"]:
                return BadAnswer(**{part: str(said) for part, said in error["bad"].items()})
            ours = next((kind for kind in _OURS if kind.__name__ == kinds[0]), None)
            return ours() if ours else error_like(kinds, words)
        except _MALFORMED:
            return self._lost("sent what nobody can read")


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Delay interrupts to the end of the context."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list = []
    before = _signal.signal(signal.SIGINT, lambda *given: came.append(given))
    try:
        yield
    finally:
        _signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        if came and callable(before):
            before(*came[0])


def _overwrite(old: Any, new: Any) -> None:
    """Give an argument the content that the call has given it there."""
    if type(new) is not type(old):
        return
    if isinstance(old, np.ndarray) and old.shape == new.shape and old.flags.writeable:
        old[...] = new
    elif isinstance(old, list):
        old[:] = new
    elif isinstance(old, dict | set):
        old.clear()
        old.update(new)
    elif isinstance(old, np.random.Generator):
        old.bit_generator.state = new.bit_generator.state
    elif hasattr(old, "_update_inplace"):  # a table of pandas
        old._update_inplace(new)


def _same_call(one: tuple, other: tuple) -> bool:
    """Say whether two calls are of one object, with the very same arguments."""
    (thing, some, named), (another, others, otherwise) = one, other
    return (
        thing == another
        and len(some) == len(others)
        and named.keys() == otherwise.keys()
        and all(mine is theirs for mine, theirs in zip(some, others, strict=True))
        and all(named[name] is otherwise[name] for name in named)
    )
