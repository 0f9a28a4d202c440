"""The p and q of optimal unary encoding: a 1 is told by a fair coin, a 0 is protected."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from autograder.check.claims.learning._reports import two_numbers
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return eight values of epsilon, below and above 1."""
    ranges = ((0.05, 0.2), (0.3, 0.6), (0.7, 0.95), (1.05, 1.5), (1.7, 2.5), (3, 4), (5, 6), (7, 9))
    return [{"epsilon": round(generator.uniform(*each), 2)} for each in ranges]


def _pair(p, q):
    """Return the two numbers that two formulas in epsilon give."""
    return lambda given: np.array([p(given["epsilon"]), q(given["epsilon"])])


def _half(epsilon: float) -> float:
    return 0.5


_SPENT = "two bits of a row differ between two values: which ratio does each of the two give?"
_LEAST = "which of the two matters more for a category that few people have: p or q?"

_MISTAKES = (
    ValueMistake(
        "p and q are symmetric: q = 1 - p",
        _pair(lambda epsilon: expit(epsilon / 2), lambda epsilon: expit(-epsilon / 2)),
        "private, but the variance is not the least: which bit matters more, p's or q's?",
    ),
    ValueMistake(
        "the p and q of randomized response: two bits spend twice",
        _pair(expit, lambda epsilon: expit(-epsilon)),
        _SPENT,
    ),
    ValueMistake(
        "p and q are exchanged",
        _pair(lambda epsilon: expit(-epsilon), _half),
        "which of the two must be the larger?",
    ),
    ValueMistake(
        "half of epsilon is spent",
        _pair(_half, lambda epsilon: expit(-epsilon / 2)),
        "with p = 1/2 the bit that is 1 gives a ratio p / q, the other (1 - q) / (1 - p): "
        "what is their product?",
    ),
    ValueMistake(
        "twice epsilon is spent",
        _pair(_half, lambda epsilon: expit(-2 * epsilon)),
        _SPENT,
    ),
    ValueMistake(
        "only the ratio p / q is counted, not that of the zeros",
        _pair(_half, lambda epsilon: math.exp(-epsilon) / 2),
        "what does a report of 0 show, at the place where the two values differ?",
    ),
    ValueMistake(
        "only the ratio of the zeros is counted, not p / q",
        _pair(_half, lambda epsilon: max(1 - math.exp(epsilon) / 2, 0.0)),
        "what does a report of 1 show, at the place where the two values differ?",
    ),
    ValueMistake(
        "q is the probability that a 0 stays 0",
        _pair(_half, expit),
        "a report of 1 from a person without the category: how likely is it?",
    ),
    ValueMistake(
        "q is exp(-epsilon)",
        _pair(_half, lambda epsilon: math.exp(-epsilon)),
        _SPENT,
    ),
    ValueMistake(
        "q is 1 / (exp(epsilon) - 1)",
        _pair(_half, lambda epsilon: 1 / math.expm1(epsilon)),
        "can your q be above 1?",
    ),
    ValueMistake(
        "the p and q that spare the ones, not the zeros",
        _pair(expit, _half),
        _LEAST,
    ),
)


CLAIM = ValuesClaim(
    name="optimal_unary_probabilities",
    about=(
        "Check `optimal_unary_probabilities(*, epsilon)`: the (p, q) that cost epsilon and have\n"
        "the least variance for a category that nobody has."
    ),
    established="p and q cost epsilon, with the least variance for a rare category",
    cases=_cases,
    arguments=lambda p: ((), {"epsilon": p["epsilon"]}),
    # Wang, Blocki, Li & Jha (2017): p = 1/2, q = 1 / (exp(epsilon) + 1).
    expected=_pair(_half, lambda epsilon: (1 - math.tanh(epsilon / 2)) / 2),
    mistakes=_MISTAKES,
    read=lambda answer, p: two_numbers(answer, "p, q"),
    situation=lambda p: f"epsilon {p['epsilon']}",
)
