"""The Laplace mechanism on one number: noise of scale sensitivity / epsilon."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.special import expit

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.designed import each_edge
from autograder.check.mistakes import (
    QUESTIONS,
    Mistake,
    value_mistakes,
    wrong_centres,
    wrong_laws,
    wrong_scales,
)
from ville.distributions import exponential, laplace, uniform


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: epsilon well below 1 and well above, values of both signs.

    The first value lies within a few scales of 0, where clamping and abs() differ. Two decimals,
    so that a sentence can state the numbers exactly.
    """
    for sign, near, epsilons in (
        (-1, True, (0.2, 0.45)),
        (1, False, (0.2, 0.45)),
        (-1, False, (1.7, 3.0)),
        (1, False, (1.7, 3.0)),
    ):
        sensitivity, epsilon = generator.uniform(2.2, 6.0), generator.uniform(*epsilons)
        size = (
            generator.uniform(1, 2) * sensitivity / epsilon if near else generator.uniform(60, 300)
        )
        given = {"value": sign * size, "sensitivity": sensitivity, "epsilon": epsilon}
        yield {name: round(each, 2) for name, each in given.items()}


def _scale(parameters: dict) -> float:
    return parameters["sensitivity"] / parameters["epsilon"]


def _inverse_without_two(scale: float):
    """Noise -scale * sign(u) * ln(1 - |u|) for u even in (-1/2, 1/2): the 2 before |u| is lost."""

    def law(x):
        upper = np.minimum(-np.expm1(-np.abs(x) / scale), 0.5)
        return 0.5 + np.sign(x) * upper

    return law


_SHAPE = "which law has the density exp(-|x| / scale) / (2 * scale), and what does numpy call it?"

_MISTAKES = (
    *wrong_scales(
        laplace,
        {
            "the sensitivity is ignored, or one above 1 counts as 1": (
                lambda p: 1 / p["epsilon"],
                QUESTIONS["the sensitivity is ignored"],
            ),
            "epsilon is ignored": lambda p: p["sensitivity"],
            "sensitivity and epsilon are ignored": lambda p: 1,
            "the scale is upside down": lambda p: p["epsilon"] / p["sensitivity"],
            "epsilon multiplies instead of divides": lambda p: p["sensitivity"] * p["epsilon"],
            "epsilon is used as the scale": lambda p: p["epsilon"],
            "epsilon is squared": lambda p: p["sensitivity"] / p["epsilon"] ** 2,
            "the sensitivity is squared": lambda p: p["sensitivity"] ** 2 / p["epsilon"],
            "the noise is doubled": lambda p: 2 * _scale(p),
            "the noise is halved": lambda p: _scale(p) / 2,
            "an epsilon above 1 counts as 1": lambda p: p["sensitivity"] / min(p["epsilon"], 1),
        },
    ),
    *wrong_laws(
        _scale,
        {
            "the noise is spread evenly": (
                lambda scale: uniform(-scale, scale),
                _SHAPE,
                "Laplace noise has no largest value, yours stops at the scale, {scale}",
            ),
            "the noise is never positive": (
                lambda scale: exponential(scale, sign=-1),
                "on which side of the exact answer may the noisy one lie?",
                "half of the answers should lie above the exact one, none of yours does",
            ),
            "a factor 2 is missing under the logarithm": (
                _inverse_without_two,
                "solve F(x) = u for x once more: what stands before |u - 1/2|?",
                "Laplace noise has no largest value, yours stops at 0.69 of the scale, {scale}",
            ),
            "the noise is logistic, not Laplace": (
                lambda scale: lambda x: expit(x / scale),
                _SHAPE,
            ),
            "the logarithm has base 10": lambda scale: laplace(scale / math.log(10)),
        },
    ),
    *value_mistakes(laplace, _scale),
    *wrong_centres(
        laplace,
        _scale,
        {
            "the sensitivity is added to the value": lambda p: p["sensitivity"],
            "epsilon is added to the value": lambda p: p["epsilon"],
        },
        QUESTIONS["the value is added twice"],
    ),
    Mistake(
        "the scale is given as the centre",
        lambda p: laplace(1, _scale(p)),
        "what is the first parameter of numpy's `laplace`, and what is the second?",
    ),
    *noise_mistakes(_scale, "sensitivity / epsilon"),
)

CLAIM = AdditiveClaim(
    about="Check `laplace_mechanism(value, *, sensitivity, epsilon)`: Laplace noise on one number.",
    established="Laplace, scale sensitivity/epsilon, independent draws",
    law_name="Laplace",
    parameters=_parameters,
    designed=partial(each_edge, {"value": 20.5, "sensitivity": 3.5, "epsilon": 0.8}),
    exact=lambda p: p["value"],
    scale=_scale,
    law=laplace,
    exponents={"sensitivity": 1, "epsilon": -1, "value": 0},
    mistakes=_MISTAKES,
    situation=lambda p: f"sensitivity {p['sensitivity']:.4g}, epsilon {p['epsilon']:g}",
)
