"""Mistakes about Laplace noise itself, whatever it is added to: shared by several claims."""

import math
from collections.abc import Callable

from autograder.check.mistakes import Mistake
from ville.distributions import exponential, gaussian, laplace, laplace_average, laplace_sum

_SHAPE = "which law has the density exp(-|x| / scale) / (2 * scale), and what does numpy call it?"
_BELL = "Laplace noise of scale {scale} has a peak and long tails, yours has the shape of a bell"


def noise_mistakes(scale: Callable[[dict], float], words: str) -> tuple[Mistake, ...]:
    """Return the mistakes, for noise of the scale that a setting's parameters give.

    Args:
      scale: the right scale, from a setting's parameters.
      words: the same as a formula, for the questions: "sensitivity / epsilon".
    """
    return (*_of_the_spread(scale, words), *_of_the_law(scale), *_of_the_draws(scale))


def _of_the_spread(scale, words: str) -> tuple[Mistake, ...]:
    ask = (
        f"the standard deviation of Laplace noise is sqrt(2) times its scale: which one is {words}?"
    )
    return (
        Mistake(
            "the scale is taken for the standard deviation",
            lambda p: laplace(scale(p) / math.sqrt(2)),
            ask,
        ),
        Mistake(
            "the scale is too large by sqrt(2)",
            lambda p: laplace(scale(p) * math.sqrt(2)),
            ask,
        ),
    )


def _of_the_law(scale) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "the noise is Gaussian, not Laplace",
            lambda p: gaussian(scale(p)),
            _SHAPE,
            seen=_BELL,
        ),
        Mistake(
            "the noise is Gaussian of the right variance",
            lambda p: gaussian(math.sqrt(2) * scale(p)),
            _SHAPE,
            seen=_BELL,
        ),
        Mistake(
            "the noise is never negative",
            lambda p: exponential(scale(p)),
            "on which side of the exact answer may the noisy one lie?",
            seen="half of the answers should lie below the exact one, none of yours does",
        ),
    )


def _of_the_draws(scale) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "the noise is added twice",
            lambda p: laplace_sum(scale(p)),
            "how many draws does one release need?",
        ),
        Mistake(
            "two draws are averaged",
            lambda p: laplace_average(scale(p)),
            "what does averaging do to the noise, and to the privacy it gives?",
        ),
    )
