"""Laws that are integrals: a quotient of two noisy numbers, and the largest of noisy scores.

Gauss-Legendre quadrature, in pieces that end where an integrand has a kink or bends most: right to
about 1e-12 (`make test-practice` compares with adaptive integration).
"""

import itertools
from collections.abc import Callable

import numpy as np

from ville.distributions import gaussian, laplace

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
# Beyond so many scales the tail of the noise of a count is below 1e-17, and left out.
_FAR = {True: 9.0, False: 40.0}
# Where pieces end: in quarters of that distance around the count, and in widths of the sum's noise
# around the count at which the integrand falls.
_AROUND_COUNT = np.array([[-2.0], [-1.0], [-0.25], [0.0], [0.25], [1.0], [2.0]])
_AROUND_FALL = np.array([[-9.0], [-2.0], [0.0], [2.0], [9.0]])


def quotient(bell: bool, total: tuple[float, float], count: tuple[float, float]) -> Callable:
    """Return x -> the probability of (noisy total) / max(noisy count, 1) up to x.

    It is the mean of Pr(noisy total <= x * c) over noisy counts c.

    Args:
      bell: whether the noise is Gaussian; otherwise it is Laplace.
      total: the exact total, and the scale of its noise.
      count: the exact count likewise.
    """
    (total, wide), (count, narrow) = total, count
    noise = gaussian if bell else laplace
    of_total, of_count = noise(wide), noise(narrow)
    end = max(1.0, count) + _FAR[bell] * narrow

    def below(x: np.ndarray) -> np.ndarray:
        flat = np.asarray(x, dtype=float).ravel()
        ends = _ends(flat, total, wide, count + _FAR[bell] * narrow / 4 * _AROUND_COUNT, end)
        middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
        places = middle[..., None] + half[..., None] * _NODES
        inside = of_total(places * flat[:, None] - total) * _density(bell, places - count, narrow)
        level = np.einsum("pxn,px,n->x", inside, half, _WEIGHTS)
        level += of_count(1.0 - count) * of_total(flat - total)
        level += (1 - of_count(end - count)) * (flat > 0)
        return np.clip(level, 0, 1).reshape(np.shape(x))

    return below


def _ends(flat: np.ndarray, total: float, wide: float, near: np.ndarray, end: float) -> np.ndarray:
    """Return the ends of the pieces for each x, in order, of shape (ends, x)."""
    with np.errstate(divide="ignore"):
        fall = np.where(flat == 0, end, total / flat)
        width = np.abs(np.where(flat == 0, 1.0, wide / flat))
    between = np.concatenate([near + 0 * flat, fall + width * _AROUND_FALL])
    first, last = np.ones_like(flat), np.full_like(flat, end)
    return np.sort(np.stack([first, *np.clip(between, 1.0, end), last]), axis=0)


def _density(bell: bool, away: np.ndarray, scale: float) -> np.ndarray:
    if bell:
        return np.exp(-((away / scale) ** 2) / 2) / (scale * np.sqrt(2 * np.pi))
    return np.exp(-np.abs(away) / scale) / (2 * scale)


def noisy_max_chances(scores: np.ndarray) -> np.ndarray:
    """Return the chance of each score to be the largest after Laplace noise of scale 1.

    Between two scores the integrand is a sum of exponentials; pieces have a length of 2 at most.
    """
    kinks = np.unique(np.append(scores, scores.max() + np.array([-40.0, 40.0])))
    kinks = np.unique(np.maximum(kinks, scores.max() - 40.0))
    pieces = [
        np.linspace(*pair, int(np.ceil((pair[1] - pair[0]) / 2)) + 1)
        for pair in itertools.pairwise(kinks)
    ]
    ends = np.unique(np.concatenate(pieces))
    middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
    places = (middle[:, None] + half[:, None] * _NODES).ravel()
    weights = (half[:, None] * _WEIGHTS).ravel()
    below = laplace(1.0)(places - scores[:, None])
    density = np.exp(-np.abs(places - scores[:, None])) / 2
    return np.array(
        [
            weights @ (density[k] * np.prod(np.delete(below, k, axis=0), axis=0))
            for k in range(len(scores))
        ]
    )
