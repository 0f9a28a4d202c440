"""Shared by the claims that ask for a fast rule: a call that takes too long says so."""

from __future__ import annotations

import time
from collections.abc import Callable

from autograder.check.door import BadAnswer

__all__ = ["within"]

# A call that took longer than this many times what is allowed is not repeated.
_RETRY = 3.0


def within(seconds: float, *, problem: str, ask: str) -> Callable:
    """Return how to use an answer: by one call, of at most so many seconds of processor time.

    Time that a busy machine spends elsewhere is not counted, and a slow call is tried once more:
    it may have had something to import. A right answer takes a thousandth of it.
    """

    def use(function: Callable, *positional, **keywords):
        for retry in (True, False):
            started = time.thread_time()
            answer = function(*positional, **keywords)
            spent = time.thread_time() - started
            if spent <= seconds:
                break
            if not retry or spent > _RETRY * seconds:
                raise BadAnswer(
                    problem,
                    seen=f"one call took {spent:.1f} s, at most {seconds:g} s are allowed",
                    ask=ask,
                )
        return answer

    return use
