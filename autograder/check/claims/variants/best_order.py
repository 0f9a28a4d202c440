"""The order of a Rényi curve at which its conversion to (epsilon, delta) is smallest."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]

# The two smallest epsilons of a curve must differ by this share, far above rounding errors.
CLEARLY = 1e-6


def best_order(orders, epsilon_bars, *, delta):
    """The order at which `rdp_to_dp`, so epsilon_bar + ln(1/delta) / (order - 1), is smallest."""
    return orders[np.argmin(converted(orders, epsilon_bars, delta))]


def converted(orders, epsilon_bars, delta):
    # Mironov (2017), proposition 3, at each order.
    return epsilon_bars + math.log(1 / delta) / (orders - 1)


CLAIM = FunctionClaim(best_order, established="the order with the smallest epsilon")


@CLAIM.inputs
def twelve(rng):
    """Curves at which every mistake finds orders of its own; most draws do."""
    while True:
        cases = list(drawn(rng))
        found = {
            tuple(float(mistake.function(**given)) for given in cases) for mistake in CLAIM.mistakes
        }
        if len(found) == len(CLAIM.mistakes):
            return cases


def drawn(rng):
    """Four curves of Gaussian releases, eight with nearly one epsilon everywhere.

    On the latter a slightly different conversion finds another order.
    """
    for slopes in ((0.01, 0.03), (0.05, 0.15), (0.3, 0.9), (1.5, 3.0)):
        yield clear_case(rng, lambda orders, log, slopes=slopes: rng.uniform(*slopes) * orders)
    for wave in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.2, 2.0):
        yield clear_case(rng, lambda orders, log, wave=wave: wavy(rng, wave, orders, log))


def wavy(rng: np.random.Generator, wave: float, orders: np.ndarray, log: float) -> np.ndarray:
    """Return a curve whose epsilons differ by about `wave` only, whatever the order."""
    shares = log / (orders - 1)
    epsilons = shares[0] + rng.uniform(0.1, 1) + rng.uniform(0, wave, len(orders))
    # Every Rényi curve increases with the order.
    return np.maximum.accumulate(epsilons - shares)


def clear_case(rng: np.random.Generator, curve: Callable) -> dict:
    """Return one input, drawn again until its best order is clear."""
    while True:
        orders = np.unique(np.round(np.exp(rng.uniform(math.log(1.5), 4.5, 9)), 1))
        delta = float(f"{10 ** rng.uniform(-8, -2):.2g}")
        epsilon_bars = curve(orders, -math.log(delta)).round(4)
        two = np.partition(converted(orders, epsilon_bars, delta), 1)[:2]
        if two[1] > (1 + CLEARLY) * two[0]:
            return {"orders": orders, "epsilon_bars": epsilon_bars, "delta": delta}


def order_at(values):
    """Return the order at which other values than the right ones are smallest."""
    return lambda orders, epsilon_bars, delta: orders[
        np.argmin(values(orders, epsilon_bars, delta))
    ]


BOTH = "epsilon at one order is the sum of two parts: which of them falls with the order?"
WHAT = "what does the docstring say the function returns?"

CLAIM.mistake(
    "the smallest epsilon is returned",
    WHAT,
    lambda orders, epsilon_bars, delta: converted(orders, epsilon_bars, delta).min(),
)
CLAIM.mistake(
    "the place is returned",
    WHAT,
    lambda orders, epsilon_bars, delta: np.argmin(converted(orders, epsilon_bars, delta)),
)
CLAIM.mistake(
    "epsilon_bar at the best order is returned",
    WHAT,
    lambda orders, epsilon_bars, delta: epsilon_bars[
        np.argmin(converted(orders, epsilon_bars, delta))
    ],
)
CLAIM.mistake(
    "the smallest order is returned", BOTH, lambda orders, epsilon_bars, delta: orders.min()
)
CLAIM.mistake(
    "the largest order is returned", BOTH, lambda orders, epsilon_bars, delta: orders.max()
)
CLAIM.mistake(
    "the largest epsilon is sought",
    "is a large epsilon good news or bad news?",
    order_at(lambda *given: -converted(*given)),
)
CLAIM.mistake(
    "order divides, not order - 1",
    "which number divides ln(1/delta) in the conversion?",
    order_at(lambda orders, curve, delta: curve - math.log(delta) / orders),
)
CLAIM.mistake(
    "the logarithm has base 10",
    "which logarithm undoes exp?",
    order_at(lambda orders, curve, delta: curve - math.log10(delta) / (orders - 1)),
)
CLAIM.mistake(
    "delta is ignored",
    "a smaller delta: does a larger order get better or worse?",
    order_at(lambda orders, curve, delta: curve + 1 / (orders - 1)),
)
CLAIM.mistake(
    "epsilon_bar is multiplied by the order",
    "is epsilon_bar given at its order, or per unit of order?",
    order_at(lambda orders, curve, delta: orders * curve - math.log(delta) / (orders - 1)),
)
CLAIM.mistake(
    "a sharper conversion is used than the one asked for",
    "that is valid and better, but the docstring names another formula: which?",
    # Canonne, Kamath & Steinke (2020), proposition 12.
    order_at(
        lambda orders, curve, delta: (
            curve + np.log1p(-1 / orders) - np.log(delta * orders) / (orders - 1)
        )
    ),
)
