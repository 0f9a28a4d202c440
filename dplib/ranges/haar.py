"""The Haar strategy: one total, and one difference for each node of a binary tree over the cells.

A coefficient is the left half of its node's cells minus the right half. The nodes are numbered from
the top: node 1 covers all cells, node i splits into 2 * i on its left and 2 * i + 1 on its right.
With 8 cells, node 3 covers cells 5 to 8.
"""

import numpy as np

from dplib import _validate
from dplib.ranges.cells import power_of_two


def haar_strategy(size):
    """Return the matrix whose product with the counts gives all Haar coefficients.

    One person is in one cell, and each column has 1 + log2(size) entries that are not 0, each 1 or
    -1. So the L1 sensitivity of the coefficients is 1 + log2(size) under add_remove. Under
    replace_one two cells move and the total does not: it is 2 * log2(size).

    Args:
      size: number of cells, a power of two.

    Returns:
      Array of shape (size, size). Row 0 holds ones; row i is node i of the binary tree, 1 on the
      cells of its left half and -1 on those of its right half.

    Raises:
      ValueError: size is not a power of two.

    Source: Xiao, Wang & Gehrke (2010), the Haar wavelet of Privelet. Theirs has averages with
    weighted noise; sums with equal noise, as here, are the same strategy.
    """
    size = power_of_two("size", size)
    # The coefficients of a table with one person in cell j are column j.
    return haar_transform(np.eye(size)).T


def haar_restore(size):
    """Return the inverse of `haar_strategy`: the matrix that gives counts back from coefficients.

    Row p is the walk from the top of the tree down to cell p: 1 / size for the total, and for a
    node of w cells 1 / w where the walk turns left and -1 / w where it turns right.

    Args:
      size: number of cells, a power of two.

    Returns:
      Array of shape (size, size). Its product with `haar_strategy(size)` is exactly the identity.

    Raises:
      ValueError: size is not a power of two.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010): counts are restored by the inverse of the
    strategy.
    """
    strategy = haar_strategy(size)
    # The rows are orthogonal, so the inverse is the transpose over their squared lengths.
    return strategy.T / (strategy**2).sum(axis=1)


def haar_transform(counts):
    """Return the Haar coefficients of `counts` in a time proportional to their number.

    Args:
      counts: array of shape (..., size), finite; size is a power of two. Every row of the last axis
        is transformed on its own.

    Returns:
      Float array of the same shape: haar_strategy(size) @ counts. Exact for whole numbers whose
      absolute values add up to less than 2**53.

    Raises:
      ValueError: counts is empty, not finite, or its last axis is not a power of two.

    Source: Xiao, Wang & Gehrke (2010), the one-dimensional Haar wavelet transform.
    """
    sums = _rows("counts", counts)
    coefficients = np.empty(sums.shape)
    width = sums.shape[-1]
    while width > 1:
        width //= 2
        left, right = sums[..., 0::2], sums[..., 1::2]
        np.subtract(left, right, out=coefficients[..., width : 2 * width])
        sums = left + right
    coefficients[..., 0] = sums[..., 0]
    return coefficients


def haar_inverse(coefficients):
    """Return the counts that have these Haar coefficients: the inverse of `haar_transform`.

    Args:
      coefficients: array of shape (..., size), finite, in the order of `haar_strategy`.

    Returns:
      Float array of the same shape: haar_restore(size) @ coefficients.

    Raises:
      ValueError: as in `haar_transform`.

    Source: Xiao, Wang & Gehrke (2010), the one-dimensional Haar wavelet transform.
    """
    given = _rows("coefficients", coefficients)
    sums = given[..., :1].copy()
    width = 1
    while width < given.shape[-1]:
        differences = given[..., width : 2 * width]
        width *= 2
        halves = np.empty((*given.shape[:-1], width))
        np.add(sums, differences, out=halves[..., 0::2])
        np.subtract(sums, differences, out=halves[..., 1::2])
        halves /= 2
        sums = halves
    return sums


def _rows(name: str, value: object) -> np.ndarray:
    """Return `value` as floats; raise ValueError unless its last axis is a power of two."""
    array = _validate.finite_array(name, value)
    if array.ndim == 0:
        raise ValueError(f"{name} must be an array of shape (..., size), got {value!r}")
    power_of_two(f"the last axis of {name}", array.shape[-1])
    return array
