"""The Gaussian mechanism on a vector: one sigma for each entry, by the L2 sensitivity."""

from __future__ import annotations

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.approximate._gaussian_noise import (
    exact_sigma,
    looks_like_sigma,
    shape_mistakes,
    sigma_mistakes,
)
from autograder.check.claims.approximate._vector import as_vector, draw_vectors, vector_mistakes
from ville.cells import gaussian_edges
from ville.distributions import gaussian

__all__ = ["CLAIM"]


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return four settings: epsilon below and above 1, vectors of 3 and 5 entries."""
    settings = []
    for vector, (epsilons, logs) in zip(
        draw_vectors(generator),
        (
            ((0.25, 0.6), (-1.2, -0.4)),
            ((0.25, 0.6), (-6, -4)),
            ((1.8, 3.0), (-1.5, -0.5)),
            ((1.8, 3.0), (-3, -2)),
        ),
        strict=True,
    ):
        settings.append(
            {
                "value": vector,
                "l2_sensitivity": round(generator.uniform(2.2, 6.0), 2),
                "epsilon": round(generator.uniform(*epsilons), 2),
                "delta": float(f"{10 ** generator.uniform(*logs):.2g}"),
            }
        )
    return settings


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("l2_sensitivity", "epsilon", "delta")}
    return (parameters["value"].copy(),), keywords


def _sigma(parameters: dict) -> float:
    return parameters["l2_sensitivity"] * exact_sigma(parameters["epsilon"], parameters["delta"])


CLAIM = AdditiveClaim(
    name="vector_gaussian",
    about=(
        "Check `vector_gaussian(value, *, l2_sensitivity, epsilon, delta)`: the least Gaussian\n"
        "noise on each entry that makes the vector (epsilon, delta)-private."
    ),
    established="Gaussian on each entry, the least sigma for (epsilon, delta), independent draws",
    law_name="Gaussian",
    parameters=_parameters,
    arguments=_arguments,
    exact=lambda p: p["value"],
    scale=_sigma,
    law=gaussian,
    edges=lambda p: gaussian_edges() * _sigma(p),
    looks_like=looks_like_sigma,
    exponents={"l2_sensitivity": 1},
    read=as_vector,
    mistakes=(
        *sigma_mistakes("l2_sensitivity"),
        *shape_mistakes(_sigma, "l2_sensitivity"),
        *vector_mistakes(_sigma, gaussian, "l2_sensitivity"),
    ),
    situation=lambda p: (
        f"{len(p['value'])} entries, l2_sensitivity {p['l2_sensitivity']}, "
        f"epsilon {p['epsilon']}, delta {p['delta']:g}"
    ),
)
