"""Gaussian noise with a Rényi divergence of at most epsilon_bar at one order."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.additive import Mistake
from autograder.check.claims.variants._renyi_gaussian import gaussian_claim
from ville.distributions import gaussian, laplace

__all__ = ["CLAIM"]


def _privacy(generator: np.random.Generator, little: bool) -> dict:
    """Return an order and a bound; the orders keep well away from 1 and from the bounds."""
    orders, bounds = ((2.5, 5.0), (2.6, 4.5)) if little else ((9.0, 20.0), (0.1, 0.35))
    return {
        "order": round(generator.uniform(*orders), 1),
        "epsilon_bar": round(generator.uniform(*bounds), 2),
    }


def _sigma(p: dict) -> float:
    # Mironov (2017), corollary 3: epsilon_bar = order * sensitivity^2 / (2 sigma^2).
    return p["l2_sensitivity"] * math.sqrt(p["order"] / (2 * p["epsilon_bar"]))


def _mistake(name: str, unit_sigma: Callable[[float, float], float], ask: str) -> Mistake:
    """Return a mistake in the formula, from the sigma of sensitivity 1."""
    return Mistake(
        name,
        lambda p: gaussian(p["l2_sensitivity"] * unit_sigma(p["order"], p["epsilon_bar"])),
        ask,
    )


_SOLVE = "solve epsilon_bar = order * sensitivity^2 / (2 * sigma^2) for sigma: what do you get?"

_MISTAKES = (
    _mistake(
        "the order is ignored",
        lambda order, bound: math.sqrt(1 / (2 * bound)),
        "at a higher order the same noise has a larger divergence: where does the order stand?",
    ),
    _mistake(
        "the order is on the wrong side", lambda order, bound: (2 * order * bound) ** -0.5, _SOLVE
    ),
    _mistake("epsilon_bar is ignored", lambda order, bound: math.sqrt(order / 2), _SOLVE),
    _mistake("epsilon_bar multiplies", lambda order, bound: math.sqrt(order * bound / 2), _SOLVE),
    _mistake("the square root is missing", lambda order, bound: order / (2 * bound), _SOLVE),
    _mistake(
        "the root is taken of the order only", lambda order, bound: order**0.5 / (2 * bound), _SOLVE
    ),
    _mistake("epsilon_bar is squared", lambda order, bound: math.sqrt(order / 2) / bound, _SOLVE),
    _mistake(
        "the formula is upside down", lambda order, bound: math.sqrt(2 * bound / order), _SOLVE
    ),
    _mistake(
        "order - 1 is used for order",
        lambda order, bound: math.sqrt((order - 1) / (2 * bound)),
        "order - 1 belongs to the conversion to (epsilon, delta): what does this formula have?",
    ),
    Mistake(
        "the noise is Laplace, with epsilon_bar as its epsilon",
        lambda p: laplace(p["l2_sensitivity"] / p["epsilon_bar"]),
        "which law does the name of the mechanism say, and what does numpy call it?",
        seen="Gaussian noise has the shape of a bell, yours has a peak and long tails",
    ),
)

CLAIM = gaussian_claim(
    name="gaussian_mechanism_rdp",
    about=(
        "Check `gaussian_mechanism_rdp(value, *, l2_sensitivity, order, epsilon_bar)`: Gaussian\n"
        "noise on one number, with Rényi divergence epsilon_bar at this order (Mironov 2017)."
    ),
    established="Gaussian, sigma = sensitivity * sqrt(order/(2 * epsilon_bar)), independent draws",
    privacy=_privacy,
    sigma=_sigma,
    mistakes=_MISTAKES,
    exponents={"l2_sensitivity": 1, "order": 0.5, "epsilon_bar": -0.5},
)
