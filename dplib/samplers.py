"""Whole-number noise whose law is exact: only integers are computed with, never a float.

What is drawn at random are fair bits; from them come uniform integers, events of a rational
probability, events of probability exp(-n/d), and from these the two laws. A float given as a
parameter is read as the fraction that it is: 0.1 as 3602879701896397 / 2**55.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dplib import _validate

__all__ = ["discrete_gaussian_variance", "exact_discrete_gaussian", "exact_discrete_laplace"]

# Noise of a larger scale would not fit 64 bits together with the value.
_LARGEST_SCALE = 10**12


def exact_discrete_laplace(value, *, sensitivity, epsilon, rng=None):
    """Release whole numbers with epsilon-differential privacy; the law of the noise is exact.

    The noise k has probability proportional to exp(-epsilon * |k| / sensitivity), the law of
    `dplib.discrete_laplace`, without that one's rounding. It is slower: an array is filled number
    by number. The guarantee holds for the neighbors (add_remove or replace_one) for which
    `sensitivity` was computed, if the generator's bits are fair; how long a draw takes is not
    hidden.

    Args:
      value: exact answer, a whole number or an array of them of shape (d,), at most 2**53 in size.
      sensitivity: largest L1 change of `value` between neighbors, > 0.
      epsilon: privacy cost spent by this release, > 0, without unit. A Fraction is used as it is.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer, of the shape of `value`: a Python int, or an int64 array. An entry is off by
      k or more with probability 2 * q**k / (1 + q), where q = exp(-epsilon / sensitivity), k >= 1.

    Raises:
      ValueError: epsilon or sensitivity is not positive and finite, epsilon / sensitivity is below
        1e-12 (the noise would not fit 64 bits), or value is empty or not whole.

    Source: Canonne, Kamath & Steinke (2020), algorithm 2.
    """
    above, below = _ratio("sensitivity", sensitivity)
    epsilon_above, epsilon_below = _ratio("epsilon", epsilon)
    above, below = above * epsilon_below, below * epsilon_above
    if above > _LARGEST_SCALE * below:
        raise ValueError(f"epsilon / sensitivity must be at least 1e-12, got {below / above!r}")
    return _add(value, rng, lambda bits: _laplace(bits, above, below))


def exact_discrete_gaussian(value, *, l2_sensitivity, rho, rng=None):
    """Release whole numbers with rho-zero-concentrated differential privacy; the law is exact.

    The noise k has probability proportional to exp(-k**2 / (2 * sigma**2)), where
    sigma**2 = l2_sensitivity**2 / (2 * rho): the guarantee of continuous Gaussian noise of that
    sigma, with no more variance. It holds for the neighbors (add_remove or replace_one) for which
    `l2_sensitivity` was computed, if the generator's bits are fair; how long a draw takes is not
    hidden.

    Args:
      value: exact answer, a whole number or an array of them of shape (d,), at most 2**53 in size.
      l2_sensitivity: largest L2 change of `value` between neighbors, > 0.
      rho: privacy spent by this release, > 0, without unit. A Fraction is used as it is.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer, of the shape of `value`: a Python int, or an int64 array. The variance of
      an entry is `discrete_gaussian_variance`.

    Raises:
      ValueError: rho or l2_sensitivity is not positive and finite, sigma is above 1e12 (the noise
        would not fit 64 bits), or value is empty or not whole.

    Source: Canonne, Kamath & Steinke (2020), algorithm 3.
    """
    above, below = _sigma_squared(l2_sensitivity, rho)
    return _add(value, rng, lambda bits: _gaussian(bits, above, below))


def discrete_gaussian_variance(*, l2_sensitivity, rho):
    """Return the variance of the noise of `exact_discrete_gaussian`.

    Args:
      l2_sensitivity, rho: as in `exact_discrete_gaussian`.

    Returns:
      A float, at most sigma**2 = l2_sensitivity**2 / (2 * rho), and as good as equal to it once
      sigma is above 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Canonne, Kamath & Steinke (2020), the definition of the law.
    """
    above, below = _sigma_squared(l2_sensitivity, rho)
    variance = above / below
    if variance > 9:
        # The difference is about exp(-2 * pi^2 * variance), by Poisson's summation formula.
        return variance
    if variance == 0:
        return 0.0
    numbers = np.arange(1.0, 121.0)
    weights = np.exp(-(numbers**2) / (2 * variance))
    return float(2 * (numbers**2 * weights).sum() / (1 + 2 * weights.sum()))


def _sigma_squared(l2_sensitivity, rho) -> tuple[int, int]:
    above, below = _ratio("l2_sensitivity", l2_sensitivity)
    rho_above, rho_below = _ratio("rho", rho)
    # Canonne, Kamath & Steinke (2020): rho = sensitivity^2 / (2 sigma^2), as for continuous noise.
    above, below = above**2 * rho_below, 2 * below**2 * rho_above
    if above > _LARGEST_SCALE**2 * below:
        raise ValueError(f"rho must make sigma at most 1e12, got {rho!r}")
    return above, below


def _ratio(name: str, value) -> tuple[int, int]:
    """Return a positive number as the fraction that it is: numerator and denominator."""
    number = _validate.positive(name, value)
    return (value if isinstance(value, Fraction | int) else number).as_integer_ratio()


def _add(value, rng, draw: Callable[[_Bits], int]):
    exact = _validate.integer_array("value", value)
    bits = _Bits(_validate.generator(rng))
    if exact.ndim == 0:
        return exact.item() + draw(bits)
    noisy = [number + draw(bits) for number in exact.ravel().tolist()]
    return np.array(noisy, dtype=np.int64).reshape(exact.shape)


class _Bits:
    """Fair bits from a Generator, and the events that integers can make of them."""

    def __init__(self, generator: np.random.Generator):
        self._generator = generator
        self._words: list[int] = []

    def word(self) -> int:
        """Return a uniform integer of 64 bits."""
        if not self._words:
            self._words = self._generator.integers(0, 2**64, size=32, dtype=np.uint64).tolist()
        return self._words.pop()

    def below(self, limit: int) -> int:
        """Return a uniform integer from 0 to limit - 1."""
        length = (limit - 1).bit_length()
        while True:
            number = 0
            for _ in range(0, length, 64):
                number = number << 64 | self.word()
            number >>= -length % 64
            if number < limit:
                return number

    def happens(self, numerator: int, denominator: int) -> bool:
        """Return True with probability numerator / denominator, which is at most 1."""
        # A uniform real number is below the fraction: compared 64 binary digits at a time, and
        # almost always decided by the first.
        while True:
            digits, numerator = divmod(numerator << 64, denominator)
            drawn = self.word()
            if drawn != digits:
                return drawn < digits

    def survives(self, numerator: int, denominator: int) -> bool:
        """Return True with probability exp(-numerator / denominator), for a fraction >= 0."""
        # Canonne, Kamath & Steinke (2020), algorithm 1: exp(-x) for x above 1 is a product of
        # exp(-1) and one more factor; below 1, how many events of probability x / k, k = 1, 2, …,
        # happen in a row is even with probability 1 - x + x^2/2! - …
        while numerator > denominator:
            if not self.survives(1, 1):
                return False
            numerator -= denominator
        trial = 1
        while self.happens(numerator, denominator * trial):
            trial += 1
        return trial % 2 == 1


def _laplace(bits: _Bits, numerator: int, denominator: int) -> int:
    """Return k with probability proportional to exp(-|k| * denominator / numerator)."""
    # Canonne, Kamath & Steinke (2020), algorithm 2. Whole steps of exp(-1) and the part below one
    # make a geometric variable of parameter exp(-1 / numerator); division makes it coarser.
    while True:
        part = bits.below(numerator)
        if not bits.survives(part, numerator):
            continue
        steps = 0
        while bits.survives(1, 1):
            steps += 1
        size = (part + numerator * steps) // denominator
        negative = bits.word() & 1
        # Zero has no sign: one of its two must go, or it would be drawn twice as often.
        if not (negative and size == 0):
            return -size if negative else size


def _gaussian(bits: _Bits, above: int, below: int) -> int:
    """Return k with probability proportional to exp(-k^2 / (2 * variance))."""
    # The variance is above / below. Canonne, Kamath & Steinke (2020), algorithm 3: keep a discrete
    # Laplace number of this scale with probability exp(-(|k| - variance / scale)^2 / (2 variance)),
    # here as one fraction.
    scale = math.isqrt(above // below) + 1
    while True:
        number = _laplace(bits, scale, 1)
        distance = abs(number) * scale * below - above
        if bits.survives(distance * distance, 2 * above * below * scale * scale):
            return number
