"""The exact delta of Gaussian noise, by Balle & Wang's formula."""

from __future__ import annotations

import math

from scipy.special import ndtr

from autograder.check.claims.approximate._gaussian_noise import exact_delta, exact_sigma
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def gaussian_delta(*, sigma, l2_sensitivity, epsilon):
    """The exact delta (Balle & Wang 2018)."""
    return exact_delta(l2_sensitivity / sigma, epsilon)


CLAIM = FunctionClaim(gaussian_delta)


@CLAIM.inputs
def twelve(rng):
    """Inputs with a delta from 0.4 down to 1e-6."""
    for logs in ((-6, -4), (-4, -2), (-2, -0.4)):
        for epsilons in ((0.15, 0.6), (0.6, 1.5), (1.5, 4.0), (1.5, 4.0)):
            epsilon = round(rng.uniform(*epsilons), 2)
            sensitivity = round(rng.uniform(1.5, 6.0), 2)
            sigma = sensitivity * exact_sigma(epsilon, 10 ** rng.uniform(*logs))
            yield {
                "sigma": float(f"{sigma:.3g}"),
                "l2_sensitivity": sensitivity,
                "epsilon": epsilon,
            }


def two_terms(formula):
    """Return a wrong function of l2_sensitivity / sigma and epsilon."""
    return lambda sigma, l2_sensitivity, epsilon: float(formula(l2_sensitivity / sigma, epsilon))


def first(distance, epsilon):
    return ndtr(distance / 2 - epsilon / distance)


def second(distance, epsilon):
    """Return the second term without its factor exp(epsilon)."""
    return ndtr(-distance / 2 - epsilon / distance)


TERMS = "the formula has two terms and one factor: which of them is missing in your code?"
SIGNS = "compare your formula with the text's, sign by sign."
DEVIATION = "is sigma a standard deviation, or its square?"

CLAIM.mistake(
    "it is the chance of a loss above epsilon",
    "that is the first term alone: what is taken off it?",
    two_terms(first),
)
CLAIM.mistake("exp(epsilon) is missing", TERMS, two_terms(lambda d, e: first(d, e) - second(d, e)))
CLAIM.mistake(
    "exp(-epsilon) stands where exp(epsilon) belongs",
    SIGNS,
    two_terms(lambda d, e: first(d, e) - math.exp(-e) * second(d, e)),
)
CLAIM.mistake(
    "the second term is added",
    SIGNS,
    two_terms(lambda d, e: first(d, e) + math.exp(e) * second(d, e)),
)
CLAIM.mistake(
    "the two terms are exchanged",
    "a delta is a probability: may it be negative?",
    then=lambda delta: -delta,
)
CLAIM.mistake(
    "sigma and the sensitivity are exchanged",
    "should more noise make delta larger, or smaller?",
    two_terms(lambda d, e: exact_delta(1 / d, e)),
)
CLAIM.mistake(
    "sigma is taken for the variance",
    DEVIATION,
    lambda sigma, l2_sensitivity, epsilon: exact_delta(l2_sensitivity / sigma**0.5, epsilon),
)
CLAIM.mistake(
    "the variance is used where sigma belongs",
    DEVIATION,
    lambda sigma, l2_sensitivity, epsilon: exact_delta(l2_sensitivity / sigma**2, epsilon),
)
CLAIM.mistake(
    "the sensitivity is ignored",
    "what should happen to delta when one person can change the answer by more?",
    given={"l2_sensitivity": 1},
)
CLAIM.mistake(
    "the 2 below the sensitivity is missing",
    "what stands below the sensitivity in the first summand?",
    two_terms(lambda d, e: ndtr(d - e / d) - math.exp(e) * ndtr(-d - e / d)),
)
CLAIM.mistake(
    "the classical formula is solved for delta",
    "that formula is a bound, for epsilon below 1: which one is exact?",
    two_terms(lambda d, e: 1.25 * math.exp(-((e / d) ** 2) / 2)),
)
CLAIM.mistake(
    "a tail bound is used",
    "a bound is not the value: which formula is exact?",
    two_terms(lambda d, e: math.exp(-((e / d) ** 2) / 2)),
)
CLAIM.mistake(
    "epsilon is left out of the normal law",
    "which summand moves the two places when epsilon grows?",
    two_terms(lambda d, e: ndtr(d / 2) - math.exp(e) * ndtr(-d / 2)),
)
CLAIM.mistake(
    "epsilon is ignored",
    "should a larger epsilon make delta larger, or smaller?",
    two_terms(lambda d, e: 2 * ndtr(d / 2) - 1),
)
CLAIM.mistake(
    "the delta is counted twice, for both tails",
    "does one event hold both tails at once?",
    then=lambda delta: 2 * delta,
)
