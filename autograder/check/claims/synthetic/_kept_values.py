"""The law of how many values come: noisy counts, made the nearest that are at least 0."""

import itertools
import math
from functools import lru_cache, reduce

import numpy as np

_NEXT_TO_NOTHING = 1e-24  # below this a probability is left out of a sum


@lru_cache(maxsize=1024)
def kept_law(counts: tuple[int, ...], scale: float) -> dict[tuple[int, ...], float]:
    """Return how likely so many values of each kind come; a kind has a count, the lowest first.

    So many people have the values. The counts have discrete Laplace noise of this scale. They are
    made the nearest that are at least 0 and have the same total, or equal if that is not above 0
    (Duchi et al. 2008). A value comes if its share is above 0, as no share is small and there are
    many rows: among 2,000 rows one is missed with probability below 1e-12. The sums leave out less
    than 1e-14.
    """
    reach, kinds = int(36 * scale) + 2, sorted(set(counts))
    noisy = np.arange(kinds[0] - reach, kinds[-1] + reach + 1)
    weights = [_noisy_weights(noisy, count, scale) for count in kinds]
    numbers = [counts.count(count) for count in kinds]
    law = np.zeros([number + 1 for number in numbers])
    for level in range(int(noisy[-1])):
        found = _kept_above(level, noisy, weights, numbers)
        law += found
        if found.sum() < _NEXT_TO_NOTHING:
            break
    law[(-1,) * law.ndim] = 1 - law.sum()
    return {kept: float(law[kept]) for kept in np.ndindex(law.shape) if any(kept)}


def _noisy_weights(noisy: np.ndarray, count: int, scale: float) -> np.ndarray:
    weights = np.exp(-np.abs(noisy - count) / scale) if scale else (noisy == count).astype(float)
    return weights / weights.sum()


def _kept_above(level: int, noisy: np.ndarray, weights: list, numbers: list) -> np.ndarray:
    """Return how likely so many values of each kind are kept, but not all, because of this level.

    The kept pay for the lost: all are lowered by -(the sum of the lost) / their number. That is
    between `level` and the next whole number, so that a count is lost if it is at most `level`.
    """
    low = noisy <= level
    sums = [_powers(weight[low], most) for weight, most in zip(weights, numbers, strict=True)]
    above = [float(weight[~low].sum()) for weight in weights]
    chances = _outer([a ** np.arange(n + 1) for a, n in zip(above, numbers, strict=True)])
    enough = np.zeros(chances.shape)
    for kept in zip(*np.nonzero(chances >= _NEXT_TO_NOTHING), strict=True):
        payers, lost = sum(kept), sum(numbers) - sum(kept)
        if payers and lost:
            law = reduce(
                np.convolve, [by[n - k] for by, n, k in zip(sums, numbers, kept, strict=True)]
            )
            end = 1 - level * payers - lost * noisy[0]
            enough[kept] = law[max(end - payers, 0) : max(end, 0)].sum()
    ways = _outer([[math.comb(n, k) for k in range(n + 1)] for n in numbers])
    return ways * chances * enough


def _outer(factors: list) -> np.ndarray:
    """Return the products of one number from each list."""
    return reduce(np.multiply.outer, factors, np.ones(()))


def _powers(law: np.ndarray, most: int) -> list[np.ndarray]:
    """Return the laws of the sums of 0, 1, ... and `most` independent draws."""
    return list(itertools.accumulate([law] * most, np.convolve, initial=np.ones(1)))
