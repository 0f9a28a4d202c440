"""Records and directions: rows published with noise, second moments, projections.

A row that is published, with noise or without, says that its person is there: so where rows are
published, the neighbors are replace_one, and the number of rows is public.
"""

import math

import numpy as np
import pandas as pd

from dplib import _validate
from dplib._categories import public_index
from dplib.laplace import laplace_mechanism
from dplib.learning import clip_rows_l2
from dplib.local import direct_perturb
from dplib.synthetic import column_codes

__all__ = ["private_covariance", "private_projection", "publish_records"]


def publish_records(table, *, bounds=None, categories=None, epsilon, rng=None):
    """Publish every row with noise of its own; epsilon-private for the neighbors replace_one.

    Each of the d attributes of a row gets epsilon / d (sequential composition). A row's noise hides
    that row, and no row's noise reads another row, so all of them together cost epsilon (parallel
    composition). This holds for replace_one only: a row more or less is seen at once. And it holds
    for public ranges only: a range read off the data gives its largest row away.

    Args:
      table: DataFrame of shape (n, columns), one row a person, n >= 1.
      bounds: {numeric column: (lower, upper)}, public; values are clipped into them first. The
        noise is Laplace with scale d * (upper - lower) / epsilon.
      categories: {column: its public categories}, two or more. A value is kept, or another one
        put in its place, by `direct_perturb` with epsilon / d (from 1e-6 to 30).
      epsilon: privacy cost of each person, over all attributes, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      DataFrame of shape (n, d), rows in the same order, with new row labels. Numbers are floats
      and may lie out of bounds: their mean is unbiased (up to the clipping).

    Raises:
      ValueError: an argument is out of range, no column is named or one twice or not in the table,
        or a value is not finite, missing or not among its categories.

    Source: Dwork & Roth (2014), theorems 3.6 and 3.16; McSherry (2009), parallel composition.
    """
    bounds, categories = dict(bounds or {}), dict(categories or {})
    columns = [*bounds, *categories]
    if not columns or len(set(columns)) < len(columns):
        raise ValueError(f"bounds and categories must name each column once, got {columns}")
    if not isinstance(table, pd.DataFrame) or not set(columns) <= set(table.columns):
        raise ValueError(f"table must be a DataFrame with the columns {columns}")
    part = _validate.positive("epsilon", epsilon) / len(columns)
    rng = _validate.generator(rng)
    released = {}
    for column, limits in bounds.items():
        lower, upper = _validate.interval(*limits)
        exact = _validate.finite_array(f"table[{column!r}]", table[column]).clip(lower, upper)
        width = upper - lower
        released[column] = laplace_mechanism(exact, sensitivity=width, epsilon=part, rng=rng)
    for column, values in categories.items():
        codes = column_codes(table, {column: values})[column]
        noisy = direct_perturb(codes, domain_size=len(values), epsilon=part, rng=rng)
        released[column] = public_index(values)[noisy]
    return pd.DataFrame(released)


def private_covariance(rows, *, radius, epsilon=None, rho=None, neighbors="add_remove", rng=None):
    """Release the sum over rows of x times its transpose, with noise.

    Rows longer than `radius` are shortened to it. The noise is Laplace for epsilon-privacy, or
    Gaussian for rho-zero-concentrated privacy. Directions computed from the noisy matrix (its
    eigenvectors) cost nothing more; those of the exact matrix depend on everybody.

    Args:
      rows: array of shape (n, d), one row a person, finite, d >= 1. Centre and scale it by public
        numbers first; the matrix is one of second moments about 0.
      radius: largest L2 norm of a row, public, > 0, in the units of the rows.
      epsilon: privacy cost spent, > 0; or None.
      rho: zero-concentrated privacy cost spent, > 0; or None. Exactly one of the two is given.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      Symmetric array of shape (d, d); it need not be positive definite. Divide by a (noisy) number
      of rows for a mean. Gaussian noise has standard deviation sigma = s / sqrt(2 * rho) on the
      diagonal and sigma / sqrt(2) beside it, where s is radius**2, times sqrt(2) for replace_one
      if d > 1. Laplace noise is larger: the L1 sensitivity grows with d.

    Raises:
      ValueError: an argument is out of range, or both or none of epsilon and rho are given.

    Source: Dwork, Talwar, Thakurta & Zhang (2014), noise on the second-moment matrix; Bun & Steinke
    (2016), proposition 1.6.
    """
    clipped = _clipped(rows, radius)
    if (epsilon is None) == (rho is None):
        raise ValueError(f"give one of epsilon and rho, got epsilon {epsilon!r} and rho {rho!r}")
    _validate.neighbors("neighbors", neighbors)
    size = clipped.shape[1]
    rng = _validate.generator(rng)
    l1_sensitivity, l2_sensitivity = moment_sensitivities(size, radius, neighbors)
    if rho is not None:
        scale = l2_sensitivity / math.sqrt(2 * _validate.positive("rho", rho))
        # The matrix as a vector, with sqrt(2) times the entries above the diagonal, keeps its
        # Frobenius norm: so those entries need noise smaller by sqrt(2).
        noise = rng.normal(scale=scale, size=(size, size))
        noise[~np.eye(size, dtype=bool)] /= math.sqrt(2)
    else:
        scale = l1_sensitivity / _validate.positive("epsilon", epsilon)
        noise = rng.laplace(scale=scale, size=(size, size))
    return clipped.T @ clipped + np.triu(noise) + np.triu(noise, 1).T


def private_projection(rows, *, radius, dimensions, epsilon_matrix, epsilon_rows, rng=None):
    """Publish every row on the main directions of the rows, with noise (replace_one).

    First `private_covariance` spends epsilon_matrix; its main eigenvectors are the directions. Then
    every projected row gets noise of its own, which spends epsilon_rows once for all of them
    (parallel composition). Together: epsilon_matrix + epsilon_rows.

    "Principal components, then noise" is not private: the exact directions depend on everybody, so
    one changed row moves all rows' projections, and each row's noise hides only that row's own
    change. Eleven rows are enough for a loss of 10 where 1 is claimed.

    Args:
      rows: array of shape (n, d), one row a person, finite, centred and scaled by public numbers.
      radius: largest L2 norm of a row, public, > 0; longer rows are shortened to it.
      dimensions: number of directions k, from 1 to d.
      epsilon_matrix: privacy cost spent on the second-moment matrix, > 0.
      epsilon_rows: privacy cost spent on the projected rows, > 0.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy projections, shape (n, k), in the order of the rows, and the directions, shape
      (d, k), orthonormal, the main one first. The noise on each coordinate of a row is Laplace of
      scale 2 * radius * sqrt(k) / epsilon_rows: more than the rows themselves, unless it is large.

    Raises:
      ValueError: an argument is out of range.

    Source: the matrix as in Dwork, Talwar, Thakurta & Zhang (2014), with Laplace noise; Dwork &
    Roth (2014), theorems 3.6 and 3.16.
    """
    clipped = _clipped(rows, radius)
    count = _validate.whole("dimensions", dimensions)
    if count > clipped.shape[1]:
        raise ValueError(f"dimensions must be at most {clipped.shape[1]}, got {dimensions!r}")
    rng = _validate.generator(rng)
    epsilon_rows = _validate.positive("epsilon_rows", epsilon_rows)
    matrix = private_covariance(
        clipped,
        radius=radius,
        epsilon=_validate.positive("epsilon_matrix", epsilon_matrix),
        neighbors="replace_one",
        rng=rng,
    )
    directions = np.linalg.eigh(matrix).eigenvectors[:, ::-1][:, :count]
    # Two rows of norm at most the radius: 2 * radius apart in L2, sqrt(k) times that in L1.
    reach = 2 * radius * math.sqrt(count)
    exact = clipped @ directions
    return laplace_mechanism(exact, sensitivity=reach, epsilon=epsilon_rows, rng=rng), directions


def moment_sensitivities(size, radius, neighbors) -> tuple[float, float]:
    """Return how far one row moves the upper triangle (L1) and the whole matrix (Frobenius).

    Adding a row of norm R adds a matrix of Frobenius norm R**2. Its triangle, diagonal and above,
    sums to (|x|_1**2 + |x|_2**2) / 2 <= (d + 1) R**2 / 2. Replacing x by y moves the matrix by
    sqrt(|x|**4 + |y|**4 - 2 (x.y)**2) <= sqrt(2) R**2, and by R**2 if d = 1. The triangle of a
    symmetric matrix sums to at most sqrt(d + d (d - 1) / 4) of its Frobenius norm (Cauchy-Schwarz).
    """
    square = radius**2
    if neighbors == "add_remove":
        return (size + 1) / 2 * square, square
    frobenius = math.sqrt(min(size, 2)) * square
    return math.sqrt(size * (size + 3)) / 2 * frobenius, frobenius


def _clipped(rows, radius) -> np.ndarray:
    """Return the rows as a float array, each shortened to L2 norm `radius` if it is longer."""
    return clip_rows_l2(rows, bound=_validate.positive("radius", radius))
