"""From rho-zCDP to (epsilon, delta): the conversion of Bun and Steinke."""

from __future__ import annotations

import math

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def zcdp_to_dp(rho, *, delta):
    """The epsilon of (epsilon, delta) that rho-zCDP implies (Bun & Steinke 2016, proposition
    1.3).
    """
    # Bun & Steinke (2016), proposition 1.3.
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


CLAIM = FunctionClaim(zcdp_to_dp, established="rho + 2 * sqrt(rho * ln(1/delta))")


@CLAIM.inputs
def nine(rng):
    """Rho far below 1 and above it, small and large deltas."""
    for rhos in ((0.001, 0.02), (0.05, 0.5), (1.5, 6)):
        for logs in ((-9, -6), (-6, -4), (-3, -1)):
            yield {
                "rho": round(rng.uniform(*rhos), 4),
                "delta": float(f"{10 ** rng.uniform(*logs):.2g}"),
            }


ROOT = "what stands under the root, and what before it?"
LOG = "which logarithm undoes exp, and of what is it taken?"

CLAIM.mistake(
    "the 2 before the root is missing",
    ROOT,
    lambda rho, delta: rho + math.sqrt(-rho * math.log(delta)),
)
CLAIM.mistake(
    "the 2 stands under the root",
    ROOT,
    lambda rho, delta: rho + math.sqrt(-2 * rho * math.log(delta)),
)
CLAIM.mistake(
    "the first rho is missing",
    "both terms count: what is the first?",
    lambda rho, delta: 2 * math.sqrt(-rho * math.log(delta)),
)
CLAIM.mistake(
    "rho is missing under the root", ROOT, lambda rho, delta: rho + 2 * math.sqrt(-math.log(delta))
)
CLAIM.mistake(
    "rho stands before the root",
    ROOT,
    lambda rho, delta: rho + 2 * rho * math.sqrt(-math.log(delta)),
)
CLAIM.mistake("the root is missing", ROOT, lambda rho, delta: rho - 2 * rho * math.log(delta))
CLAIM.mistake(
    "the root covers both terms",
    ROOT,
    lambda rho, delta: math.sqrt(rho - 2 * rho * math.log(delta)),
)
CLAIM.mistake(
    "rho is squared in the first term",
    "what is the first term?",
    lambda rho, delta: rho**2 + 2 * math.sqrt(-rho * math.log(delta)),
)
CLAIM.mistake(
    "the second term is subtracted",
    "does a smaller delta make epsilon larger or smaller?",
    lambda rho, delta: rho - 2 * math.sqrt(-rho * math.log(delta)),
)
CLAIM.mistake(
    "delta is ignored",
    "does a smaller delta make epsilon larger or smaller?",
    lambda rho, delta: rho + 2 * math.sqrt(rho),
)
CLAIM.mistake(
    "the epsilon of pure privacy with this rho is returned",
    "epsilon gives rho = epsilon^2 / 2: does rho give that epsilon back?",
    lambda rho, delta: math.sqrt(2 * rho),
)
CLAIM.mistake(
    "the logarithm is that of 1.25 / delta",
    "1.25 belongs to the classical Gaussian mechanism: what stands here?",
    lambda rho, delta: rho + 2 * math.sqrt(rho * math.log(1.25 / delta)),
)
CLAIM.mistake(
    "the logarithm is that of 2 / delta",
    LOG,
    lambda rho, delta: rho + 2 * math.sqrt(rho * math.log(2 / delta)),
)
CLAIM.mistake(
    "the logarithm has base 10",
    LOG,
    lambda rho, delta: rho + 2 * math.sqrt(-rho * math.log10(delta)),
)
CLAIM.mistake(
    "the logarithm has base 2", LOG, lambda rho, delta: rho + 2 * math.sqrt(-rho * math.log2(delta))
)
CLAIM.mistake("the logarithm is missing", LOG, lambda rho, delta: rho + 2 * math.sqrt(rho / delta))
