"""The Rényi divergence of two normal laws of one standard deviation, in closed form."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.variants._formula import formula_claim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return eight inputs, with orders from just above 1; some distances are negative."""
    return [
        {
            "distance": round(sign * generator.uniform(0.3, 9), 2),
            "sigma": round(generator.uniform(1.3, 12), 2),
            "order": round(generator.uniform(*orders), 2),
        }
        for orders in ((1.1, 1.9), (2.2, 6), (8, 40))
        for sign in (1, -1, 1)
    ]


# What the formula leaves open to whoever copies it, with a question for each.
_BELOW = "what stands in the denominator: which power of sigma, and which factor?"
_ABOVE = "what stands in the numerator: which power of the distance?"
_ORDER = "put order 2 and order 20 in: how should the divergence grow?"

_MISTAKES = (
    (
        "the 2 in the denominator is missing",
        lambda distance, sigma, order: order * distance**2 / sigma**2,
        _BELOW,
    ),
    (
        "sigma is not squared",
        lambda distance, sigma, order: order * distance**2 / (2 * sigma),
        _BELOW,
    ),
    (
        "the distance is not squared",
        lambda distance, sigma, order: order * abs(distance) / (2 * sigma**2),
        _ABOVE,
    ),
    (
        "neither distance nor sigma is squared",
        lambda distance, sigma, order: order * abs(distance) / (2 * sigma),
        _ABOVE,
    ),
    (
        "the 2 is squared too",
        lambda distance, sigma, order: order * (distance / (2 * sigma)) ** 2,
        _BELOW,
    ),
    ("the order is missing", lambda distance, sigma, order: distance**2 / (2 * sigma**2), _ORDER),
    (
        "order - 1 is used for order",
        lambda distance, sigma, order: (order - 1) * distance**2 / (2 * sigma**2),
        _ORDER,
    ),
    (
        "the order is squared",
        lambda distance, sigma, order: order**2 * distance**2 / (2 * sigma**2),
        _ORDER,
    ),
    (
        "the order divides",
        lambda distance, sigma, order: distance**2 / (2 * order * sigma**2),
        _ORDER,
    ),
    (
        "the logarithm's factor is left out",
        lambda distance, sigma, order: order * (order - 1) * distance**2 / (2 * sigma**2),
        "which factor stands before the logarithm in the definition?",
    ),
    (
        "distance and sigma are exchanged",
        lambda distance, sigma, order: order * sigma**2 / (2 * distance**2),
        "more noise: should the divergence grow or fall?",
    ),
    (
        "a square root is taken",
        lambda distance, sigma, order: math.sqrt(order / 2) * abs(distance) / sigma,
        _ABOVE,
    ),
)

CLAIM = formula_claim(
    name="gaussian_renyi_divergence",
    about=(
        "Check `gaussian_renyi_divergence(distance, *, sigma, order)`: the Rényi divergence of\n"
        "two normal laws whose means are `distance` apart."
    ),
    established="order * distance^2 / (2 * sigma^2)",
    cases=_cases,
    positional=("distance",),
    # Mironov (2017), proposition 7.
    right=lambda distance, sigma, order: order * (distance / sigma) ** 2 / 2,
    mistakes=_MISTAKES,
)
