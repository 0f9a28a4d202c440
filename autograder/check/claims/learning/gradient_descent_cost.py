"""What many rounds of Gaussian noise cost in all, by four ways to account for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
from autograder.check.function_claim import FunctionClaim
from autograder.check.words import number

__all__ = ["CLAIM"]

WAYS = ("sequential", "advanced", "rdp", "zcdp")


def gradient_descent_cost(*, iterations, epsilon, delta):
    """A dict with the total cost of all rounds by sequential and advanced composition, by RDP and
    by zCDP.
    """
    return other()(iterations=iterations, epsilon=epsilon, delta=delta)


def other(**formulas):
    """Return an answer with other formulas in some of its places; each takes what is given."""

    def answer(**given):
        table = table_of(given, **{name: formula(given) for name, formula in formulas.items()})
        return dict(zip(WAYS, table.reshape(-1, 2).tolist(), strict=True))

    return answer


def read(answer: Any, given: dict) -> np.ndarray:
    """Return epsilon and delta of the four ways; an "rdp" that is allowed becomes the reference."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not isinstance(answer, Mapping) or set(answer) != set(WAYS):
        raise BadAnswer(
            "a dict with four entries is wanted",
            seen=f"it returned {short(list(answer) if isinstance(answer, Mapping) else answer)}",
            ask=f"which keys does the docstring name: {', '.join(WAYS)}?",
        )
    pairs = [each for way in WAYS for each in pair(way, answer[way])]
    return settled(np.array(pairs), given)


def pair(way: str, guarantee: Any) -> tuple[float, float]:
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


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return the first entry that is wrong, by its name."""
    place = int(np.flatnonzero(~np.isclose(came, wanted, rtol=1e-6, atol=0))[0])
    what = "delta" if place % 2 else "epsilon"
    should = number(wanted[place])
    if place == 4:
        low, high = rdp_range(rho_of(given), total_delta(given))
        should = f"between {low:.4g} and {high:.4g} (the best of many orders)"
    return f"the {what} of {WAYS[place // 2]!r} should be {should}, yours is {number(came[place])}"


CLAIM = FunctionClaim(
    gradient_descent_cost,
    established="four right ways to account for the same noise",
    read=read,
    show=show,
)


@CLAIM.inputs
def four(rng):
    """Trainings from 8 rounds to 300."""
    for few, many, low, high in (
        (8, 15, 0.2, 0.4),
        (25, 40, 0.1, 0.2),
        (80, 120, 0.05, 0.1),
        (200, 300, 0.5, 0.9),
    ):
        yield {
            "iterations": int(rng.integers(few, many)),
            "epsilon": round(rng.uniform(low, high), 3),
            "delta": float(f"{10 ** rng.uniform(-8, -5):.2g}"),
        }


def by_noise(sigma):
    """Return an answer for rounds with other noise: it enters the last two ways."""
    return other(
        zcdp=lambda p: epsilon_of(rho_of(p, sigma(p)), total_delta(p)),
        rdp=lambda p: rdp_range(rho_of(p, sigma(p)), total_delta(p))[1],
    )


def classical(p):
    # Dwork & Roth (2014), theorem A.1.
    return math.sqrt(2 * math.log(1.25 / p["delta"])) / p["epsilon"]


NOISE = "what is the standard deviation of the noise of one round, for sensitivity 1?"
ADVANCED = "write the theorem down: which two terms does its epsilon have?"
DELTA = "the total delta is (iterations + 1) * delta: which part of it does each way use?"
ZCDP = "epsilon = rho + 2 sqrt(rho ln(1 / delta)): which rho, and which delta?"

CLAIM.mistake(
    "one round is counted, not all",
    "what do several releases about the same people cost together?",
    other(sequential=lambda p: p["epsilon"], sequential_delta=lambda p: p["delta"]),
)
CLAIM.mistake(
    "sequential: the deltas are not added up",
    "epsilons add up. And the deltas?",
    other(sequential_delta=lambda p: p["delta"]),
)
CLAIM.mistake(
    "sequential: a delta too many is paid",
    "which theorem needs one delta more, and which does not?",
    other(sequential_delta=total_delta),
)
CLAIM.mistake(
    "sequential: a round too many is paid",
    "how many rounds are there?",
    other(sequential=lambda p: (p["iterations"] + 1) * p["epsilon"], sequential_delta=total_delta),
)
CLAIM.mistake(
    "advanced: the second term is missing",
    ADVANCED,
    other(
        advanced=lambda p: advanced(p) - p["iterations"] * p["epsilon"] * math.expm1(p["epsilon"])
    ),
)
CLAIM.mistake(
    "advanced: 2 epsilon sqrt(2 k ln(1 / delta)) is no bound in general",
    ADVANCED,
    other(
        advanced=lambda p: (
            2 * p["epsilon"] * math.sqrt(2 * p["iterations"] * math.log(1 / p["delta"]))
        )
    ),
)
CLAIM.mistake(
    "advanced: exp(epsilon) - 1 has become epsilon",
    ADVANCED,
    other(
        advanced=lambda p: (
            advanced(p) - p["iterations"] * p["epsilon"] * (math.expm1(p["epsilon"]) - p["epsilon"])
        )
    ),
)
CLAIM.mistake(
    "advanced: the delta of the theorem is not added",
    DELTA,
    other(advanced_delta=lambda p: p["iterations"] * p["delta"]),
)
CLAIM.mistake(
    "advanced: the theorem is given the total delta",
    DELTA,
    other(
        advanced=lambda p: (
            p["epsilon"] * math.sqrt(2 * p["iterations"] * math.log(1 / total_delta(p)))
            + p["iterations"] * p["epsilon"] * math.expm1(p["epsilon"])
        )
    ),
)
CLAIM.mistake("the noise is that of the classical formula", NOISE, by_noise(classical))
CLAIM.mistake(
    "the noise is taken for that of Laplace: 1 / epsilon",
    NOISE,
    by_noise(lambda p: 1 / p["epsilon"]),
)
CLAIM.mistake(
    "rho lacks the factor 1/2",
    "rho = sensitivity^2 / (2 sigma^2): is everything there?",
    by_noise(lambda p: sigma_of(p["epsilon"], p["delta"]) / math.sqrt(2)),
)
CLAIM.mistake(
    "sigma is not squared in rho",
    "rho = sensitivity^2 / (2 sigma^2): is everything there?",
    by_noise(lambda p: math.sqrt(sigma_of(p["epsilon"], p["delta"]))),
)
CLAIM.mistake(
    "one round's rho is used for all",
    "rhos add up: over how many rounds?",
    by_noise(lambda p: math.sqrt(p["iterations"]) * sigma_of(p["epsilon"], p["delta"])),
)
CLAIM.mistake(
    "zcdp: converted with one round's delta, not the total",
    ZCDP,
    other(zcdp=lambda p: epsilon_of(rho_of(p), p["delta"])),
)
CLAIM.mistake(
    "rdp and zcdp: converted with one round's delta, not the total",
    ZCDP,
    other(
        zcdp=lambda p: epsilon_of(rho_of(p), p["delta"]),
        rdp=lambda p: epsilon_of(rho_of(p), p["delta"]),
    ),
)
CLAIM.mistake(
    "zcdp: each round is converted, then epsilons are added up",
    "first add up, then convert: what do you add up?",
    other(zcdp=lambda p: p["iterations"] * epsilon_of(rho_of(p) / p["iterations"], p["delta"])),
)
CLAIM.mistake(
    "zcdp: the 2 before the root is missing",
    ZCDP,
    other(zcdp=lambda p: rho_of(p) + math.sqrt(rho_of(p) * math.log(1 / total_delta(p)))),
)
CLAIM.mistake(
    "zcdp: rho is left out beside the root",
    ZCDP,
    other(zcdp=lambda p: epsilon_of(rho_of(p), total_delta(p)) - rho_of(p)),
)
CLAIM.mistake(
    "zcdp: the total delta is that of the rounds alone",
    DELTA,
    other(
        zcdp=lambda p: epsilon_of(rho_of(p), p["iterations"] * p["delta"]),
        zcdp_delta=lambda p: p["iterations"] * p["delta"],
    ),
)
