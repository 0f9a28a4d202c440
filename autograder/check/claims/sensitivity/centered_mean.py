"""A centered mean: a noisy sum of distances from the middle over a noisy count, half each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from autograder.check.additive import AdditiveClaim, Mistake
from autograder.check.claims.sensitivity._clipped_values import (
    designed_parameters,
    draw_parameters,
    values_of,
)
from autograder.check.claims.sensitivity._ratio_law import NoisyRatio
from autograder.check.door import BadAnswer, as_number
from ville.distributions import Distribution as Law
from ville.distributions import laplace

__all__ = ["CLAIM"]

# Levels of the cells' edges, as for other continuous laws: 40 cells, equally wide as logits.
_LEVELS = expit(np.linspace(-8, 8, 41)[1:-1])
# Edges keep this share of the width away from the ends, where clipped answers pile up.
_MARGIN = 1e-6


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    # Imported here: a notebook that checks no table need not wait for it.
    import pandas as pd

    values = values_of(parameters)
    keywords = {name: parameters[name] for name in ("lower", "upper", "epsilon")}
    return (pd.Series(values, index=np.arange(len(values)) + 100, name="weight"),), keywords


def _bounds(parameters: dict) -> tuple[float, float]:
    return parameters["lower"], parameters["upper"]


def _middle(parameters: dict) -> float:
    return (parameters["lower"] + parameters["upper"]) / 2


def _reach(parameters: dict) -> float:
    """Return how far a value can be from the middle."""
    return _width(parameters) / 2


def _width(parameters: dict) -> float:
    return parameters["upper"] - parameters["lower"]


def _total(parameters: dict, center: float) -> float:
    clipped = np.clip(values_of(parameters), *_bounds(parameters))
    return float((clipped - center).sum())


def _mean(parameters: dict) -> float:
    # Of no rows the middle: an answer without noise would be that.
    return _middle(parameters) + _total(parameters, _middle(parameters)) / max(
        parameters["rows"], 1
    )


def _read(answer: Any, parameters: dict) -> float:
    """Return the mean; raise BadAnswer for one that a right answer would have clipped."""
    mean, (lower, upper) = as_number(answer), _bounds(parameters)
    slack = 1e-9 * (upper - lower)
    if not lower - slack <= mean <= upper + slack:
        raise BadAnswer(
            "the answer lies outside the bounds",
            seen=f"it returned {mean:.4g}; the mean of values in [{lower:g}, {upper:g}] is in it",
            ask="does it cost anything to clip what is already private?",
        )
    # A right answer may come to an end by another sum, which rounds.
    near = [end for end in (lower, upper) if abs(mean - end) <= slack]
    return near[0] if near else mean


def _clipped(law: Law, parameters: dict) -> Law:
    """Return the law of (answer - exact mean) for answers that are then clipped to the bounds."""
    lower, upper = _bounds(parameters)
    exact = _mean(parameters)

    def clipped(noise):
        ratio = exact + noise
        inside = law(np.clip(ratio, lower, upper))
        return np.where(ratio < lower, 0.0, np.where(ratio >= upper, 1.0, inside))

    return clipped


def _ratio(
    parameters: dict,
    *,
    center: float | None = None,
    back: float | None = None,
    below: Callable = NoisyRatio.below,
    **changes,
) -> Law:
    """Return the law of the noise when some numbers of the ratio are others than they should be.

    `center` is what is taken off each value, `back` what is added to the quotient, `below` the
    probability that the ratio is at most a number.
    """
    half = parameters["epsilon"] / 2
    center = _middle(parameters) if center is None else center
    back = center if back is None else back
    right = {
        "total": _total(parameters, center),
        "total_scale": _reach(parameters) / half,
        "count": parameters["rows"],
        "count_scale": 1 / half,
    }
    law = NoisyRatio(**{**right, **changes})
    return _clipped(lambda ratio: below(law, ratio - back), parameters)


def _edges(parameters: dict) -> np.ndarray:
    """Return places near the quantiles of the right law, off the ends where answers pile up."""
    lower, upper = (end - _mean(parameters) for end in _bounds(parameters))
    margin = _MARGIN * (upper - lower)
    places = np.linspace(lower + margin, upper - margin, 801)
    levels = _ratio(parameters)(places)
    inner = np.interp(_LEVELS, levels, places, left=places[0], right=places[-1])
    return np.unique(np.concatenate([inner, places[[0, -1]]]))


def _spread(parameters: dict) -> float:
    """Return the rough size of the noise: that of the sum and of the count, over the count."""
    size = math.hypot(_reach(parameters), _mean(parameters) - _middle(parameters))
    return 2 * size / (parameters["epsilon"] * max(parameters["rows"], 1))


def _scaled(factor: Callable[[dict], float], share: float = 0.5) -> Callable[[dict], Law]:
    """Return the law for noise that is by a factor too large; the sum gets `share` of epsilon."""

    def law(p: dict) -> Law:
        scales = {
            "total_scale": factor(p) * _reach(p) / (share * p["epsilon"]),
            "count_scale": factor(p) / ((1 - share) * p["epsilon"]),
        }
        return _ratio(p, **scales)

    return law


def _with_sensitivity(sensitivity: Callable[[dict], float]) -> Callable[[dict], Law]:
    return lambda p: _ratio(p, total_scale=2 * sensitivity(p) / p["epsilon"])


def _of_values(change: Callable[[np.ndarray, dict], np.ndarray]) -> Callable[[dict], Law]:
    """Return the law for values that are clipped in another way."""

    def law(p: dict) -> Law:
        values = change(values_of(p), p)
        return _ratio(p, total=(values - _middle(p)).sum(), count=len(values))

    return law


def _around(center: Callable[[dict], float], scale: Callable[[dict], float]) -> Callable:
    """Return the law of Laplace noise around a number, clipped."""
    return lambda p: _clipped(laplace(scale(p), center(p)), p)


def _uncentered(p: dict) -> Law:
    """Return the law of `private_mean`: nothing is taken off the values."""
    moved = max(map(abs, _bounds(p)))
    return _ratio(p, center=0.0, total_scale=2 * moved / p["epsilon"])


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
    Mistake("the sum gets two thirds of epsilon", _scaled(lambda p: 1, share=2 / 3), _HALVES),
    Mistake("the sum gets one third of epsilon", _scaled(lambda p: 1, share=1 / 3), _HALVES),
    Mistake(
        "the exact count is used",
        _around(_mean, lambda p: 2 * _reach(p) / (p["epsilon"] * p["rows"])),
        _COUNT,
    ),
    Mistake(
        "the exact count is used, and the sum gets all of epsilon",
        _around(_mean, lambda p: _reach(p) / (p["epsilon"] * p["rows"])),
        _COUNT,
    ),
    Mistake("the values are not centered", _uncentered, _CENTER),
    Mistake(
        "the values are not centered, and the noise is that of centered ones",
        lambda p: _ratio(p, center=0.0),
        "what does the noise promise to hide, and what does the sum hold?",
    ),
    Mistake(
        "the values are measured from the lower bound",
        lambda p: _ratio(p, center=p["lower"], total_scale=2 * _width(p) / p["epsilon"]),
        _CENTER,
    ),
    Mistake(
        "the values are measured from the data's own mean",
        lambda p: _ratio(p, center=_mean(p)),
        "who may know the mean of the data before the release?",
    ),
    Mistake(
        "the middle is not added back",
        lambda p: _ratio(p, back=0.0),
        "you have the mean of the distances: how do you get the mean of the values?",
    ),
    Mistake(
        "the middle is added to the sum, not to the quotient",
        lambda p: _ratio(p, total=_total(p, _middle(p)) + _middle(p), back=0.0),
        "you have the mean of the distances: how do you get the mean of the values?",
    ),
    Mistake(
        "the sensitivity is the whole width",
        _with_sensitivity(_width),
        _ADDED,
    ),
    Mistake("the sum gets the noise of a count", _with_sensitivity(lambda p: 1.0), _ADDED),
    Mistake(
        "the count gets the noise of the sum",
        lambda p: _ratio(p, count_scale=2 * _reach(p) / p["epsilon"]),
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
        lambda p: _ratio(p, least=None),
        "what happens to the quotient when the noisy count is 0.01, or -3?",
    ),
    Mistake(
        "a noisy count below 1 counts as nearly 0",
        lambda p: _ratio(p, least=1e-9),
        "what does the task divide by where the noisy count is 0.5?",
        "too many answers are at the very ends",
    ),
    Mistake(
        "the exact count is used where the noisy one is not positive",
        lambda p: _ratio(p, instead=float(max(p["rows"], 1))),
        "who reads off your answer that the noisy count was not positive, and what else?",
    ),
    Mistake(
        "a negative noisy count becomes positive",
        lambda p: _ratio(p, below=NoisyRatio.below_without_sign),
        "what does the task divide by where the noisy count is -3?",
    ),
    Mistake("the noise is doubled", _scaled(lambda p: 2.0), _HALVES),
    Mistake("epsilon is ignored", _scaled(lambda p: p["epsilon"] / 2), _EPSILON),
    Mistake(
        "epsilon multiplies instead of divides", _scaled(lambda p: p["epsilon"] ** 2 / 4), _EPSILON
    ),
    Mistake(
        "the noise is Gaussian, not Laplace",
        lambda p: _ratio(p, below=NoisyRatio.below_with_gaussian_noise),
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
    exact=_mean,
    scale=_spread,
    law_at=_ratio,
    edges=_edges,
    ends=_bounds,
    looks_like=lambda noise: float(np.mean(np.abs(noise))),
    mistakes=_MISTAKES,
    least_rate=0.0065,
    situation=lambda p: (
        f"epsilon {p['epsilon']:.2f}, {p['rows']} values clipped to "
        f"[{p['lower']:g}, {p['upper']:g}]"
    ),
)
