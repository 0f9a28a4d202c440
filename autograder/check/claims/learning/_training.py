"""Rows, labels and plain gradient descent, worked out here without dplib."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.learning._reports import numbers_of_shape


def labelled_rows(
    generator: np.random.Generator, *, people: int, columns: int, size: float
) -> tuple[list[list[float]], list[int]]:
    """Return rows with entries of about `size`, and labels that depend on them a little."""
    rows = generator.normal(size=(people, columns)) * size
    rows[:, 0] = np.abs(rows[:, 0])
    labels = np.where(rows[:, 0] + rows[:, -1] + generator.normal(size=people) * size > 0, 1, -1)
    labels[:2] = 1, -1
    return np.round(rows, 3).tolist(), labels.tolist()


def gradients(theta: np.ndarray, rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the gradient of ln(1 + exp(-y x.theta)) for each row, shape (n, d)."""
    # The derivative of ln(1 + exp(-m)) is -1 / (1 + exp(m)), exact for large m, too.
    margins = labels * (rows @ theta)
    return (-labels * np.exp(-np.logaddexp(0, margins)))[:, None] * rows


def clipped(rows: np.ndarray, bound: float) -> np.ndarray:
    """Return the rows, each shortened to L2 norm `bound` where it is longer."""
    norms = np.sqrt((rows**2).sum(axis=1))
    return rows * np.minimum(1, bound / np.maximum(norms, 1e-300))[:, None]


def descent(
    rows, labels, *, iterations: int, rate: float, step: Callable[[np.ndarray], np.ndarray]
) -> list[np.ndarray]:
    """Return theta before the first round and after each, without any noise.

    `step` makes what is subtracted, but for the learning rate, of the rows' gradients.
    """
    rows, labels = np.array(rows), np.array(labels, dtype=float)
    path = [np.zeros(rows.shape[1])]
    for _ in range(iterations):
        path.append(path[-1] - rate * step(gradients(path[-1], rows, labels)))
    return path


def weights_of(answer: Any, columns: int) -> np.ndarray:
    """Return theta, shape (d,), or raise BadAnswer."""
    if isinstance(answer, tuple) and answer and np.ndim(answer[0]):
        raise BadAnswer(
            "one array theta is wanted",
            seen=f"it returned {len(answer)} things",
            ask="what does the task say the function returns?",
        )
    return numbers_of_shape(answer, (columns,), "the entries of theta")
