"""Reads messages that nobody should believe: `python fuzz_reader.py SECONDS SEED`.

Ends with 0 if each was read or refused with a ValueError, within its time and memory. A process of
its own: what is looked for ends a process.
"""

import contextlib
import faulthandler
import json
import random
import resource
import sys
import time
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from autograder.apart import wire, wire_reader, wire_tables
from autograder.apart.wire import packed, unpacked

_MOST = 5.0  # seconds of work for one message
_MEMORY = 3 << 30  # bytes, with the libraries
_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
_KINDS = sorted({*wire_reader._FROM, *wire_reader._AS, *wire_tables.FROM, "objects", "unknown"})
_TYPES = ("<f8", "|b1", "<i4", ">u2", "<U3", "|S4", "<c16", "<M8[s]", "<m8[D]", "|O", "<U0", "V8")

_whole = st.integers(-10, 700) | st.sampled_from(
    [10**8, 2**31, 2**63, 2**64, 2**128, -(2**63), 10**18]
)
_leaf = (
    st.none()
    | st.booleans()
    | _whole
    | st.floats()
    | st.sampled_from(["1e99999999", "-1e-99999999", "1/3", "MT19937", "Philox", "Guarantee"])
    | st.text(max_size=5)
)
_array = st.tuples(st.sampled_from(_TYPES), st.lists(_whole, max_size=3), _whole).map(list)
_node = st.recursive(
    _leaf | _array,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(st.sampled_from(_KINDS), inner).map(lambda pair: {"!": pair[0], "of": pair[1]})
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
_TRUE = [
    [1.5, 2.5, 3.5, 4.5, (1, {2: 3}), {4}, frozenset([5]), range(3), b"six", 1j, Decimal("7.5")],
    [Fraction(1, 3), np.arange(6).reshape(2, 3), np.array(["a", "bc"]), np.array([None, 1])],
    pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": pd.Categorical(["u", "v"])}),
    pd.Series([1.0, 2.0], index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
]
_DRAWING = [np.random.Generator(getattr(np.random, name)(5)) for name in _GENERATORS]


def _message(node: object, contents: bytes) -> bytes:
    body = json.dumps(node).encode()
    return wire._HEAD.pack(len(body)) + body + contents


def _split(value: object) -> tuple[str, bytes]:
    """Return a true message as its JSON and the contents of its arrays."""
    message = packed(value)
    (size,) = wire._HEAD.unpack_from(message)
    end = wire._HEAD.size + size
    return message[wire._HEAD.size : end].decode(), message[end:]


def _changed(true: tuple[str, bytes], place: int, by: object) -> bytes:
    """Return a true message in which one number or word of its JSON is another."""
    node = json.loads(true[0])
    leaves = list(_leaves(node))
    holder, key = leaves[place % len(leaves)]
    holder[key] = by
    return _message(node, true[1])


def _leaves(node):
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, each in list(pairs):
        if isinstance(each, dict | list):
            yield from _leaves(each)
        else:
            yield node, key


_messages = (
    st.builds(_message, _node, st.binary(max_size=64))
    | st.builds(_changed, st.sampled_from([*map(_split, _TRUE)]), st.integers(0, 60), _leaf)
    | st.builds(_changed, st.sampled_from(list(map(_split, _DRAWING))), st.integers(0, 20), _whole)
    | st.binary(max_size=64)
)


def _use(value: object) -> None:
    """Use a value as a test would: what was not looked at may break only here."""
    if isinstance(value, np.random.Generator):
        state = value.bit_generator.state
        if not 0 <= {**state, **state["state"]}.get("pos", 0) <= 624:
            raise AssertionError("a position beyond the numbers of MT19937")
        if not 0 <= state.get("buffer_pos", 0) <= 4:
            raise AssertionError("a position beyond the numbers of Philox")
        value.random(700), value.integers(9, size=9, dtype=np.int32), value.normal(size=3)
    elif isinstance(value, list | tuple):
        for each in value:
            _use(each)
    elif isinstance(value, Fraction | Decimal):
        float(value), int(value) if value == value and abs(value) != Decimal("inf") else 0
    elif isinstance(value, np.ndarray) and value.size < 1000:
        value.tolist(), value.copy()


def _read(message: bytes) -> None:
    began = time.process_time()
    with contextlib.suppress(ValueError, OverflowError):  # the second one from using it
        _use(unpacked(message))
    took = time.process_time() - began
    if took > _MOST:
        raise AssertionError(f"{took:.1f} s for {message[:200]!r}")


def main(seconds: float, first: int) -> int:
    """Read messages for so long; return how many."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    end, count, number = time.monotonic() + seconds, 0, first
    while time.monotonic() < end:

        @seed(number)
        @settings(
            max_examples=100,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(_messages)
        def read(message):
            nonlocal count
            count += 1
            _read(message)

        read()
        number += 1
    return count


if __name__ == "__main__":
    begin = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
    print(f"{main(float(sys.argv[1]), begin)} messages from seed {begin}")
