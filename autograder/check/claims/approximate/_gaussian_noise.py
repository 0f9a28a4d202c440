"""Gaussian noise for (epsilon, delta): the exact sigma, and the mistakes about it and its shape."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtri

from autograder.check.mistakes import QUESTIONS, Mistake, mistakes_by, wrong_laws, wrong_scales
from ville.distributions import Distribution as Law
from ville.distributions import gaussian, laplace, uniform


def exact_delta(distance: float, epsilon: float) -> float:
    """Return the delta of Gaussian noise with l2_sensitivity / sigma = distance."""
    first, second = _log_terms(distance, epsilon)
    # Balle & Wang (2018), theorem 8: Phi(a) - exp(epsilon) Phi(b), as a product: nothing overflows.
    return -math.exp(first) * math.expm1(min(second - first, 0.0))


def _log_terms(distance: float, epsilon: float) -> tuple[float, float]:
    """Return the logs of both terms of theorem 8."""
    half, shift = distance / 2, epsilon / distance
    return float(log_ndtr(half - shift)), epsilon + float(log_ndtr(-half - shift))


@lru_cache(maxsize=512)
def exact_sigma(epsilon: float, delta: float) -> float:
    """Return the smallest sigma, for sensitivity 1, that is (epsilon, delta)-private."""
    # Balle & Wang (2018), theorem 8: delta grows with the distance 1 / sigma.
    return _sigma_where(lambda distance: exact_delta(distance, epsilon), delta)


def _sigma_where(delta_of: Callable[[float], float], delta: float) -> float:
    """Return 1 / distance for the distance at which a growing function reaches delta."""

    def excess(log_distance: float) -> float:
        return delta_of(math.exp(log_distance)) - delta

    low, high = -1.0, 1.0
    while excess(low) > 0 and low > -40:
        low -= 2
    while excess(high) < 0 and high < 40:
        high += 2
    return math.exp(-brentq(excess, low, high, xtol=1e-14, rtol=1e-14))


# What is taken for the sigma of sensitivity 1, from epsilon and delta: name, formula, question.
_ROOT = "write the formula on paper: what stands under the root, and what beside it?"
_EXACT = "put your sigma into `gaussian_delta`: is it the delta that was asked for?"


def _classical(number: float) -> Callable[[float, float], float]:
    return lambda epsilon, delta: math.sqrt(2 * max(math.log(number / delta), 0)) / epsilon


def _where_first_term_is_delta(epsilon: float, delta: float) -> float:
    """Return the sigma with Pr(privacy loss > epsilon) = delta."""
    place = float(ndtri(delta))
    # distance / 2 - epsilon / distance = place, solved for 1 / distance.
    return (math.sqrt(place**2 + 2 * epsilon) - place) / (2 * epsilon)


FORMULA_MISTAKES = (
    (
        "the classical formula is used",
        _classical(1.25),
        "for which epsilon is that formula proved? And is its noise the least?",
    ),
    ("the classical formula is used, with ln(1/delta)", _classical(1.0), _EXACT),
    ("the classical formula is used, with ln(2/delta)", _classical(2.0), _EXACT),
    (
        "below epsilon 1 the classical formula is used",
        lambda epsilon, delta: (_classical(1.25) if epsilon < 1 else exact_sigma)(epsilon, delta),
        _EXACT,
    ),
    (
        "delta is 0.00001, whatever is asked for",
        lambda epsilon, delta: exact_sigma(epsilon, 1e-5),
        "which delta does the caller ask for, and where does your code use it?",
    ),
    (
        "the classical formula is used, and its 2 is missing",
        lambda epsilon, delta: _classical(1.25)(epsilon, delta) / math.sqrt(2),
        _ROOT,
    ),
    (
        "delta is read as the chance of a loss above epsilon",
        _where_first_term_is_delta,
        "the exact delta has two terms: where is the one with exp(epsilon)?",
    ),
    (
        "exp(epsilon) is missing before the second term",
        lambda epsilon, delta: _sigma_where(
            lambda d: (
                math.exp(_log_terms(d, epsilon)[0]) - math.exp(_log_terms(d, epsilon)[1] - epsilon)
            ),
            delta,
        ),
        "what stands between the two terms of the exact delta?",
    ),
    (
        "delta is ignored",
        lambda epsilon, delta: 1 / epsilon,
        "what should happen to the noise when delta is made smaller?",
    ),
    (
        "an epsilon above 1 counts as 1",
        lambda epsilon, delta: exact_sigma(min(epsilon, 1.0), delta),
        "is there a largest epsilon in the definition?",
    ),
    (
        "delta is 100 times what is asked for",
        lambda epsilon, delta: exact_sigma(epsilon, min(100 * delta, 0.5)),
        _EXACT,
    ),
    (
        "delta is divided by two",
        lambda epsilon, delta: exact_sigma(epsilon, delta / 2),
        "the definition looks at one event and one direction: which delta is spent on it?",
    ),
)


def sigma_mistakes() -> tuple[Mistake, ...]:
    """Return the mistakes about sigma."""

    def noise(unit_sigma: Callable[[float, float], float]) -> Callable[[dict], Law]:
        return lambda p: gaussian(p["l2_sensitivity"] * unit_sigma(p["epsilon"], p["delta"]))

    slips = {
        "epsilon is ignored": lambda epsilon, delta: exact_sigma(1.0, delta),
        "epsilon multiplies instead of divides": lambda epsilon, delta: exact_sigma(
            1 / epsilon, delta
        ),
    }
    formulas = {name: (formula, ask) for name, formula, ask in FORMULA_MISTAKES}
    return (
        *mistakes_by(noise, formulas),
        *wrong_scales(gaussian, _WRONG_SENSITIVITIES),
        *mistakes_by(noise, slips),
    )


def _unit(p: dict) -> float:
    return exact_sigma(p["epsilon"], p["delta"])


_WRONG_SENSITIVITIES = {
    "the sensitivity is ignored": _unit,
    "the sensitivity is squared": lambda p: p["l2_sensitivity"] ** 2 * _unit(p),
    "the sensitivity divides instead of multiplies": (
        lambda p: _unit(p) / p["l2_sensitivity"],
        QUESTIONS["the scale is upside down"],
    ),
    "sensitivity, epsilon and delta are ignored": (
        lambda p: 1.0,
        QUESTIONS["sensitivity and epsilon are ignored"],
    ),
}


def shape_mistakes(sigma: Callable[[dict], float]) -> tuple[Mistake, ...]:
    """Return the mistakes about the draws, for the right sigma from a setting's parameters."""
    laplace_scales = {
        "the noise is Laplace, with sigma as its scale": sigma,
        "the noise is Laplace of the right variance": lambda p: sigma(p) / math.sqrt(2),
        "the noise is Laplace, of scale sensitivity / epsilon": lambda p: (
            p["l2_sensitivity"] / p["epsilon"]
        ),
    }
    peaked = {name: (scale, _LAW, _PEAK) for name, scale in laplace_scales.items()}
    return (
        *mistakes_by(lambda spread: lambda p: gaussian(spread(sigma(p))), _SPREADS),
        *wrong_scales(laplace, peaked),
        *wrong_laws(sigma, _SHAPES),
    )


def _cut(law: Law, x: np.ndarray, reach: float) -> np.ndarray:
    """Return the law of draws that are repeated until they lie within `reach` of 0."""
    low, high = law(np.array([-reach, reach]))
    return np.clip((law(x) - low) / (high - low), 0, 1)


_LAW = "which law does the name of the mechanism say, and what does numpy call it?"
_PEAK = "Gaussian noise of sigma {scale} has the shape of a bell, yours has a peak and long tails"
TOO_WIDE = "the noise is added twice, or sigma is too large by sqrt(2)"
TOO_NARROW = "two draws are averaged, or sigma is too small by sqrt(2)"
_FIRST = "what is the first parameter of numpy's `normal`, and what is the second?"
_DRAWS = "how many draws does one number need? And which factor 2 stands under a root?"
_DEVIATION = "numpy's `scale` for a normal law: is it the standard deviation, or its square?"


_SPREADS = {
    "the variance is given as the standard deviation": (lambda s: s**2, _DEVIATION),
    "the root of sigma is given as the standard deviation": (math.sqrt, _DEVIATION),
    "the noise is doubled": (lambda s: 2 * s, _ROOT),
    "the noise is halved": (lambda s: s / 2, _ROOT),
    # One law, from two mistakes: a sum of Gaussian draws is Gaussian.
    TOO_WIDE: (lambda s: math.sqrt(2) * s, _DRAWS),
    TOO_NARROW: (lambda s: s / math.sqrt(2), _DRAWS),
}
_SHAPES = {
    "the noise is spread evenly": (
        lambda sigma: uniform(-sigma, sigma),
        _LAW,
        "Gaussian noise has no largest value, yours stops at {scale}",
    ),
    "the noise ends at 3 sigma": (
        lambda sigma: lambda x: _cut(gaussian(1.0), x / sigma, 3.0),
        "is noise that lies beyond cut, or drawn again? Or has the law that you draw from an end?",
        "Gaussian noise has no largest value, yours stops at three times sigma",
    ),
    "the noise is never negative": (
        lambda sigma: lambda x: np.maximum(2 * gaussian(sigma)(x) - 1, 0),
        QUESTIONS["the noise is never negative"],
        "half of the answers should lie below the exact one, none of yours does",
    ),
    "the scale is given as the centre": (lambda sigma: gaussian(1.0, sigma), _FIRST),
}


def looks_like_sigma(noise: np.ndarray) -> float:
    """Return the root of the mean square: the maximum-likelihood estimate of sigma."""
    return float(np.sqrt(np.mean(np.square(noise))))
