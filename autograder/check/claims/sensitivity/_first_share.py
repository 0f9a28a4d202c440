"""Which of three bounds is the first with a large enough share of noisy counts: the exact law."""

from collections.abc import Callable

import numpy as np

from ville.distributions import Distribution as Law
from ville.distributions import laplace, laplace_sum

# Beyond so many scales a Laplace tail is below 1e-19, and left out.
_FAR = 43.0
# A probability that rounding may have made 0 or negative; an outcome is impossible only at 0.
_LEAST = 1e-13


def first_share(counts, scale: float, share: float) -> np.ndarray:
    """Return the probabilities of the first, second and third bound.

    Noisy counts X1, X2, ... have Laplace noise of one scale. The first bound is chosen when X1 is
    at least `share` of their sum, the second when it is not and X1 + X2 is, the third otherwise.

    Args:
      counts: exact counts of three or four intervals; the third and fourth count as one of twice
        the noise.
      scale: of the noise, > 0.
      share: in (0, 1), not 1/2.
    """
    first, second, *others = counts
    rest, times, odds = sum(others), len(others), share / (1 - share)
    # X1 < odds * (X2 + X3 + X4): noise of the first, against that of all others.
    chosen = 1 - _combined(scale, odds * scale, times + 1)(odds * (second + rest) - first)
    # Neither: X1 < odds * (X2 + R) and X1 + X2 < odds * R, with R = X3 + X4. Let Q = odds * R - X1,
    # independent of X2: then Q > -odds * X2 and Q > X2, of which the sign of X2 decides.
    center = odds * rest - first
    law = _combined(scale, odds * scale, times)

    def neither(place):
        return law(center - np.where(place < 0, -odds * place, place))

    last = _expectation(neither, second, scale, kinks=(0.0, center, -center / odds))
    return _three(chosen, last)


def first_share_of(counts, scale: float, least: float) -> np.ndarray:
    """Return the same when X1, and X1 + X2, are compared with a number that has no noise."""
    first, second, *_ = counts
    law = laplace(scale, first)

    def neither(place):
        return law(least - np.maximum(place, 0.0))

    last = _expectation(neither, second, scale, kinks=(0.0, least - first))
    return _three(1 - law(np.array(float(least))), last)


def _three(first, last) -> np.ndarray:
    law = np.maximum([first, 1 - first - last, last], _LEAST)
    return law / law.sum()


def _expectation(function: Callable, center: float, scale: float, kinks) -> float:
    """Return the mean of a function of center + Laplace noise, smooth between its kinks."""
    ends = np.clip([center, *kinks], center - _FAR * scale, center + _FAR * scale)
    ends = np.sort([center - _FAR * scale, *ends, center + _FAR * scale])
    # Gauss-Legendre on each piece: exponentials times polynomials, exact to rounding.
    half = np.diff(ends)[:, None] / 2
    places = ends[:-1, None] + half * (1 + _NODES)
    density = np.exp(-np.abs(places - center) / scale) / (2 * scale)
    return float(np.sum(half * _WEIGHTS * density * function(places)))


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


def _combined(one: float, other: float, times: int) -> Law:
    """Return the law of a Laplace draw of scale `one`, and `times` (1 to 3) of scale `other`."""
    # Partial fractions of the characteristic function 1 / ((1 + a x) (1 + b x)**times), where
    # x = u**2, a = one**2, b = other**2: a mixture with signed weights.
    a, b = one**2, other**2
    weight, ratio = b / (b - a), -a / (b - a)
    weights = [weight * ratio**k for k in range(times)]
    parts = [laplace_sum(other, count) for count in range(times, 0, -1)]
    alone = laplace(one)

    def law(x):
        mixed = sum(each * part(x) for each, part in zip(weights, parts, strict=True))
        return mixed + (1 - sum(weights)) * alone(x)

    return law
