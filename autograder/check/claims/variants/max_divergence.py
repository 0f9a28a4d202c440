"""The max divergence of two laws of the same outcomes: the log of the largest ratio."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.claims.variants._outcome_pairs import (
    arrays,
    draw_pairs,
    read_divergence,
    situation,
)
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _largest(pairs) -> float:
    """Return the largest log ratio over pairs of probabilities; an outcome of the first counts."""
    ratios = [math.inf if below == 0 else above / below for above, below in pairs if above > 0]
    return math.log(max(ratios)) if math.isfinite(max(ratios)) else math.inf


def _expected(p: dict) -> float:
    # Dwork & Roth (2014), definition 3.6; an event's ratio is at most its likeliest outcome's.
    return _largest(zip(p["first"], p["second"], strict=True))


def _backwards(p: dict) -> float:
    return _largest(zip(p["second"], p["first"], strict=True))


def _on_both(p: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the laws on the outcomes that both give."""
    first, second = arrays(p)
    both = (first > 0) & (second > 0)
    return first[both], second[both]


def _where_both(statistic: Callable) -> Callable[[dict], float]:
    """Return a statistic of the outcomes that both laws give, as a value of a setting."""
    return lambda p: float(statistic(*_on_both(p)))


def _no_logarithm(p: dict) -> float:
    return math.exp(_expected(p)) if math.isfinite(_expected(p)) else math.inf


def _based(base: float) -> Callable[[dict], float]:
    return lambda p: _expected(p) / math.log(base)


def _mean_log(p: dict) -> float:
    """Return the mean of the log ratio under the first law: Kullback & Leibler's divergence."""
    if math.isinf(_expected(p)):
        return math.inf
    first, second = _on_both(p)
    return float(np.sum(first * np.log(first / second)))


_FIRST = "which outcomes can the first law give, and which of them can the second not give?"
_WHICH = "the docstring asks for the largest log ratio of which law to which?"

_MISTAKES = (
    ValueMistake("the two laws are exchanged", _backwards, _WHICH),
    ValueMistake(
        "the larger of both directions is taken",
        lambda p: max(_expected(p), _backwards(p)),
        "that is the epsilon of both neighbors: what does one divergence look at?",
    ),
    ValueMistake(
        "outcomes that the second law cannot give are left out",
        _where_both(lambda first, second: np.log(first / second).max()),
        _FIRST + " What does an attacker conclude from it?",
    ),
    ValueMistake(
        "outcomes with a 0 are left out, and both directions are looked at",
        _where_both(lambda first, second: np.abs(np.log(first / second)).max()),
        _FIRST,
    ),
    ValueMistake(
        "the smallest log ratio is returned",
        _where_both(lambda first, second: np.log(first / second).min()),
        "which outcome tells an attacker most?",
    ),
    ValueMistake("the logarithm is missing", _no_logarithm, "epsilon is the log of which ratio?"),
    ValueMistake("the logarithm has base 2", _based(2), "which logarithm undoes exp?"),
    ValueMistake("the logarithm has base 10", _based(10), "which logarithm undoes exp?"),
    ValueMistake("the sign is wrong", lambda p: -_expected(p), "which ratio is above 1?"),
    ValueMistake(
        "the log ratio is averaged: that is the divergence of Kullback and Leibler",
        _mean_log,
        "is it the mean loss that is wanted, or the worst one?",
    ),
    ValueMistake(
        "the largest difference of probabilities is returned",
        lambda p: float(np.max(np.abs(np.subtract(*arrays(p))))),
        "does pure privacy bound differences of probabilities, or their ratios?",
    ),
    ValueMistake(
        "the total variation distance is returned",
        lambda p: float(np.abs(np.subtract(*arrays(p))).sum() / 2),
        "does pure privacy bound differences of probabilities, or their ratios?",
    ),
    ValueMistake(
        "the largest probabilities are compared, not the largest ratio found",
        lambda p: math.log(max(p["first"]) / max(p["second"])),
        "is the likeliest outcome of each law the same outcome?",
    ),
)

CLAIM = ValuesClaim(
    name="max_divergence",
    about=(
        "Check `max_divergence(first, second)`: the largest log ratio first / second.\n\n"
        "Both are arrays of probabilities of the same outcomes; some may be 0."
    ),
    established="the log of the largest ratio, infinite where only the first law gives an outcome",
    cases=draw_pairs,
    arguments=lambda p: (arrays(p), {}),
    read=read_divergence,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=situation,
)
