"""Shared by the claims that ask for a fast rule: a call that takes too long says so."""

from collections.abc import Callable

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.chance.replay import processor_time
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims

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
                    seen=f"one call took {spent:.2g} s, at most {seconds:g} s are allowed",
                    ask=ask,
                )
        return answer

    return use


def few_and_many(
    reference: Callable,
    *,
    established: str,
    few: Callable[[np.random.Generator], list[dict]],
    many: Callable[[np.random.Generator], list[dict]],
    use: Callable,
    situation: Callable[[dict], str],
) -> SeveralClaims:
    """Return the claim of a rule that is right for few cells, and fast for many.

    `few` and `many` draw the inputs; mistakes are named at the few (add them to the first of the
    claim's parts), and `use` (see `within`) limits the time at the many.
    """
    shared = {"tolerance": 1e-9, "situation": situation}
    at_few = FunctionClaim(reference, established="right for few cells", **shared)
    at_few.inputs(few)
    at_many = FunctionClaim(reference, established="right for many cells", use=use, **shared)
    at_many.inputs(many)
    return SeveralClaims(
        name=at_few.name,
        about=at_few.about,
        established=established,
        library=at_few.name,
        parts=(at_few, at_many),
    )
