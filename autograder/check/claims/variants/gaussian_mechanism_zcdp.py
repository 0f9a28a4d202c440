"""Gaussian noise that is rho-zero-concentrated differentially private."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.additive import Mistake
from autograder.check.claims.variants._renyi_gaussian import gaussian_claim
from ville.distributions import gaussian, laplace

__all__ = ["CLAIM"]


def _privacy(generator: np.random.Generator, little: bool) -> dict:
    """Return a rho, well below 1/2 or well above it: there sigma equals the sensitivity."""
    return {"rho": round(generator.uniform(*((2.6, 4.5) if little else (0.02, 0.08))), 3)}


def _sigma(p: dict) -> float:
    # Bun & Steinke (2016), proposition 1.6: rho = sensitivity^2 / (2 sigma^2).
    return p["l2_sensitivity"] / math.sqrt(2 * p["rho"])


def _mistake(name: str, unit_sigma: Callable[[float], float], ask: str) -> Mistake:
    """Return a mistake in the formula, from the sigma of sensitivity 1."""
    return Mistake(name, lambda p: gaussian(p["l2_sensitivity"] * unit_sigma(p["rho"])), ask)


_SOLVE = "solve rho = sensitivity^2 / (2 * sigma^2) for sigma: what do you get?"

_MISTAKES = (
    _mistake("the square root is missing", lambda rho: 1 / (2 * rho), _SOLVE),
    _mistake("the square root is missing, and the 2", lambda rho: 1 / rho, _SOLVE),
    _mistake("rho multiplies instead of divides", lambda rho: math.sqrt(2 * rho), _SOLVE),
    _mistake("rho multiplies, and the 2 divides", lambda rho: math.sqrt(rho / 2), _SOLVE),
    _mistake("rho is ignored", lambda rho: 1.0, "what should happen to the noise when rho falls?"),
    _mistake("the 2 stands in the numerator", lambda rho: 2 / math.sqrt(rho), _SOLVE),
    Mistake(
        "the noise is Laplace, with rho as its epsilon",
        lambda p: laplace(p["l2_sensitivity"] / p["rho"]),
        "which law does the name of the mechanism say, and what does numpy call it?",
        seen="Gaussian noise has the shape of a bell, yours has a peak and long tails",
    ),
)

CLAIM = gaussian_claim(
    name="gaussian_mechanism_zcdp",
    about=(
        "Check `gaussian_mechanism_zcdp(value, *, l2_sensitivity, rho)`: Gaussian noise on one\n"
        "number that is rho-zero-concentrated differentially private (Bun & Steinke 2016)."
    ),
    established="Gaussian, sigma = sensitivity / sqrt(2 * rho), independent draws",
    privacy=_privacy,
    sigma=_sigma,
    mistakes=_MISTAKES,
    exponents={"l2_sensitivity": 1, "rho": -0.5},
)
