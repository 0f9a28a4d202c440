"""✎ What the exercise asks for: here Laplace noise of scale sensitivity / epsilon on a number."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.designed import each_edge
from autograder.check.mistakes import Mistake, wrong_centres, wrong_laws, wrong_scales
from ville.distributions import exponential, gaussian, laplace, uniform


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: epsilon well below 1 and well above, values of both signs."""
    for sign, epsilons in ((-1, (0.2, 0.45)), (1, (0.2, 0.45)), (-1, (1.7, 3.0)), (1, (1.7, 3.0))):
        given = {
            "value": sign * generator.uniform(60, 300),
            "sensitivity": generator.uniform(2.2, 6.0),
            "epsilon": generator.uniform(*epsilons),
        }
        yield {name: round(each, 2) for name, each in given.items()}


# ✎ The scale of the noise. Where the law is more than a scale, give the claim `law_at`, from a
# setting's parameters, and `edges`, where the density jumps: `help(AdditiveClaim)`.
def _scale(p: dict) -> float:
    # Dwork & Roth (2014), definition 3.3.
    return p["sensitivity"] / p["epsilon"]


# ✎ One for each wrong idea: its name, the law it gives, and a question where `QUESTIONS` has none.
_MISTAKES = (
    *wrong_scales(
        laplace,
        {
            "the sensitivity is ignored": lambda p: 1 / p["epsilon"],
            "epsilon is ignored": lambda p: p["sensitivity"],
            "the scale is upside down": lambda p: p["epsilon"] / p["sensitivity"],
            "epsilon multiplies instead of divides": lambda p: p["sensitivity"] * p["epsilon"],
            "the noise is doubled": lambda p: 2 * _scale(p),
            "the noise is halved": lambda p: _scale(p) / 2,
        },
    ),
    *wrong_laws(
        _scale,
        {
            "the noise is Gaussian": gaussian,
            "the noise is spread evenly": lambda scale: uniform(-scale, scale),
        },
        "which law has the density exp(-|x| / scale) / (2 * scale)?",
    ),
    *wrong_centres(
        laplace,
        _scale,
        {
            "the value is missing": lambda p: -p["value"],
            "the value is added twice": lambda p: p["value"],
        },
    ),
    Mistake(
        "the noise is never negative",
        lambda p: exponential(_scale(p)),
        "on which side of the exact answer may the noisy one lie?",
    ),
)

CLAIM = AdditiveClaim(
    about="Check `exercise_name(value, *, sensitivity, epsilon)`: noise on one number.",
    established="Laplace, scale sensitivity/epsilon, independent draws",
    law_name="Laplace",
    parameters=_parameters,
    # One parameter at an edge, the others ordinary.
    designed=partial(each_edge, {"value": 20.5, "sensitivity": 3.5, "epsilon": 0.8}),
    exact=lambda p: p["value"],
    scale=_scale,
    law=laplace,  # law_at= instead, for a law that is more than a scale
    exponents={"sensitivity": 1, "epsilon": -1},  # leave out what the scale is no power of
    mistakes=_MISTAKES,
    situation=lambda p: f"sensitivity {p['sensitivity']:.2f}, epsilon {p['epsilon']:.2f}",
)
