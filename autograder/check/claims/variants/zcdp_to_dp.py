"""From rho-zCDP to (epsilon, delta): the conversion of Bun and Steinke."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.variants._formula import formula_claim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return nine inputs: rho far below 1 and above it, small and large deltas."""
    return [
        {
            "rho": round(generator.uniform(*rhos), 4),
            "delta": float(f"{10 ** generator.uniform(*logs):.2g}"),
        }
        for rhos in ((0.001, 0.02), (0.05, 0.5), (1.5, 6))
        for logs in ((-9, -6), (-6, -4), (-3, -1))
    ]


_ROOT = "what stands under the root, and what before it?"
_LOG = "which logarithm undoes exp, and of what is it taken?"

_MISTAKES = (
    (
        "the 2 before the root is missing",
        lambda rho, delta: rho + math.sqrt(-rho * math.log(delta)),
        _ROOT,
    ),
    (
        "the 2 stands under the root",
        lambda rho, delta: rho + math.sqrt(-2 * rho * math.log(delta)),
        _ROOT,
    ),
    (
        "the first rho is missing",
        lambda rho, delta: 2 * math.sqrt(-rho * math.log(delta)),
        "both terms count: what is the first?",
    ),
    (
        "rho is missing under the root",
        lambda rho, delta: rho + 2 * math.sqrt(-math.log(delta)),
        _ROOT,
    ),
    (
        "rho stands before the root",
        lambda rho, delta: rho + 2 * rho * math.sqrt(-math.log(delta)),
        _ROOT,
    ),
    ("the root is missing", lambda rho, delta: rho - 2 * rho * math.log(delta), _ROOT),
    (
        "the root covers both terms",
        lambda rho, delta: math.sqrt(rho - 2 * rho * math.log(delta)),
        _ROOT,
    ),
    (
        "rho is squared in the first term",
        lambda rho, delta: rho**2 + 2 * math.sqrt(-rho * math.log(delta)),
        "what is the first term?",
    ),
    (
        "the second term is subtracted",
        lambda rho, delta: rho - 2 * math.sqrt(-rho * math.log(delta)),
        "does a smaller delta make epsilon larger or smaller?",
    ),
    (
        "delta is ignored",
        lambda rho, delta: rho + 2 * math.sqrt(rho),
        "does a smaller delta make epsilon larger or smaller?",
    ),
    (
        "the epsilon of pure privacy with this rho is returned",
        lambda rho, delta: math.sqrt(2 * rho),
        "epsilon gives rho = epsilon^2 / 2: does rho give that epsilon back?",
    ),
    (
        "the logarithm is that of 1.25 / delta",
        lambda rho, delta: rho + 2 * math.sqrt(rho * math.log(1.25 / delta)),
        "1.25 belongs to the classical Gaussian mechanism: what stands here?",
    ),
    (
        "the logarithm is that of 2 / delta",
        lambda rho, delta: rho + 2 * math.sqrt(rho * math.log(2 / delta)),
        _LOG,
    ),
    (
        "the logarithm has base 10",
        lambda rho, delta: rho + 2 * math.sqrt(-rho * math.log10(delta)),
        _LOG,
    ),
    (
        "the logarithm has base 2",
        lambda rho, delta: rho + 2 * math.sqrt(-rho * math.log2(delta)),
        _LOG,
    ),
    ("the logarithm is missing", lambda rho, delta: rho + 2 * math.sqrt(rho / delta), _LOG),
)

CLAIM = formula_claim(
    name="zcdp_to_dp",
    about=(
        "Check `zcdp_to_dp(rho, *, delta)`: the epsilon of (epsilon, delta) that rho-zCDP implies\n"
        "(Bun & Steinke 2016, proposition 1.3)."
    ),
    established="rho + 2 * sqrt(rho * ln(1/delta))",
    cases=_cases,
    positional=("rho",),
    # Bun & Steinke (2016), proposition 1.3.
    right=lambda rho, delta: rho + 2 * math.sqrt(rho * math.log(1 / delta)),
    mistakes=_MISTAKES,
)
