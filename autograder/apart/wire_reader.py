"""Reads the values that `wire.py` wrote. The writer may be hostile: nothing here runs code."""

import collections
import dataclasses
import functools
import importlib
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.apart import wire_tables

TAG, PARTS = "!", "of"
# Arrays of truth values, numbers, words, moments and spans of time: types without code.
KINDS = "biufcUSmM"
# The library whose frozen dataclasses are plain data too: a guarantee is two numbers and a word.
LIBRARY = "dplib"
_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
# Where a generator's next number stands among those that it has drawn: numpy believes what is said.
_POSITIONS = (("MT19937", "pos", 624), ("Philox", "buffer_pos", 4))
_LARGEST_CHARACTER = 0x10FFFF
_LONGEST_EXPONENT = 10_000  # of a number in decimals: as a fraction it would fill the memory

Resolve = Callable[[str, Any], Any]


class Reader:
    """Reads one message.

    Args:
      contents: of its arrays, one after the other.
      resolve: takes a kind that is not known here and its parts, gives a value.
    """

    def __init__(self, contents: memoryview, resolve: Resolve):
        self._contents, self._resolve = contents, resolve

    def value(self, node: Any) -> Any:
        """Return the value of a piece of JSON."""
        if isinstance(node, list):
            return [self.value(each) for each in node]
        if not isinstance(node, dict):
            return node
        kind, parts = node[TAG], node[PARTS]
        if kind in ("array", "scalar", "numbers", "items"):
            return _AS[kind](self._array(*parts))
        if kind == "objects":
            return _objects(parts[0], self.value(parts[1]))
        parts = self.value(parts)
        if kind in _FROM:
            return _FROM[kind](parts)
        if kind in wire_tables.FROM:
            return wire_tables.FROM[kind](*parts)
        return self._resolve(kind, parts)

    def _array(self, kind: str, shape: list[int], start: int) -> np.ndarray:
        given = np.dtype(kind)
        if given.kind not in KINDS:
            raise ValueError(f"an array of {given} is no plain data")
        if any(length < 0 for length in shape):
            raise ValueError("a length below 0")  # numpy would fill it in
        size = math.prod(shape) * given.itemsize
        array = np.ndarray(tuple(shape), given, bytes(self._contents[start : start + size]))
        if given.kind == "b":
            # Any byte that is not 0 is true, and there is only one truth.
            return array.view(np.uint8) != 0
        if given.kind == "U" and array.size:
            characters = np.frombuffer(array.tobytes(), given.byteorder.replace("|", "=") + "u4")
            if characters.size and characters.max() > _LARGEST_CHARACTER:
                raise ValueError("a word holds what is no character")
        return array.copy()


def _objects(shape: list[int], items: list) -> np.ndarray:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(shape)


@functools.lru_cache(maxsize=64)
def _tuple_type(name: str, fields: tuple[str, ...]) -> type:
    return collections.namedtuple(name, fields)  # it takes plain names only


def _generator(name: str, state: dict) -> np.random.Generator:
    if name not in _GENERATORS:
        raise ValueError(f"unknown generator: {name!r:.40}")
    if not isinstance(state, dict):  # numpy takes an older form, too
        raise ValueError("a generator's state is a dictionary")
    for known, place, most in _POSITIONS:
        at = {**state, **state["state"]}.get(place, 0) if known == name else 0
        if type(at) is not int or not 0 <= at <= most:  # numpy would read beyond its numbers
            raise ValueError(f"a position that {name} has not: {at!r:.40}")
    bits = getattr(np.random, name)()
    bits.state = state
    return np.random.Generator(bits)


def _fraction(numerator: int, denominator: int) -> Fraction:
    if type(numerator) is not int or type(denominator) is not int:  # a text may hold an exponent
        raise ValueError("a fraction is two whole numbers")
    return Fraction(numerator, denominator)


def _decimal(text: str) -> Decimal:
    made = Decimal(str(text))
    if made.is_finite() and abs(made.adjusted()) > _LONGEST_EXPONENT:
        raise ValueError(f"a number with an exponent of {made.adjusted()}")
    return made


def _bytes(parts: np.ndarray) -> bytes:
    if not isinstance(parts, np.ndarray):  # of a number, Python would make so many bytes
        raise ValueError("bytes are an array")
    return parts.tobytes()


def _library(name: str, fields: dict[str, Any]) -> Any:
    kind = getattr(importlib.import_module(LIBRARY), name)
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise ValueError(f"{LIBRARY} has no data of the kind {name!r:.40}")
    return kind(**fields)


_AS = {
    "array": lambda array: array,
    "scalar": lambda array: array[()],
    "numbers": lambda array: array.tolist(),
    "items": list,
}
_FROM = {
    "list": lambda parts: parts,
    "named": lambda parts: _tuple_type(parts[0], tuple(parts[1]))(*parts[2]),
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "range": lambda parts: range(*parts),
    "bytes": _bytes,
    "iterator": iter,
    "as": lambda parts: parts,
    "fraction": lambda parts: _fraction(*parts),
    "decimal": _decimal,
    "complex": lambda parts: complex(*parts),
    "generator": lambda parts: _generator(*parts),
    "library": lambda parts: _library(*parts),
}
