"""A centered mean: a noisy sum of distances from the middle over a noisy count, half each."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.sensitivity._centered_ratio import (
    bounds,
    clipped,
    edges,
    mean,
    middle,
    ratio,
    reach,
    spread,
    total,
    width,
)
from autograder.check.claims.sensitivity._clipped_values import (
    designed_parameters,
    draw_parameters,
    values_of,
)
from autograder.check.claims.sensitivity._ratio_law import NoisyRatio
from autograder.check.mistakes import Mistake
from autograder.check.words import counted
from ville.distributions import Distribution as Law
from ville.distributions import laplace


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    values = values_of(parameters)
    keywords = {name: parameters[name] for name in ("lower", "upper", "epsilon")}
    if _as_array(parameters):
        return (values.copy(),), keywords
    return (pd.Series(values, index=np.arange(len(values)) + 100, name="weight"),), keywords


def _as_array(parameters: dict) -> bool:
    """Say whether the values come as an array: in about half of the settings."""
    return parameters["rows"] % 2 == 1


def _read(answer: Any, parameters: dict) -> float:
    """Return the mean; raise BadAnswer for one that a right answer would have clipped."""
    came, (lower, upper) = as_number(answer), bounds(parameters)
    slack = 1e-9 * (upper - lower)
    if not lower - slack <= came <= upper + slack:
        raise BadAnswer(
            "the answer lies outside the bounds",
            seen=f"it returned {came:.4g}; the mean of values in [{lower:g}, {upper:g}] is in it",
            ask="does it cost anything to clip what is already private?",
        )
    # A right answer may come to an end by another sum, which rounds.
    near = [end for end in (lower, upper) if abs(came - end) <= slack]
    return near[0] if near else came


def _scaled(factor: Callable[[dict], float], share: float = 0.5) -> Callable[[dict], Law]:
    """Return the law for noise that is by a factor too large; the sum gets `share` of epsilon."""

    def law(p: dict) -> Law:
        scales = {
            "total_scale": factor(p) * reach(p) / (share * p["epsilon"]),
            "count_scale": factor(p) / ((1 - share) * p["epsilon"]),
        }
        return ratio(p, **scales)

    return law


def _with_sensitivity(sensitivity: Callable[[dict], float]) -> Callable[[dict], Law]:
    return lambda p: ratio(p, total_scale=2 * sensitivity(p) / p["epsilon"])


def _of_values(change: Callable[[np.ndarray, dict], np.ndarray]) -> Callable[[dict], Law]:
    """Return the law for values that are clipped in another way."""

    def law(p: dict) -> Law:
        values = change(values_of(p), p)
        return ratio(p, total=(values - middle(p)).sum(), count=len(values))

    return law


def _around(center: Callable[[dict], float], scale: Callable[[dict], float]) -> Callable:
    """Return the law of Laplace noise around a number, clipped."""
    return lambda p: clipped(laplace(scale(p), center(p)), p)


def _uncentered(p: dict) -> Law:
    """Return the law of `private_mean`: nothing is taken off the values."""
    moved = max(map(abs, bounds(p)))
    return ratio(p, center=0.0, total_scale=2 * moved / p["epsilon"])


_SPLIT = "two mechanisms look at the same people: what do they cost together?"
_HALVES = "which part of epsilon does the task give to the sum, and which to the count?"
_COUNT = "who may know how many people there are? Under add_remove, is that public?"
_ADDED = "a row at `upper` is added: by how much does the sum of the distances move?"
_CENTER = "from which public number is a value of [lower, upper] never far away?"
_CLIPPED = "what happens to a value below `lower`, and to one above `upper`?"
_EPSILON = "does a larger epsilon mean more privacy or less, and so less noise or more?"

_MISTAKES = (
    Mistake(
        "the budget is not split: each mechanism spends all of it", _scaled(lambda p: 0.5), _SPLIT
    ),
    Mistake(
        "the sum gets more of epsilon than the count", _scaled(lambda p: 1, share=2 / 3), _HALVES
    ),
    Mistake(
        "the sum gets less of epsilon than the count", _scaled(lambda p: 1, share=1 / 3), _HALVES
    ),
    Mistake(
        "the exact count is used",
        _around(mean, lambda p: 2 * reach(p) / (p["epsilon"] * p["rows"])),
        _COUNT,
    ),
    Mistake(
        "the exact count is used, and the sum gets all of epsilon",
        _around(mean, lambda p: reach(p) / (p["epsilon"] * p["rows"])),
        _COUNT,
    ),
    Mistake("the values are not centered", _uncentered, _CENTER),
    Mistake(
        "the middle counts for each person, and the noise is that of centered values",
        lambda p: ratio(p, center=0.0),
        "what does the noise promise to hide, and what does the sum hold?",
    ),
    Mistake(
        "the values are measured from the lower bound",
        lambda p: ratio(p, center=p["lower"], total_scale=2 * width(p) / p["epsilon"]),
        _CENTER,
    ),
    Mistake(
        "the values are measured from a place that the data choose",
        lambda p: ratio(p, center=mean(p)),
        "the data's own mean, or the middle of their ends: who may know it before the release?",
    ),
    Mistake(
        "the middle is not added back",
        lambda p: ratio(p, back=0.0),
        "you have the mean of the distances: how do you get the mean of the values?",
    ),
    Mistake(
        "the middle is added to the sum, not to the quotient",
        lambda p: ratio(p, total=total(p, middle(p)) + middle(p), back=0.0),
        "you have the mean of the distances: how do you get the mean of the values?",
    ),
    Mistake(
        "the sensitivity is the whole width",
        _with_sensitivity(width),
        _ADDED,
    ),
    Mistake("the sum gets the noise of a count", _with_sensitivity(lambda p: 1.0), _ADDED),
    Mistake(
        "the count gets the noise of the sum",
        lambda p: ratio(p, count_scale=2 * reach(p) / p["epsilon"]),
        "by how much does one person move the count?",
    ),
    Mistake("the values are not clipped", _of_values(lambda values, p: values), _CLIPPED),
    Mistake(
        "the values are clipped from above only",
        _of_values(lambda values, p: np.minimum(values, p["upper"])),
        _CLIPPED,
    ),
    Mistake(
        "the values are clipped from below only",
        _of_values(lambda values, p: np.maximum(values, p["lower"])),
        _CLIPPED,
    ),
    Mistake(
        "values outside the bounds are left out",
        _of_values(lambda values, p: values[(values >= p["lower"]) & (values <= p["upper"])]),
        _CLIPPED,
    ),
    Mistake(
        "a noisy count below 1 is used as it is",
        lambda p: ratio(p, least=None),
        "what happens to the quotient when the noisy count is 0.01, or -3?",
    ),
    Mistake(
        "a noisy count below 1 counts as nearly 0",
        lambda p: ratio(p, least=1e-9),
        "what does the task divide by where the noisy count is 0.5?",
        "too many answers are at the very ends",
    ),
    Mistake(
        "the exact count is used where the noisy one is not positive",
        lambda p: ratio(p, instead=float(max(p["rows"], 1))),
        "who reads off your answer that the noisy count was not positive, and what else?",
    ),
    Mistake(
        "a negative noisy count becomes positive",
        lambda p: ratio(p, below=NoisyRatio.below_without_sign),
        "what does the task divide by where the noisy count is -3?",
    ),
    Mistake("the noise is doubled", _scaled(lambda p: 2.0), _HALVES),
    Mistake("epsilon is ignored", _scaled(lambda p: p["epsilon"] / 2), _EPSILON),
    Mistake(
        "epsilon multiplies instead of divides", _scaled(lambda p: p["epsilon"] ** 2 / 4), _EPSILON
    ),
    Mistake(
        "the noise is Gaussian, not Laplace",
        lambda p: ratio(p, below=NoisyRatio.below_with_gaussian_noise),
        "which law has the density exp(-|x| / scale) / (2 * scale), and what does numpy call it?",
    ),
    Mistake(
        "the scale is taken for the standard deviation",
        _scaled(lambda p: math.sqrt(0.5)),
        "the standard deviation of Laplace noise is sqrt(2) times its scale: which one is asked?",
    ),
)

CLAIM = AdditiveClaim(
    name="centered_mean",
    about=(
        "Check `centered_mean(values, *, lower, upper, epsilon)`: a noisy mean with noise that\n"
        "depends on the width of the interval only, clipped to the bounds."
    ),
    established="a noisy mean with no more noise than the width asks for, independent draws",
    law_name="noisy ratio's",
    parameters=draw_parameters,
    designed=designed_parameters,
    arguments=_arguments,
    read=_read,
    exact=mean,
    scale=spread,
    law_at=ratio,
    edges=edges,
    ends=bounds,
    mistakes=_MISTAKES,
    least_rate=0.0065,
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {counted(p['rows'], 'value')} clipped to "
        f"[{p['lower']:g}, {p['upper']:g}]"
    ),
)
