"""Detects an answer that calls the library's own version of the function it should write."""

import importlib
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

# The number of calls watched for the library's code under another name: watching slows each.
_MOST_WATCHED = 20_000
_shut: dict[str, CodeType] = {}  # the code of dplib's functions that refuse to run, by name
# Where the claims' code says that it stands: in a file, or sealed in a student's zip.
_CLAIMS = re.compile(r"autograder([./\\])check\1claims\1")
# What may call it: wrong functions of a catalogue that change the right value.
_CATALOGUES = re.compile(r"autograder([./\\])check\1(claims\1|function_claim\b)")
# A docstring of this many characters is not written twice by chance.
_TELLING = 100


class LibraryCalled(BaseException):
    """The answer called dplib's own version. Not an Exception, so an answer cannot swallow it."""


def _refuse(*_arguments, **_keywords):
    from autograder.check.library import LibraryCalled

    raise LibraryCalled


@contextmanager
def without_library(name: str, held: Iterable[Any] = ()):
    """Make dplib's function of this name refuse to run, however the answer got hold of it.

    The function's code is replaced, not the names that point to it. So it works in the answer's
    globals, in closures, in `functools.partial` and in default arguments alike. The code of copies
    among `held` is replaced too; `watched` catches copies that the answer makes when it is called.

    Args:
      name: of dplib's function, from there on: "laplace_mechanism", "ranges.tree_strategy".
      held: the objects that the answer can reach.
    """
    original = _library_function(name)
    if original is None:
        yield
        return
    code = original.__code__
    copies = [each for each in held if isinstance(each, FunctionType) and _is_copy(each, code)]
    shut = {id(each): each for each in (original, *copies)}
    codes = {each: function.__code__ for each, function in shut.items()}
    for function in shut.values():
        function.__code__ = _refuse.__code__
    _shut[name] = code
    try:
        yield
    finally:
        _shut.pop(name, None)
        for place, function in shut.items():
            function.__code__ = codes[place]


def same_code(one: CodeType, other: CodeType) -> bool:
    """Say whether two pieces of code come from the very same text.

    They stood in one place of one file, or have the same docstring of some length too: many people
    write a formula alike.
    """
    if one is other or _parts(one) != _parts(other):
        return one is other
    places = [(code.co_filename, code.co_firstlineno) for code in (one, other)]
    words = [code.co_consts[0] if code.co_consts else None for code in (one, other)]
    telling = isinstance(words[0], str) and len(words[0]) >= _TELLING
    return places[0] == places[1] or (telling and words[0] == words[1])


def _is_copy(function: FunctionType, code: CodeType) -> bool:
    return not function.__closure__ and same_code(function.__code__, code)


def _parts(code: CodeType) -> tuple:
    """Return the constants and names of code, in order, without its docstring.

    Bytes are not compared: the same text gives other bytes if its module imports other names.
    """
    constants = tuple(
        _parts(each) if isinstance(each, CodeType) else (type(each), each)
        for each in code.co_consts[1:]
    )
    return code.co_names, code.co_varnames, constants


@contextmanager
def watched(name: str) -> Iterator[None]:
    """Raise LibraryCalled when a copy of dplib's disabled function begins to run, or a claim's own.

    A claim without chance holds the right function: who imports it from there has not written it.
    """
    code = _shut.get(name)
    if sys.getprofile() is not None:  # a profiler is running: leave it alone
        yield
        return
    left = _MOST_WATCHED

    def look(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        if event == "call":
            left -= 1
            if left <= 0:
                sys.setprofile(None)
            if _asks_a_claim(frame, name) or (code and _alike(frame.f_code, code)):
                raise LibraryCalled

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


def _alike(one: CodeType, other: CodeType) -> bool:
    return one.co_names == other.co_names and same_code(one, other)


def _asks_a_claim(frame: FrameType, name: str) -> bool:
    """Say whether a claim's right function begins to run, and no claim has called it."""
    code, caller = frame.f_code, frame.f_back
    if code.co_name != name or not _CLAIMS.search(code.co_filename):
        return False
    return caller is None or not _CATALOGUES.search(caller.f_code.co_filename)


def _library_function(name: str):
    """Return dplib's plain function of this name, the constructor of its class, or None."""
    module, _, name = f"dplib.{name}".rpartition(".")
    try:
        library = importlib.import_module(module)
    except ImportError:
        return None
    function = getattr(library, name, None)
    if inspect.isclass(function):
        function = function.__init__
    # Code can be replaced only between functions without closures.
    return function if inspect.isfunction(function) and not function.__closure__ else None
