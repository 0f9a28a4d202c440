"""The Rényi divergence of two laws of the same outcomes."""

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


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return pairs of laws with an order: near 1, whole, in between, and large."""
    orders = (
        (1.2, 1.6),
        (2, 2),
        (2.2, 4.8),
        (3, 3),
        (1.2, 1.6),
        (2.2, 4.8),
        (20, 50),
        (2, 2),
        (5, 9),
    )
    pairs = draw_pairs(generator)
    return [
        {**pair, "order": round(generator.uniform(*order), 2)}
        for pair, order in zip(pairs, orders, strict=True)
    ]


def _moment(first, second, power: float) -> float:
    """Return the sum of first^power * second^(1 - power), exactly as it is defined."""
    total = 0.0
    for above, below in zip(first, second, strict=True):
        if above > 0:
            total += math.inf if below == 0 else below * (above / below) ** power
    return total


def _log(value: float) -> float:
    return math.inf if math.isinf(value) else math.log(value)


def _expected(p: dict) -> float:
    # Mironov (2017), definition 3.
    return _log(_moment(p["first"], p["second"], p["order"])) / (p["order"] - 1)


def _times(factor: Callable[[float], float]) -> Callable[[dict], float]:
    """Return the right value, times a function of the order."""
    return lambda p: _expected(p) * factor(p["order"])


def _backwards(p: dict) -> float:
    return _log(_moment(p["second"], p["first"], p["order"])) / (p["order"] - 1)


def _zeros_left_out(p: dict) -> float:
    pairs = [each for each in zip(p["first"], p["second"], strict=True) if min(each) > 0]
    return _log(_moment(*zip(*pairs, strict=True), p["order"])) / (p["order"] - 1)


def _summed(weight: Callable, *, log: bool = True) -> Callable[[dict], float]:
    """Return log(sum of weight(first, second) * (first / second)^order) / (order - 1)."""

    def value(p: dict) -> float:
        if math.isinf(_expected(p)):
            return math.inf
        first, second = arrays(p)
        first, second = first[second > 0], second[second > 0]
        total = float(np.sum(weight(first, second) * (first / second) ** p["order"]))
        return (math.log(total) if log else total) / (p["order"] - 1)

    return value


def _largest(p: dict) -> float:
    if math.isinf(_expected(p)):
        return math.inf
    first, second = arrays(p)
    return float(np.log((first[first > 0] / second[first > 0]).max()))


def _mean_log(p: dict) -> float:
    if math.isinf(_expected(p)):
        return math.inf
    first, second = (law[arrays(p)[0] > 0] for law in arrays(p))
    return float(np.sum(first * np.log(first / second)))


_FACTOR = "what stands before the logarithm in the definition?"
_WEIGHT = "the mean of the ratio to the power of the order: under which of the two laws?"

_MISTAKES = (
    ValueMistake("1 / (order - 1) is missing", _times(lambda order: order - 1), _FACTOR),
    ValueMistake(
        "order divides, not order - 1", _times(lambda order: (order - 1) / order), _FACTOR
    ),
    ValueMistake("1 - order divides: the sign", _times(lambda order: -1.0), _FACTOR),
    ValueMistake("order - 1 multiplies", _times(lambda order: (order - 1) ** 2), _FACTOR),
    ValueMistake(
        "the logarithm has base 2", _times(lambda order: 1 / math.log(2)), "which one undoes exp?"
    ),
    ValueMistake(
        "the logarithm has base 10", _times(lambda order: 1 / math.log(10)), "which one undoes exp?"
    ),
    ValueMistake("the two laws are exchanged", _backwards, _WEIGHT),
    ValueMistake(
        "the larger of both directions is taken",
        lambda p: max(_expected(p), _backwards(p)),
        "a divergence has a direction: which law is the first?",
    ),
    ValueMistake(
        "outcomes that the second law cannot give are left out",
        _zeros_left_out,
        "the first law gives an outcome that the second cannot: how large is the ratio there?",
    ),
    ValueMistake(
        "the mean is taken under the first law", _summed(lambda first, second: first), _WEIGHT
    ),
    ValueMistake(
        "the ratios are added up without weights", _summed(lambda first, second: 1.0), _WEIGHT
    ),
    ValueMistake(
        "the logarithm is missing",
        _summed(lambda first, second: second, log=False),
        "what is done with the sum before it is divided by order - 1?",
    ),
    ValueMistake(
        "the max divergence is returned, not that of the order",
        _largest,
        "that is the limit for ever larger orders: what does the definition say for this one?",
    ),
    ValueMistake(
        "the mean log ratio is returned: the limit of order 1",
        _mean_log,
        "what does the definition say for this order?",
    ),
)

CLAIM = ValuesClaim(
    name="renyi_divergence",
    about=(
        "Check `renyi_divergence(first, second, *, order)`: the Rényi divergence of first from\n"
        "second.\n\n"
        "Both are arrays of probabilities of the same outcomes; some may be 0."
    ),
    established="ln(sum of first^order * second^(1 - order)) / (order - 1), zeros included",
    cases=_cases,
    arguments=lambda p: (arrays(p), {"order": p["order"]}),
    read=read_divergence,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=lambda p: f"{situation(p)}, order {p['order']:g}",
)
