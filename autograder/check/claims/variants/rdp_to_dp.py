"""From one point of a Rényi curve to (epsilon, delta): Mironov's conversion."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.variants._formula import formula_claim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return nine inputs, with orders from just above 1, and small and large deltas."""
    return [
        {
            "order": round(generator.uniform(*orders), 2),
            "epsilon_bar": round(generator.uniform(0.05, 4), 3),
            "delta": float(f"{10 ** generator.uniform(*logs):.2g}"),
        }
        for orders in ((1.1, 1.9), (2.2, 6), (8, 40))
        for logs in ((-9, -6), (-6, -4), (-3, -1))
    ]


def _sharper(order: float, epsilon_bar: float, delta: float) -> float:
    # Canonne, Kamath & Steinke (2020), proposition 12.
    return epsilon_bar + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)


_SIGN = "does a smaller delta make epsilon larger or smaller?"
_BELOW = "what stands in the denominator: the order, or something else?"
_LOG = "which logarithm undoes exp, and of what is it taken?"

_MISTAKES = (
    (
        "the sign of the second term is wrong",
        lambda order, epsilon_bar, delta: epsilon_bar + math.log(delta) / (order - 1),
        _SIGN,
    ),
    (
        "order divides, not order - 1",
        lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta) / order,
        _BELOW,
    ),
    (
        "order + 1 divides",
        lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta) / (order + 1),
        _BELOW,
    ),
    (
        "nothing divides the logarithm",
        lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta),
        _BELOW,
    ),
    (
        "order - 1 multiplies",
        lambda order, epsilon_bar, delta: epsilon_bar - math.log(delta) * (order - 1),
        "a larger order: should this term grow or fall?",
    ),
    (
        "order - 1 divides both terms",
        lambda order, epsilon_bar, delta: (epsilon_bar - math.log(delta)) / (order - 1),
        _BELOW,
    ),
    (
        "epsilon_bar is left out",
        lambda order, epsilon_bar, delta: -math.log(delta) / (order - 1),
        "what does a larger divergence do to epsilon?",
    ),
    ("delta is ignored", lambda order, epsilon_bar, delta: epsilon_bar, _SIGN),
    (
        "epsilon_bar is multiplied by the order",
        lambda order, epsilon_bar, delta: order * epsilon_bar - math.log(delta) / (order - 1),
        "is epsilon_bar given at this order, or per unit of order?",
    ),
    (
        "the logarithm is missing",
        lambda order, epsilon_bar, delta: epsilon_bar + 1 / delta / (order - 1),
        _LOG,
    ),
    (
        "the logarithm has base 10",
        lambda order, epsilon_bar, delta: epsilon_bar - math.log10(delta) / (order - 1),
        _LOG,
    ),
    (
        "the logarithm has base 2",
        lambda order, epsilon_bar, delta: epsilon_bar - math.log2(delta) / (order - 1),
        _LOG,
    ),
    (
        "the logarithm is that of 1.25 / delta",
        lambda order, epsilon_bar, delta: epsilon_bar + math.log(1.25 / delta) / (order - 1),
        "1.25 belongs to the classical Gaussian mechanism: what stands here?",
    ),
    (
        "a square root is taken",
        lambda order, epsilon_bar, delta: epsilon_bar + math.sqrt(-math.log(delta) / (order - 1)),
        "the root belongs to zCDP: what stands here?",
    ),
    (
        "a sharper conversion is used than the one asked for",
        _sharper,
        "that is valid and better, but the docstring names another formula: which?",
    ),
)

CLAIM = formula_claim(
    name="rdp_to_dp",
    about=(
        "Check `rdp_to_dp(order, epsilon_bar, *, delta)`: the epsilon of (epsilon, delta) that a\n"
        "Rényi divergence of at most epsilon_bar implies (Mironov 2017, proposition 3)."
    ),
    established="epsilon_bar + ln(1/delta) / (order - 1)",
    cases=_cases,
    positional=("order", "epsilon_bar"),
    # Mironov (2017), proposition 3.
    right=lambda order, epsilon_bar, delta: epsilon_bar + math.log(1 / delta) / (order - 1),
    mistakes=_MISTAKES,
)
