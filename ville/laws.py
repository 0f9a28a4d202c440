"""The laws of randomized mechanisms, ready for `ville.follows`.

`from_cdf`, `from_pmf` and `from_quantiles` make other laws. The functions of `ville.composition`
change and join laws: `shifted`, `scaled`, `clamped`, `folded`, `truncated`, `rounded`, `mixture`;
those of `ville.joint` are of draws of several entries: `chain`, `multinomial`, `dirichlet`.
All of them are names of this module.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ville import distributions
from ville.composition import clamped, folded, mixture, rounded, scaled, shifted, truncated
from ville.joint import chain, dirichlet, multinomial
from ville.law import Law
from ville.numbers.shape import Lattice
from ville.outcomes import Choice
from ville.own_laws import from_cdf, from_pmf, from_quantiles, from_scipy
from ville.require import finite, positive, share

__all__ = [
    "WRONG_FACTORS",
    "categorical",
    "chain",
    "clamped",
    "dirichlet",
    "discrete_gaussian",
    "discrete_laplace",
    "exponential_mechanism",
    "folded",
    "from_cdf",
    "from_pmf",
    "from_quantiles",
    "from_scipy",
    "gaussian",
    "geometric",
    "laplace",
    "mixture",
    "multinomial",
    "permute_and_flip",
    "point",
    "randomized_response",
    "rounded",
    "scaled",
    "shifted",
    "snapping",
    "staircase",
    "truncated",
    "uniform",
    "wrong_scales",
]

# Tables of whole-number laws reach out to a dozen deviations.
_LARGEST_DEVIATION = 1e4

# A scale taken for a standard deviation, a budget spent twice or by half, and small errors.
WRONG_FACTORS = (0.5, math.sqrt(0.5), 0.9, 1.1, math.sqrt(2), 2.0)


def laplace(scale: float, center: float = 0.0) -> Law:
    """Return the Laplace law: density exp(-|x - center| / scale) / (2 * scale)."""
    positive("scale", scale)
    finite("center", center)
    return Law(
        f"Laplace(scale={scale:g}" + (f", center={center:g})" if center else ")"),
        distributions.laplace(scale, center),
        spread=lambda factor: laplace(scale * factor, center),
    )


def gaussian(deviation: float, center: float = 0.0) -> Law:
    """Return the Gaussian law of one standard deviation."""
    positive("deviation", deviation)
    finite("center", center)
    return Law(
        f"Gaussian(deviation={deviation:g}" + (f", center={center:g})" if center else ")"),
        distributions.gaussian(deviation, center),
        spread=lambda factor: gaussian(deviation * factor, center),
    )


def uniform(low: float, high: float) -> Law:
    """Return the law of numbers spread evenly from `low` to `high`."""
    finite("low", low)
    positive("high - low", high - low)
    return Law(f"uniform({low:g}, {high:g})", distributions.uniform(low, high), support=(low, high))


def staircase(sensitivity: float, epsilon: float, share_of_step: float | None = None) -> Law:
    """Return the staircase law (Geng & Viswanath 2014), of least mean distance by default.

    Args:
      sensitivity: the width of a step.
      epsilon: each step is exp(-epsilon) times as high as the one before.
      share_of_step: which part of a step, next to 0, is the higher one; by default
        1 / (1 + exp(epsilon / 2)).
    """
    positive("sensitivity", sensitivity)
    positive("epsilon", epsilon)
    part = 1 / (1 + math.exp(epsilon / 2)) if share_of_step is None else share_of_step
    share("share_of_step", part)
    return Law(
        f"staircase(sensitivity={sensitivity:g}, epsilon={epsilon:g})",
        distributions.staircase(sensitivity, epsilon, part),
        spread=lambda factor: staircase(sensitivity * factor, epsilon, part),
    )


def discrete_laplace(scale: float) -> Law:
    """Return the law of whole k with probability proportional to exp(-|k| / scale)."""
    positive("scale", scale)
    return Law(
        f"discrete Laplace(scale={scale:g})",
        distributions.discrete_laplace(1 / scale),
        lattice=Lattice(),
        spread=lambda factor: discrete_laplace(scale * factor),
    )


def discrete_gaussian(deviation: float) -> Law:
    """Return the law of whole k with probability proportional to exp(-(k / deviation)**2 / 2)."""
    positive("deviation", deviation)
    if deviation > _LARGEST_DEVIATION:
        raise ValueError(f"deviation must be at most {_LARGEST_DEVIATION:g}, got {deviation!r}")
    most = _LARGEST_DEVIATION * 20
    return Law(
        f"discrete Gaussian(deviation={deviation:g})",
        distributions.discrete_gaussian(deviation),
        lattice=Lattice(),
        spread=lambda factor: Law(
            f"discrete Gaussian(deviation={deviation * factor:g})",
            distributions.discrete_gaussian(min(deviation * factor, most)),
            lattice=Lattice(),
        ),
    )


def snapping(value: float, scale: float, *, bound: float) -> Law:
    """Return the law of the snapping mechanism (Mironov 2012).

    Args:
      value: the exact answer.
      scale: of the Laplace noise; the result is rounded to the least power of two that reaches it.
      bound: answers are clamped to [-bound, bound], before the noise and after the rounding; a
        multiple of that power of two.
    """
    positive("scale", scale)
    positive("bound", bound)
    finite("value", value)
    step = 2.0 ** math.ceil(math.log2(scale))
    if bound % step:
        raise ValueError(f"bound must be a multiple of {step:g}, got {bound!r}")
    noisy = laplace(scale, min(max(value, -bound), bound))
    return replace(clamped(rounded(noisy, step), -bound, bound), name=f"snapping(scale={scale:g})")


def geometric(success: float, *, first: int = 1) -> Law:
    """Return the law of the first success of independent trials, counted from `first` on."""
    if not 0 < success < 1:
        raise ValueError(f"success must lie between 0 and 1, got {success!r}")
    return Law(
        f"geometric(success={success:g}, first={first})",
        distributions.geometric(-math.log1p(-success), first=first),
        lattice=Lattice(),
        support=(first, math.inf),
    )


def point(place: float) -> Law:
    """Return the law of one place: no chance at all."""
    finite("place", place)
    place = float(place)
    return Law(f"always {place:g}", np.zeros_like, atoms={place: 1.0}, support=(place, place))


def categorical(probabilities: Mapping[Hashable, float] | Sequence[float]) -> Choice:
    """Return the law of a choice: {outcome: probability}, or the probabilities of 0, 1, 2, ..."""
    given = probabilities
    return Choice(dict(given) if isinstance(given, Mapping) else dict(enumerate(given)))


def exponential_mechanism(
    scores: Sequence[float], *, epsilon: float, sensitivity: float, factor: float = 0.5
) -> Choice:
    """Return the law of the chosen index: in proportion to exp(factor * epsilon * score / ...).

    Args:
      scores: one for each index.
      epsilon: the privacy loss.
      sensitivity: of the scores; what the exponent is divided by.
      factor: 1/2 in general; 1 for scores that all move one way.
    """
    chances = np.exp(_exponents(scores, epsilon, sensitivity, factor))
    return Choice(dict(enumerate((chances / chances.sum()).tolist())), "exponential mechanism")


def permute_and_flip(
    scores: Sequence[float], *, epsilon: float, sensitivity: float, factor: float = 0.5
) -> Choice:
    """Return the law of the chosen index by permute-and-flip (McKenna & Sheldon 2020)."""
    heads = np.exp(_exponents(scores, epsilon, sensitivity, factor))
    # Each index shows its coin at a uniform time; the first head wins. The integrand is a
    # polynomial in the time, and quadrature with positive weights is exact for it.
    places, weights = np.polynomial.legendre.leggauss(len(heads) // 2 + 1)
    times = (places + 1) / 2
    chances = [
        head * (weights / 2) @ np.prod(1 - np.outer(times, np.delete(heads, index)), axis=1)
        for index, head in enumerate(heads)
    ]
    return Choice(dict(enumerate(chances)), "permute-and-flip")


def randomized_response(truth: Hashable, *, epsilon: float, outcomes: Sequence = ()) -> Choice:
    """Return the law of one randomized answer among `outcomes`, by default False and True."""
    positive("epsilon", epsilon)
    outcomes = list(outcomes) or [False, True]
    if truth not in outcomes or len(outcomes) < 2:
        raise ValueError(f"truth must be one of at least two outcomes {outcomes}, got {truth!r}")
    other = 1 / (math.exp(epsilon) + len(outcomes) - 1)
    chances = {each: math.exp(epsilon) * other if each == truth else other for each in outcomes}
    return Choice(chances, f"randomized response(epsilon={epsilon:g})")


def wrong_scales(
    law_of_scale: Callable[[float], Law], scale: float, factors: Sequence[float] = WRONG_FACTORS
) -> dict[str, Law]:
    """Return a catalogue of the laws whose scale is wrong by a factor, by name.

    Args:
      law_of_scale: makes a law from its scale, `laws.laplace` for example.
      scale: the right scale.
      factors: the wrong scales, as multiples of the right one.
    """
    positive("scale", scale)
    return {
        f"the scale is {factor:.3g} × what it must be": law_of_scale(scale * factor)
        for factor in factors
    }


def _exponents(scores, epsilon: float, sensitivity: float, factor: float) -> np.ndarray:
    positive("epsilon", epsilon)
    positive("sensitivity", sensitivity)
    positive("factor", factor)
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 1 or not scores.size or not np.isfinite(scores).all():
        raise ValueError(f"scores must be a list of finite numbers, got {scores!r}")
    return factor * epsilon / sensitivity * (scores - scores.max())
