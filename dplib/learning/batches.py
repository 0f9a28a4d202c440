"""Differentially private stochastic gradient descent: DP-SGD, on Poisson batches."""

import numpy as np

from dplib import _validate
from dplib.learning.descent import clip_rows_l2
from dplib.learning.logistic import checked_data, slopes


def clipped_gradients(theta, X, y, *, bound):
    """Return the gradient of each row's own logistic loss, shortened to L2 norm `bound`.

    Args:
      theta: shape (d,).
      X: shape (n, d): one row a person.
      y: shape (n,): labels, -1 or +1.
      bound: largest norm that stays, > 0.

    Returns:
      Shape (n, d). A row of it depends on one person alone, so their sum has L2 sensitivity
      `bound` under add_remove.

    Raises:
      ValueError: an argument has the wrong shape or is out of range.

    Source: Abadi et al. (2016), algorithm 1.
    """
    X, y = checked_data(X, y)
    theta = _validate.vector("theta", theta)
    if theta.shape != X.shape[1:]:
        raise ValueError(f"theta must have shape {X.shape[1:]}, got shape {theta.shape}")
    return clip_rows_l2(slopes(theta, X, y)[:, None] * X, bound=bound)


def dp_sgd(X, y, *, rate, rounds, sigma, clipping_bound, people, learning_rate=1.0, rng=None):
    """Train a logistic regression by DP-SGD: each round looks at a Poisson batch.

    `sampled_gaussian_epsilon` says what all rounds cost together, under add_remove.

    Args:
      X: shape (n, d): one row a person.
      y: shape (n,): labels, -1 or +1.
      rate: how likely each person is in a batch, above 0 and at most 1.
      rounds: at least 1.
      sigma: noise of each entry of a sum, in units of clipping_bound, > 0.
      clipping_bound: largest L2 norm of one person's gradient, > 0.
      people: a public guess of n, > 0: a step divides by the expected size rate * people. The true
        size of a batch is private.
      learning_rate: > 0.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      theta after the last round, shape (d,).

    Raises:
      ValueError: an argument is out of range.

    Source: Abadi et al. (2016), algorithm 1.
    """
    X, y = checked_data(X, y)
    rate = _validate.positive("rate", rate)
    if rate > 1:
        raise ValueError(f"rate must be at most 1, got {rate!r}")
    rounds = _validate.whole("rounds", rounds)
    size = rate * _validate.positive("people", people)
    spread = _validate.positive("sigma", sigma) * _validate.positive(
        "clipping_bound", clipping_bound
    )
    step = _validate.positive("learning_rate", learning_rate) / size
    rng = _validate.generator(rng)
    theta = np.zeros(X.shape[1])
    for _ in range(rounds):
        batch = rng.random(len(y)) < rate
        total = rng.normal(scale=spread, size=len(theta))
        if batch.any():
            mine = clipped_gradients(theta, X[batch], y[batch], bound=clipping_bound)
            total += mine.sum(axis=0)
        theta -= step * total
    return theta
