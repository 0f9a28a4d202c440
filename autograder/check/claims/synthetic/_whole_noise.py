"""Mistakes about discrete Laplace noise itself, whatever it is added to: shared by claims."""

from collections.abc import Callable

import numpy as np

from autograder.check.mistakes import Mistake
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
    return (*_rounded(scale), *_one_sided(scale))


def _rounded(scale) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "continuous Laplace noise is rounded",
            lambda p: rounded_down(lambda x: laplace(scale(p))(x - 0.5)),
            _ROUNDING,
            seen=_SHAPE,
        ),
        Mistake(
            "continuous Laplace noise is rounded down",
            lambda p: rounded_down(laplace(scale(p))),
            _ROUNDING,
            seen=_SHAPE,
        ),
        Mistake(
            "continuous Laplace noise is rounded up",
            lambda p: rounded_up(laplace(scale(p))),
            _ROUNDING,
            seen=_SHAPE,
        ),
    )


def _one_sided(scale) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "the noise is never negative",
            lambda p: geometric(1 / scale(p), first=0),
            _SIDES,
            seen="half of the counts should lie below the exact ones, none of yours does",
        ),
        Mistake(
            "the noise is never 0",
            lambda p: signed_geometric(1 / scale(p), first=1),
            _SIDES,
            seen="the most likely noise is 0, yours never is",
        ),
        Mistake(
            "a geometric draw that starts at 0 gets a random sign",
            lambda p: signed_geometric(1 / scale(p), first=0),
            _SIDES,
            seen="0 comes about twice as often as it should, against 1 and -1",
        ),
    )


def folded_whole(rate: float, count: int) -> Law:
    """Return the law of |count + noise| - count."""

    def law(x):
        top = np.floor(x) + count
        inside = discrete_laplace(rate)(top - count) - discrete_laplace(rate)(-top - 1 - count)
        return np.where(top < 0, 0.0, inside)

    return law
