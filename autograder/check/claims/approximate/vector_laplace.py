"""The Laplace mechanism on a vector: each entry gets noise of scale l1_sensitivity / epsilon."""

from __future__ import annotations

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.approximate._vector import as_vector, draw_vectors, vector_mistakes
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.mistakes import wrong_scales
from ville.distributions import laplace

__all__ = ["CLAIM"]


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return four settings: epsilon well below 1 and well above, vectors of 3 and 5 entries."""
    return [
        {
            "value": vector,
            "l1_sensitivity": round(generator.uniform(2.2, 6.0), 2),
            "epsilon": round(generator.uniform(*epsilons), 2),
        }
        for vector, epsilons in zip(
            draw_vectors(generator), ((0.2, 0.45), (0.2, 0.45), (1.7, 3.0), (1.7, 3.0)), strict=True
        )
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("l1_sensitivity", "epsilon")}
    return (parameters["value"].copy(),), keywords


def _scale(parameters: dict) -> float:
    return parameters["l1_sensitivity"] / parameters["epsilon"]


_MISTAKES = (
    *wrong_scales(
        laplace,
        {
            "the sensitivity is ignored": (
                lambda p: 1 / p["epsilon"],
                "what should happen to the noise when one person can change the answers by more?",
            ),
            "epsilon is ignored": lambda p: p["l1_sensitivity"],
            "sensitivity and epsilon are ignored": lambda p: 1.0,
            "the scale is upside down": lambda p: p["epsilon"] / p["l1_sensitivity"],
            "epsilon multiplies instead of divides": lambda p: p["l1_sensitivity"] * p["epsilon"],
            "epsilon is used as the scale": lambda p: p["epsilon"],
            "the root of the sensitivity is used": (
                lambda p: p["l1_sensitivity"] ** 0.5 / p["epsilon"],
                "the L1 norm is a sum of absolute changes: is there a root in it?",
            ),
        },
    ),
    *vector_mistakes(_scale, laplace, "l1_sensitivity"),
    *noise_mistakes(_scale, "l1_sensitivity / epsilon"),
)

CLAIM = AdditiveClaim(
    name="vector_laplace",
    about="Check `vector_laplace(value, *, l1_sensitivity, epsilon)`: Laplace noise on each entry.",
    established="Laplace on each entry, scale l1_sensitivity/epsilon, independent draws",
    law_name="Laplace",
    parameters=_parameters,
    arguments=_arguments,
    exact=lambda p: p["value"],
    scale=_scale,
    law=laplace,
    looks_like=lambda noise: float(np.mean(np.abs(noise))),
    exponents={"l1_sensitivity": 1, "epsilon": -1},
    read=as_vector,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"{len(p['value'])} entries, l1_sensitivity {p['l1_sensitivity']}, epsilon {p['epsilon']}"
    ),
)
