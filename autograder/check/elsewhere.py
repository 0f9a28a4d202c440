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


@beside
@contextlib.contextmanager
def _as_far_as_it_runs(function: Callable, inputs: list[tuple], named: dict) -> Iterator[list]:
    """Yield what an answer returns at one input after the other, up to the first error."""
    came = []
    with contextlib.suppress(Exception):
        for each in inputs:
            came.append(function(*each, **named))
    yield came


def in_turn(function: Any, inputs: list[tuple], **named: Any) -> list:
    """Return what an answer returns at each input, asked there: a crossing costs more than most.

    It stops with the answer's own error, where there is one. The last input is asked by a call,
    which also tells how long the process has worked for all of them.
    """
    came: list = []
    while len(came) < len(inputs):
        with _as_far_as_it_runs(function, inputs[len(came) : -1], named) as more:
            came += more
        came.append(function(*inputs[len(came)], **named))
    return came


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
