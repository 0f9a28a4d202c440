"""One of many Gaussian releases that keep (epsilon, delta) together, counted in rho."""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.approximate._gaussian_noise import (
    TOO_NARROW,
    TOO_WIDE,
    exact_sigma,
    looks_like_sigma,
    shape_mistakes,
)
from autograder.check.claims.learning._descent_noise import rho_of
from autograder.check.designed import each_edge
from autograder.check.mistakes import QUESTIONS, Mistake, value_mistakes, wrong_scales
from ville.cells import gaussian_edges
from ville.distributions import gaussian, laplace

# Shapes that come from an epsilon, or that are one law with a slip in the formula for sigma.
_NOT_HERE = ("the noise is Laplace, of scale sensitivity / epsilon", TOO_WIDE, TOO_NARROW)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: many answers, or few with a large budget; one value is near 0."""
    many, few = ((60, 160), (0.4, 0.9), (-8, -5)), ((2, 5), (6, 9), (-2, -1.3))
    for sign, near, (counts, epsilons, logs) in (
        (-1, True, many),
        (1, False, many),
        (-1, False, few),
        (1, False, few),
    ):
        given = {
            "l2_sensitivity": round(generator.uniform(2.2, 6.0), 2),
            "count": int(generator.integers(*counts)),
            "epsilon": round(generator.uniform(*epsilons), 2),
            "delta": float(f"{10 ** generator.uniform(*logs):.2g}"),
        }
        size = generator.uniform(0.5, 1.5) * _sigma(given) if near else generator.uniform(60, 300)
        yield {"value": round(sign * size, 2), **given}


def _sigma(p: dict) -> float:
    # Bun & Steinke (2016), proposition 1.6, for each answer's part of rho.
    rho = rho_of(p["epsilon"], p["delta"])
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
_TWO = "where does the 2 of the formula go when it is solved for sigma? And one draw or two?"
_POWER = "the formula holds sensitivity^2 / sigma^2: which power of it does sigma need?"

_MISTAKES = (
    _mistake(
        "every answer spends the whole budget", lambda k, e, d: _from_rho(rho_of(e, d)), _SHARE
    ),
    _mistake(
        "sigma grows with the number of answers, not with its root",
        lambda k, e, d: k * _from_rho(rho_of(e, d)),
        "the rho of the answers add up: what does that do to sigma?",
    ),
    _mistake(
        "each answer gets its part of epsilon, and its part of delta",
        lambda k, e, d: _from_rho(rho_of(e / k, d / k)),
        "that is too much noise: add up first, in rho, and convert once. What is rho in all?",
    ),
    _mistake(
        "delta is divided among the answers",
        lambda k, e, d: _from_rho(rho_of(e, d / k), k),
        "rho of all answers is converted once: how many times does that need a delta?",
    ),
    _mistake(
        "each answer gets its part of epsilon",
        lambda k, e, d: _from_rho(rho_of(e / k, d)),
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
        lambda k, e, d: _from_rho(math.sqrt(rho_of(e, d)), k),
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
    _mistake("the square root of sigma is missing", lambda k, e, d: k / (2 * rho_of(e, d)), _SOLVE),
    _mistake(
        "rho multiplies instead of divides", lambda k, e, d: math.sqrt(2 * rho_of(e, d) * k), _SOLVE
    ),
    Mistake(
        "the noise is Laplace, with one answer's part of epsilon",
        lambda p: laplace(p["l2_sensitivity"] * p["count"] / p["epsilon"]),
        "which law does the name of the mechanism say, and what does numpy call it?",
        seen="Gaussian noise has the shape of a bell, yours has a peak and long tails",
    ),
    *(each for each in shape_mistakes(_sigma) if each.name not in _NOT_HERE),
    *wrong_scales(
        gaussian,
        {
            "sigma is too large by sqrt(2)": (lambda p: math.sqrt(2) * _sigma(p), _TWO),
            "sigma is too small by sqrt(2)": (lambda p: _sigma(p) / math.sqrt(2), _TWO),
            "the sensitivity is ignored": (
                lambda p: _sigma(p) / p["l2_sensitivity"],
                QUESTIONS["the sensitivity is ignored"],
            ),
            "the sensitivity is squared": lambda p: _sigma(p) * p["l2_sensitivity"],
            "only the root of the sensitivity is taken": (
                lambda p: _sigma(p) / math.sqrt(p["l2_sensitivity"])
            ),
        },
        _POWER,
    ),
    *value_mistakes(gaussian, _sigma),
    Mistake(
        "all parameters are ignored",
        lambda p: laplace(1.0),
        "which parameters enter the noise, and which law does it follow?",
    ),
)

CLAIM = AdditiveClaim(
    about=(
        "Check `repeated_gaussian(value, *, l2_sensitivity, count, epsilon, delta)`: one of\n"
        "`count` releases with Gaussian noise that keep (epsilon, delta) together, counted in\n"
        "rho (Bun & Steinke 2016)."
    ),
    established="Gaussian, as much noise as all the releases need together, independent draws",
    law_name="Gaussian",
    parameters=_parameters,
    designed=partial(
        each_edge,
        {"value": 20.5, "l2_sensitivity": 3.5, "count": 6, "epsilon": 0.8, "delta": 1e-4},
    ),
    edge_work=0.04,
    exact=lambda p: p["value"],
    scale=_sigma,
    law=gaussian,
    edges=lambda p: gaussian_edges() * _sigma(p),
    looks_like=looks_like_sigma,
    exponents={"l2_sensitivity": 1, "count": 0.5},
    mistakes=_MISTAKES,
    situation=lambda p: ", ".join(f"{key} {p[key]:g}" for key in p if key != "value"),
)
