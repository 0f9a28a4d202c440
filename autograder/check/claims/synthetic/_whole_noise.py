"""Mistakes about discrete Laplace noise itself, whatever it is added to: shared by claims."""

from collections.abc import Callable

import numpy as np

from autograder.check.mistakes import Mistake, wrong_laws
from ville.distributions import Distribution as Law
from ville.distributions import (
    discrete_laplace,
    geometric,
    laplace,
    rounded_down,
    rounded_up,
    signed_geometric,
)

_ROUNDING = "what does rounding do to the ratio of two neighboring probabilities near 0?"
_SIDES = "on which sides of the exact count may the noisy one lie, and how likely is 0?"
_SHAPE = "the noise is whole, but its probabilities do not fall by one factor from 0 on"


def whole_noise_mistakes(scale: Callable[[dict], float]) -> tuple[Mistake, ...]:
    """Return the mistakes, for noise of the scale that a setting's parameters give."""
    rounded = {
        "continuous Laplace noise is rounded": lambda s: rounded_down(laplace(s, 0.5)),
        "continuous Laplace noise is rounded down": lambda s: rounded_down(laplace(s)),
        "continuous Laplace noise is rounded up": lambda s: rounded_up(laplace(s)),
    }
    one_sided = {
        "the noise is never negative": (
            lambda s: geometric(1 / s, first=0),
            _SIDES,
            "half of the counts should lie below the exact ones, none of yours does",
        ),
        "the noise is never 0": (
            lambda s: signed_geometric(1 / s, first=1),
            _SIDES,
            "the most likely noise is 0, yours never is",
        ),
        "a geometric draw that starts at 0 gets a random sign": (
            lambda s: signed_geometric(1 / s, first=0),
            _SIDES,
            "0 comes about twice as often as it should, against 1 and -1",
        ),
    }
    shaped = {name: (law, _ROUNDING, _SHAPE) for name, law in rounded.items()}
    return wrong_laws(scale, shaped | one_sided)


def folded_whole(rate: float, count: int) -> Law:
    """Return the law of |count + noise| - count."""

    def law(x):
        top = np.floor(x) + count
        inside = discrete_laplace(rate)(top - count) - discrete_laplace(rate)(-top - 1 - count)
        return np.where(top < 0, 0.0, inside)

    return law
