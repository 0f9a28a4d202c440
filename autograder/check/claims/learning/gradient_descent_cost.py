"""What many rounds of Gaussian noise cost in all, by four ways to account for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.check.claims.learning._reports import short
from autograder.check.claims.learning._training_cost import (
    advanced,
    epsilon_of,
    rdp_range,
    rho_of,
    settled,
    sigma_of,
    table_of,
    total_delta,
)
from autograder.check.door import BadAnswer, as_number
from autograder.check.values import ValueMistake, ValuesClaim
from autograder.check.words import number

__all__ = ["CLAIM"]

_WAYS = ("sequential", "advanced", "rdp", "zcdp")


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four trainings, from 8 rounds to 300."""
    ranges = ((8, 15, 0.2, 0.4), (25, 40, 0.1, 0.2), (80, 120, 0.05, 0.1), (200, 300, 0.5, 0.9))
    return [
        {
            "iterations": int(generator.integers(few, many)),
            "epsilon": round(generator.uniform(low, high), 3),
            "delta": float(f"{10 ** generator.uniform(-8, -5):.2g}"),
        }
        for few, many, low, high in ranges
    ]


def _other(**formulas: Callable[[dict], float]) -> Callable[[dict], np.ndarray]:
    """Return the table with other formulas in some of its places."""
    return lambda p: table_of(p, **{name: formula(p) for name, formula in formulas.items()})


def _by_noise(sigma: Callable[[dict], float]) -> Callable[[dict], np.ndarray]:
    """Return the table when rounds have other noise: it enters the last two ways."""

    def value(p):
        rho = rho_of(p, sigma(p))
        return table_of(
            p, zcdp=epsilon_of(rho, total_delta(p)), rdp=rdp_range(rho, total_delta(p))[1]
        )

    return value


def _classical(p: dict) -> float:
    # Dwork & Roth (2014), theorem A.1.
    return math.sqrt(2 * math.log(1.25 / p["delta"])) / p["epsilon"]


_NOISE = "what is the standard deviation of the noise of one round, for sensitivity 1?"
_ADVANCED = "write the theorem down: which two terms does its epsilon have?"
_DELTA = "the total delta is (iterations + 1) * delta: which part of it does each way use?"
_ZCDP = "epsilon = rho + 2 sqrt(rho ln(1 / delta)): which rho, and which delta?"

_MISTAKES = (
    ValueMistake(
        "one round is counted, not all",
        _other(sequential=lambda p: p["epsilon"], sequential_delta=lambda p: p["delta"]),
        "what do several releases about the same people cost together?",
    ),
    ValueMistake(
        "sequential: the deltas are not added up",
        _other(sequential_delta=lambda p: p["delta"]),
        "epsilons add up. And the deltas?",
    ),
    ValueMistake(
        "sequential: a delta too many is paid",
        _other(sequential_delta=total_delta),
        "which theorem needs one delta more, and which does not?",
    ),
    ValueMistake(
        "sequential: a round too many is paid",
        _other(
            sequential=lambda p: (p["iterations"] + 1) * p["epsilon"], sequential_delta=total_delta
        ),
        "how many rounds are there?",
    ),
    ValueMistake(
        "advanced: the second term is missing",
        _other(
            advanced=lambda p: (
                advanced(p) - p["iterations"] * p["epsilon"] * math.expm1(p["epsilon"])
            )
        ),
        _ADVANCED,
    ),
    ValueMistake(
        "advanced: 2 epsilon sqrt(2 k ln(1 / delta)) is no bound in general",
        _other(
            advanced=lambda p: (
                2 * p["epsilon"] * math.sqrt(2 * p["iterations"] * math.log(1 / p["delta"]))
            )
        ),
        _ADVANCED,
    ),
    ValueMistake(
        "advanced: exp(epsilon) - 1 has become epsilon",
        _other(
            advanced=lambda p: (
                advanced(p)
                - p["iterations"] * p["epsilon"] * (math.expm1(p["epsilon"]) - p["epsilon"])
            )
        ),
        _ADVANCED,
    ),
    ValueMistake(
        "advanced: the delta of the theorem is not added",
        _other(advanced_delta=lambda p: p["iterations"] * p["delta"]),
        _DELTA,
    ),
    ValueMistake(
        "advanced: the theorem is given the total delta",
        _other(
            advanced=lambda p: (
                p["epsilon"] * math.sqrt(2 * p["iterations"] * math.log(1 / total_delta(p)))
                + p["iterations"] * p["epsilon"] * math.expm1(p["epsilon"])
            )
        ),
        _DELTA,
    ),
    ValueMistake("the noise is that of the classical formula", _by_noise(_classical), _NOISE),
    ValueMistake(
        "the noise is taken for that of Laplace: 1 / epsilon",
        _by_noise(lambda p: 1 / p["epsilon"]),
        _NOISE,
    ),
    ValueMistake(
        "rho lacks the factor 1/2",
        _by_noise(lambda p: sigma_of(p["epsilon"], p["delta"]) / math.sqrt(2)),
        "rho = sensitivity^2 / (2 sigma^2): is everything there?",
    ),
    ValueMistake(
        "sigma is not squared in rho",
        _by_noise(lambda p: math.sqrt(sigma_of(p["epsilon"], p["delta"]))),
        "rho = sensitivity^2 / (2 sigma^2): is everything there?",
    ),
    ValueMistake(
        "one round's rho is used for all",
        _by_noise(lambda p: math.sqrt(p["iterations"]) * sigma_of(p["epsilon"], p["delta"])),
        "rhos add up: over how many rounds?",
    ),
    ValueMistake(
        "zcdp: converted with one round's delta, not the total",
        _other(zcdp=lambda p: epsilon_of(rho_of(p), p["delta"])),
        _ZCDP,
    ),
    ValueMistake(
        "rdp and zcdp: converted with one round's delta, not the total",
        _other(
            zcdp=lambda p: epsilon_of(rho_of(p), p["delta"]),
            rdp=lambda p: epsilon_of(rho_of(p), p["delta"]),
        ),
        _ZCDP,
    ),
    ValueMistake(
        "zcdp: each round is converted, then epsilons are added up",
        _other(
            zcdp=lambda p: p["iterations"] * epsilon_of(rho_of(p) / p["iterations"], p["delta"])
        ),
        "first add up, then convert: what do you add up?",
    ),
    ValueMistake(
        "zcdp: the 2 before the root is missing",
        _other(zcdp=lambda p: rho_of(p) + math.sqrt(rho_of(p) * math.log(1 / total_delta(p)))),
        _ZCDP,
    ),
    ValueMistake(
        "zcdp: rho is left out beside the root",
        _other(zcdp=lambda p: epsilon_of(rho_of(p), total_delta(p)) - rho_of(p)),
        _ZCDP,
    ),
    ValueMistake(
        "zcdp: the total delta is that of the rounds alone",
        _other(
            zcdp=lambda p: epsilon_of(rho_of(p), p["iterations"] * p["delta"]),
            zcdp_delta=lambda p: p["iterations"] * p["delta"],
        ),
        _DELTA,
    ),
)


def _read(answer: Any, p: dict) -> np.ndarray:
    """Return epsilon and delta of the four ways; an "rdp" that is allowed becomes the reference."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not isinstance(answer, Mapping) or set(answer) != set(_WAYS):
        raise BadAnswer(
            "a dict with four entries is wanted",
            seen=f"it returned {short(list(answer) if isinstance(answer, Mapping) else answer)}",
            ask=f"which keys does the docstring name: {', '.join(_WAYS)}?",
        )
    pairs = [each for way in _WAYS for each in _pair(way, answer[way])]
    return settled(np.array(pairs), p)


def _pair(way: str, guarantee: Any) -> tuple[float, float]:
    """Return (epsilon, delta) of an ApproximateDP, or of a pair of numbers."""
    if hasattr(guarantee, "epsilon") and hasattr(guarantee, "delta"):
        return as_number(guarantee.epsilon), as_number(guarantee.delta)
    if isinstance(guarantee, tuple | list) and len(guarantee) == 2:
        return as_number(guarantee[0]), as_number(guarantee[1])
    raise BadAnswer(
        f"the entry {way!r} is not an ApproximateDP",
        seen=f"it is {short(guarantee)}",
        ask="which epsilon, and with which delta? `to_approximate(delta=...)` gives both.",
    )


def _show(wanted: np.ndarray, came: np.ndarray, p: dict) -> str:
    """Return the first entry that is wrong, by its name."""
    place = int(np.flatnonzero(~np.isclose(came, wanted, rtol=1e-6, atol=0))[0])
    what = "delta" if place % 2 else "epsilon"
    should = number(wanted[place])
    if place == 4:
        low, high = rdp_range(rho_of(p), total_delta(p))
        should = f"between {low:.4g} and {high:.4g} (the best of many orders)"
    return f"the {what} of {_WAYS[place // 2]!r} should be {should}, yours is {number(came[place])}"


CLAIM = ValuesClaim(
    name="gradient_descent_cost",
    about=(
        "Check `gradient_descent_cost(*, iterations, epsilon, delta)`: a dict with the total cost\n"
        "of all rounds by sequential and advanced composition, by RDP and by zCDP."
    ),
    established="four right ways to account for the same noise",
    cases=_cases,
    arguments=lambda p: ((), dict(p)),
    expected=table_of,
    mistakes=_MISTAKES,
    read=_read,
    show=_show,
    situation=lambda p: (
        f"iterations {p['iterations']}, epsilon {p['epsilon']}, delta {p['delta']:g}"
    ),
)
