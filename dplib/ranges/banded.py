"""Running sums over rounds in which one person may take part several times: banded strategies.

The rounds' sums of gradients g_1, g_2, ... are asked for as R g + noise, where R is lower
triangular and *banded*: round j enters the questions j, j + 1, ..., j + bands - 1 only. The running
sums are L (R g + noise) with L = A / R, where A is lower triangular and full of ones.
"""

import numpy as np

from dplib import _validate
from dplib.ranges.running import toeplitz_root_strategy


def banded_root_strategy(size, *, bands):
    """Return the square root of the running sums, cut off after some diagonals.

    Args:
      size: number of rounds.
      bands: number of diagonals that stay, from 1 (noise on each round) to size (the whole root).

    Returns:
      Array of shape (size, size), lower triangular, with equal diagonals.

    Raises:
      ValueError: an argument is out of range.

    Source: Kalinin & Lampert (2024), Banded square root matrix factorization for differentially
    private model training.
    """
    root = toeplitz_root_strategy(size)
    if _validate.whole("bands", bands) > len(root):
        raise ValueError(f"bands must be at most size = {len(root)}, got {bands!r}")
    return np.triu(root, 1 - int(bands))


def participation_sensitivity(strategy, *, turns, apart):
    """Return how far one person can move R g who takes part in several rounds far enough apart.

    Args:
      strategy: R, of shape (rounds, rounds), lower triangular, with at most `apart` diagonals.
      turns: in how many rounds one person takes part at most.
      apart: the rounds from one of them to the next, at least.

    Returns:
      The largest L2 change of R g under add_remove of a person, where the person adds a vector of
      L2 norm at most 1 to each of these rounds, which may depend on what was published before.

    Raises:
      ValueError: strategy is not of this form, or an argument is out of range.

    Source: Choquette-Choo and others (2023), (Amplified) banded matrix factorization.
    """
    # A turn in round j moves the questions j .. j + bands - 1 alone, and the next turn comes later
    # than these: so no question is moved twice, and the squares of the columns add up.
    matrix = _banded(strategy, _validate.whole("apart", apart))
    turns, rounds = _validate.whole("turns", turns), len(matrix)
    squares = (matrix**2).sum(axis=0)
    # best[j]: the largest sum of squares over the rounds from j on; one turn more in each step.
    best = np.zeros(rounds + apart)
    for _ in range(min(turns, -(-rounds // apart))):
        later = best[apart : rounds + apart]
        best = np.zeros(rounds + apart)
        best[:rounds] = np.maximum.accumulate((squares + later)[::-1])[::-1]
    return float(np.sqrt(best[0]))


def banded_error(strategy, *, turns, apart, rho):
    """Return the mean squared error of each running sum from R g + Gaussian noise, rho-private.

    The neighbors are add_remove for a person with at most `turns` turns, at least `apart` rounds
    from each other, each of L2 norm at most 1.

    Args:
      strategy: R, of shape (rounds, rounds), lower triangular, with at most `apart` diagonals, and
        no 0 on the first one.
      turns, apart: as in `participation_sensitivity`.
      rho: budget of zero-concentrated privacy for all rounds together, > 0, without unit.

    Returns:
      Array of shape (rounds,): for each entry of the gradient, in units of the clipping bound
      squared.

    Raises:
      ValueError: an argument is out of range.

    Source: Choquette-Choo and others (2023); the noise by Bun & Steinke (2016).
    """
    needed = participation_sensitivity(strategy, turns=turns, apart=apart)
    matrix = _banded(strategy, apart)
    if not np.diag(matrix).all():
        raise ValueError(f"strategy must have no 0 on its diagonal, got {strategy!r}")
    sums = np.tril(np.ones_like(matrix))
    left = np.linalg.solve(matrix.T, sums.T).T  # A / R
    return needed**2 / (2 * _validate.positive("rho", rho)) * (left**2).sum(axis=1)


def _banded(strategy, apart: int) -> np.ndarray:
    matrix = _validate.finite_array("strategy", strategy)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"strategy must be square, got shape {matrix.shape}")
    if np.triu(matrix, 1).any() or np.tril(matrix, -apart).any():
        raise ValueError(
            f"strategy must be lower triangular with at most apart = {apart} diagonals, "
            f"got {strategy!r}"
        )
    return matrix
