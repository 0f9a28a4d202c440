"""The law of a centered mean: of its noisy ratio, clipped to the bounds."""

import math
from collections.abc import Callable

import numpy as np

from autograder.check.claims.sensitivity._clipped_values import values_of
from autograder.check.claims.sensitivity._ratio_law import NoisyRatio
from ville.cells import LEVELS
from ville.distributions import Distribution as Law
from ville.distributions import clamped

# Edges keep this share of the width away from the ends, where clipped answers pile up.
_MARGIN = 1e-6


def bounds(parameters: dict) -> tuple[float, float]:
    return parameters["lower"], parameters["upper"]


def middle(parameters: dict) -> float:
    return (parameters["lower"] + parameters["upper"]) / 2


def reach(parameters: dict) -> float:
    """Return how far a value can be from the middle."""
    return width(parameters) / 2


def width(parameters: dict) -> float:
    return parameters["upper"] - parameters["lower"]


def total(parameters: dict, center: float) -> float:
    clipped = np.clip(values_of(parameters), *bounds(parameters))
    return float((clipped - center).sum())


def mean(parameters: dict) -> float:
    # Of no rows the middle: an answer without noise would be that.
    return middle(parameters) + total(parameters, middle(parameters)) / max(parameters["rows"], 1)


def clipped(law: Law, parameters: dict) -> Law:
    """Return the law of (answer - exact mean) for answers that are then clipped to the bounds."""
    exact = mean(parameters)
    return clamped(lambda noise: law(exact + noise), *(end - exact for end in bounds(parameters)))


def ratio(
    parameters: dict,
    *,
    center: float | None = None,
    back: float | None = None,
    below: Callable = NoisyRatio.below,
    **changes,
) -> Law:
    """Return the law of the noise when some numbers of the ratio are others than they should be.

    `center` is what is taken off each value, `back` what is added to the quotient, `below` the
    probability that the ratio is at most a number.
    """
    half = parameters["epsilon"] / 2
    center = middle(parameters) if center is None else center
    back = center if back is None else back
    right = {
        "total": total(parameters, center),
        "total_scale": reach(parameters) / half,
        "count": parameters["rows"],
        "count_scale": 1 / half,
    }
    law = NoisyRatio(**{**right, **changes})
    return clipped(lambda ratio: below(law, ratio - back), parameters)


def edges(parameters: dict) -> np.ndarray:
    """Return places near the quantiles of the right law, off the ends where answers pile up."""
    lower, upper = (end - mean(parameters) for end in bounds(parameters))
    margin = _MARGIN * (upper - lower)
    places = np.linspace(lower + margin, upper - margin, 801)
    levels = ratio(parameters)(places)
    inner = np.interp(LEVELS, levels, places, left=places[0], right=places[-1])
    return np.unique(np.concatenate([inner, places[[0, -1]]]))


def spread(parameters: dict) -> float:
    """Return the rough size of the noise: that of the sum and of the count, over the count."""
    size = math.hypot(reach(parameters), mean(parameters) - middle(parameters))
    return 2 * size / (parameters["epsilon"] * max(parameters["rows"], 1))
