"""Trees of sums over the cells: asked with noise, read as they are, or made consistent."""

import numpy as np

from dplib import _validate
from dplib.laplace import discrete_laplace
from dplib.ranges.cells import ends, histogram
from dplib.ranges.hierarchy import sensitivity, tree_factors, tree_scheme, tree_widths


def tree_strategy(size, *, branching=2, total=True):
    """Return the matrix whose product with the counts gives all sums of a tree.

    Args:
      size: number of cells.
      branching: the number of parts into which a node splits, or one for each level from the top;
        they must multiply to `size`.
      total: whether the node of all cells is asked, too. Every level costs: see
        `dplib.ranges.strategies.best_tree`.

    Returns:
      Array of shape (nodes, size) of 0 and 1: the widest level first, each from left to right.

    Raises:
      ValueError: an argument is out of range.

    Source: Hay, Rastogi, Miklau & Suciu (2010), the tree of counts H.
    """
    size = _validate.whole("size", size)
    widths = tree_widths(size, tree_factors(size, branching))
    levels = [np.repeat(np.eye(size // width), width, axis=1) for width in widths]
    return np.vstack(levels if total or len(levels) == 1 else levels[1:])


def release_tree(counts, *, epsilon, branching=2, neighbors="add_remove", rng=None):
    """Release all sums of a tree over the cells, with epsilon-differential privacy.

    Under add_remove a person is in one node of each level, so the L1 sensitivity is the number of
    levels. Under replace_one it is 2 for each level below the total, and the total is released as
    it is: the number of people is public.

    Args:
      counts: whole numbers of shape (..., size), the people in each cell; size is at least 2.
        Every row of the last axis is a table of its own, released with its own epsilon.
      epsilon: privacy cost spent by the whole tree, > 0, without unit.
      branching: the number of parts into which a node splits, or one for each level from the top;
        they must multiply to `size`.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      A list of arrays, one a level, of shapes (..., 1), ..., (..., size). Each noisy sum has
      discrete Laplace noise (see `discrete_laplace`).

    Raises:
      ValueError: an argument is out of range.

    Source: Hay, Rastogi, Miklau & Suciu (2010).
    """
    exact = histogram("counts", counts)
    size = exact.shape[-1]
    widths = tree_widths(size, tree_factors(size, branching))
    noise = {"sensitivity": sensitivity(widths, size, neighbors), "epsilon": epsilon}
    generator = _validate.generator(rng)
    levels = [exact.reshape(*exact.shape[:-1], -1, width).sum(axis=-1) for width in widths]
    noisy = [discrete_laplace(level, **noise, rng=generator) for level in levels]
    return noisy if neighbors == "add_remove" else [levels[0], *noisy[1:]]


def tree_answers(levels, left, right):
    """Return the answers to ranges from the fewest nodes of a noisy tree, without more privacy.

    Such answers do not fit together: a range need not be the sum of its cells.

    Args:
      levels: as `release_tree` returns them.
      left, right: first and last cell, both included, counted from 1; arrays of a common shape.

    Returns:
      Float array of shape (...), one for each table, followed by the shape of `left` and `right`.

    Raises:
      ValueError: an argument is out of range.

    Source: Hay, Rastogi, Miklau & Suciu (2010), the tree before constrained inference.
    """
    levels = _levels(levels)
    size = levels[-1].shape[-1]
    start, stop = ends(left, right, size)
    answers = np.zeros((*levels[-1].shape[:-1], *start.shape))
    covered = [np.zeros_like(start), np.zeros_like(start)]
    for level in levels:
        width = size // level.shape[-1]
        sums = np.zeros((*level.shape[:-1], level.shape[-1] + 1))
        np.cumsum(level, axis=-1, out=sums[..., 1:])
        # The whole blocks of this level in the range, as numbers of blocks before them.
        first = -(-start // width)
        last = np.maximum(stop // width, first)
        answers += sums[..., last] - sums[..., first]
        # Less what wider blocks have covered already.
        answers -= sums[..., covered[1] // width] - sums[..., covered[0] // width]
        covered = [first * width, last * width]
    return _validate.like_input(answers)


def consistent_counts(levels, *, neighbors="add_remove"):
    """Return the counts that fit a noisy tree best, by least squares: post-processing.

    Args:
      levels: as `release_tree` returns them.
      neighbors: as in `release_tree`: under replace_one the counts add up to the exact total.

    Returns:
      Float array of shape (..., size).

    Raises:
      ValueError: levels is not a tree, or neighbors is unknown.

    Source: Hay, Rastogi, Miklau & Suciu (2010), the same estimate as their section on constrained
      inference; computed here by the projections of `dplib.ranges.hierarchy`.
    """
    exact_total = _validate.neighbors("neighbors", neighbors) == "replace_one"
    levels = _levels(levels)
    size = levels[-1].shape[-1]
    widths = tuple(size // level.shape[-1] for level in levels)
    # For a tree A, Aᵀ times the answers gives each cell the sum of the nodes above it.
    above = levels[0]
    for level in levels[1:]:
        above = np.repeat(above, level.shape[-1] // above.shape[-1], axis=-1) + level
    # (AᵀA)⁻¹ = Σ_j (inverse_j - inverse_{j+1}) P_j, where P_j averages over blocks of level j.
    inverses = [float(each) for each in tree_scheme(widths).inverses] + [0.0]
    counts = np.zeros((*above.shape[:-1], 1))
    for width, inverse, following in zip(widths, inverses, inverses[1:], strict=False):
        blocks = above.reshape(*above.shape[:-1], -1, width).mean(axis=-1)
        counts = np.repeat(counts, blocks.shape[-1] // counts.shape[-1], axis=-1)
        counts += (inverse - following) * blocks
    if exact_total:
        counts += (levels[0] - counts.sum(axis=-1, keepdims=True)) / size
    return counts


def _levels(levels) -> list[np.ndarray]:
    """Return the levels as float arrays; raise ValueError unless each refines the one before."""
    arrays = [_validate.finite_array("levels", level) for level in levels]
    if any(array.ndim == 0 for array in arrays):
        raise ValueError(f"levels must hold arrays of shape (..., nodes), got {levels!r}")
    nodes = [array.shape[-1] for array in arrays]
    steps = zip([1, *nodes], nodes, strict=False)
    if not nodes or nodes[0] != 1 or any(after % before for before, after in steps):
        raise ValueError(f"levels must start with one node and split every node, got {nodes} nodes")
    return arrays
