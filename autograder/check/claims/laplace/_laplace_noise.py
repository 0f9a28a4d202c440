"""Mistakes about Laplace noise itself, whatever it is added to: shared by several claims."""

import math
from collections.abc import Callable

from autograder.check.mistakes import QUESTIONS, Mistake, wrong_laws
from ville.distributions import exponential, gaussian, laplace, laplace_average, laplace_sum

_SHAPE = "which law has the density exp(-|x| / scale) / (2 * scale), and what does numpy call it?"
_DEVIATION = "the standard deviation of Laplace noise is sqrt(2) times its scale"
_BELL = "Laplace noise of scale {scale} has a peak and long tails, yours has the shape of a bell"


def noise_mistakes(scale: Callable[[dict], float], words: str) -> tuple[Mistake, ...]:
    """Return the mistakes, for noise of the scale that a setting's parameters give.

    Args:
      scale: the right scale, from a setting's parameters.
      words: the same as a formula, for the questions: "sensitivity / epsilon".
    """
    root, ask = math.sqrt(2), f"{_DEVIATION}: which one is {words}?"
    half = "half of the answers should lie below the exact one, none of yours does"
    return wrong_laws(
        scale,
        {
            "the scale is taken for the standard deviation": (lambda s: laplace(s / root), ask),
            "the scale is too large by sqrt(2)": (lambda s: laplace(s * root), ask),
            "the noise is Gaussian, not Laplace": (gaussian, _SHAPE, _BELL),
            "the noise is Gaussian of the right variance": (
                lambda s: gaussian(root * s),
                _SHAPE,
                _BELL,
            ),
            "the noise is never negative": (
                exponential,
                QUESTIONS["the noise is never negative"],
                half,
            ),
            "the noise is added twice": (laplace_sum, "how many draws does one release need?"),
            "two draws are averaged": (
                laplace_average,
                "what does averaging do to the noise, and to the privacy it gives?",
            ),
        },
    )
