"""The discrete Laplace mechanism: whole k with probability ~ exp(-epsilon * |k| / sensitivity)."""

import math
from collections.abc import Iterator

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import as_whole_number
from autograder.check.designed import at_edges, each_edge
from autograder.check.mistakes import QUESTIONS, Mistake, mistakes_by, wrong_centres, wrong_laws
from ville.distributions import Distribution as Law
from ville.distributions import (
    discrete_laplace,
    gaussian,
    geometric,
    laplace,
    point,
    rounded_down,
    rounded_up,
    signed_geometric,
    uniform,
)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: wide noise, and noise so narrow that rounding another law shows."""
    # The rate is epsilon / sensitivity. Rounded Laplace noise can be told apart from about 1 on.
    ranges = [(-1, (0.12, 0.25)), (1, (0.3, 0.5)), (1, (1.6, 2.2)), (-1, (0.9, 1.3))]
    # All sensitivities differ, so that no factor can pass for one of them. The first is small: its
    # epsilon is then below 1, the others' mostly above.
    first = int(generator.integers(2, 4))
    others = generator.permutation([each for each in (2, 3, 4, 5) if each != first])
    sensitivities = [first, *map(int, others)]
    for (sign, rates), sensitivity in zip(ranges, sensitivities, strict=True):
        yield {
            "value": sign * int(generator.integers(20, 300)),
            "sensitivity": sensitivity,
            "epsilon": round(sensitivity * generator.uniform(*rates), 2),
        }


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings at the edges, all of them whole numbers but epsilon."""
    base = {"value": 21, "sensitivity": 2, "epsilon": 1.3}
    for each in map(int, at_edges("value", generator)):
        yield f"value {each:,}", {**base, "value": each}
    yield from each_edge(base, generator, "epsilon")
    # More than 32 bits hold.
    yield "a value of 13 digits", {**base, "value": 10**12 + int(generator.integers(10**9))}
    yield "sensitivity 1", {**base, "sensitivity": 1}
    yield "a sensitivity above 100", {**base, "sensitivity": int(generator.integers(150, 900))}


def _scale(parameters: dict) -> float:
    return parameters["sensitivity"] / parameters["epsilon"]


def _rate(parameters: dict) -> float:
    return parameters["epsilon"] / parameters["sensitivity"]


def _law(scale) -> Law:
    return discrete_laplace(1 / scale)


def _geometric_rate(success: float) -> float:
    """Return the rate at which a geometric law with this success probability falls."""
    return -math.log1p(-min(success, 1 - 1e-9))


def looks_like_scale(noise: np.ndarray) -> float:
    """Estimate the scale: the mean distance from 0 is 1 / sinh(1 / scale)."""
    mean = float(np.mean(np.abs(noise)))
    return 1 / math.asinh(1 / mean) if mean > 0 else 0.0


_RATIO = "by which factor should the probability of k fall when k grows by 1?"
_ROUNDING = "what does rounding do to the ratio of two neighboring probabilities near 0?"
_TWO_SIDES = "on which sides of the exact answer may the noisy one lie, and how likely is 0?"
_SUPPORT = "does your geometric draw start at 0 or at 1? And what is left in a difference of two?"
_SUCCESS = "if the probabilities fall by exp(-epsilon / sensitivity), how likely is success?"
_ONE_SIDE = "moves the answers to one side: they should be as often high as low"
_SHAPE = "the noise is a whole number, but its probabilities do not fall by one factor from 0 on"

_MISTAKES = (
    Mistake("no noise is added", lambda p: point(0), "where is a random number drawn?"),
    *mistakes_by(
        lambda rate: lambda p: discrete_laplace(rate(p)),
        {
            "the sensitivity is ignored": lambda p: p["epsilon"],
            "epsilon is ignored": lambda p: 1 / p["sensitivity"],
            "the rate is upside down": (_scale, QUESTIONS["the scale is upside down"]),
            "the sensitivity multiplies epsilon instead of dividing it": (
                lambda p: p["sensitivity"] * p["epsilon"],
                QUESTIONS["the sensitivity is ignored"],
            ),
            "the noise is doubled": (lambda p: _rate(p) / 2, _RATIO),
            "the noise is halved": (lambda p: _rate(p) * 2, _RATIO),
            "an epsilon above 1 counts as 1": lambda p: min(p["epsilon"], 1) / p["sensitivity"],
            "epsilon / sensitivity is used as the success probability": (
                lambda p: _geometric_rate(_rate(p)),
                _SUCCESS,
            ),
            "epsilon is used as the success probability": (
                lambda p: _geometric_rate(p["epsilon"]),
                _SUCCESS,
            ),
            "success and failure are exchanged": (
                lambda p: _geometric_rate(math.exp(-_rate(p))),
                "does numpy's `geometric` take the probability of going on, or of stopping?",
            ),
        },
    ),
    Mistake(
        "the noise is doubled after it is drawn",
        lambda p: lambda x: discrete_laplace(_rate(p))(x / 2),
        "can your noise be 1?",
        seen="every whole number should come, your noise is always even",
    ),
    *wrong_laws(
        _scale,
        {
            "continuous Laplace noise is rounded": (
                laplace,
                _ROUNDING,
                "rounded Laplace noise is whole, but it gives 0 less often than it should",
            ),
            "continuous Laplace noise is rounded down": (
                lambda scale: rounded_down(laplace(scale)),
                _ROUNDING,
                f"rounding down {_ONE_SIDE}",
            ),
            "continuous Laplace noise is rounded up": (
                lambda scale: rounded_up(laplace(scale)),
                _ROUNDING,
                f"rounding up {_ONE_SIDE}",
            ),
            "Gaussian noise is rounded": (gaussian, _RATIO, _SHAPE),
            "Gaussian noise of the right variance is rounded": (
                lambda scale: gaussian(math.sqrt(2) * scale),
                _RATIO,
                _SHAPE,
            ),
            "whole numbers are drawn evenly": (
                lambda scale: uniform(-math.ceil(scale) - 0.5, math.ceil(scale) + 0.5),
                _RATIO,
                _SHAPE,
            ),
        },
    ),
    Mistake(
        "int() cuts the decimals off the noisy answer",
        lambda p: (rounded_down if p["value"] > 0 else rounded_up)(laplace(_scale(p))),
        _ROUNDING,
        seen="int() moves every answer towards 0: they should be as often high as low",
    ),
    *wrong_laws(
        _rate,
        {
            "the noise is never negative": lambda rate: geometric(rate, first=0),
            "the noise is always positive": lambda rate: geometric(rate, first=1),
            "the noise is always negative": lambda rate: geometric(rate, first=1, sign=-1),
        },
        _TWO_SIDES,
    ),
    Mistake(
        # The same law comes from int(Laplace noise): it makes a 0 of all noise in (-1, 1).
        "the noise 0 comes more often than it should",
        lambda p: signed_geometric(_rate(p), first=0),
        "in how many ways can your code come to 0, and in how many to any other number?",
        seen="so it is, for example, where a geometric draw gets a random sign, which has two ways "
        "to be 0, or where int() makes a 0 of all noise between -1 and 1",
    ),
    Mistake(
        "the noise 0 never comes",
        lambda p: signed_geometric(_rate(p), first=1),
        "which whole number should be the likeliest noise?",
        seen="0 should be the likeliest noise, and you never add it",
    ),
    *wrong_centres(
        discrete_laplace,
        _rate,
        {
            "the noise is one too high": (lambda p: 1, _SUPPORT),
            "the noise is one too low": (lambda p: -1, _SUPPORT),
            "the value is missing": lambda p: -p["value"],
            "the value is added twice": lambda p: p["value"],
        },
    ),
)

CLAIM = AdditiveClaim(
    about="Check `discrete_laplace(value, *, sensitivity, epsilon)`: noise in whole numbers.",
    established="discrete Laplace, rate epsilon/sensitivity, independent draws",
    law_name="discrete Laplace",
    parameters=_parameters,
    designed=_designed,
    outside=("sensitivity below 1",),
    exact=lambda p: float(p["value"]),
    scale=_scale,
    law=_law,
    looks_like=looks_like_scale,
    mistakes=_MISTAKES,
    situation=lambda p: f"sensitivity {p['sensitivity']}, epsilon {p['epsilon']:g}",
    whole=True,
    read=as_whole_number,
    least_rate=0.006,
)
