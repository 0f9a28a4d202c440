"""Notices an answer that calls the library's own version of the function it should write."""

from __future__ import annotations

import importlib
import inspect
from contextlib import contextmanager

__all__ = ["LibraryCalled", "without_library"]


class LibraryCalled(BaseException):
    """The answer called dplib's own version. Not an Exception, so an answer cannot swallow it."""


def _refuse(*_arguments, **_keywords):
    from autograder.check.library import LibraryCalled

    raise LibraryCalled


@contextmanager
def without_library(name: str):
    """Make dplib's function of this name refuse to run, however the answer got hold of it.

    The function's code is exchanged, not the names that point to it: so it is found in the answer's
    globals, in closures, in `functools.partial` and in default arguments alike.
    """
    original = _library_function(name)
    if original is None:
        yield
        return
    code = original.__code__
    original.__code__ = _refuse.__code__
    try:
        yield
    finally:
        original.__code__ = code


def _library_function(name: str):
    """Return dplib's plain function of this name, what makes a class of this name, or None."""
    try:
        library = importlib.import_module("dplib")
    except ImportError:
        return None
    function = getattr(library, name, None)
    if inspect.isclass(function):
        function = function.__init__
    # Code can be exchanged only between functions that close over nothing.
    return function if inspect.isfunction(function) and not function.__closure__ else None
