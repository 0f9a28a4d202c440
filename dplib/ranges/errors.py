"""How exactly each strategy answers ranges of cells, one range or all of them."""

import math

import numpy as np

from dplib import _validate
from dplib.ranges.cells import ends, power_of_two
from dplib.ranges.hierarchy import (
    FewestNodes,
    LeastSquares,
    haar_scheme,
    sensitivity,
    tree_factors,
    tree_scheme,
    tree_widths,
)

STRATEGIES = ("flat", "binary", "boost", "privelet")
# Up to here a float tells every cell from the next.
LARGEST = 2**52
# Ranges at a time: few enough to stay in the processor's cache, enough to hide Python's own time.
CHUNK = 16384


def range_error(
    left, right, *, size, strategy="privelet", branching=2, neighbors="add_remove"
) -> float | np.ndarray:
    """Return the error of the range from cell `left` to cell `right`, for noise of variance 1.

    Multiply by the variance of the noise on one answer of the strategy for the mean squared error.
    With Laplace noise that is 2 * (range_sensitivity(...) / epsilon)**2, so strategies have to be
    compared after that multiplication.

    The error of a sum is not the sum of the errors of its cells, for they are correlated: with
    Privelet, cells 3 to 7 of 8 have error 31 / 32, their own errors add up to 1.719.

    Args:
      left, right: first and last cell, both included, counted from 1; numbers or arrays of a
        common shape.
      size: number of cells, at most 2**52; a power of two for "privelet" and "binary".
      strategy: "flat" (noise on each cell), "binary" (a binary tree of sums, a range answered by
        its fewest nodes), "boost" (a tree of sums made consistent by least squares) or "privelet"
        (Haar).
      branching: for "boost", the number of parts into which a node splits, or one for each level
        from the top; they must multiply to `size`.
      neighbors: "add_remove" or "replace_one". Under replace_one the number of people is public:
        the total of "binary", "boost" and "privelet" has no noise.

    Returns:
      The error, >= 0, of the shape of `left` and `right`; exact to a relative error of 1e-12. The
      time is proportional to log2(size).

    Raises:
      ValueError: an argument is out of range.

    Source: Xiao, Wang & Gehrke (2010) for Privelet; Hay, Rastogi, Miklau & Suciu (2010) for trees.
      The formula, and why it holds, is in `dplib.ranges.hierarchy`.
    """
    scheme = _scheme(size, strategy, branching, neighbors)
    start, stop = ends(left, right, int(size))
    found = np.empty(start.size)
    before, until = start.ravel(), stop.ravel()
    for first in range(0, start.size, CHUNK):
        part = slice(first, first + CHUNK)
        found[part] = scheme.errors(before[part].astype(float), until[part].astype(float))
    return _validate.like_input(found.reshape(start.shape))


def average_range_error(*, size, strategy="privelet", branching=2, neighbors="add_remove") -> float:
    """Return the mean of `range_error` over all size * (size + 1) / 2 ranges.

    For Privelet under add_remove, with size = 2**h, it is
    h / 6 + 1 / 36 + 1 / (2 * size) + 1 / (2 * (size + 1)) + 2 / (9 * size**2).

    Args:
      size, strategy, branching, neighbors: as in `range_error`.

    Returns:
      The mean, computed in fractions and rounded once.

    Raises:
      ValueError: an argument is out of range.

    Source: as `range_error`.
    """
    return float(_scheme(size, strategy, branching, neighbors).average(int(size)))


def range_sensitivity(*, size, strategy="privelet", branching=2, neighbors="add_remove") -> int:
    """Return the L1 sensitivity of a strategy's answers: how much noise each of them needs.

    With h levels below the total it is h + 1 under add_remove. Under replace_one it is 2 * h: two
    cells move, and the total does not. Noise for h + 1 would then spend nearly twice the epsilon.

    Args:
      size, strategy, branching, neighbors: as in `range_error`.

    Returns:
      The sensitivity. It is 0 for one cell under replace_one: nothing can move.

    Raises:
      ValueError: an argument is out of range.

    Source: Xiao, Wang & Gehrke (2010) for add_remove; the other case is counted in
      `dplib.ranges.hierarchy`.
    """
    scheme = _scheme(size, strategy, branching, neighbors)
    return sensitivity(scheme.widths, int(size), neighbors)


def accuracy_index(*, size, strategy="privelet", branching=2) -> float:
    """Return log2(size)**3 / C: what a strategy makes of the noise, on a scale that has a limit.

    C is range_sensitivity(...)**2 * average_range_error(...), under add_remove: the mean squared
    error over all ranges is 2 * C / epsilon**2. It grows as the cube of log2(size); the index tends
    to 1 for "binary" and to 6 for "privelet" and "boost", and to
    3 * b * log2(b)**3 / (b - 1)**2 for "boost" with branching b.

    Args:
      size, strategy, branching: as in `range_error`.

    Returns:
      The index, without unit; higher is better.

    Raises:
      ValueError: an argument is out of range.

    Source: Xiao, Wang & Gehrke (2010) and Hay, Rastogi, Miklau & Suciu (2010) for the growth as a
      cube; the limits are those of `average_range_error`.
    """
    parameters = {"size": size, "strategy": strategy, "branching": branching}
    error = range_sensitivity(**parameters) ** 2 * average_range_error(**parameters)
    return math.log2(size) ** 3 / error


def _scheme(size, strategy, branching, neighbors) -> LeastSquares | FewestNodes:
    """Return how a strategy answers ranges."""
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}, got {strategy!r}")
    if strategy != "boost" and (np.ndim(branching) or branching != 2):
        raise ValueError(f'branching is for strategy "boost", got {branching!r} for {strategy!r}')
    exact_total = _validate.neighbors("neighbors", neighbors) == "replace_one"
    cells = _validate.whole("size", size)
    if cells > LARGEST:
        raise ValueError(f"size must be at most 2**52, got {size!r}")
    if strategy == "flat":
        return tree_scheme((1,), exact_total and cells == 1)
    if strategy == "boost":
        return tree_scheme(tree_widths(cells, tree_factors(cells, branching)), exact_total)
    if strategy == "privelet":
        return haar_scheme(power_of_two("size", size), exact_total)
    factors = tree_factors(power_of_two("size", size), 2)
    return FewestNodes(tree_widths(cells, factors), exact_total)
