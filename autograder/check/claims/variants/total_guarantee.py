"""An accountant: the epsilon of releases of several kinds, by one Rényi curve for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_ORDERS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)

# The curve of one release, from its order and amount.
Curve = Callable[[float, float], float]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return nine lists: of one kind, of all kinds, with releases that repeat."""
    kinds = (
        "g",
        "gg",
        "l" * 6,
        "r" * 8,
        "gl",
        "glr",
        "llrg" * 3,
        "g" * 20,
        "r" * 12 + "l" * 12 + "g" * 12,
    )
    return [_case(generator, each) for each in kinds]


def _case(generator: np.random.Generator, kinds: str) -> dict:
    """Return one list. Many releases are small each, so that the best order lies in between."""
    draw = {
        "g": lambda: ("gaussian", round(generator.uniform(1.5, 3) * math.sqrt(len(kinds)), 1)),
        "l": lambda: ("laplace", round(generator.uniform(0.4, 0.9) / math.sqrt(len(kinds)), 2)),
        "r": lambda: (
            "randomized_response",
            round(generator.uniform(0.4, 0.9) / math.sqrt(len(kinds)), 2),
        ),
    }
    releases = [draw[kind]() for kind in kinds]
    if kinds == "gg":
        releases[1] = releases[0]
    return {"releases": releases, "delta": float(f"{10 ** generator.uniform(-7, -3):.2g}")}


def _arguments(p: dict) -> tuple[tuple, dict]:
    return (list(p["releases"]),), {"orders": _ORDERS, "delta": p["delta"]}


def _gaussian(order: float, ratio: float) -> float:
    # Mironov (2017), corollary 3, with ratio = sigma / sensitivity.
    return order / (2 * ratio**2)


def _laplace(order: float, epsilon: float) -> float:
    # Mironov (2017), proposition 6, with scale / sensitivity = 1 / epsilon.
    share = order / (2 * order - 1)
    moment = share * math.exp((order - 1) * epsilon) + (1 - share) * math.exp(-order * epsilon)
    return math.log(moment) / (order - 1)


def _randomized_response(order: float, epsilon: float) -> float:
    # Mironov (2017), definition 3, on two outcomes: truth with probability e^eps / (1 + e^eps).
    truth = 1 / (1 + math.exp(-epsilon))
    moment = truth**order * (1 - truth) ** (1 - order) + (1 - truth) ** order * truth ** (1 - order)
    return math.log(moment) / (order - 1)


_CURVES = {
    "gaussian": _gaussian,
    "laplace": _laplace,
    "randomized_response": _randomized_response,
}


def _curve(p: dict, releases: Sequence | None = None, **other: Curve) -> np.ndarray:
    """Return the added curve at the orders; `other` replaces the curve of a kind."""
    curves = {**_CURVES, **other}
    chosen = p["releases"] if releases is None else releases
    return np.array(
        [math.fsum(curves[kind](order, amount) for kind, amount in chosen) for order in _ORDERS]
    )


def _converted(p: dict, curve: np.ndarray) -> np.ndarray:
    # Mironov (2017), proposition 3, at each order.
    return curve + math.log(1 / p["delta"]) / (np.array(_ORDERS) - 1)


def _total(p: dict, releases: Sequence | None = None, **other: Curve) -> float:
    return float(_converted(p, _curve(p, releases, **other)).min())


def _one_by_one(p: dict, delta_share: bool) -> float:
    """Return the sum of the epsilons when each release is converted on its own."""
    count = len(p["releases"]) if delta_share else 1
    alone = {**p, "delta": p["delta"] / count}
    return math.fsum(_total(alone, [release]) for release in p["releases"])


def _sequential(p: dict) -> float:
    """Return the sum of pure epsilons; a Gaussian release is converted on its own."""
    return math.fsum(
        _total(p, [release]) if release[0] == "gaussian" else release[1]
        for release in p["releases"]
    )


def _sharper(p: dict) -> float:
    orders = np.array(_ORDERS)
    # Canonne, Kamath & Steinke (2020), proposition 12.
    shift = np.log1p(-1 / orders) - np.log(orders) / (orders - 1)
    return float((_converted(p, _curve(p)) + shift).min())


_CONVERT = "what is added up, curves or epsilons? And when is delta paid?"
_KIND = "which curve has this kind of release, by the table of the exercise?"

_MISTAKES = (
    ValueMistake(
        "each release is converted on its own, with the whole delta",
        lambda p: _one_by_one(p, delta_share=False),
        _CONVERT + " What do the deltas add up to?",
    ),
    ValueMistake(
        "each release is converted on its own, with its part of delta",
        lambda p: _one_by_one(p, delta_share=True),
        "that is valid, but it costs more than it must. " + _CONVERT,
    ),
    ValueMistake("pure epsilons are added up", _sequential, _CONVERT),
    ValueMistake(
        "releases that are equal are counted once",
        lambda p: _total(p, sorted(set(p["releases"]))),
        "two equal releases cost twice: which line loses one of them?",
    ),
    ValueMistake(
        "only the first release is counted",
        lambda p: _total(p, p["releases"][:1]),
        "where does your loop return?",
    ),
    ValueMistake(
        "only the last release is counted",
        lambda p: _total(p, p["releases"][-1:]),
        "is the curve added up, or written over?",
    ),
    ValueMistake(
        "the conversion is missing",
        lambda p: float(_curve(p).min()),
        "which term do you add to get from a Rényi divergence to (epsilon, delta)?",
    ),
    ValueMistake(
        "the first order is used, where epsilon is largest",
        lambda p: float(_converted(p, _curve(p))[0]),
        "each order gives a valid epsilon: which one do you promise?",
    ),
    ValueMistake(
        "the last order is used",
        lambda p: float(_converted(p, _curve(p))[-1]),
        "each order gives a valid epsilon: which one do you promise?",
    ),
    ValueMistake(
        "a sharper conversion is used than the one asked for",
        _sharper,
        "that is valid and better, but the docstring names another formula: which?",
    ),
    ValueMistake(
        "the ratio sigma / sensitivity of a Gaussian release is not squared",
        lambda p: _total(p, gaussian=lambda order, ratio: order / (2 * ratio)),
        _KIND,
    ),
    ValueMistake(
        "the ratio sigma / sensitivity is taken upside down",
        lambda p: _total(p, gaussian=lambda order, ratio: order * ratio**2 / 2),
        _KIND,
    ),
    ValueMistake(
        "the 2 of the Gaussian curve is missing",
        lambda p: _total(p, gaussian=lambda order, ratio: order / ratio**2),
        _KIND,
    ),
    ValueMistake(
        "a Laplace release counts as its epsilon at every order",
        lambda p: _total(p, laplace=lambda order, epsilon: epsilon),
        _KIND,
    ),
    ValueMistake(
        "a Laplace release counts as epsilon^2 / 2 times the order",
        lambda p: _total(p, laplace=lambda order, epsilon: order * epsilon**2 / 2),
        "that holds for every pure release; " + _KIND,
    ),
    ValueMistake(
        "randomized response counts as its epsilon at every order",
        lambda p: _total(p, randomized_response=lambda order, epsilon: epsilon),
        _KIND,
    ),
    ValueMistake(
        "randomized response counts as epsilon^2 / 2 times the order",
        lambda p: _total(p, randomized_response=lambda order, epsilon: order * epsilon**2 / 2),
        "that holds for every pure release; " + _KIND,
    ),
    ValueMistake(
        "every pure release counts as epsilon^2 / 2 times the order",
        lambda p: _total(
            p,
            laplace=lambda order, epsilon: order * epsilon**2 / 2,
            randomized_response=lambda order, epsilon: order * epsilon**2 / 2,
        ),
        "that holds for every pure release; " + _KIND,
    ),
    ValueMistake(
        "every pure release counts as its epsilon at every order",
        lambda p: _total(
            p,
            laplace=lambda order, epsilon: epsilon,
            randomized_response=lambda order, epsilon: epsilon,
        ),
        _KIND,
    ),
    ValueMistake(
        "randomized response has the curve of a Laplace release",
        lambda p: _total(p, randomized_response=_laplace),
        _KIND,
    ),
    ValueMistake(
        "a Laplace release has the curve of randomized response",
        lambda p: _total(p, laplace=_randomized_response),
        _KIND,
    ),
)


def _in_words(p: dict) -> str:
    shown = ", ".join(f"({kind}, {amount:g})" for kind, amount in p["releases"][:4])
    more = len(p["releases"]) - 4
    return f"{shown}{f' and {more} more' if more > 0 else ''}, delta {p['delta']:g}"


CLAIM = ValuesClaim(
    name="total_guarantee",
    about=(
        "Check `total_guarantee(releases, *, orders, delta)`: the epsilon of all releases.\n\n"
        'Each release is ("gaussian", sigma / sensitivity), ("laplace", epsilon) or\n'
        '("randomized_response", epsilon). Their Rényi curves are added up at the orders and\n'
        "converted once (Mironov 2017, proposition 3); the smallest epsilon is returned."
    ),
    established="curves added up, converted once, at the best of the orders",
    cases=_cases,
    arguments=_arguments,
    expected=_total,
    mistakes=_MISTAKES,
    situation=_in_words,
)
