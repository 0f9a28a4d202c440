"""Running sums: a new count comes every month, and the sum so far is published every month.

The neighbors are add_remove: one row more or less, in one month. All sums together are A x, where A
is lower triangular and full of ones. A = L R: publish L (R x + noise).
"""

import numpy as np

from dplib import _validate
from dplib.ranges.cells import power_of_two

METHODS = ("each month", "each sum", "tree", "square root")


def toeplitz_root_strategy(size):
    """Return the lower triangular A with equal diagonals for which A @ A gives prefix sums.

    Args:
      size: number of cells.

    Returns:
      Array of shape (size, size); entry (i, j) is C(2k, k) / 4**k with k = i - j >= 0.

    Raises:
      ValueError: size is not a whole number of at least 1.

    Source: Fichtenberger, Henzinger & Upadhyay (2023), the factorization of the counting matrix.
    """
    steps = np.arange(1, _validate.whole("size", size))
    # C(2k, k) / 4^k = Π_{i <= k} (1 - 1 / (2i)): the series of (1 - x)^(-1/2).
    series = np.concatenate([[1.0], np.cumprod(1 - 0.5 / steps)])
    lag = np.subtract.outer(np.arange(size), np.arange(size))
    return np.where(lag >= 0, series[np.maximum(lag, 0)], 0.0)


def factorization_error(left, right, *, rho):
    """Return the mean squared error of each answer of L (R x + Gaussian noise), rho-private.

    Args:
      left: L, an array of shape (answers, questions).
      right: R, of shape (questions, months). One row more or less moves R x by one of its columns,
        so the L2 sensitivity under add_remove is that of the longest one.
      rho: budget of zero-concentrated privacy, > 0, without unit.

    Returns:
      Array of shape (answers,), in people squared.

    Raises:
      ValueError: the shapes do not fit, right is all 0, or an argument is not finite.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010); the noise by Bun & Steinke (2016).
    """
    first, second = (_validate.finite_array(*each) for each in (("left", left), ("right", right)))
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[0]:
        raise ValueError(f"right must fit left, got shapes {first.shape} and {second.shape}")
    sensitivity = float((second**2).sum(axis=0).max())
    if sensitivity == 0:
        raise ValueError(f"right must not be all 0, got {right!r}")
    return sensitivity / (2 * _validate.positive("rho", rho)) * (first**2).sum(axis=1)


def running_sum_factors(months, *, method):
    """Return L and R whose product gives the running sums of so many months.

    Both let each sum be published on time: the questions that a sum reads are asked by its month.

    Args:
      months: a power of two.
      method: "each month" (noise on every count), "each sum" (on every sum), "tree" (on every node
        of a binary tree) or "square root" (two equal lower triangular factors).

    Returns:
      L of shape (months, questions), R of shape (questions, months).

    Raises:
      ValueError: an argument is none of these.

    Source: Dwork, Naor, Pitassi & Rothblum (2010) and Chan, Shi & Song (2011) for the tree;
    Fichtenberger, Henzinger & Upadhyay (2023) for the square root.
    """
    size = power_of_two("months", months)
    sums = np.tril(np.ones((size, size)))
    if method == "each month":
        return sums, np.eye(size)
    if method == "each sum":
        return np.eye(size), sums
    if method == "square root":
        root = toeplitz_root_strategy(size)
        return root, root
    if method != "tree":
        raise ValueError(f"method must be one of {METHODS}, got {method!r}")
    nodes = [
        (first, first + width - 1)
        for width in (2**level for level in range(size.bit_length()))
        for first in range(1, size + 1, width)
    ]
    months_of = np.arange(1, size + 1)
    right = np.array([(first <= months_of) & (months_of <= last) for first, last in nodes], float)
    left = np.zeros((size, len(nodes)))
    for until in range(1, size + 1):
        for node in running_nodes(until):
            left[until - 1, nodes.index(node)] = 1
    return left, right


def running_nodes(until):
    """Return the nodes (first month, last month) of a binary tree that make up months 1 to `until`.

    Args:
      until: a whole number of at least 1.

    Returns:
      The fewest nodes, from left to right: as many as `until` has ones in base two.

    Raises:
      ValueError: until is out of range.

    Source: Chan, Shi & Song (2011).
    """
    month, nodes, start = _validate.whole("until", until), [], 0
    for level in reversed(range(month.bit_length())):
        if month >> level & 1:
            nodes.append((start + 1, start + 2**level))
            start += 2**level
    return nodes
