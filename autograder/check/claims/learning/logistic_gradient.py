"""The gradient of the mean logistic loss, for labels -1 and +1."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._training import gradients, labelled_rows, weights_of
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def logistic_gradient(theta, X, y):
    """The gradient of the mean logistic loss, (d,)."""
    return gradients(theta, X, y).mean(axis=0)


def read(answer, given: dict) -> np.ndarray:
    """Return the gradient; a mean over columns is left to the catalogue."""
    people = len(given["y"])
    return weights_of(answer, people if np.shape(answer) == (people,) else len(given["theta"]))


CLAIM = FunctionClaim(
    logistic_gradient,
    established="the gradient of the mean logistic loss",
    absolute=1e-12,
    read=read,
    situation=lambda given: f"{len(given['y'])} rows, theta {given['theta'].tolist()}",
)


@CLAIM.inputs
def four(rng):
    """5 to 12 people, 2 to 4 columns; the first at theta = 0."""
    for size in (0.0, 0.5, 1.0, 2.0):
        columns = int(rng.integers(2, 5))
        people = columns + int(rng.integers(3, 9))
        rows, labels = labelled_rows(rng, people=people, columns=columns, size=1.0)
        theta = np.round(rng.normal(size=columns) * size, 2) + 0.0
        yield {"theta": theta, "X": np.array(rows), "y": np.array(labels, dtype=float)}


def mean_of(slope):
    """Return the mean over the rows of slope(score, label) * row."""
    return lambda theta, X, y: np.mean(slope(X @ theta, y)[:, None] * X, axis=0)


def sigmoid(score):
    return (1 + np.tanh(score / 2)) / 2


MEAN = "the loss is a mean over people: how does that show in its gradient?"
CHAIN = "differentiate ln(1 + exp(-m)) by m, then m = y * x.theta by theta: which factors come?"
LOSS = "which loss is asked for?"

CLAIM.mistake(
    "the rows are added up, not averaged",
    MEAN,
    lambda theta, X, y: gradients(theta, X, y).sum(axis=0),
)
CLAIM.mistake(
    "the sign is wrong: the loss would grow",
    "if you take a small step against your gradient, does the loss fall?",
    then=lambda gradient: -gradient,
)
CLAIM.mistake(
    "it divides by the number of columns",
    MEAN,
    lambda theta, X, y: gradients(theta, X, y).sum(axis=0) / len(theta),
)
CLAIM.mistake(
    "the mean is over columns, not over people",
    "one number for each column comes back: over which axis is the mean?",
    lambda theta, X, y: gradients(theta, X, y).mean(axis=1),
)
for name, ask, slope in (
    (
        "the formula for labels 0 and 1 is used",
        "which labels does this formula want, 0 and 1 or -1 and +1?",
        lambda score, label: sigmoid(score) - label,
    ),
    (
        "the labels are missing in the exponent",
        CHAIN,
        lambda score, label: -label * sigmoid(-score),
    ),
    ("the labels are missing before x", CHAIN, lambda score, label: -sigmoid(-label * score)),
    (
        "the exponent has the wrong sign",
        "a row that is judged right, and surely: is its gradient large or small?",
        lambda score, label: -label * sigmoid(label * score),
    ),
    (
        "every row counts in full: the factor 1 / (1 + exp(m)) is missing",
        CHAIN,
        lambda score, label: -label,
    ),
    (
        "the derivative of the sigmoid is a factor too many",
        CHAIN,
        lambda score, label: -label * sigmoid(-label * score) * sigmoid(score) * sigmoid(-score),
    ),
    ("it is the gradient of the squared error", LOSS, lambda score, label: score - label),
    (
        "it is twice the gradient of the squared error",
        LOSS,
        lambda score, label: 2 * (score - label),
    ),
    (
        "it is the gradient of the hinge loss",
        LOSS,
        lambda score, label: -label * (label * score < 1),
    ),
    (
        "only rows that are judged wrong count",
        LOSS,
        lambda score, label: -label * (label * score <= 0),
    ),
):
    CLAIM.mistake(name, ask, mean_of(slope))
CLAIM.mistake("twice the gradient is returned", CHAIN, then=lambda gradient: 2 * gradient)
