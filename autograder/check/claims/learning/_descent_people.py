"""Noisy gradient descent among few people: what divides the sum where their noisy number is low.

One round with noise of standard deviation sigma, far more than there are people, in many columns.
The sum is nearly all noise, so its length is known: sigma * bound * sqrt(columns), to 2 %. So the
length of theta tells the number that the sum was divided by. Here the noisy number of people is
below 1 in nearly half of the runs.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.check.claims.learning._descent_noise import rho_of
from autograder.check.claims.learning._training import weights_of
from autograder.check.judge import ALPHA
from autograder.check.rates import RateClaim, Requirement, Run

_RUNS = 30
_COLUMNS = 2000
_PEOPLE, _DEVIATIONS = (4, 10), (1500, 2500)
# A divisor counts as the number of people if it is so near. The noisy number, rounded or not, with
# its sign or without, is within 0.06 * 9 / 2 of 9 or rounds to it with probability below
# 2 * (0.06 * 9 + 1) / (1500 * sqrt(2 pi)) < 0.001; and 1 never is near 4 or more.
_NEAR, _SHARE = 0.03, 0.001


def _runs(generator: np.random.Generator) -> Iterator[Run]:
    """Return runs with few people, and an epsilon that asks for noise much larger than they are."""
    for _ in range(_RUNS):
        deviation, delta = generator.uniform(*_DEVIATIONS), round(generator.uniform(0.02, 0.05), 3)
        # Two releases share rho: each gets 1 / (2 * deviation^2).
        rho = 1 / deviation**2
        yield Run(
            {
                "people": int(generator.integers(*_PEOPLE)),
                "seed": int(generator.integers(2**32)),
                "epsilon": float(f"{rho + 2 * math.sqrt(rho * math.log(1 / delta)):.4g}"),
                "delta": delta,
                "clipping_bound": round(generator.uniform(0.5, 2), 2),
                "learning_rate": round(generator.uniform(0.5, 1.5), 2),
            },
            ("private",),
        )


def _arguments(p: dict) -> tuple[tuple, dict]:
    generator = np.random.default_rng(p["seed"])
    rows = generator.normal(size=(p["people"], _COLUMNS))
    labels = np.where(np.arange(p["people"]) % 2, 1.0, -1.0)
    named = {name: p[name] for name in ("clipping_bound", "epsilon", "delta", "learning_rate")}
    return (rows, labels), {"iterations": 1, **named}


def _divisor(answer: Any, p: dict) -> float:
    """Return about the number by which the noisy sum was divided, without its sign."""
    length = float(np.linalg.norm(weights_of(answer, _COLUMNS)))
    deviation = 1 / math.sqrt(rho_of(p["epsilon"], p["delta"]))
    noise = deviation * p["clipping_bound"] * math.sqrt(_COLUMNS)
    return p["learning_rate"] * noise / max(length, 1e-300)


PEOPLE = RateClaim(
    name="noisy_gradient_descent",
    established="the number of people is not looked at where the noisy one is low",
    runs=_runs,
    arguments=_arguments,
    read=_divisor,
    situation=lambda p: (
        f"{p['people']} rows, iterations 1, epsilon {p['epsilon']:g}, delta {p['delta']}: "
        "the noisy number of people is below 1 about every other time"
    ),
    requirements={
        "private": Requirement(
            _SHARE,
            lambda p, divisor: abs(divisor / p["people"] - 1) < _NEAR,
            "where the noisy number of people is below 1, the true one is used",
            "the true number is private: what may you know of it when the noisy one is -5?",
            "the noisy sum was divided by the true number of rows",
        )
    },
    level=0.05 * ALPHA,
)
