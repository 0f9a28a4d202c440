"""The matrix mechanism: ask a strategy's questions with noise, and derive all others from them."""

import math

import numpy as np

from dplib import _validate
from dplib.laplace import laplace_mechanism
from dplib.variants import gaussian_mechanism_zcdp


def range_workload(size):
    """Return V = WᵀW, where W has one row of 0 and 1 for each range of cells.

    Args:
      size: number of cells.

    Returns:
      Array of shape (size, size): how many of the size * (size + 1) / 2 ranges hold both cells.

    Raises:
      ValueError: size is not a whole number of at least 1.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010), the workload AllRange.
    """
    size = _validate.whole("size", size)
    cell = np.arange(1.0, size + 1)
    # A range that holds both starts at the first of them or before, and ends at the last or after.
    return np.minimum.outer(cell, cell) * (size + 1 - np.maximum.outer(cell, cell))


def strategy_sensitivity(strategy, *, noise="laplace", neighbors="add_remove"):
    """Return the largest change of a strategy's answers between neighbors.

    Args:
      strategy: array of shape (questions, size), finite: the answers are strategy @ counts.
      noise: "laplace" for the change in L1, "gaussian" for the change in L2.
      neighbors: "add_remove" (one cell changes by 1: the largest column) or "replace_one" (two
        cells do: the largest difference of two columns).

    Returns:
      The sensitivity, in units of a count.

    Raises:
      ValueError: an argument is out of range.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010), sensitivity of a query matrix.
    """
    questions = _matrix(strategy)
    if noise not in ("laplace", "gaussian"):
        raise ValueError(f'noise must be "laplace" or "gaussian", got {noise!r}')
    if _validate.neighbors("neighbors", neighbors) == "add_remove":
        order = 1 if noise == "laplace" else 2
        return float(np.linalg.norm(questions, ord=order, axis=0).max())
    from scipy.spatial.distance import pdist

    metric = "cityblock" if noise == "laplace" else "euclidean"
    return float(pdist(questions.T, metric).max(initial=0.0))


def strategy_error(strategy, *, noise="laplace", neighbors="add_remove"):
    """Return C: how large the error of ranges is when a strategy answers them, at equal privacy.

    The mean squared error over all ranges is 2 * C / epsilon**2 with Laplace noise under pure
    privacy, and C / (2 * rho) with Gaussian noise under zero-concentrated privacy.

    Args:
      strategy: array of shape (questions, size) of full column rank.
      noise: "laplace" or "gaussian".
      neighbors: "add_remove" or "replace_one".

    Returns:
      C = sensitivity**2 * trace((AᵀA)⁻¹ V) / (size * (size + 1) / 2) for the strategy A and
      V = `range_workload`; without unit, lower is better.

    Raises:
      ValueError: an argument is out of range, or the counts do not follow from the answers.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010), the total error of a strategy.
    """
    sensitivity = strategy_sensitivity(strategy, noise=noise, neighbors=neighbors)
    _, triangle = _factors(strategy)
    inverse = np.linalg.inv(triangle)
    size = len(triangle)
    # (AᵀA)⁻¹ is this inverse times its transpose.
    trace = (inverse * (range_workload(size) @ inverse)).sum()
    return float(sensitivity**2 * trace / math.comb(size + 1, 2))


def matrix_mechanism(counts, *, strategy, epsilon, neighbors="add_remove", rng=None):
    """Release counts with epsilon-differential privacy by a strategy of your choice.

    The strategy's answers get Laplace noise, and the counts are those that fit them best, by least
    squares. The guarantee holds in real arithmetic, as for `laplace_mechanism`.

    Args:
      counts: numbers of shape (size,), the people in each cell of a public list of cells.
      strategy: array of shape (questions, size) of full column rank, chosen without the data.
      epsilon: privacy cost spent by the whole release, > 0, without unit.
      neighbors: "add_remove" or "replace_one": the noise is for it (see `strategy_sensitivity`).
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      Float array of shape (size,). Answer every range from it; the mean squared error over all
      ranges is 2 * strategy_error(strategy, neighbors=neighbors) / epsilon**2.

    Raises:
      ValueError: an argument is out of range, or the counts do not follow from the answers.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010), the matrix mechanism.
    """
    needed = strategy_sensitivity(strategy, noise="laplace", neighbors=neighbors)
    return _release(
        counts,
        strategy,
        lambda exact: laplace_mechanism(exact, sensitivity=needed, epsilon=epsilon, rng=rng),
    )


def matrix_mechanism_zcdp(counts, *, strategy, rho, neighbors="add_remove", rng=None):
    """Release counts with rho-zero-concentrated privacy by a strategy of your choice.

    Args:
      counts, strategy, neighbors, rng: as in `matrix_mechanism`.
      rho: > 0, without unit, spent by the whole release.

    Returns:
      Float array of shape (size,). The mean squared error over all ranges is
      strategy_error(strategy, noise="gaussian", neighbors=neighbors) / (2 * rho).

    Raises:
      ValueError: an argument is out of range, or the counts do not follow from the answers.

    Source: Li, Hay, Rastogi, Miklau & McGregor (2010), the matrix mechanism; Bun & Steinke (2016),
      proposition 1.6, for the noise.
    """
    needed = strategy_sensitivity(strategy, noise="gaussian", neighbors=neighbors)
    return _release(
        counts,
        strategy,
        lambda exact: gaussian_mechanism_zcdp(exact, l2_sensitivity=needed, rho=rho, rng=rng),
    )


def _release(counts, strategy, add_noise) -> np.ndarray:
    """Return the counts that fit the strategy's noisy answers best."""
    orthogonal, triangle = _factors(strategy)
    given = _validate.finite_array("counts", counts)
    if given.shape != (len(triangle),):
        raise ValueError(f"counts must have shape ({len(triangle)},), got shape {given.shape}")
    noisy = add_noise(_matrix(strategy) @ given)
    return np.linalg.solve(triangle, orthogonal.T @ noisy)


def _factors(strategy) -> tuple[np.ndarray, np.ndarray]:
    """Return Q and R of the strategy; raise ValueError unless its columns are independent."""
    questions = _matrix(strategy)
    if len(questions) >= questions.shape[1]:
        orthogonal, triangle = np.linalg.qr(questions)
        diagonal = np.abs(np.diag(triangle))
        if diagonal.min() > 1e-12 * diagonal.max():
            return orthogonal, triangle
    raise ValueError(
        f"strategy must determine every count, but has {len(questions)} questions "
        f"on {questions.shape[1]} cells that do not"
    )


def _matrix(strategy) -> np.ndarray:
    questions = _validate.finite_array("strategy", strategy)
    if questions.ndim != 2:
        raise ValueError(f"strategy must have two dimensions, got shape {questions.shape}")
    return questions
