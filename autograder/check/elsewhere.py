"""The interface of answers in another process, which `autograder.apart` has.

A notebook's check needs none, so this module depends on no connection and no process.
"""

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any


class Elsewhere:
    """The proxy of an answer in another process, with what the judge asks of it beyond a call."""

    def _condition(self, name: str, *given: Any) -> AbstractContextManager:
        """Set one of CONDITIONS there while the context lasts."""
        raise NotImplementedError

    def _call_ahead(self, number: int, seconds: float, positional: tuple, keywords: dict) -> int:
        """Make several calls at once, to be asked for one by one later; return their number."""
        raise NotImplementedError

    def _worked(self) -> tuple[float, float]:
        """Return the seconds that its calls have worked there, and were queued for a core."""
        raise NotImplementedError

    def _verdicts(self) -> dict:
        """Return the verdicts on this answer, by check. It is empty when other code has run."""
        raise NotImplementedError


# Context managers that act in the answer's process, by name. The answer is the first argument.
CONDITIONS: dict[str, Callable] = {}


def beside(manager: Callable) -> Callable:
    """Make a context manager act in the answer's process: here, or another one."""
    name = manager.__name__
    CONDITIONS[name] = manager

    @functools.wraps(manager)
    def anywhere(function: Any, *given: Any):
        if isinstance(function, Elsewhere):
            return function._condition(name, *given)
        return manager(function, *given)

    return anywhere


@beside
@contextlib.contextmanager
def takes_generator(function: Callable) -> Iterator[bool]:
    """Yield whether the answer has a parameter `rng`."""
    known: Any = ()
    with contextlib.suppress(TypeError, ValueError):
        known = inspect.signature(function).parameters
    yield "rng" in known


@beside
@contextlib.contextmanager
def _asked_at(event: Callable, outputs: list) -> Iterator[list[bool | str]]:
    """Yield whether each output is in the answer's event, or the error that it stops with there."""
    yield [_in_event(event, output) for output in outputs]


def said_of(event: Any, outputs: list) -> list[bool | str]:
    """Return whether each output is in an event, or the error that it stops with there."""
    with _asked_at(event, outputs) as inside:
        return list(inside)


def _in_event(event: Callable, output: Any) -> bool | str:
    try:
        return bool(event(output))
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:60]


def remembered(name: str, function: Any, judge: Callable[[], Any]) -> Any:
    """Return the verdict of a check, or raise it: the last one, if nothing else has run since.

    Only for an answer in another process: there one look serves a notebook's visible and hidden
    cell.
    """
    if not isinstance(function, Elsewhere):
        return judge()
    verdicts = function._verdicts()
    if name not in verdicts:
        try:
            verdicts[name] = judge()
        except AssertionError as failure:
            verdicts[name] = failure
    if isinstance(verdicts[name], AssertionError):
        raise verdicts[name]
    return verdicts[name]
