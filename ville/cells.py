"""Cells: the intervals into which draws of a law are sorted, and their probabilities."""

from functools import cache

import numpy as np

from ville.distributions import Distribution

# 40 cells, equally wide on the logit scale: the outermost hold 5e-4, their
# neighbors 2.5e-4 (the least), those in the middle 0.1.
LEVELS = 1 / (1 + np.exp(-np.linspace(-8, 8, 41)[1:-1]))

# Cells of whole-number noise reach out to where each tail holds at least this much.
_NEXT_TO_0 = 1e-9
_LEAST_TAIL = 4e-4
_FAR = 1e307  # beyond, there is no room for a wider search


def sorted_into(edges: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return each draw's cell. A draw that is not a number goes to the last cell, a rare one."""
    return np.searchsorted(edges, noise)


def cell_probabilities(edges: np.ndarray, law: Distribution) -> np.ndarray:
    """Return the probability of each cell when the noise follows `law`.

    An array of k laws, of shape (k, edges), gives shape (k, cells).
    """
    levels = law(edges)
    ends = np.zeros((*levels.shape[:-1], 1))
    return np.maximum(np.diff(np.concatenate([ends, levels, ends + 1], axis=-1)), 0.0)


def density_between(edges: np.ndarray, levels: np.ndarray) -> float:
    """Return the largest density, on average, between two neighboring edges."""
    widths, shares = np.diff(edges), np.diff(levels)
    return float(np.max(shares[widths > 0] / widths[widths > 0], initial=0.0))


@cache
def laplace_edges() -> np.ndarray:
    """Return the quantiles of the Laplace law of scale 1 at the cells' levels."""
    upper = LEVELS >= 0.5
    tail = np.where(upper, 1 - LEVELS, LEVELS)
    return np.where(upper, -1, 1) * np.log(2 * tail)


@cache
def gaussian_edges() -> np.ndarray:
    """Return the quantiles of the Gaussian law of deviation 1 at the cells' levels."""
    from scipy.special import ndtri

    return ndtri(LEVELS)


@np.errstate(all="ignore")  # the search may look at places where a law overflows
def quantiles(law: Distribution, levels: np.ndarray = LEVELS, *, reach: float = 1.0) -> np.ndarray:
    """Return the quantiles of any law: the least floats at which it reaches the levels.

    The search begins within `reach` of 0, a rough size of the law, and widens it as far as needed.
    It halves the number of floats that are left, not the distance: so it finds the quantiles of a
    law of any scale. The evidence is valid for any edges, and strongest for edges near them.
    """
    reach = float(reach)
    while reach < _FAR and law(np.array([-reach]))[0] > levels[0]:
        reach *= 4
    while reach < _FAR and law(np.array([reach]))[0] < levels[-1]:
        reach *= 4
    low, high = (_order(np.full(len(levels), end)) for end in (-reach, reach))
    for _ in range(64):
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        below = law(_order(middle)) < levels
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return _order(high)


def _order(numbers: np.ndarray) -> np.ndarray:
    """Return the place of each float in the order of all floats; or the floats of such places."""
    bits = numbers.view(np.int64)
    places = np.where(bits < 0, np.iinfo(np.int64).min - bits, bits)
    return places if numbers.dtype.kind == "f" else places.view(float)


def edges_of(law: Distribution, *, scale: float = 1.0) -> np.ndarray:
    """Return the different quantiles of any law; `scale` is its rough size.

    What lies next to 0 is 0: else a cell between the two would hold nothing but rounding errors.
    """
    edges = quantiles(law, reach=scale)
    return np.unique(np.where(np.abs(edges) < _NEXT_TO_0 * scale, 0.0, edges))


def whole_edges(law: Distribution) -> np.ndarray:
    """Return edges of one cell for each whole number and two for the tails, for symmetric noise.

    The edges are half-integers, so rounding errors in a law cannot move a whole number.
    """
    reach = 1
    while law(np.array([-(2.0 * reach) - 0.5]))[0] > _LEAST_TAIL:
        reach *= 2
    candidates = np.arange(2 * reach) + 0.5
    last = max(1, int(np.sum(law(-candidates) >= _LEAST_TAIL)))
    return np.arange(-last, last) + 0.5
