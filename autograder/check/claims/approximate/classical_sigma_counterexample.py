"""Break it: the smallest epsilon at which the classical sigma misses the delta that it claims."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.approximate._gaussian_noise import exact_delta
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number, numbers_apart

# What a right answer's own delta may be off by. Ours is off by less than 1e-12 of itself: the logs
# of both terms are off by a few units of 2**-53 of at most 1e3.
_ROUNDING = 1e-9
# The classical formula is proved below 1; beyond the largest, exp(epsilon) leaves the floats.
_PROVED, _LARGEST = 1.0, 700.0
# How far above the smallest epsilon an answer may lie, and a little for its own rounding.
_NEAR = 1.01 * (1 + 1e-9)


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six values of delta, from a large one to a tiny one."""
    ranges = ((-2, -1), (-3, -2), (-4, -3), (-6, -4), (-8, -6), (-10, -8))
    return [{"delta": float(f"{10 ** generator.uniform(*logs):.2g}")} for logs in ranges]


def true_delta(epsilon: float, delta: float) -> float:
    """Return the exact delta of the classical sigma for (epsilon, delta)."""
    # Dwork & Roth (2014), theorem A.1: sigma = sqrt(2 ln(1.25 / delta)) * sensitivity / epsilon.
    return exact_delta(epsilon / math.sqrt(2 * math.log(1.25 / delta)), epsilon)


def _verify(parameters: dict, answer: Any) -> None:
    delta, epsilon = parameters["delta"], as_number(answer)
    _raise_if_out_of_range(epsilon)
    actual = true_delta(epsilon, delta)
    # Whoever halves an interval to the crossing returns an end of it.
    if actual > delta * (1 - _ROUNDING):
        _raise_if_a_smaller_one_fails(epsilon, delta)
        return
    problem = "at this epsilon the classical formula still holds"
    ask = "is this where your search ends, though nothing has failed yet? Or does it compute with "
    ask += "another sigma, or another delta, at this epsilon?"
    if true_delta(epsilon * _NEAR, delta) > delta * (1 + _ROUNDING):
        problem = "just above this epsilon the formula begins to fail, and here it still holds"
        ask = "at the two ends of your search it holds and it fails: which end do you return? Or "
        ask += "does your search compute with another delta, or another sigma?"
    if epsilon < _PROVED:
        problem = "below epsilon 1 the classical formula is proved"
        ask = "where does its proof not reach? And is the number that you return an epsilon?"
    has, claimed = numbers_apart(actual, delta)
    told = f"and {claimed} is claimed: the claim holds"
    if has == claimed:
        told = "which is, to eight digits, what is claimed"
    sigma = number(math.sqrt(2 * math.log(1.25 / delta)) / epsilon)
    seen = f"at epsilon {number(epsilon)} the formula gives sigma {sigma} for sensitivity 1; this "
    raise BadAnswer(problem, seen=f"{seen}noise has delta {has}, {told}", ask=ask)


def _raise_if_a_smaller_one_fails(epsilon: float, delta: float) -> None:
    smaller = epsilon / _NEAR
    if smaller > _PROVED and true_delta(smaller, delta) > delta * (1 + _ROUNDING):
        raise BadAnswer(
            "a smaller epsilon refutes the formula too",
            seen=f"at epsilon {number(epsilon)} it fails, and so it does 1 % below, at "
            f"{number(smaller)}, where the noise has delta {number(true_delta(smaller, delta))}",
            ask="where does your search begin, and how large are its steps here? Does it compute "
            "with this delta?",
        )


def _raise_if_out_of_range(epsilon: float) -> None:
    if epsilon <= 0:
        raise BadAnswer(
            "epsilon must be positive",
            seen=f"you gave epsilon {number(epsilon)}",
            ask="which values may epsilon have?",
        )
    if epsilon > _LARGEST:
        raise BadAnswer(
            "this epsilon is too large to compute with",
            seen=f"you gave epsilon {number(epsilon)}; exp(epsilon) does not fit a float",
            ask="is that the end of your search? Which half do you keep where the claim fails?",
        )


CLAIM = CounterexampleClaim(
    about=(
        "Check `classical_sigma_counterexample(delta)`: the smallest epsilon, within 1 %, for\n"
        "which noise with sigma = sqrt(2 ln(1.25 / delta)) * sensitivity / epsilon is not\n"
        "(epsilon, delta)-private."
    ),
    established="here the classical sigma begins to have a larger delta than it claims",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"delta {p['delta']:g}",
)
