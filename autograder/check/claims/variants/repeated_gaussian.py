"""One of many Gaussian releases that keep (epsilon, delta) together, counted in rho."""

import math
from collections.abc import Callable

import numpy as np

from autograder.check.claims.approximate._gaussian_noise import exact_sigma
from autograder.check.claims.variants._renyi_gaussian import gaussian_claim
from autograder.check.mistakes import Mistake
from ville.distributions import gaussian, laplace


def _privacy(generator: np.random.Generator, little: bool) -> dict:
    """Return a count and a budget for all: many answers, or few with a large budget."""
    counts, epsilons, logs = (
        ((2, 5), (6, 9), (-2, -1.3)) if little else ((60, 160), (0.4, 0.9), (-8, -5))
    )
    return {
        "count": int(generator.integers(*counts)),
        "epsilon": round(generator.uniform(*epsilons), 2),
        "delta": float(f"{10 ** generator.uniform(*logs):.2g}"),
    }


def _rho(epsilon: float, delta: float) -> float:
    # Bun & Steinke (2016), proposition 1.3: epsilon = rho + 2 sqrt(rho ln(1/delta)), solved.
    log = math.log(1 / delta)
    return (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2


def _sigma(p: dict) -> float:
    # Bun & Steinke (2016), proposition 1.6, for each answer's part of rho.
    rho = _rho(p["epsilon"], p["delta"])
    return p["l2_sensitivity"] * math.sqrt(p["count"] / (2 * rho))


def _mistake(name: str, unit_sigma: Callable[[int, float, float], float], ask: str) -> Mistake:
    """Return a mistake in the formula, from the sigma of sensitivity 1."""

    def law(p: dict):
        return gaussian(p["l2_sensitivity"] * unit_sigma(p["count"], p["epsilon"], p["delta"]))

    return Mistake(name, law, ask)


def _from_rho(rho: float, count: float = 1) -> float:
    return math.sqrt(count / (2 * rho))


_SHARE = "the budget is for all answers together: which rho may one of them spend?"
_CONVERT = "put your rho into the conversion: does it give the epsilon that was asked for?"
_SOLVE = "solve rho = sensitivity^2 / (2 * sigma^2) for sigma: what do you get?"

_MISTAKES = (
    _mistake("every answer spends the whole budget", lambda k, e, d: _from_rho(_rho(e, d)), _SHARE),
    _mistake(
        "sigma grows with the number of answers, not with its root",
        lambda k, e, d: k * _from_rho(_rho(e, d)),
        "the rho of the answers add up: what does that do to sigma?",
    ),
    _mistake(
        "each answer gets its part of epsilon, and its part of delta",
        lambda k, e, d: _from_rho(_rho(e / k, d / k)),
        "that is too much noise: add up first, in rho, and convert once. What is rho in all?",
    ),
    _mistake(
        "each answer gets its part of epsilon",
        lambda k, e, d: _from_rho(_rho(e / k, d)),
        "add up first, in rho, and convert once: what is rho in all?",
    ),
    _mistake(
        "each answer has the exact sigma for its part of epsilon and of delta",
        lambda k, e, d: exact_sigma(e / k, d / k),
        "that is too much noise: add up first, in rho, and convert once. What is rho in all?",
    ),
    _mistake(
        "the exact account is used, not rho",
        lambda k, e, d: math.sqrt(k) * exact_sigma(e, d),
        "that is valid, and less noise; but the task asks for the conversion of rho: what is it?",
    ),
    _mistake(
        "rho in all is taken to be epsilon^2 / 2",
        lambda k, e, d: _from_rho(e**2 / 2, k),
        "that is the rho which a pure epsilon implies, and here the way goes back. " + _CONVERT,
    ),
    _mistake("rho in all is taken to be epsilon", lambda k, e, d: _from_rho(e, k), _CONVERT),
    _mistake(
        "the first rho of the conversion is left out",
        lambda k, e, d: _from_rho(e**2 / (4 * math.log(1 / d)), k),
        _CONVERT,
    ),
    _mistake(
        "the root of rho is taken for rho",
        lambda k, e, d: _from_rho(math.sqrt(_rho(e, d)), k),
        "your equation may be one for the root of rho: what is rho then?",
    ),
    _mistake(
        "the 2 before the root of the conversion is missing",
        lambda k, e, d: _from_rho(
            ((math.sqrt(math.log(1 / d) + 4 * e) - math.sqrt(math.log(1 / d))) / 2) ** 2, k
        ),
        _CONVERT,
    ),
    _mistake(
        "the logarithm has base 10",
        lambda k, e, d: _from_rho(
            (math.sqrt(-math.log10(d) + e) - math.sqrt(-math.log10(d))) ** 2, k
        ),
        "which logarithm undoes exp?",
    ),
    _mistake(
        "the conversion is upside down",
        lambda k, e, d: _from_rho(e + 2 * math.sqrt(e * math.log(1 / d)), k),
        "epsilon is given and rho is wanted: which way does your formula go?",
    ),
    _mistake("the square root of sigma is missing", lambda k, e, d: k / (2 * _rho(e, d)), _SOLVE),
    _mistake(
        "rho multiplies instead of divides", lambda k, e, d: math.sqrt(2 * _rho(e, d) * k), _SOLVE
    ),
    Mistake(
        "the noise is Laplace, with one answer's part of epsilon",
        lambda p: laplace(p["l2_sensitivity"] * p["count"] / p["epsilon"]),
        "which law does the name of the mechanism say, and what does numpy call it?",
        seen="Gaussian noise has the shape of a bell, yours has a peak and long tails",
    ),
)

CLAIM = gaussian_claim(
    name="repeated_gaussian",
    about=(
        "Check `repeated_gaussian(value, *, l2_sensitivity, count, epsilon, delta)`: one of\n"
        "`count` releases with Gaussian noise that keep (epsilon, delta) together, counted in\n"
        "rho (Bun & Steinke 2016)."
    ),
    established="Gaussian, as much noise as all the releases need together, independent draws",
    privacy=_privacy,
    sigma=_sigma,
    mistakes=_MISTAKES,
    exponents={"l2_sensitivity": 1, "count": 0.5},
    usual={"value": 20.5, "l2_sensitivity": 3.5, "count": 6, "epsilon": 0.8, "delta": 1e-4},
)
