"""Messages over a socket: a length of four bytes, then JSON."""

import json
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any

_HEAD = struct.Struct("!I")


def packed(message: Any, **options) -> bytes:
    """Return a message as bytes, ready to send."""
    body = json.dumps(message, **options).encode()
    return _HEAD.pack(len(body)) + body


def send(connection: socket.socket, message: Any, **options) -> None:
    """Send one message; wait until it is sent."""
    connection.sendall(packed(message, **options))


def complete(unread: bytearray, most: Callable[[], float]) -> Iterator[bytes]:
    """Yield the messages that have come whole, as JSON, and take them off `unread`.

    Args:
      most: returns how many bytes the next one may have.

    Raises:
      ValueError: a message announces more. None of it needs to be kept.
    """
    while len(unread) >= _HEAD.size:
        (size,) = _HEAD.unpack_from(unread)
        if size > most():
            raise ValueError(f"a message of {size} bytes is too long")
        end = _HEAD.size + size
        if len(unread) < end:
            return
        body = bytes(unread[_HEAD.size : end])
        del unread[:end]
        yield body


def receive(connection: socket.socket) -> Any:
    """Wait for one message and return it.

    Raises:
      EOFError: the other side has gone.
    """
    (size,) = _HEAD.unpack(_exactly(connection, _HEAD.size))
    return json.loads(_exactly(connection, size))


def send_descriptor(connection: socket.socket, descriptor: int) -> None:
    """Send an open file's descriptor."""
    socket.send_fds(connection, [b"+"], [descriptor])


def receive_descriptor(connection: socket.socket) -> int:
    """Wait for an open file's descriptor and return it."""
    _, (descriptor,), _, _ = socket.recv_fds(connection, 1, 1)
    return descriptor


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
