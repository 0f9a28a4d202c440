"""The law of a noisy sum over a noisy count, in closed form."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, ndtri

from ville.distributions import laplace

# Beyond so many scales a Laplace tail is 1e-22, and left out.
_FAR = 50.0


@dataclass(frozen=True)
class NoisyRatio:
    """(total + noise) / (count + noise), both Laplace and independent.

    Args:
      total, total_scale: the exact sum, and the scale of its noise, > 0.
      count, count_scale: the exact count, and the scale of its noise, > 0.
      least: a noisy count below this counts as this; None leaves it as it is, negative ones too.
      instead: what a noisy count below `least` counts as, if not as `least`.
    """

    total: float
    total_scale: float
    count: float
    count_scale: float
    least: float | None = 1.0
    instead: float | None = None

    def below(self, ratio: np.ndarray) -> np.ndarray:
        """Return the probability that the ratio is at most `ratio`, an array of any shape."""
        ratio = np.asarray(ratio, dtype=float)
        start = 0.0 if self.least is None else self.least
        end = max(start, self.count) + _FAR * self.count_scale
        noise, short = laplace(self.count_scale, self.count), laplace(self.total_scale, self.total)
        result = self._integral(ratio, start, end)
        if self.least is None:
            # With a negative count the ratio is small when the sum is large.
            low = min(start, self.count) - _FAR * self.count_scale
            return result + noise(np.array(0.0)) - self._integral(ratio, low, start)
        low = start if self.instead is None else self.instead
        return result + noise(np.array(start)) * short(ratio * low)

    def below_without_sign(self, ratio: np.ndarray) -> np.ndarray:
        """Return the same probability where the noisy count loses its sign.

        Then it has the densities of a count and of its negative. Both hold the counts below
        `least`, which are there once only.
        """
        positive = replace(self, least=self.least or 0.0)
        negative = replace(positive, count=-self.count)
        once = laplace(self.total_scale, self.total)(np.asarray(ratio) * positive.least)
        return positive.below(ratio) + negative.below(ratio) - once

    def below_if_drawn_again(self, ratio: np.ndarray) -> np.ndarray:
        """Return the same probability where a noisy count below `least`, or 0, is drawn again."""
        start = self.least or 0.0
        end = max(start, self.count) + _FAR * self.count_scale
        kept = 1 - laplace(self.count_scale, self.count)(np.array(start))
        return self._integral(np.asarray(ratio, dtype=float), start, end) / kept

    def below_with_gaussian_noise(self, ratio: np.ndarray) -> np.ndarray:
        """Return the same probability for Gaussian noise: a mean over many noisy counts."""
        levels = (np.arange(300) + 0.5) / 300
        counts = np.maximum(self.count + self.count_scale * ndtri(levels), self.least)
        reach = np.asarray(ratio)[..., None] * counts - self.total
        return ndtr(reach / self.total_scale).mean(axis=-1)

    def below_with_whole_count(self, ratio: np.ndarray) -> np.ndarray:
        """Return the same probability where the noisy count is rounded to a whole number."""
        far = int(_FAR * self.count_scale)
        counts = np.arange(round(self.count) - far, round(self.count) + far + 1)
        noise = laplace(self.count_scale, self.count)
        chances = noise(counts + 0.5) - noise(counts - 0.5)
        least = np.maximum(counts, self.least or 0.0)
        return laplace(self.total_scale, self.total)(np.asarray(ratio)[..., None] * least) @ chances

    def _integral(self, ratio: np.ndarray, start: float, end: float) -> np.ndarray:
        """Return the integral over counts c from start to end: Pr(sum <= ratio * c) times density.

        Between the exact count and the count at which ratio * c is the exact sum, everything is an
        exponential of a linear function.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = np.where(ratio == 0, end, self.total / ratio)
        ends = np.stack(np.broadcast_arrays(start, crossing, self.count, end))
        ends = np.sort(np.clip(ends, start, end), axis=0)
        return sum(self._piece(ratio, *pair) for pair in itertools.pairwise(ends))

    def _piece(self, ratio: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return the integral over a piece without a kink inside."""
        middle = (low + high) / 2
        under = ratio * middle < self.total
        # Half of exp(-distance of ratio * c from the sum): the tail on the side of the crossing.
        exponents = [
            -np.abs(ratio * place - self.total) / self.total_scale
            - np.abs(place - self.count) / self.count_scale
            for place in (low, high)
        ]
        tail = (high - low) * _mean_exponential(*exponents) / (4 * self.count_scale)
        law = laplace(self.count_scale, self.count)
        return np.where(under, tail, law(high) - law(low) - tail)


def _mean_exponential(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the mean of exp(x) for x evenly spread between two numbers."""
    gap = np.abs(one - other)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(gap < 1e-9, 1 - gap / 2, -np.expm1(-gap) / gap)
    return np.exp(np.maximum(one, other)) * share
