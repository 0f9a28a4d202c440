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
from autograder.check.mistakes import Mistake, mistakes_by
from autograder.check.words import counted
from ville.distributions import Distribution as Law
from ville.distributions import laplace


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    values = values_of(parameters)
    keywords = {name: parameters[name] for name in ("lower", "upper", "epsilon")}
    if _as_array(parameters):
        return (values.copy(),), keywords
    labels = np.arange(len(values)) // 2 + 100  # each comes twice
    return (pd.Series(values, index=labels, name="weight"),), keywords


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
            ask="what does your code clip: the mean, or its distance from the middle? To clip what "
            "is already private costs nothing.",
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


def _between_ends(p: dict) -> float:
    values = np.clip(values_of(p), *bounds(p))
    return (values.min() + values.max()) / 2


def _uncentered(p: dict) -> Law:
    """Return the law of `private_mean`: nothing is taken off the values."""
    moved = max(map(abs, bounds(p)))
    return ratio(p, center=0.0, total_scale=2 * moved / p["epsilon"])


def _from_0_inside(p: dict) -> Law:
    """Return the law for values that are measured from 0 where it lies between the bounds."""
    center = 0.0 if p["lower"] <= 0 <= p["upper"] else middle(p)
    moved = max(abs(end - center) for end in bounds(p))
    return ratio(p, center=center, total_scale=2 * moved / p["epsilon"])


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
        "the count gets all of epsilon, and the sum a half more",
        lambda p: ratio(p, count_scale=1 / p["epsilon"]),
        _SPLIT,
    ),
    *(
        Mistake(
            f"the exact count is used{words}",
            _around(mean, lambda p, part=part: reach(p) / (part * p["epsilon"] * p["rows"])),
            _COUNT,
        )
        for words, part in {"": 0.5, ", and the sum gets all of epsilon": 1}.items()
    ),
    Mistake("the values are not centered", _uncentered, _CENTER),
    Mistake("the values are measured from 0 where 0 is inside", _from_0_inside, _CENTER),
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
    *(
        Mistake(
            f"the values are measured from a place that the data choose: {words}",
            lambda p, place=place: ratio(p, center=place(p)),
            "who may know this number before the release?",
        )
        for words, place in {"their mean": mean, "between their ends": _between_ends}.items()
    ),
    Mistake(
        "the middle is rounded down to a whole number",
        lambda p: ratio(p, center=math.floor(middle(p))),
        "may the middle of two numbers lie between whole numbers?",
    ),
    Mistake(
        "the middle is taken to be half of the width",
        lambda p: ratio(p, center=width(p) / 2),
        "does your middle lie between `lower` and `upper`?",
    ),
    Mistake(
        "the distances from the middle are clipped to the bounds of the values",
        lambda p: ratio(p, total=np.clip(values_of(p) - middle(p), *bounds(p)).sum()),
        "between which two numbers does a distance from the middle lie?",
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
    Mistake("the sensitivity is the whole width", _with_sensitivity(width), _ADDED),
    Mistake("the sum gets the noise of a count", _with_sensitivity(lambda p: 1.0), _ADDED),
    Mistake(
        "the count gets the noise of the sum",
        lambda p: ratio(p, count_scale=2 * reach(p) / p["epsilon"]),
        "by how much does one person move the count?",
    ),
    *mistakes_by(
        _of_values,
        {
            "the values are not clipped": lambda values, p: values,
            "the values are clipped from above only": lambda values, p: np.minimum(
                values, p["upper"]
            ),
            "the values are clipped from below only": lambda values, p: np.maximum(
                values, p["lower"]
            ),
            "values outside the bounds are left out": lambda values, p: values[
                (values >= p["lower"]) & (values <= p["upper"])
            ],
        },
        _CLIPPED,
    ),
    Mistake(
        "a noisy count below 1 is used as it is",
        lambda p: ratio(p, least=None),
        "what happens to the quotient when the noisy count is 0.01, or -3?",
    ),
    Mistake(
        "a noisy count between 0 and 1 is used as it is",
        lambda p: ratio(p, least=0.0, instead=1.0),
        "what does the task divide by where the noisy count is 0.5?",
    ),
    Mistake(
        "a noisy count below 1 counts as nearly 0",
        lambda p: ratio(p, least=1e-9),
        "what does the task divide by where the noisy count is 0.5?",
        "too many answers are at the very ends",
    ),
    Mistake(
        "the middle is returned where the noisy count is below 1",
        # Divided by so many, any sum is next to nothing.
        lambda p: ratio(p, instead=1e12),
        "what does the task divide by where the noisy count is 0.5?",
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
    Mistake(
        "the noisy count is rounded to a whole number",
        lambda p: ratio(p, below=NoisyRatio.below_with_whole_count),
        "may a noisy count be 2.4? What does that do to a mean of three people?",
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
    least_rate=0.0055,
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {counted(p['rows'], 'value')} clipped to "
        f"[{p['lower']:g}, {p['upper']:g}]"
    ),
)
