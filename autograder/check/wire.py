"""Plain data as bytes, for a judge and an answer in two processes. Reading bytes runs no code.

Numbers, words, lists, tuples, dicts, fractions and arrays of numbers arrive as they were. Anything
else arrives as an `Opaque`: it shows what it was, and can do nothing.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np

__all__ = ["Opaque", "packed", "unpacked"]

_TAG = "!"
# Arrays of truth values, numbers and fixed-width words: what has no code in it.
_KINDS = "biufcUS"


@dataclass(frozen=True)
class Opaque:
    """What was no plain data on the other side."""

    kind: str
    words: str

    def __repr__(self) -> str:
        return self.words


def packed(value: Any) -> bytes:
    """Return plain data as bytes."""
    return json.dumps(_tagged(value)).encode()


def unpacked(message: bytes) -> Any:
    """Return what was packed.

    Raises:
      ValueError: the bytes were not made by `packed`.
    """
    return _untagged(json.loads(message))


def _tagged(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in _KINDS:
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {_TAG: "array", "of": [value.dtype.str, list(value.shape), data]}
    if isinstance(value, Integral | Real | np.bool_):
        return _tagged_number(value)
    if isinstance(value, list):
        return [_tagged(each) for each in value]
    if isinstance(value, tuple):
        return {_TAG: "tuple", "of": [_tagged(each) for each in value]}
    if isinstance(value, dict):
        return {_TAG: "dict", "of": [[_tagged(k), _tagged(v)] for k, v in value.items()]}
    return {_TAG: "opaque", "of": [type(value).__name__, _words(value)]}


def _tagged_number(value: Any) -> Any:
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Fraction):
        return {_TAG: "fraction", "of": [value.numerator, value.denominator]}
    return float(value)


def _words(value: Any) -> str:
    try:
        return repr(value)[:200]
    except Exception:
        return f"a {type(value).__name__}"


def _untagged(value: Any) -> Any:
    if isinstance(value, list):
        return [_untagged(each) for each in value]
    if not isinstance(value, dict):
        return value
    parts = value.get("of")
    match value.get(_TAG):
        case "array":
            kind = np.dtype(parts[0])
            if kind.kind not in _KINDS:
                raise ValueError(f"an array of {kind} is no plain data")
            return np.frombuffer(base64.b64decode(parts[2]), kind).reshape(parts[1]).copy()
        case "tuple":
            return tuple(map(_untagged, parts))
        case "dict":
            return {_untagged(key): _untagged(each) for key, each in parts}
        case "fraction":
            return Fraction(*parts)
        case "opaque":
            return Opaque(*map(str, parts))
    raise ValueError(f"unknown plain data: {value!r:.100}")
