"""Logistic regression without privacy: its loss, its gradients and how often it is right."""

import numpy as np

from dplib import _validate


def logistic_loss(theta, X, y):
    """Return the mean over the rows of ln(1 + exp(-y * x.theta)). It is exact, not private.

    Args:
      theta: shape (d,): the weight of each column.
      X: shape (n, d): one row a person, n >= 1.
      y: shape (n,): the label of each row, -1 or +1.

    Returns:
      A number of at least 0; ln 2 at theta = 0.

    Raises:
      ValueError: an argument has the wrong shape or a number that is not finite, or y holds
        another label.

    Source: Hastie, Tibshirani & Friedman (2009), section 4.4.
    """
    theta, X, y = checked_model(theta, X, y)
    return float(np.logaddexp(0, -y * (X @ theta)).mean())


def logistic_gradient(theta, X, y):
    """Return the gradient of `logistic_loss` at theta, shape (d,): the mean of `row_gradients`.

    Args:
      theta, X, y: as in `logistic_loss`.

    Raises:
      ValueError: as in `logistic_loss`.
    """
    theta, X, y = checked_model(theta, X, y)
    return slopes(theta, X, y) @ X / len(y)


def row_gradients(theta, X, y):
    """Return the gradient of each row's own loss, shape (n, d).

    Args:
      theta, X, y: as in `logistic_loss`.

    Raises:
      ValueError: as in `logistic_loss`.
    """
    theta, X, y = checked_model(theta, X, y)
    return slopes(theta, X, y)[:, None] * X


def slopes(theta: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the number s of each row, between -1 and 1, for which its gradient is s * x."""
    from scipy.special import expit

    # d/dtheta ln(1 + exp(-y x.theta)) = -y x / (1 + exp(y x.theta)); expit does not overflow.
    return -y * expit(-y * (X @ theta))


def predict(theta, X):
    """Return the label of each row of X, shape (n,): +1 where x.theta is above 0, else -1.

    Args:
      theta: shape (d,).
      X: shape (n, d).

    Raises:
      ValueError: an argument has the wrong shape or a number that is not finite.
    """
    X = _validate.matrix("X", X)
    return _predicted(weights(theta, X), X)


def _predicted(theta: np.ndarray, X: np.ndarray) -> np.ndarray:
    return np.where(X @ theta > 0, 1.0, -1.0)


def accuracy(theta, X, y):
    """Return the share of rows for which `predict` gives the label y. It is exact, not private.

    It says little without `majority_accuracy` beside it.

    Args:
      theta, X, y: as in `logistic_loss`.

    Raises:
      ValueError: as in `logistic_loss`.
    """
    theta, X, y = checked_model(theta, X, y)
    return float((_predicted(theta, X) == y).mean())


def majority_accuracy(y):
    """Return the accuracy of always giving the most frequent label: what a model has to beat.

    Args:
      y: shape (n,): labels, -1 or +1.

    Raises:
      ValueError: y is empty or holds another label.
    """
    positive = float((labels(y) > 0).mean())
    return max(positive, 1 - positive)


def labels(y: object) -> np.ndarray:
    """Return the labels as a float array of shape (n,); ValueError unless each is -1 or +1."""
    array = _validate.finite_array("y", y)
    if array.ndim != 1 or (np.abs(array) != 1).any():
        raise ValueError(f"y must have shape (n,) and hold -1 and +1 only, got {y!r}")
    return array


def checked_data(X: object, y: object) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and labels as arrays of shapes (n, d) and (n,); ValueError if they are not."""
    X, y = _validate.matrix("X", X), labels(y)
    if len(X) != len(y):
        raise ValueError(f"y must have one label for each of {len(X)} rows, got {len(y)}")
    return X, y


def weights(theta: object, X: np.ndarray) -> np.ndarray:
    """Return theta as a float array, one entry for each column of X; ValueError otherwise."""
    theta = _validate.finite_array("theta", theta)
    if theta.shape != X.shape[1:]:
        raise ValueError(f"theta must have shape {X.shape[1:]}, got shape {theta.shape}")
    return theta


def checked_model(theta: object, X: object, y: object) -> tuple[np.ndarray, ...]:
    """Return the three as float arrays; ValueError unless their shapes fit together."""
    X, y = checked_data(X, y)
    return weights(theta, X), X, y
