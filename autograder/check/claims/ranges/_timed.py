"""Shared by the claims that ask for a fast rule: a call that takes too long says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.check.door import BadAnswer
from autograder.check.replay import processor_time
from autograder.check.several import SeveralClaims
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["few_and_many", "within"]

# A call that took longer than this many times what is allowed is not repeated.
_RETRY = 3.0


def within(seconds: float, *, problem: str, ask: str) -> Callable:
    """Return how to use an answer: by one call, of at most so many seconds of processor time.

    Time that a busy machine spends elsewhere is not counted, and a slow call is tried once more:
    it may have had something to import. A right answer takes a thousandth of it.
    """

    def use(function: Callable, *positional, **keywords):
        for retry in (True, False):
            with processor_time(function) as clock:
                started = clock()
                answer = function(*positional, **keywords)
                spent = clock() - started
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


def few_and_many(
    name: str,
    *,
    about: str,
    established: str,
    few: Callable[[np.random.Generator], list[dict]],
    many: Callable[[np.random.Generator], list[dict]],
    mistakes: Sequence[ValueMistake],
    use: Callable,
    **shared: Any,
) -> SeveralClaims:
    """Return the claim of a rule that is right for few cells, and fast for many.

    `few` and `many` draw the cases; mistakes are named at the few, and `use` (see `within`) limits
    the time at the many. `shared` are the other fields of both `ValuesClaim`s.
    """
    shared |= {"name": name, "tolerance": 1e-9}
    parts = (
        ValuesClaim(established="right for few cells", cases=few, mistakes=mistakes, **shared),
        ValuesClaim(established="right for many cells", cases=many, mistakes=(), use=use, **shared),
    )
    return SeveralClaims(name=name, about=about, established=established, library=name, parts=parts)
