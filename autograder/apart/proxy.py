"""The proxy of an object in another process: it can be called, and asked for its parts.

Comparing, adding and the like raise `NotJudged`. They are not passed on, because the other process
would give the result: a value that decides must be plain data.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from autograder.check.elsewhere import Elsewhere

# Objects of these come as plain data: no proxy passes for an instance of their classes.
_PLAIN = ("builtins", "numpy", "pandas", "dplib", "autograder")
_OPERATORS = (
    *("eq", "ne", "lt", "le", "gt", "ge", "neg", "abs", "round"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"),
    *("floordiv", "rfloordiv", "mod", "rmod", "pow", "rpow", "matmul", "rmatmul"),
    *("and", "rand", "or", "ror", "setitem", "delitem"),
)


class NotJudged(BaseException):
    """A value that is no plain data would have to cross, or to decide.

    Not an Exception, so that a test which catches errors does not take it for one of the answer's.
    """


class Remote(Elsewhere):
    """The proxy of an object that is no plain data: a function, a class, a figure.

    Args:
      link: the connection to the other process.
      handle: its number there.
      words: its `repr` there.
    """

    def __init__(self, link: Any, handle: int, words: str):
        for name, value in {"_link": link, "_handle": handle, "_words": words}.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":
            # `inspect` asks for these first: source and signature do not cross.
            raise NotJudged("the source of an answer does not cross")
        if name.startswith("__") and name not in ("__name__", "__doc__"):
            raise AttributeError(name)
        return self._link.ask("attribute", self._handle, name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise NotJudged(f"{name!r} of {self!r:.60} is set")

    def __repr__(self) -> str:
        return self._words

    def __copy__(self) -> Remote:
        return self

    def __deepcopy__(self, memory: dict) -> Remote:
        return self

    def _special(self, name: str, *given: Any) -> Any:
        return self._link.ask("special", self._handle, name, list(given))

    def _condition(self, name: str, *given: Any) -> AbstractContextManager:
        return self._link.condition(name, self._handle, *given)

    def _call_ahead(self, number: int, seconds: float, positional: tuple, keywords: dict) -> int:
        return self._link.call_ahead(self._handle, number, seconds, positional, keywords)

    def _worked(self) -> tuple[float, float]:
        return self._link.worked

    def _verdicts(self) -> dict:
        return self._link.verdicts.setdefault(self._handle, {})


def _refused(name: str) -> Callable:
    def operator(self: Remote, *given: Any) -> Any:
        raise NotJudged(f"{name} of {self!r:.60} would be up to the answer")

    return operator


for _name in _OPERATORS:
    setattr(Remote, f"__{_name}__", _refused(_name))
Remote.__hash__ = object.__hash__


def _array(self: Remote, dtype: Any = None, copy: bool | None = None) -> Any:
    import numpy as np

    return np.asarray(self._special("__array__"), dtype=dtype)


def _passed_on(name: str) -> Callable:
    return lambda self, *given: self._special(name, *given)


# The methods that a Remote has if the object's class has them.
_ABILITIES: dict[str, Callable] = {
    "__call__": lambda self, *given, **named: self._link.call(self._handle, given, named),
    "__array__": _array,
    # Not `__contains__`, which would decide: Python then looks among the items by itself.
    **{name: _passed_on(name) for name in ("__len__", "__iter__", "__getitem__")},
    **{name: _passed_on(name) for name in ("__float__", "__int__", "__index__")},
}


@functools.lru_cache(maxsize=256)
def remote_class(module: str, name: str, abilities: frozenset[str]) -> type[Remote]:
    """Return the class of proxies for objects of `module`'s class `name`.

    `isinstance` takes such a proxy for one of that class, if the class is loaded here: an answer's
    figure is a Figure. That proves nothing, as any object can claim a class, in one process too.
    """
    members = {ability: _ABILITIES[ability] for ability in abilities & _ABILITIES.keys()}
    known = None if module.split(".")[0] in _PLAIN else _loaded(module, name)
    if known is not None:
        members["__class__"] = property(lambda self: known)
    return type(name if name.isidentifier() else "Remote", (Remote,), members)


def _loaded(module: str, name: str) -> type | None:
    found = getattr(sys.modules.get(module), name, None)
    return found if isinstance(found, type) else None


def error_like(kinds: Sequence[str], words: str) -> BaseException:
    """Return an error that is caught as the other process's error would be.

    Args:
      kinds: the names of its class and of the base classes, in the order of Python's search.
      words: what it says.
    """
    for base in _builtin_errors(kinds):
        own = kinds[0] if kinds[0].isidentifier() else "Error"
        kind = base if own == base.__name__ else type(own, (base,), {})
        # Some of Python's own errors need more than words: then the next base class.
        with contextlib.suppress(TypeError):
            return kind(words)
    return Exception(words)


def _builtin_errors(kinds: Sequence[str]) -> Iterable[type[BaseException]]:
    for name in kinds:
        found = getattr(builtins, name, None)
        if isinstance(found, type) and issubclass(found, BaseException):
            yield found
