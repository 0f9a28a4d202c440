"""What many rounds of Gaussian noise cost, worked out here without dplib: a table of four ways."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import log_ndtr, ndtr

__all__ = [
    "advanced",
    "epsilon_of",
    "rdp_range",
    "rho_of",
    "settled",
    "sigma_of",
    "table_of",
    "total_delta",
]

# Orders that a student may have tried; the best of either list must be reached.
_ORDERS = (
    (1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512),
    tuple(range(2, 65)),
)


@lru_cache(maxsize=64)
def sigma_of(epsilon: float, delta: float) -> float:
    """Return the smallest deviation of Gaussian noise for sensitivity 1, by bisection."""

    # Balle & Wang (2018), theorem 8.
    def excess(log_sigma: float) -> float:
        sigma = math.exp(log_sigma)
        near, far = 0.5 / sigma - epsilon * sigma, -0.5 / sigma - epsilon * sigma
        return float(ndtr(near) - math.exp(epsilon + float(log_ndtr(far)))) - delta

    return math.exp(brentq(excess, math.log(1e-2), math.log(1e5), xtol=1e-14, rtol=1e-14))


def rho_of(p: dict, sigma: float | None = None) -> float:
    """Return the rho of all rounds. Bun & Steinke (2016), proposition 1.6 and lemma 1.7."""
    sigma = sigma_of(p["epsilon"], p["delta"]) if sigma is None else sigma
    return p["iterations"] / (2 * sigma**2)


def epsilon_of(rho: float, delta: float) -> float:
    # Bun & Steinke (2016), proposition 1.3.
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def total_delta(p: dict) -> float:
    return (p["iterations"] + 1) * p["delta"]


def rdp_range(rho: float, delta: float) -> tuple[float, float]:
    """Return the smallest epsilon that a Rényi curve rho * order gives, and the largest accepted.

    The smallest uses the sharper conversion at the best order of all; the largest the plain one at
    the best order of a coarse list.
    """

    # Canonne, Kamath & Steinke (2020), proposition 12.
    def sharp(log_order: float) -> float:
        order = 1 + math.exp(log_order)
        gained = math.log1p(-1 / order) - (math.log(delta) + math.log(order)) / (order - 1)
        return rho * order + gained

    best = minimize_scalar(sharp, bounds=(-6, 9), method="bounded", options={"xatol": 1e-10})

    # Mironov (2017), proposition 3.
    def plain(order: float) -> float:
        return rho * order + math.log(1 / delta) / (order - 1)

    return float(best.fun), max(min(map(plain, orders)) for orders in _ORDERS)


def advanced(p: dict) -> float:
    # Dwork & Roth (2014), theorem 3.20.
    first = p["epsilon"] * math.sqrt(2 * p["iterations"] * math.log(1 / p["delta"]))
    return first + p["iterations"] * p["epsilon"] * math.expm1(p["epsilon"])


def table_of(p: dict, **other: float) -> np.ndarray:
    """Return epsilon and delta of the four ways, in order, but for those that are given."""
    total = total_delta(p)
    right = {
        "sequential": p["iterations"] * p["epsilon"],
        "sequential_delta": p["iterations"] * p["delta"],
        "advanced": advanced(p),
        "advanced_delta": total,
        "rdp": rdp_range(rho_of(p), total)[1],
        "rdp_delta": total,
        "zcdp": epsilon_of(rho_of(p), total),
        "zcdp_delta": total,
    }
    return settled(np.array(list((right | other).values())), p)


def settled(table: np.ndarray, p: dict) -> np.ndarray:
    """Return the table with one epsilon for "rdp" in place of all that some list of orders gives.

    Whoever is wrong about rho is wrong in the last two ways alike: so where "rdp" does not fit the
    right rho, it may fit the one that "zcdp" stands for.
    """
    surprise = math.log(1 / min(table[7], 0.999))
    # The rho that `epsilon_of` makes the epsilon of "zcdp" from.
    own = (math.sqrt(surprise + max(table[6], 0)) - math.sqrt(surprise)) ** 2
    for rho in (rho_of(p), own):
        low, high = rdp_range(rho, total_delta(p))
        if low * (1 - 1e-7) <= table[4] <= high * (1 + 1e-7):
            table[4] = high
            break
    return table
