"""The least sigma with which Gaussian noise is (epsilon, delta)-private."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.approximate._gaussian_noise import FORMULA_MISTAKES, exact_sigma
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs: epsilon on both sides of 1, delta from 0.3 down to 1e-7."""
    return [
        {
            "l2_sensitivity": round(generator.uniform(1.5, 6.0), 2),
            "epsilon": round(generator.uniform(*epsilons), 2),
            "delta": float(f"{10 ** generator.uniform(*logs):.2g}"),
        }
        for epsilons in ((0.2, 0.9), (1.2, 3.0), (3.0, 12.0))
        for logs in ((-7, -5), (-5, -3), (-3, -1.5), (-1.5, -0.5))
    ]


def _expected(p: dict) -> float:
    return p["l2_sensitivity"] * exact_sigma(p["epsilon"], p["delta"])


_MISTAKES = (
    *(
        ValueMistake(
            name,
            lambda p, formula=formula: p["l2_sensitivity"] * formula(p["epsilon"], p["delta"]),
            ask,
        )
        for name, formula, ask in FORMULA_MISTAKES
    ),
    ValueMistake(
        "the sensitivity is ignored",
        lambda p: exact_sigma(p["epsilon"], p["delta"]),
        "what should happen to the noise when one person can change the answer by more?",
    ),
    ValueMistake(
        "the sensitivity divides instead of multiplies",
        lambda p: exact_sigma(p["epsilon"], p["delta"]) / p["l2_sensitivity"],
        "what should happen to the noise when one person can change the answer by more?",
    ),
    ValueMistake(
        "the variance is returned",
        lambda p: _expected(p) ** 2,
        "is sigma a standard deviation, or its square?",
    ),
    ValueMistake(
        "1 / sigma is returned",
        lambda p: 1 / _expected(p),
        "delta grows with l2_sensitivity / sigma: for which of the two did you solve?",
    ),
    ValueMistake(
        "sensitivity / sigma is returned",
        lambda p: 1 / exact_sigma(p["epsilon"], p["delta"]),
        "delta grows with l2_sensitivity / sigma: for which of the two did you solve?",
    ),
    ValueMistake(
        "epsilon and delta are exchanged",
        lambda p: p["l2_sensitivity"] * exact_sigma(p["delta"], min(p["epsilon"], 0.999)),
        "which of the two is the small probability?",
    ),
    ValueMistake(
        "it is the standard deviation of Laplace noise",
        lambda p: math.sqrt(2) * p["l2_sensitivity"] / p["epsilon"],
        "what should happen to the noise when delta is made smaller?",
    ),
    ValueMistake(
        "epsilon is halved",
        lambda p: p["l2_sensitivity"] * exact_sigma(p["epsilon"] / 2, p["delta"]),
        "how many releases does this epsilon pay for?",
    ),
    ValueMistake(
        "sigma is rounded to 2 decimals",
        lambda p: round(_expected(p), 2),
        "what does rounding down do to the delta that was promised?",
    ),
)

CLAIM = ValuesClaim(
    name="analytic_gaussian_sigma",
    about=(
        "Check `analytic_gaussian_sigma(*, l2_sensitivity, epsilon, delta)`: the least sigma,\n"
        "with a relative error of at most 1e-5."
    ),
    established="the least sigma for (epsilon, delta), to one part in 100,000",
    cases=_cases,
    arguments=lambda parameters: ((), dict(parameters)),
    expected=_expected,
    mistakes=_MISTAKES,
    # A search by halving that stops at an absolute error of 1e-6 is near enough.
    tolerance=1e-5,
    situation=lambda p: (
        f"l2_sensitivity {p['l2_sensitivity']}, epsilon {p['epsilon']}, delta {p['delta']:g}"
    ),
)
