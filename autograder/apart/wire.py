"""Plain data as bytes, for two processes that do not trust each other. Reading bytes runs no code.

Numbers, words, containers of them, arrays, tables and dplib's guarantees arrive as they were.
Each side may describe other objects in its own way: see `packed` and `unpacked`.

A message is the length of its JSON, the JSON, and the contents of its arrays. A value that JSON
cannot hold is {"!": kind, "of": parts}.
"""

import dataclasses
import itertools
import json
import struct
import sys
import types
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np

from autograder.apart import wire_tables
from autograder.apart.wire_reader import KINDS, LIBRARY, PARTS, TAG, Reader, Resolve

_HEAD = struct.Struct("!I")
# This many items of one type, or more, are packed together.
_FEW = 4
_MOST_ITEMS = 100_000  # of an iterator, which may have no end
MOST_BYTES = 1 << 27  # of a message
# Bytes of its JSON: a list takes thirty times the memory of its JSON.
_MOST_WORDS = 1 << 25
_ITERATORS = (types.GeneratorType, map, filter, zip, enumerate, reversed, type(iter([])))

Refer = Callable[[Any], tuple[str, Any]]


def _no_plain_data(value: Any) -> tuple[str, Any]:
    raise ValueError(f"a {type(value).__name__} is no plain data")


def _unknown(kind: str, parts: Any) -> Any:
    raise ValueError(f"unknown kind of plain data: {kind!r:.40}")


def packed(value: Any, refer: Refer = _no_plain_data) -> bytes:
    """Return plain data as bytes.

    Args:
      value: what to pack.
      refer: gives a kind and parts (plain data) for a value that is no plain data, or raises.

    Raises:
      ValueError: something in it cannot be packed.
    """
    writer = _Writer(refer)
    try:
        body = json.dumps(writer.tagged(value), check_circular=False).encode()
    except RecursionError:
        raise ValueError("data that is nested too deeply, or holds itself") from None
    if len(body) > _MOST_WORDS:
        raise ValueError("too much for one message")
    return b"".join([_HEAD.pack(len(body)), body, *writer.buffers])


def unpacked(message: bytes, resolve: Resolve = _unknown) -> Any:
    """Return the value that was packed.

    Args:
      message: the bytes; anybody may have made them.
      resolve: takes the kind and parts that `refer` gave on the other side, gives a value.

    Raises:
      ValueError: the bytes were not made by `packed`.
    """
    try:
        (size,) = _HEAD.unpack_from(message)
        if size > _MOST_WORDS:
            raise ValueError("too much for one message")
        end = _HEAD.size + size
        return Reader(memoryview(message)[end:], resolve).value(json.loads(message[4:end]))
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"no packed data: {type(error).__name__}: {error}"[:200]) from None


class _Writer:
    def __init__(self, refer: Refer):
        self.buffers: list[bytes] = []
        self._refer, self._size = refer, 0

    def tagged(self, value: Any) -> Any:
        """Return a value's JSON."""
        kind = type(value)
        if value is None or kind in (bool, int, float, str):
            return value
        if kind is list:
            return self._list(value)
        made = self._made(value)
        kind, parts = made if made is not None else self._refer(value)
        return {TAG: kind, PARTS: parts if made is not None else self.tagged(parts)}

    def array(self, value: np.ndarray) -> list:
        """Keep an array's contents; return its type, its shape, and where the contents begin."""
        start, self._size = self._size, self._size + value.nbytes
        if self._size > MOST_BYTES - _MOST_WORDS:
            raise ValueError("too much for one message")
        self.buffers.append(np.ascontiguousarray(value).tobytes())
        return [value.dtype.str, list(value.shape), start]

    def _list(self, value: list) -> Any:
        kinds = set(map(type, value))
        if len(value) >= _FEW and len(kinds) == 1:
            together = self._together(kinds.pop(), value)
            if together:
                return {TAG: together[0], PARTS: together[1]}
        return [self.tagged(each) for each in value]

    def _together(self, kind: type, value: list) -> tuple[str, Any] | None:
        """Return numbers of one type, or arrays of one shape, as one array."""
        if kind is float:
            return "numbers", self.array(np.array(value))
        if issubclass(kind, np.number):
            return "items", self.array(np.array(value))
        if kind is not np.ndarray or not value[0].ndim or value[0].dtype.kind not in KINDS:
            return None
        alike = len({(each.dtype, each.shape) for each in value}) == 1
        return ("items", self.array(np.stack(value))) if alike else None

    def _made(self, value: Any) -> tuple[str, Any] | None:
        """Return the kind and the parts of plain data that JSON has no word for; None for other."""
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            plain = value.dtype.kind in KINDS
            return ("scalar", self.array(np.asarray(value))) if plain else None
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            parts = [type(value).__name__, list(value._fields), list(value)]
            return "named", self.tagged(parts)
        for types_, name, parts in _CONTAINERS:
            if isinstance(value, types_):
                return name, self.tagged(parts(value))
        return _number(value) or self._other(value)

    def _array(self, value: np.ndarray) -> tuple[str, Any] | None:
        if value.dtype.kind in KINDS:
            return "array", self.array(value)
        if value.dtype.kind == "O":
            return "objects", [list(value.shape), self.tagged(value.ravel().tolist())]
        return None

    def _other(self, value: Any) -> tuple[str, Any] | None:
        if isinstance(value, np.random.Generator):
            bits = value.bit_generator
            return "generator", self.tagged([type(bits).__name__, bits.state])
        if dataclasses.is_dataclass(value) and type(value).__module__.startswith(LIBRARY + "."):
            fields = [each.name for each in dataclasses.fields(value) if each.init]
            parts = [type(value).__name__, {name: getattr(value, name) for name in fields}]
            return "library", self.tagged(parts)
        if "pandas" in sys.modules:
            parts = wire_tables.parts_of(value)
            return None if parts is None else (parts[0], self.tagged(parts[1]))
        return None


# Types, the word for them, and their parts: the first that fits is taken.
_CONTAINERS = (
    (list, "list", lambda value: [*value]),
    (tuple, "tuple", list),
    (dict, "dict", lambda value: [[*item] for item in value.items()]),
    (set, "set", list),
    (frozenset, "frozenset", list),
    (range, "range", lambda value: [value.start, value.stop, value.step]),
    (bytes | bytearray, "bytes", lambda value: np.frombuffer(value, np.uint8)),
    (type({}.keys()) | type({}.values()) | type({}.items()), "list", list),
    (_ITERATORS, "iterator", lambda value: list(itertools.islice(value, _MOST_ITEMS))),
)


def _number(value: Any) -> tuple[str, Any] | None:
    """Return the kind and parts of a number that is not built in, or of a special type of text."""
    if isinstance(value, str):
        return "as", str.__str__(value)
    if isinstance(value, Fraction):
        return "fraction", [value.numerator, value.denominator]
    if isinstance(value, Decimal):
        return "decimal", str(value)
    if isinstance(value, Integral):
        return "as", int(value)
    if isinstance(value, Real):
        return "as", float(value)
    if isinstance(value, complex):
        return "complex", [value.real, value.imag]
    return None
