"""Training a logistic regression with privacy: gradients are clipped, added up and made noisy."""

import math

import numpy as np

from dplib import _validate
from dplib.learning.logistic import checked_data, slopes
from dplib.variants import gaussian_mechanism_zcdp


def clip_rows_l2(rows, *, bound):
    """Return `rows`, each shortened to L2 norm `bound` where it is longer.

    A row depends on itself alone, so clipping costs no privacy: the sum of clipped rows has L2
    sensitivity `bound` under add_remove (twice that under replace_one). Clip before adding up: a
    mean that is clipped afterwards can move by twice the bound, however many people there are.

    Args:
      rows: shape (n, d), finite.
      bound: largest norm that stays, > 0.

    Returns:
      A new array, shape (n, d); no norm is above `bound` (up to rounding).

    Raises:
      ValueError: rows is not of that shape or not finite, or bound is not positive.

    Source: Abadi et al. (2016), algorithm 1.
    """
    rows = _validate.matrix("rows", rows)
    bound = _validate.positive("bound", bound)
    return rows * (bound / np.maximum(_norms("rows", rows), bound))[:, None]


def _norms(name: str, rows: np.ndarray) -> np.ndarray:
    """Return the L2 norm of each row, shape (n,); ValueError if one is too large for a float."""
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    if not np.isfinite(norms).all():
        raise ValueError(f"{name} must have rows with a finite norm, got {rows!r}")
    return norms


def noisy_gradient_descent(
    X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None
):
    """Train a logistic regression with (epsilon, delta)-differential privacy under add_remove.

    epsilon and delta are the cost of the whole training. Each round clips the gradient of each row,
    adds them up, and adds Gaussian noise to the sum. The mean gradient needs the number of rows
    too, which is private: it is released once, with Gaussian noise. These iterations + 1 releases
    share the budget evenly.

    Args:
      X: shape (n, d): one row a person.
      y: shape (n,): the label of each row, -1 or +1.
      iterations: number of rounds, at least 1. More rounds mean more noise in each.
      clipping_bound: largest L2 norm of a row's gradient, > 0, fixed without looking at the data.
      epsilon: > 0, without unit.
      delta: strictly between 0 and 1. The rule delta <= 1 / n^2 needs a public bound on n, as n is
        private: 1e-10 keeps it up to 100,000 rows. 1e-5 on the 26,096 rows of `load_features` is
        6,810 times too much for it; it is below 1 / n, the least that one should ask.
      learning_rate: how far a round goes along the mean gradient, > 0.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      theta, shape (d,). In each round each entry of the sum gets noise with standard deviation
      clipping_bound * sqrt((iterations + 1) / (2 * rho)), where (epsilon, delta) is what rho-zCDP
      implies.

    Raises:
      ValueError: an argument is out of range.

    Source: Abadi et al. (2016), algorithm 1, with every row in every round; accounting by Bun &
    Steinke (2016), lemma 1.7 and propositions 1.3 and 1.6.
    """
    X, y = checked_data(X, y)
    iterations = _validate.whole("iterations", iterations)
    clipping_bound = _validate.positive("clipping_bound", clipping_bound)
    learning_rate = _validate.positive("learning_rate", learning_rate)
    rng = _validate.generator(rng)
    # One more or less row moves the count by 1 and a sum by at most clipping_bound, whatever theta
    # is; so each release is rho-zCDP with its share, and what is made of them costs no more.
    rho = _rho(epsilon, delta) / (iterations + 1)
    count = max(1.0, gaussian_mechanism_zcdp(len(y), l2_sensitivity=1, rho=rho, rng=rng))
    theta, norms = np.zeros(X.shape[1]), _norms("X", X)
    for _ in range(iterations):
        total = _noisy_sum(theta, X, y, norms=norms, bound=clipping_bound, rho=rho, rng=rng)
        theta -= learning_rate * total / count
    return theta


def _rho(epsilon: float, delta: float) -> float:
    """Return the rho whose `to_approximate(delta=delta)` is epsilon."""
    epsilon = _validate.positive("epsilon", epsilon)
    surprise = -math.log(_validate.probability("delta", delta))
    # Bun & Steinke (2016), proposition 1.3, epsilon = rho + 2 sqrt(rho surprise), solved for
    # sqrt(rho) = sqrt(surprise + epsilon) - sqrt(surprise), written without a difference.
    return (epsilon / (math.sqrt(surprise + epsilon) + math.sqrt(surprise))) ** 2


def _noisy_sum(theta, X, y, *, norms, bound, rho, rng) -> np.ndarray:
    """Return the sum of the clipped gradients of the rows, shape (d,), with rho-zCDP."""
    total = np.zeros(X.shape[1])
    # Blocks of rows that fit a processor's cache: each row is read from memory once, not twice.
    for start in range(0, len(X), 1024):
        rows = slice(start, start + 1024)
        scales = slopes(theta, X[rows], y[rows])
        # The gradient s * x has norm |s| * |x|: clipping it scales s, so the (n, d) gradients are
        # never made.
        scales *= bound / np.maximum(np.abs(scales) * norms[rows], bound)
        total += scales @ X[rows]
    return gaussian_mechanism_zcdp(total, l2_sensitivity=bound, rho=rho, rng=rng)
