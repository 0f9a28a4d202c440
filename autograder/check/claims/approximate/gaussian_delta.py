"""The exact delta of Gaussian noise, by Balle & Wang's formula."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from autograder.check.claims.approximate._gaussian_noise import exact_delta, exact_sigma
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs, with a delta from 0.4 down to 1e-6."""
    cases = []
    for low, high in ((-6, -4), (-4, -2), (-2, -0.4)):
        for epsilons in ((0.15, 0.6), (0.6, 1.5), (1.5, 4.0), (1.5, 4.0)):
            epsilon = round(generator.uniform(*epsilons), 2)
            sensitivity = round(generator.uniform(1.5, 6.0), 2)
            sigma = sensitivity * exact_sigma(epsilon, 10 ** generator.uniform(low, high))
            cases.append(
                {
                    "sigma": float(f"{sigma:.3g}"),
                    "l2_sensitivity": sensitivity,
                    "epsilon": epsilon,
                }
            )
    return cases


def _two_terms(formula: Callable[[float, float], float]) -> Callable[[dict], float]:
    """Return a formula of (l2_sensitivity / sigma, epsilon) as one of a case's parameters."""
    return lambda p: float(formula(p["l2_sensitivity"] / p["sigma"], p["epsilon"]))


def _first(distance: float, epsilon: float) -> float:
    return ndtr(distance / 2 - epsilon / distance)


def _second(distance: float, epsilon: float) -> float:
    """Return the second term without its factor exp(epsilon)."""
    return ndtr(-distance / 2 - epsilon / distance)


_TERMS = "the formula has two terms and one factor: which of them is missing in your code?"
_SIGNS = "compare your formula with the text's, sign by sign."

_MISTAKES = (
    ValueMistake(
        "it is the chance of a loss above epsilon",
        _two_terms(_first),
        "that is the first term alone: what is taken off it?",
    ),
    ValueMistake(
        "exp(epsilon) is missing",
        _two_terms(lambda d, e: _first(d, e) - _second(d, e)),
        _TERMS,
    ),
    ValueMistake(
        "exp(-epsilon) stands where exp(epsilon) belongs",
        _two_terms(lambda d, e: _first(d, e) - math.exp(-e) * _second(d, e)),
        _SIGNS,
    ),
    ValueMistake(
        "the second term is added",
        _two_terms(lambda d, e: _first(d, e) + math.exp(e) * _second(d, e)),
        _SIGNS,
    ),
    ValueMistake(
        "the two terms are exchanged",
        _two_terms(lambda d, e: math.exp(e) * _second(d, e) - _first(d, e)),
        "a delta is a probability: may it be negative?",
    ),
    ValueMistake(
        "sigma and the sensitivity are exchanged",
        lambda p: exact_delta(p["sigma"] / p["l2_sensitivity"], p["epsilon"]),
        "should more noise make delta larger, or smaller?",
    ),
    ValueMistake(
        "sigma is taken for the variance",
        lambda p: exact_delta(p["l2_sensitivity"] / math.sqrt(p["sigma"]), p["epsilon"]),
        "is sigma a standard deviation, or its square?",
    ),
    ValueMistake(
        "the variance is used where sigma belongs",
        lambda p: exact_delta(p["l2_sensitivity"] / p["sigma"] ** 2, p["epsilon"]),
        "is sigma a standard deviation, or its square?",
    ),
    ValueMistake(
        "the sensitivity is ignored",
        lambda p: exact_delta(1 / p["sigma"], p["epsilon"]),
        "what should happen to delta when one person can change the answer by more?",
    ),
    ValueMistake(
        "the 2 below the sensitivity is missing",
        _two_terms(
            lambda d, e: float(ndtr(d - e / d) - math.exp(e) * ndtr(-d - e / d)),
        ),
        "what stands below the sensitivity in the first summand?",
    ),
    ValueMistake(
        "the classical formula is solved for delta",
        _two_terms(lambda d, e: 1.25 * math.exp(-((e / d) ** 2) / 2)),
        "that formula is a bound, for epsilon below 1: which one is exact?",
    ),
    ValueMistake(
        "a tail bound is used",
        _two_terms(lambda d, e: math.exp(-((e / d) ** 2) / 2)),
        "a bound is not the value: which formula is exact?",
    ),
    ValueMistake(
        "epsilon is left out of the normal law",
        _two_terms(lambda d, e: ndtr(d / 2) - math.exp(e) * ndtr(-d / 2)),
        "which summand moves the two places when epsilon grows?",
    ),
    ValueMistake(
        "epsilon is ignored",
        _two_terms(lambda d, e: 2 * ndtr(d / 2) - 1),
        "should a larger epsilon make delta larger, or smaller?",
    ),
    ValueMistake(
        "the delta is counted twice, for both tails",
        _two_terms(lambda d, e: 2 * exact_delta(d, e)),
        "does one event hold both tails at once?",
    ),
)

CLAIM = ValuesClaim(
    name="gaussian_delta",
    about="Check `gaussian_delta(*, sigma, l2_sensitivity, epsilon)`: the exact delta.",
    established="the exact delta (Balle & Wang 2018)",
    cases=_cases,
    arguments=lambda parameters: ((), dict(parameters)),
    expected=lambda p: exact_delta(p["l2_sensitivity"] / p["sigma"], p["epsilon"]),
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"sigma {p['sigma']}, l2_sensitivity {p['l2_sensitivity']}, epsilon {p['epsilon']}"
    ),
)
