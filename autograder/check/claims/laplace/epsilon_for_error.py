"""The epsilon with which a Laplace release is within an error with a stated probability."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs, with probabilities from just above one half to nearly 1."""
    return [
        {
            "error": round(generator.uniform(0.5, 40), 2),
            "probability": round(generator.uniform(*probabilities), 3),
            "sensitivity": round(generator.uniform(1.5, 6), 2),
        }
        for probabilities in ((0.55, 0.75), (0.75, 0.9), (0.9, 0.995))
        for _ in range(4)
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("probability", "sensitivity")}
    return (parameters["error"],), keywords


def _from_exponent(exponent):
    """Return the formula sensitivity * exponent(1 - probability) / error."""
    return lambda p: p["sensitivity"] * exponent(1 - p["probability"]) / p["error"]


def _expected(p: dict) -> float:
    # Dwork & Roth (2014), fact 3.7: Pr(|Lap(b)| >= t * b) = exp(-t), here with t * b = error.
    return -p["sensitivity"] * math.log(1 - p["probability"]) / p["error"]


_TAIL = "what is Pr(|noise| > error) for Laplace noise of scale b, as a formula?"
_UNITS = "if errors and sensitivity are both counted in thousands, does epsilon change?"

_MISTAKES = (
    ValueMistake(
        "the probability of a smaller error is taken for that of a larger one",
        lambda p: -p["sensitivity"] * math.log(p["probability"]) / p["error"],
        "how likely may it be that the release is further off than the error?",
    ),
    ValueMistake(
        "the two tails are counted twice",
        _from_exponent(lambda beyond: math.log(2 / beyond)),
        "exp(-t) is the probability of which tails, one or both?",
    ),
    ValueMistake(
        "only one tail is counted",
        _from_exponent(lambda beyond: math.log(0.5 / beyond)),
        "may the release be too low by more than the error?",
    ),
    ValueMistake(
        "the sensitivity is ignored",
        lambda p: _expected(p) / p["sensitivity"],
        "what should happen to epsilon when one person can change the answer by more?",
    ),
    ValueMistake(
        "the sensitivity is on the wrong side",
        lambda p: _expected(p) / p["sensitivity"] ** 2,
        _UNITS,
    ),
    ValueMistake(
        "error and sensitivity are exchanged",
        lambda p: _expected(p) * (p["error"] / p["sensitivity"]) ** 2,
        "should a smaller error cost a smaller epsilon, or a larger one?",
    ),
    ValueMistake(
        "the result is upside down",
        lambda p: 1 / _expected(p),
        "should a smaller error cost a smaller epsilon, or a larger one?",
    ),
    ValueMistake(
        "the scale is returned, not epsilon",
        lambda p: p["sensitivity"] / _expected(p),
        "how do you get epsilon from the scale and the sensitivity?",
    ),
    ValueMistake(
        "the error is ignored",
        lambda p: _expected(p) * p["error"],
        "should a smaller error cost a smaller epsilon, or a larger one?",
    ),
    ValueMistake(
        "the sign is wrong",
        lambda p: -_expected(p),
        "what is the sign of the logarithm of a probability?",
    ),
    ValueMistake(
        "the logarithm has base 10",
        lambda p: _expected(p) / math.log(10),
        "which logarithm undoes exp?",
    ),
    ValueMistake(
        "the logarithm has base 2",
        lambda p: _expected(p) / math.log(2),
        "which logarithm undoes exp?",
    ),
    ValueMistake(
        "the standard deviation is set equal to the error",
        _from_exponent(lambda beyond: math.sqrt(2)),
        "with which probability is noise within one standard deviation?",
    ),
    ValueMistake(
        "the scale is set equal to the error",
        _from_exponent(lambda beyond: 1.0),
        "with which probability is Laplace noise within one scale?",
    ),
    ValueMistake(
        "Chebyshev's bound is used",
        _from_exponent(lambda beyond: math.sqrt(2 / beyond)),
        "that holds for every law of this variance; " + _TAIL,
    ),
    ValueMistake(
        "Markov's bound is used",
        _from_exponent(lambda beyond: 1 / beyond),
        "that holds for every law of this mean distance; " + _TAIL,
    ),
    ValueMistake(
        "the quantile is that of a Gaussian",
        _from_exponent(lambda beyond: -ndtri(beyond / 2)),
        "which law does the noise follow? " + _TAIL,
    ),
    ValueMistake(
        "the quantile is that of a Gaussian of the same variance",
        _from_exponent(lambda beyond: -math.sqrt(2) * ndtri(beyond / 2)),
        "which law does the noise follow? " + _TAIL,
    ),
    ValueMistake(
        "the logarithm is missing: exp(-t) is not 1 - t",
        lambda p: p["sensitivity"] * p["probability"] / p["error"],
        _TAIL,
    ),
)

CLAIM = ValuesClaim(
    name="epsilon_for_error",
    about="Check `epsilon_for_error(error, *, probability, sensitivity)`: the epsilon it needs.",
    established="sensitivity * ln(1 / (1 - probability)) / error",
    cases=_cases,
    arguments=_arguments,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"error {p['error']}, probability {p['probability']}, sensitivity {p['sensitivity']}"
    ),
)
