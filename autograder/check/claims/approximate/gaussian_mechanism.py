"""The Gaussian mechanism on one number: the least noise that is (epsilon, delta)-private."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.approximate._gaussian_noise import (
    exact_sigma,
    looks_like_sigma,
    shape_mistakes,
    sigma_mistakes,
)
from autograder.check.designed import each_edge
from autograder.check.mistakes import value_mistakes
from ville.cells import gaussian_edges
from ville.distributions import gaussian


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: epsilon below and above 1, and a delta large enough to matter.

    ln(1/delta), ln(1.25/delta) and ln(2/delta) differ little at a delta of 1e-5, and much at 0.3.
    The first value lies within a sigma or two of 0, where clamping and abs() differ.
    """
    for sign, near, epsilons, logs in (
        (-1, True, (0.25, 0.6), (-1.2, -0.4)),
        (1, False, (0.25, 0.6), (-6, -4)),
        (-1, False, (1.8, 3.0), (-1.5, -0.5)),
        (1, False, (1.8, 3.0), (-3, -2)),
    ):
        sensitivity = round(generator.uniform(2.2, 6.0), 2)
        epsilon = round(generator.uniform(*epsilons), 2)
        delta = float(f"{10 ** generator.uniform(*logs):.2g}")
        reach = generator.uniform(0.5, 1.5) * sensitivity * exact_sigma(epsilon, delta)
        size = reach if near else generator.uniform(60, 300)
        yield {
            "value": round(sign * size, 2),
            "l2_sensitivity": sensitivity,
            "epsilon": epsilon,
            "delta": delta,
        }


def _sigma(parameters: dict) -> float:
    return parameters["l2_sensitivity"] * exact_sigma(parameters["epsilon"], parameters["delta"])


_MISTAKES = (
    *sigma_mistakes(),
    *shape_mistakes(_sigma),
    *value_mistakes(gaussian, _sigma),
)

CLAIM = AdditiveClaim(
    about=(
        "Check `gaussian_mechanism(value, *, l2_sensitivity, epsilon, delta)`: the least Gaussian\n"
        "noise on one number that is (epsilon, delta)-private (Balle & Wang 2018)."
    ),
    established="Gaussian, the least sigma for (epsilon, delta), independent draws",
    law_name="Gaussian",
    parameters=_parameters,
    designed=partial(
        each_edge, {"value": 20.5, "l2_sensitivity": 3.5, "epsilon": 0.8, "delta": 1e-4}
    ),
    exact=lambda p: p["value"],
    scale=_sigma,
    law=gaussian,
    edges=lambda p: gaussian_edges() * _sigma(p),
    looks_like=looks_like_sigma,
    exponents={"l2_sensitivity": 1, "value": 0},
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"l2_sensitivity {p['l2_sensitivity']}, epsilon {p['epsilon']}, delta {p['delta']:g}"
    ),
)
