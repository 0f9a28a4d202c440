"""Runs an answer with repeated random numbers, a stopped clock, or another session's hashes.

This code runs in the answer's process, which may be another one. All changes are undone.
"""

import builtins
import contextlib
import datetime
import functools
import hashlib
import itertools
import os
import random
import secrets
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder.check.elsewhere import beside

# How far to search for generators that an answer holds: steps from name to name, objects in all.
_DEEPEST = 4
_MOST_THINGS = 2_000

# After this many reads a stopped clock goes on: an answer may be waiting for it.
_MOST_LOOKS = 1_000

_CLOCKS = ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns")


def reached(function: Callable) -> Iterator[Any]:
    """Yield the objects that an answer reaches by name: globals, closures, defaults, parts."""
    seen: set[int] = set()
    layer: list[Any] = [function]
    for _ in range(_DEEPEST):
        fresh = []
        for thing in layer:
            if id(thing) not in seen and len(seen) < _MOST_THINGS:
                seen.add(id(thing))
                fresh.append(thing)
                yield thing
        layer = [held for thing in fresh for held in _held(thing)]


def _held(thing: Any) -> list[Any]:
    """Return the parts of one object; modules have too many."""
    if isinstance(thing, types.FunctionType):
        return _held_by_function(thing)
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, list | tuple | set):
        with contextlib.suppress(Exception):  # a list of an answer's own kind
            return list(thing)
        return []
    if isinstance(thing, types.MethodType):
        return [thing.__func__, thing.__self__]
    if isinstance(thing, types.ModuleType | np.ndarray):
        return []
    # A functools.partial, a callable object, a method of a generator written in C.
    parts = [getattr(thing, name, None) for name in ("func", "args", "keywords", "__self__")]
    inside = getattr(thing, "__dict__", {})
    # A table or a frozen library class has many parts, and no generator of the answer's.
    named = list(inside.values()) if isinstance(inside, dict) else []
    return [part for part in parts if part is not None] + named


def _held_by_function(function: types.FunctionType) -> list[Any]:
    held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for cell in function.__closure__ or ():
        # A cell is empty while its function is still being defined.
        with contextlib.suppress(ValueError):
            held.append(cell.cell_contents)
    names = names_in(function.__code__)
    return held + [function.__globals__[name] for name in names if name in function.__globals__]


def names_in(code: types.CodeType) -> set[str]:
    """Return the names that code looks up, inner functions' included."""
    inner = (names_in(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*inner)


@beside
@contextlib.contextmanager
def repeated_chance(function: Callable, seed: int):
    """Seed every source of chance that the answer can reach from one seed.

    These are the global generators of numpy and `random`, generators that the answer holds or
    makes, `secrets` and `os.urandom`. Other sources are not repeated, so call twice to see.
    """
    seeds = itertools.count(seed * 1_000)
    system = random.Random(next(seeds))
    # numpy seeds its new generators from `secrets`, which reads this function of `random`.
    with (
        _replaced(random, "_urandom", system.randbytes),
        _replaced(os, "urandom", system.randbytes),
    ):
        restore = [_seeded(generator, next(seeds)) for generator in _generators(function)]
        try:
            yield
        finally:
            for put_back in restore:
                put_back()


def _generators(function: Callable) -> list[Any]:
    """Return the generators an answer may draw from, each once."""
    everywhere = [np.random.mtrand._rand, random._inst]
    found = {}
    for thing in itertools.chain(everywhere, reached(function)):
        if isinstance(thing, np.random.Generator):
            found[id(thing.bit_generator)] = thing.bit_generator
        elif isinstance(thing, np.random.RandomState):
            found[id(thing._bit_generator)] = thing
        elif isinstance(thing, np.random.BitGenerator):
            found.setdefault(id(thing), thing)
        elif isinstance(thing, random.Random) and not isinstance(thing, random.SystemRandom):
            found[id(thing)] = thing
    return list(found.values())


def _seeded(generator: Any, seed: int) -> Callable[[], None]:
    """Seed a generator and return what puts its state back."""
    if isinstance(generator, random.Random):
        state = generator.getstate()
        generator.seed(seed)
        return lambda: generator.setstate(state)
    if isinstance(generator, np.random.RandomState):
        state = generator.get_state(legacy=False)
        fresh = _fresh_state(type(generator._bit_generator), seed)
        generator.set_state({**fresh, "has_gauss": 0, "gauss": 0.0})
        return lambda: generator.set_state(state)
    state = generator.state
    generator.state = _fresh_state(type(generator), seed)

    def put_back():
        generator.state = state

    return put_back


@functools.lru_cache(maxsize=64)
def _fresh_state(kind: type, seed: int) -> dict[str, Any]:
    return kind(seed).state


@beside
@contextlib.contextmanager
def still_clock(function: Callable):
    """Stop the clock, for a while, wherever the answer reads it."""
    looks = itertools.count()
    stands = {
        getattr(time, name): _stands(getattr(time, name), looks)
        for name in (*_CLOCKS, "process_time")
    }
    stands[datetime.datetime] = _still_date(datetime.datetime, looks)
    with contextlib.ExitStack() as stack:
        for clock, still in stands.items():
            stack.enter_context(
                _replaced(datetime if isinstance(clock, type) else time, clock.__name__, still)
            )
        for thing in list(reached(function)):
            if isinstance(thing, types.FunctionType):
                _replace_globals(stack, thing, stands)
        yield


def _replace_globals(stack: contextlib.ExitStack, function: types.FunctionType, stands) -> None:
    """Replace clocks that a function imported by name (`from time import time`)."""
    space = function.__globals__
    for name in names_in(function.__code__):
        clock = space.get(name)
        if isinstance(clock, types.BuiltinFunctionType | type) and clock in stands:
            space[name] = stands[clock]
            stack.callback(space.__setitem__, name, clock)


def _stands(clock: Callable, looks: Iterator[int]) -> Callable:
    now = clock()
    return lambda: now if next(looks) < _MOST_LOOKS else clock()


def _still_date(real: type, looks: Iterator[int]) -> type:
    moment = real.now()

    class Still(real):
        @classmethod
        def now(cls, tz=None):
            standing = next(looks) < _MOST_LOOKS
            return (
                moment.astimezone(tz) if standing and tz else moment if standing else real.now(tz)
            )

    return Still


@contextlib.contextmanager
def _replaced(module: types.ModuleType, name: str, replacement: Any):
    """Replace one attribute of a module; do nothing if the module has none of that name."""
    if not hasattr(module, name):
        yield
        return
    kept = getattr(module, name)
    setattr(module, name, replacement)
    try:
        yield
    finally:
        setattr(module, name, kept)


def seeder(function: Callable, call: Callable[[], Any]) -> str:
    """Return the global seed function that an answer calls on itself when `call` runs, or "".

    Two calls from two different states that leave one state have set it themselves.
    """
    states = []
    for _ in range(2):
        with shaken(function) as state:
            call()
            states.append(state())
    for name, one, other in zip(("np.random.seed", "random.seed"), *states, strict=True):
        if one == other:
            return name
    return ""


@beside
@contextlib.contextmanager
def shaken(function: Callable) -> Iterator[Callable[[], list[str]]]:
    """Give the global generators fresh states; yield a function that returns their states."""
    reseed()
    yield _global_states


def reseed() -> None:
    """Seed numpy's and Python's global generators from the system's entropy."""
    np.random.seed([secrets.randbits(32) for _ in range(8)])  # noqa: NPY002
    random.seed(secrets.randbits(128))


def _global_states() -> list[str]:
    """Return the states of numpy's global generator and of Python's, each as one word."""
    states = np.random.get_state()[1].tobytes(), repr(random.getstate()).encode()  # noqa: NPY002
    return [hashlib.sha256(state).hexdigest() for state in states]


@beside
@contextlib.contextmanager
def processor_time(function: Callable) -> Iterator[Callable[[], float]]:
    """Yield a function that returns the processor seconds of the answer's thread."""
    yield getattr(time, "thread_time", time.process_time)  # in a browser there is one thread


@beside
@contextlib.contextmanager
def another_session(function: Callable) -> Iterator[None]:
    """Make the answer's own calls of `hash` return values of another session of Python.

    There `hash` of a text is another number, and `hash` of a whole number the same.
    """
    original, own = builtins.hash, getattr(function, "__globals__", None)

    def elsewhere(value):
        theirs = sys._getframe(1).f_globals is own
        return original(("session", value)) if theirs and _has_text(value) else original(value)

    builtins.hash = elsewhere
    try:
        yield
    finally:
        builtins.hash = original


def _has_text(value: Any) -> bool:
    return isinstance(value, str | bytes) or (
        isinstance(value, tuple) and any(map(_has_text, value))
    )
