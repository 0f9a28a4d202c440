"""Gaussian noise for a bound on Rényi divergence: what its two mechanisms have in common."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.approximate._gaussian_noise import (
    TOO_NARROW,
    TOO_WIDE,
    looks_like_sigma,
    shape_mistakes,
)
from autograder.check.designed import at_edges
from autograder.check.mistakes import Mistake
from ville.cells import gaussian_edges
from ville.distributions import clamped, folded, gaussian, laplace

# Shapes that come from an epsilon, or that are one law with a slip in the formula for sigma.
_NOT_HERE = ("the noise is Laplace, of scale sensitivity / epsilon", TOO_WIDE, TOO_NARROW)


def gaussian_claim(
    *,
    name: str,
    privacy: Callable[[np.random.Generator, bool], dict],
    sigma: Callable[[dict], float],
    mistakes: Sequence[Mistake],
    exponents: dict[str, float],
    usual: dict[str, float],
    about: str,
    established: str,
) -> AdditiveClaim:
    """Return the claim about one mechanism.

    Args:
      name, about, established: as in `AdditiveClaim`.
      privacy: draws the parameters that say how much privacy; True for little of it.
      sigma: the right sigma, from a setting's parameters.
      mistakes: those about the formula for sigma.
      exponents: the powers of the parameters in sigma.
      usual: parameters of which one at a time is taken to its edges.
    """
    return AdditiveClaim(
        name=name,
        about=about,
        established=established,
        law_name="Gaussian",
        parameters=lambda generator: _settings(generator, privacy, sigma),
        designed=lambda generator: [
            (f"{name} {each:,}", {**usual, name: each})
            for name in usual
            for each in at_edges(name, generator)
        ],
        edge_work=0.04,
        arguments=lambda p: ((p["value"],), {key: p[key] for key in p if key != "value"}),
        exact=lambda p: p["value"],
        scale=sigma,
        law=gaussian,
        edges=lambda p: gaussian_edges() * sigma(p),
        looks_like=looks_like_sigma,
        exponents=exponents,
        mistakes=(*mistakes, *_shapes(sigma), *_places(sigma)),
        situation=lambda p: ", ".join(f"{key} {p[key]:g}" for key in p if key != "value"),
    )


def _settings(generator: np.random.Generator, privacy: Callable, sigma: Callable) -> Iterator[dict]:
    """Return four settings, two with much noise and two with little; one value is near 0."""
    for sign, near, little in (
        (-1, True, False),
        (1, False, False),
        (-1, False, True),
        (1, False, True),
    ):
        sensitivity = round(generator.uniform(2.2, 6.0), 2)
        given = {"l2_sensitivity": sensitivity, **privacy(generator, little)}
        size = generator.uniform(0.5, 1.5) * sigma(given) if near else generator.uniform(60, 300)
        yield {"value": round(sign * size, 2), **given}


def _shapes(sigma: Callable[[dict], float]) -> list[Mistake]:
    shapes = shape_mistakes(sigma, "l2_sensitivity")
    return [mistake for mistake in shapes if mistake.name not in _NOT_HERE]


# Mistakes about the sensitivity, the root of 2 and the centre, from sigma and the parameters.
_TWO = "where does the 2 of the formula go when it is solved for sigma? And one draw or two?"
_POWER = "the formula holds sensitivity^2 / sigma^2: which power of it does sigma need?"
_AVERAGE = "may a noisy answer be negative? And what happens to its average if it may not?"
_PLACES = (
    ("sigma is too large by sqrt(2)", lambda sigma, p: gaussian(math.sqrt(2) * sigma), _TWO),
    ("sigma is too small by sqrt(2)", lambda sigma, p: gaussian(sigma / math.sqrt(2)), _TWO),
    (
        "the sensitivity is ignored",
        lambda sigma, p: gaussian(sigma / p["l2_sensitivity"]),
        "what should happen to the noise when one person can change the answer by more?",
    ),
    ("the sensitivity is squared", lambda sigma, p: gaussian(sigma * p["l2_sensitivity"]), _POWER),
    (
        "only the root of the sensitivity is taken",
        lambda sigma, p: gaussian(sigma / math.sqrt(p["l2_sensitivity"])),
        _POWER,
    ),
    (
        "the value is missing",
        lambda sigma, p: gaussian(sigma, -p["value"]),
        "to what is the noise added?",
    ),
    (
        "the value is added twice",
        lambda sigma, p: gaussian(sigma, p["value"]),
        "what should the answers be on average, if the noise is 0 on average?",
    ),
    (
        "the noise is multiplied by the value",
        lambda sigma, p: gaussian(abs(p["value"]) * sigma),
        "is the noise added to the value, or multiplied with it?",
    ),
    ("negative answers become 0", lambda sigma, p: clamped(gaussian(sigma), -p["value"]), _AVERAGE),
    (
        "the sign of the answer is lost",
        lambda sigma, p: folded(gaussian(sigma), -p["value"]),
        "what happens to an exact value below 0?",
    ),
    (
        "all parameters are ignored",
        lambda sigma, p: laplace(1.0),
        "which parameters enter the noise, and which law does it follow?",
    ),
)


def _places(sigma: Callable[[dict], float]) -> list[Mistake]:
    return [Mistake(name, lambda p, law=law: law(sigma(p), p), ask) for name, law, ask in _PLACES]
