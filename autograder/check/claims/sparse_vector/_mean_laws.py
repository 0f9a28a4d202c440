"""Laws of the automatic mean: a noisy sum over a noisy count, both for a noisy bound."""

import numpy as np

from autograder.check.claims.selection._noise import Noise, stop_law
from ville.distributions import Distribution as Law
from ville.distributions import laplace


def _bound_law(p: dict, epsilon: float) -> np.ndarray:
    """Return how likely each candidate is chosen (Dwork & Roth 2014, algorithm 1)."""
    exceeding = (np.array(p["values"]) > np.array(p["candidates"])[:, None]).sum(axis=1)
    law = stop_law(tuple((-exceeding * epsilon).tolist()), Noise(2.0), Noise(4.0))
    return np.append(law[:-2], law[-2:].sum())


def clipped_sums(p: dict) -> np.ndarray:
    """Return the sum of the values, clipped to each candidate."""
    return np.minimum(np.array(p["values"]), np.array(p["candidates"])[:, None]).sum(axis=1)


def _difference(x: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return Pr(X - Y <= x) for Laplace X and Y of two different scales."""
    # The density is the convolution of two Laplace densities; this is its integral, exact unless
    # the scales nearly agree: here `other` is at most nine tenths of `one`.
    distance = np.abs(x)
    larger, smaller = one**2 / (one**2 - other**2), other**2 / (one**2 - other**2)
    exponent = np.where(other > 0, -distance / np.where(other > 0, other, 1.0), -np.inf)
    tail = (larger * np.exp(-distance / one) - smaller * np.exp(exponent)) / 2
    return np.where(x < 0, tail, 1 - tail)


def mean_law(
    p: dict, *, shares=(1 / 3, 1 / 3, 1 / 3), sums=None, numbers=None, chosen=None, unit=None
) -> Law:
    """Return the law of the noisy mean, as a distribution function.

    Args:
      p: a setting.
      shares: of epsilon for the bound, the sum and the count; infinity for no noise.
      sums: the exact sum for each bound; the clipped ones by default.
      numbers: how many values are counted for each bound; all by default.
      chosen: the probability of each bound; that of above threshold by default.
      unit: the sensitivity of the sum for each bound; the bound by default.
    """
    epsilon, number = p["epsilon"], len(p["values"]) if numbers is None else numbers
    sums = clipped_sums(p) if sums is None else sums
    chosen = _bound_law(p, shares[0] * epsilon) if chosen is None else chosen
    scales = np.array(p["candidates"] if unit is None else unit) / (shares[1] * epsilon)
    count_scale = 1 / (shares[2] * epsilon)

    def law(x: np.ndarray) -> np.ndarray:
        # sum + X <= x * (count + Y) is X - x * Y <= x * count - sum.
        x = np.asarray(x, dtype=float)[..., None]
        below = _difference(x * number - sums, scales, np.abs(x) * count_scale)
        return below @ chosen

    return law


def one_draw_law(p: dict) -> Law:
    """Return the law if one draw of noise serves the sum and the count, with a third of epsilon."""
    number, bounds = len(p["values"]), np.array(p["candidates"])
    sums, chosen = clipped_sums(p), _bound_law(p, p["epsilon"] / 3)
    noise = laplace(3 / p["epsilon"])

    def law(x: np.ndarray) -> np.ndarray:
        # sum + b * Z <= x * (count + Z) is Z * (b - x) <= x * count - sum; x may be b or more.
        x = np.asarray(x, dtype=float)[..., None]
        room = np.maximum(bounds - x, 1e-9 * bounds)
        return noise((x * number - sums) / room) @ chosen

    return law
