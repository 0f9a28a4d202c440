"""Messages over a socket: a length of four bytes, then JSON."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from typing import Any

__all__ = ["complete", "packed", "receive", "send"]

_HEAD = struct.Struct("!I")


def packed(message: Any, **options) -> bytes:
    """Return a message as bytes, ready to send."""
    # Lone surrogates (a file name of another encoding) go through as they are.
    body = json.dumps(message, **options).encode("utf-8", "surrogatepass")
    return _HEAD.pack(len(body)) + body


def send(connection: socket.socket, message: Any, **options) -> None:
    """Send one message; wait until it is gone."""
    connection.sendall(packed(message, **options))


def complete(unread: bytearray) -> Iterator[Any]:
    """Yield the messages that have come whole, and take them off `unread`."""
    while len(unread) >= _HEAD.size:
        end = _HEAD.size + _HEAD.unpack_from(unread)[0]
        if len(unread) < end:
            return
        body = bytes(unread[_HEAD.size : end])
        del unread[:end]
        yield json.loads(body)


def receive(connection: socket.socket) -> Any:
    """Wait for one message and return it.

    Raises:
      EOFError: the other side has gone.
    """
    (size,) = _HEAD.unpack(_exactly(connection, _HEAD.size))
    return json.loads(_exactly(connection, size))


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
