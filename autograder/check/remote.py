"""A door whose answer lives in another process. Only plain data crosses, as bytes.

Beside the answer: `serve(connection, claim, function)`. Beside the judge:
`claim.judge(lambda settings: remote_door(connection, settings))`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.door import opened
from autograder.check.wire import packed, unpacked

__all__ = ["Connection", "RemoteDoor", "remote_door", "serve"]

_CALLS = ("call", "changed", "follows_the_clock", "inspect", "replay", "reseeds", "sample")
_BAD = ("problem", "seen", "ask", "parameters", "sure")


class Connection(Protocol):
    """One end of a pipe: messages of bytes, for example `multiprocessing.connection.Connection`."""

    def send_bytes(self, message: bytes) -> None: ...

    def recv_bytes(self) -> bytes: ...


def serve(connection: Connection, claim, function: Callable) -> None:
    """Open the door to an answer, and do what the judge asks for until it is done."""
    settings = unpacked(connection.recv_bytes())
    with opened(claim, function, settings) as door:
        while (request := unpacked(connection.recv_bytes())) is not None:
            connection.send_bytes(packed(_reply(door, *request)))


def _reply(door, name: str, given: Sequence[Any]) -> dict[str, Any]:
    if name == "printed":
        return {"came": door.printed}
    if name not in _CALLS:
        raise ValueError(f"a door has no {name!r}")
    try:
        return {"came": getattr(door, name)(*given)}
    except BadAnswer as bad:
        return {"bad": {part: getattr(bad, part) for part in _BAD}}


class RemoteDoor:
    """What the judge knows of a door, at the other end of a connection."""

    def __init__(self, connection: Connection):
        self._connection = connection

    @property
    def printed(self) -> bool:
        """Say whether the answer has printed something."""
        return bool(self._ask("printed"))

    def call(self, place: int) -> Any:
        """Return what the answer gives, read; or raise BadAnswer."""
        return self._ask("call", place)

    def sample(self, place: int, number: int) -> np.ndarray:
        """Return `number` answers in the order in which they were given."""
        return self._ask("sample", place, number)

    def changed(self, place: int) -> bool:
        """Say whether the answer has changed what it was given."""
        return bool(self._ask("changed", place))

    def inspect(self, place: int) -> None:
        """Raise BadAnswer if the claim finds fault with what became of a call's arguments."""
        self._ask("inspect", place)

    def reseeds(self, place: int) -> str:
        """Return the global seed function that an answer calls on itself, or ""."""
        return str(self._ask("reseeds", place))

    def replay(self, place: int, changes: Sequence[dict], seeds: Sequence[int]) -> list[list]:
        """Return answers whose chance comes from given seeds, with some parameters changed."""
        return self._ask("replay", place, list(changes), list(seeds))

    def follows_the_clock(self, place: int) -> bool:
        """Say whether calls give one finite answer while the clock stands still."""
        return bool(self._ask("follows_the_clock", place))

    def _ask(self, name: str, *given: Any) -> Any:
        self._connection.send_bytes(packed([name, list(given)]))
        reply = unpacked(self._connection.recv_bytes())
        if "bad" in reply:
            raise BadAnswer(**reply["bad"])
        return reply["came"]


@contextlib.contextmanager
def remote_door(connection: Connection, settings: Sequence[dict[str, Any]]):
    """Open the door at the other end, where `serve` waits, and close it afterwards."""
    connection.send_bytes(packed(list(settings)))
    try:
        yield RemoteDoor(connection)
    finally:
        connection.send_bytes(packed(None))
