"""Counts released so that every range of cells can be answered from them."""

import numpy as np

from dplib import _validate
from dplib.laplace import discrete_laplace
from dplib.ranges.cells import ends, histogram
from dplib.ranges.errors import range_sensitivity
from dplib.ranges.haar import haar_inverse, haar_transform
from dplib.ranges.trees import consistent_counts, release_tree


def release_ranges(
    counts, *, epsilon, strategy="privelet", branching=2, neighbors="add_remove", rng=None
):
    """Release counts with epsilon-differential privacy, from which every range can be answered.

    The strategy's answers get noise; the counts are computed from them alone. Sum the released
    counts over a range (`answer_ranges`): this costs no more privacy, whatever the number of
    ranges, and the answers fit together.

    The answers are whole numbers and their noise is discrete, so no floating-point number tells
    what it was made from.

    Args:
      counts: whole numbers of shape (..., size), the people in each cell of a public list of cells;
        size is at least 2, and a power of two for "privelet". Every row of the last axis is a table
        of its own, released with its own epsilon.
      epsilon: privacy cost spent by the whole release, > 0, without unit.
      strategy: "flat", "boost" or "privelet", as in `range_error`. The answers of "binary" are no
        counts: use `release_tree` and `tree_answers`.
      branching: for "boost", as in `range_error`.
      neighbors: "add_remove" or "replace_one". The noise is for it (see `range_sensitivity`); under
        replace_one the total of "boost" and "privelet" is public and released as it is.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      Float array of the shape of `counts`. The mean squared error of a range is `range_error` times
      the noise's variance 2 * q / (1 - q)**2, q = exp(-epsilon / range_sensitivity): a little less
      than 2 * (range_sensitivity / epsilon)**2.

    Raises:
      ValueError: an argument is out of range.

    Source: Xiao, Wang & Gehrke (2010) for Privelet; Hay, Rastogi, Miklau & Suciu (2010) for Boost;
      noise as in Ghosh, Roughgarden & Sundararajan (2009).
    """
    exact = histogram("counts", counts)
    if strategy == "binary":
        raise ValueError('strategy "binary" gives no counts: use release_tree and tree_answers')
    needed = range_sensitivity(
        size=exact.shape[-1], strategy=strategy, branching=branching, neighbors=neighbors
    )
    noise = {"sensitivity": needed, "epsilon": epsilon, "rng": rng}
    if strategy == "flat":
        return discrete_laplace(exact, **noise).astype(float)
    if strategy == "boost":
        tree = {"branching": branching, "neighbors": neighbors, "epsilon": epsilon, "rng": rng}
        return consistent_counts(release_tree(exact, **tree), neighbors=neighbors)
    coefficients = haar_transform(exact)
    noisy = discrete_laplace(coefficients, **noise).astype(float)
    if neighbors == "replace_one":
        noisy[..., 0] = coefficients[..., 0]
    return haar_inverse(noisy)


def answer_ranges(counts, left, right):
    """Return the sums of counts over ranges of cells: post-processing of a release.

    Args:
      counts: array of shape (..., size), finite.
      left, right: first and last cell, both included, counted from 1; numbers or arrays of a common
        shape.

    Returns:
      The sums, of shape (...) followed by the shape of `left` and `right`.

    Raises:
      ValueError: an argument is out of range.
    """
    given = _validate.finite_array("counts", counts)
    if given.ndim == 0:
        raise ValueError(f"counts must be an array of shape (..., size), got {counts!r}")
    start, stop = ends(left, right, given.shape[-1])
    before = np.zeros((*given.shape[:-1], given.shape[-1] + 1))
    np.cumsum(given, axis=-1, out=before[..., 1:])
    return _validate.like_input(np.asarray(before[..., stop] - before[..., start]))
