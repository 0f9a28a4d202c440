"""Checks for a notebook's test cells, one for each exercise, named as the exercise.

    from autograder import check
    check.laplace_mechanism(laplace_mechanism)

A check returns a result that says what was established, or raises CheckFailure, an AssertionError
that says what is wrong. A correct answer fails less than once in a billion runs
(docs/how-checks-decide.md). Settings are drawn anew at every run. `dir(check)` lists the checks,
and `help(check.NAME)` says what each expects.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder import progress
from autograder.check.claims import CLAIMS as _CLAIMS
from autograder.check.effort import at_length
from autograder.check.elsewhere import Elsewhere, remembered
from autograder.check.result import CheckFailure, Result, somebody_reads

__all__ = ["CheckFailure", "Result", "blind_spots", *_CLAIMS]


def __getattr__(name: str) -> Any:
    """Return the check of one exercise, made from its claim."""
    if name not in _CLAIMS:
        raise AttributeError(f"module {__name__!r} has no check {name!r}")
    claim = _CLAIMS[name]

    def check(function: Callable) -> Result:
        with at_length(name, only=isinstance(function, Elsewhere)):
            result = remembered(name, function, lambda: claim.check(function))
        return _noted(result) if somebody_reads() else result

    check.__name__ = check.__qualname__ = name
    check.__doc__ = claim.about
    return check


def _noted(result: Result) -> Result:
    """Note for the learner that a check has passed, and say how far the chapter is."""
    progress.keep(result.exercise, result.share)
    return replace(result, chapter=progress.chapter(Path()))


def __dir__() -> list[str]:
    return sorted(__all__)


def blind_spots(claim: str | Callable) -> dict[str, float]:
    """Return the mistakes that a claim cannot tell from a right answer, for its author.

    Args:
      claim: a check of this module, or its name.

    Returns:
      For each such mistake, how many nats an observation speaks against it, at fresh settings. Such
      mistakes (below 0.005 nats, or 0.002 for a choice) do not hold up a pass. For an exercise
      without chance: 0.0 for each mistake that gives the right value at every input tried.

    Raises:
      ValueError: there is no such claim.
    """
    name = getattr(claim, "__name__", claim)
    if name not in _CLAIMS:
        raise ValueError(f"claim must be one of {sorted(_CLAIMS)}, got {claim!r}")
    return _CLAIMS[name].blind_spots()
