"""The order of a Rényi curve at which its conversion to (epsilon, delta) is smallest."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

# The two smallest epsilons of a curve must differ by this share, far above rounding errors.
_CLEARLY = 1e-6


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return curves at which every mistake finds orders of its own; most draws do."""
    while True:
        cases = _drawn(generator)
        found = {tuple(each.value(p) for p in cases) for each in _MISTAKES}
        if len(found) == len(_MISTAKES):
            return cases


def _drawn(generator: np.random.Generator) -> list[dict]:
    """Return twelve curves: four of Gaussian releases, eight with nearly one epsilon everywhere.

    On the latter a slightly different conversion finds another order.
    """
    slopes = ((0.01, 0.03), (0.05, 0.15), (0.3, 0.9), (1.5, 3.0))
    waves = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.2, 2.0)
    straight = [
        _case(generator, lambda orders, _, s=s: generator.uniform(*s) * orders) for s in slopes
    ]
    return straight + [
        _case(generator, lambda *given, wave=wave: _wavy(generator, wave, *given)) for wave in waves
    ]


def _wavy(
    generator: np.random.Generator, wave: float, orders: np.ndarray, log: float
) -> np.ndarray:
    """Return a curve whose epsilons differ by about `wave` only, whatever the order."""
    shares = log / (orders - 1)
    epsilons = shares[0] + generator.uniform(0.1, 1) + generator.uniform(0, wave, len(orders))
    # Every Rényi curve increases with the order.
    return np.maximum.accumulate(epsilons - shares)


def _case(generator: np.random.Generator, curve: Callable) -> dict:
    """Return one case, drawn again until its best order is clear."""
    while True:
        orders = np.unique(np.round(np.exp(generator.uniform(math.log(1.5), 4.5, 9)), 1))
        delta = float(f"{10 ** generator.uniform(-8, -2):.2g}")
        case = {
            "orders": orders.tolist(),
            "epsilon_bars": curve(orders, -math.log(delta)).round(4).tolist(),
            "delta": delta,
        }
        two = np.partition(_epsilons(case), 1)[:2]
        if two[1] > (1 + _CLEARLY) * two[0]:
            return case


def _arguments(p: dict) -> tuple[tuple, dict]:
    return (np.array(p["orders"]), np.array(p["epsilon_bars"])), {"delta": p["delta"]}


def _epsilons(p: dict) -> np.ndarray:
    # Mironov (2017), proposition 3, at each order.
    orders, curve = np.array(p["orders"]), np.array(p["epsilon_bars"])
    return curve + math.log(1 / p["delta"]) / (orders - 1)


def _order_at(values: Callable[[dict, np.ndarray, np.ndarray], np.ndarray]) -> Callable:
    """Return the order at which other values than the right ones are smallest."""

    def value(p: dict) -> float:
        orders, curve = np.array(p["orders"]), np.array(p["epsilon_bars"])
        return float(orders[np.argmin(values(p, orders, curve))])

    return value


def _expected(p: dict) -> float:
    return float(p["orders"][int(np.argmin(_epsilons(p)))])


_BOTH = "epsilon at one order is the sum of two parts: which of them falls with the order?"
_WHAT = "what does the docstring say the function returns?"

_MISTAKES = (
    ValueMistake("the smallest epsilon is returned", lambda p: float(_epsilons(p).min()), _WHAT),
    ValueMistake("the place is returned", lambda p: float(np.argmin(_epsilons(p))), _WHAT),
    ValueMistake(
        "epsilon_bar at the best order is returned",
        lambda p: p["epsilon_bars"][int(np.argmin(_epsilons(p)))],
        _WHAT,
    ),
    ValueMistake("the smallest order is returned", lambda p: p["orders"][0], _BOTH),
    ValueMistake("the largest order is returned", lambda p: p["orders"][-1], _BOTH),
    ValueMistake(
        "the largest epsilon is sought",
        lambda p: p["orders"][int(np.argmax(_epsilons(p)))],
        "is a large epsilon good news or bad news?",
    ),
    ValueMistake(
        "order divides, not order - 1",
        _order_at(lambda p, orders, curve: curve - math.log(p["delta"]) / orders),
        "which number divides ln(1/delta) in the conversion?",
    ),
    ValueMistake(
        "the logarithm has base 10",
        _order_at(lambda p, orders, curve: curve - math.log10(p["delta"]) / (orders - 1)),
        "which logarithm undoes exp?",
    ),
    ValueMistake(
        "delta is ignored",
        _order_at(lambda p, orders, curve: curve + 1 / (orders - 1)),
        "a smaller delta: does a larger order get better or worse?",
    ),
    ValueMistake(
        "epsilon_bar is multiplied by the order",
        _order_at(lambda p, orders, curve: orders * curve - math.log(p["delta"]) / (orders - 1)),
        "is epsilon_bar given at its order, or per unit of order?",
    ),
    ValueMistake(
        "a sharper conversion is used than the one asked for",
        _order_at(
            # Canonne, Kamath & Steinke (2020), proposition 12.
            lambda p, orders, curve: (
                curve + np.log1p(-1 / orders) - np.log(p["delta"] * orders) / (orders - 1)
            )
        ),
        "that is valid and better, but the docstring names another formula: which?",
    ),
)


def _in_words(p: dict) -> str:
    orders, curve = (
        ", ".join(f"{each:g}" for each in p[key]) for key in ("orders", "epsilon_bars")
    )
    return f"orders [{orders}], epsilon_bars [{curve}], delta {p['delta']:g}"


CLAIM = ValuesClaim(
    name="best_order",
    about=(
        "Check `best_order(orders, epsilon_bars, *, delta)`: the order at which `rdp_to_dp`, so\n"
        "epsilon_bar + ln(1/delta) / (order - 1), is smallest."
    ),
    established="the order with the smallest epsilon",
    cases=_cases,
    arguments=_arguments,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=_in_words,
)
