"""Laws of noise: distribution functions, and the cells into which answers are sorted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import expit, ndtr, ndtri

__all__ = [
    "Law",
    "cell_probabilities",
    "clamped",
    "discrete_laplace",
    "edges_of",
    "exponential",
    "folded",
    "gaussian",
    "gaussian_edges",
    "geometric",
    "laplace",
    "laplace_average",
    "laplace_edges",
    "laplace_sum",
    "point",
    "rounded_down",
    "rounded_up",
    "signed_geometric",
    "sorted_into",
    "uniform",
    "whole_edges",
]

# A law is its distribution function, x -> Pr(noise <= x), on arrays.
Law = Callable[[np.ndarray], np.ndarray]

# 40 cells, equally wide on the logit scale: the outermost hold 5e-4, their
# neighbors 2.5e-4 (the least), those in the middle 0.1.
_LEVELS = expit(np.linspace(-8, 8, 41)[1:-1])

# Cells of whole-number noise reach out to where each tail holds at least this much.
_LEAST_TAIL = 4e-4


def sorted_into(edges: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return each draw's cell. One that is not a number goes to the last, a rare one."""
    return np.searchsorted(edges, noise)


def cell_probabilities(edges: np.ndarray, law: Law) -> np.ndarray:
    """Return the probability of each cell when the noise follows `law`.

    A law that stands for k laws at once, of shape (k, edges), gives shape (k, cells).
    """
    levels = law(edges)
    ends = np.zeros((*levels.shape[:-1], 1))
    return np.maximum(np.diff(np.concatenate([ends, levels, ends + 1], axis=-1)), 0.0)


@cache
def laplace_edges() -> np.ndarray:
    """Return the quantiles of the Laplace law of scale 1 at the cells' levels."""
    upper = _LEVELS >= 0.5
    tail = np.where(upper, 1 - _LEVELS, _LEVELS)
    return np.where(upper, -1, 1) * np.log(2 * tail)


@cache
def gaussian_edges() -> np.ndarray:
    """Return the quantiles of the Gaussian law of deviation 1 at the cells' levels."""
    return ndtri(_LEVELS)


def edges_of(law: Law, *, scale: float) -> np.ndarray:
    """Return the quantiles of any continuous law at the cells' levels, by bisection.

    `scale` is its rough size: quantiles are looked for within 1e4 scales of 0. An edge may lie
    anywhere without making the evidence wrong; near the quantiles it has most to say.
    """
    low, high = np.full(len(_LEVELS), -1e4 * scale), np.full(len(_LEVELS), 1e4 * scale)
    for _ in range(40):
        middle = (low + high) / 2
        below = law(middle) < _LEVELS
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.unique(high)


def whole_edges(law: Law) -> np.ndarray:
    """Return edges of one cell for each whole number and two for the tails, for symmetric noise.

    The edges are half-integers, so rounding errors in a law cannot move a whole number.
    """
    reach = 1
    while law(np.array([-(2.0 * reach) - 0.5]))[0] > _LEAST_TAIL:
        reach *= 2
    candidates = np.arange(2 * reach) + 0.5
    last = max(1, int(np.sum(law(-candidates) >= _LEAST_TAIL)))
    return np.arange(-last, last) + 0.5


def laplace(scale: float, center: float = 0.0) -> Law:
    """Laplace noise: density exp(-|x - center| / scale) / (2 * scale)."""

    def law(x):
        distance = np.abs(x - center) / scale
        tail = 0.5 * np.exp(-distance)
        return np.where(x < center, tail, 1 - tail)

    return law


def gaussian(deviation: float, center: float = 0.0) -> Law:
    """Gaussian noise of one standard deviation."""
    return lambda x: ndtr((x - center) / deviation)


def exponential(scale: float, *, sign: int = 1) -> Law:
    """Noise on one side only: exponential, times `sign`."""
    if sign > 0:
        return lambda x: -np.expm1(-np.maximum(x, 0) / scale)
    return lambda x: np.exp(np.minimum(x, 0) / scale)


def uniform(low: float, high: float) -> Law:
    """Noise spread evenly between two numbers."""
    return lambda x: np.clip((x - low) / (high - low), 0, 1)


def point(center: float) -> Law:
    """No noise: always the same number."""
    return lambda x: np.where(x >= center, 1.0, 0.0)


def laplace_sum(scale: float) -> Law:
    """The sum of two independent Laplace draws of one scale."""

    # The density is (1 + |x|) exp(-|x|) / 4 at scale 1; this is its integral.
    def law(x):
        distance = np.abs(x) / scale
        tail = (2 + distance) * np.exp(-distance) / 4
        return np.where(x < 0, tail, 1 - tail)

    return law


def laplace_average(scale: float) -> Law:
    """The mean of two independent Laplace draws of one scale."""
    return laplace_sum(scale / 2)


def clamped(law: Law, low: float) -> Law:
    """Noise whose values below `low` are replaced by `low`."""
    return lambda x: np.where(x < low, 0.0, law(x))


def folded(law: Law, center: float) -> Law:
    """Noise that lands below `center` is mirrored there: what abs() does to an answer."""
    return lambda x: np.where(x < center, 0.0, law(x) - law(2 * center - x))


def rounded_down(law: Law) -> Law:
    """Continuous noise, rounded down to a whole number."""
    return lambda x: law(np.floor(x) + 1)


def rounded_up(law: Law) -> Law:
    """Continuous noise, rounded up to a whole number."""
    return lambda x: law(np.floor(x))


def discrete_laplace(rate: float, center: float = 0.0) -> Law:
    """Whole-number noise k with probability proportional to exp(-rate * |k - center|)."""

    # Pr(k <= -j) = q**j / (1 + q) with q = exp(-rate), for j = 1, 2, ... (a geometric series).
    def law(x):
        below = np.floor(x - center)
        ratio = np.exp(-rate)
        lower = np.exp(-rate * np.maximum(-below, 0)) / (1 + ratio)
        upper = 1 - np.exp(-rate * (np.maximum(below, 0) + 1)) / (1 + ratio)
        return np.where(below < 0, lower, upper)

    return law


def geometric(rate: float, *, first: int = 1, sign: int = 1) -> Law:
    """Noise on one side: geometric from `first` on, ratio exp(-rate), times `sign`."""

    def upward(x):
        return np.where(x < first, 0.0, -np.expm1(-rate * (np.floor(x) - first + 1)))

    if sign > 0:
        return upward
    # Pr(-G <= x) = Pr(G >= -x) = 1 - Pr(G <= ceil(-x) - 1).
    return lambda x: 1 - upward(np.ceil(-x) - 1)


def signed_geometric(rate: float, *, first: int) -> Law:
    """A geometric draw from `first` on, ratio exp(-rate), with a random sign."""

    # Half of the draws go each way; a draw of 0 stays 0 with either sign.
    def law(x):
        return (geometric(rate, first=first)(x) + geometric(rate, first=first, sign=-1)(x)) / 2

    return law
