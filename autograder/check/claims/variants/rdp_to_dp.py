"""From one point of a Rényi curve to (epsilon, delta): Mironov's conversion."""

from __future__ import annotations

import math

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def rdp_to_dp(order, epsilon_bar, *, delta):
    """The epsilon of (epsilon, delta) that a Rényi divergence of at most epsilon_bar implies
    (Mironov 2017, proposition 3).
    """
    # Mironov (2017), proposition 3.
    return epsilon_bar + math.log(1 / delta) / (order - 1)


CLAIM = FunctionClaim(rdp_to_dp, established="epsilon_bar + ln(1/delta) / (order - 1)")


@CLAIM.inputs
def nine(rng):
    """Orders from just above 1, and small and large deltas."""
    for orders in ((1.1, 1.9), (2.2, 6), (8, 40)):
        for logs in ((-9, -6), (-6, -4), (-3, -1)):
            yield {
                "order": round(rng.uniform(*orders), 2),
                "epsilon_bar": round(rng.uniform(0.05, 4), 3),
                "delta": float(f"{10 ** rng.uniform(*logs):.2g}"),
            }


def sharper(order: float, epsilon_bar: float, delta: float) -> float:
    # Canonne, Kamath & Steinke (2020), proposition 12.
    return epsilon_bar + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)


SIGN = "does a smaller delta make epsilon larger or smaller?"
BELOW = "what stands in the denominator: the order, or something else?"
LOG = "which logarithm undoes exp, and of what is it taken?"

CLAIM.mistake(
    "the sign of the second term is wrong",
    SIGN,
    lambda order, epsilon_bar, delta: epsilon_bar + math.log(delta) / (order - 1),
)
CLAIM.mistake(
    "order divides, not order - 1",
    BELOW,
    lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta) / order,
)
CLAIM.mistake(
    "order + 1 divides",
    BELOW,
    lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta) / (order + 1),
)
CLAIM.mistake(
    "nothing divides the logarithm",
    BELOW,
    lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta),
)
CLAIM.mistake(
    "order - 1 multiplies",
    "a larger order: should this term grow or fall?",
    lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta) * (order - 1),
)
CLAIM.mistake(
    "order - 1 divides both terms",
    BELOW,
    lambda order, epsilon_bar, delta: (epsilon_bar - math.log(delta)) / (order - 1),
)
CLAIM.mistake(
    "epsilon_bar is left out",
    "what does a larger divergence do to epsilon?",
    lambda order, epsilon_bar, delta: -math.log(delta) / (order - 1),
)
CLAIM.mistake("delta is ignored", SIGN, lambda order, epsilon_bar, delta: epsilon_bar)
CLAIM.mistake(
    "epsilon_bar is multiplied by the order",
    "is epsilon_bar given at this order, or per unit of order?",
    lambda order, epsilon_bar, delta: order * epsilon_bar - math.log(delta) / (order - 1),
)
CLAIM.mistake(
    "the logarithm is missing",
    LOG,
    lambda order, epsilon_bar, delta: epsilon_bar + 1 / delta / (order - 1),
)
CLAIM.mistake(
    "the logarithm has base 10",
    LOG,
    lambda order, epsilon_bar, delta: epsilon_bar - math.log10(delta) / (order - 1),
)
CLAIM.mistake(
    "the logarithm has base 2",
    LOG,
    lambda order, epsilon_bar, delta: epsilon_bar - math.log2(delta) / (order - 1),
)
CLAIM.mistake(
    "the logarithm is that of 1.25 / delta",
    "1.25 belongs to the classical Gaussian mechanism: what stands here?",
    lambda order, epsilon_bar, delta: epsilon_bar + math.log(1.25 / delta) / (order - 1),
)
CLAIM.mistake(
    "a square root is taken",
    "the root belongs to zCDP: what stands here?",
    lambda order, epsilon_bar, delta: epsilon_bar + math.sqrt(-math.log(delta) / (order - 1)),
)
CLAIM.mistake(
    "a sharper conversion is used than the one asked for",
    "that is valid and better, but the docstring names another formula: which?",
    sharper,
)
