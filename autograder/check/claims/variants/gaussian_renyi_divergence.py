"""The Rényi divergence of two normal laws of one standard deviation, in closed form."""

from __future__ import annotations

import math

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def gaussian_renyi_divergence(distance, *, sigma, order):
    """The Rényi divergence of two normal laws whose means are `distance` apart."""
    # Mironov (2017), proposition 7.
    return order * (distance / sigma) ** 2 / 2


CLAIM = FunctionClaim(gaussian_renyi_divergence, established="order * distance^2 / (2 * sigma^2)")


@CLAIM.inputs
def nine(rng):
    """Orders from just above 1; some distances are negative."""
    for orders in ((1.1, 1.9), (2.2, 6), (8, 40)):
        for sign in (1, -1, 1):
            yield {
                "distance": round(sign * rng.uniform(0.3, 9), 2),
                "sigma": round(rng.uniform(1.3, 12), 2),
                "order": round(rng.uniform(*orders), 2),
            }


BELOW = "what stands in the denominator: which power of sigma, and which factor?"
ABOVE = "what stands in the numerator: which power of the distance?"
ORDER = "put order 2 and order 20 in: how should the divergence grow?"

CLAIM.mistake(
    "the 2 in the denominator is missing",
    BELOW,
    lambda distance, sigma, order: order * distance**2 / sigma**2,
)
CLAIM.mistake(
    "sigma is not squared", BELOW, lambda distance, sigma, order: order * distance**2 / (2 * sigma)
)
CLAIM.mistake(
    "the distance is not squared",
    ABOVE,
    lambda distance, sigma, order: order * abs(distance) / (2 * sigma**2),
)
CLAIM.mistake(
    "neither distance nor sigma is squared",
    ABOVE,
    lambda distance, sigma, order: order * abs(distance) / (2 * sigma),
)
CLAIM.mistake(
    "the 2 is squared too",
    BELOW,
    lambda distance, sigma, order: order * (distance / (2 * sigma)) ** 2,
)
CLAIM.mistake(
    "the order is missing", ORDER, lambda distance, sigma, order: distance**2 / (2 * sigma**2)
)
CLAIM.mistake(
    "order - 1 is used for order",
    ORDER,
    lambda distance, sigma, order: (order - 1) * distance**2 / (2 * sigma**2),
)
CLAIM.mistake(
    "the order is squared",
    ORDER,
    lambda distance, sigma, order: order**2 * distance**2 / (2 * sigma**2),
)
CLAIM.mistake(
    "the order divides", ORDER, lambda distance, sigma, order: distance**2 / (2 * order * sigma**2)
)
CLAIM.mistake(
    "the logarithm's factor is left out",
    "which factor stands before the logarithm in the definition?",
    lambda distance, sigma, order: order * (order - 1) * distance**2 / (2 * sigma**2),
)
CLAIM.mistake(
    "distance and sigma are exchanged",
    "more noise: should the divergence grow or fall?",
    lambda distance, sigma, order: order * sigma**2 / (2 * distance**2),
)
CLAIM.mistake(
    "a square root is taken",
    ABOVE,
    lambda distance, sigma, order: math.sqrt(order / 2) * abs(distance) / sigma,
)
