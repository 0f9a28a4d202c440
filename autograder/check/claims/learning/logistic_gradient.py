"""The gradient of the mean logistic loss, for labels -1 and +1."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._training import gradients, labelled_rows, weights_of
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four inputs: 5 to 12 people, 2 to 4 columns; the first at theta = 0."""
    cases = []
    for size in (0.0, 0.5, 1.0, 2.0):
        columns = int(generator.integers(2, 5))
        people = columns + int(generator.integers(3, 9))
        rows, labels = labelled_rows(generator, people=people, columns=columns, size=1.0)
        theta = (np.round(generator.normal(size=columns) * size, 2) + 0.0).tolist()
        cases.append({"theta": theta, "rows": rows, "labels": labels})
    return cases


def _arrays(p: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.array(p["theta"]), np.array(p["rows"]), np.array(p["labels"], dtype=float)


def _rows(p: dict) -> np.ndarray:
    """Return the gradient of each row's loss."""
    return gradients(*_arrays(p))


def _mean_of(slope):
    """Return the mean over the rows of slope(score, label) * row."""

    def value(p):
        theta, rows, labels = _arrays(p)
        return np.mean(slope(rows @ theta, labels)[:, None] * rows, axis=0)

    return value


def _sigmoid(score: np.ndarray) -> np.ndarray:
    return (1 + np.tanh(score / 2)) / 2


_MEAN = "the loss is a mean over people: how does that show in its gradient?"
_CHAIN = "differentiate ln(1 + exp(-m)) by m, then m = y * x.theta by theta: which factors come?"
_LABELS = "which labels does this formula want, 0 and 1 or -1 and +1?"

_MISTAKES = (
    ValueMistake("the rows are added up, not averaged", lambda p: _rows(p).sum(axis=0), _MEAN),
    ValueMistake(
        "the sign is wrong: the loss would grow",
        lambda p: -_rows(p).mean(axis=0),
        "if you take a small step against your gradient, does the loss fall?",
    ),
    ValueMistake(
        "it divides by the number of columns",
        lambda p: _rows(p).sum(axis=0) / len(p["theta"]),
        _MEAN,
    ),
    ValueMistake(
        "the mean is over columns, not over people",
        lambda p: _rows(p).mean(axis=1),
        "one number for each column comes back: over which axis is the mean?",
    ),
    ValueMistake(
        "the formula for labels 0 and 1 is used",
        _mean_of(lambda score, label: _sigmoid(score) - label),
        _LABELS,
    ),
    ValueMistake(
        "the labels are missing in the exponent",
        _mean_of(lambda score, label: -label * _sigmoid(-score)),
        _CHAIN,
    ),
    ValueMistake(
        "the labels are missing before x",
        _mean_of(lambda score, label: -_sigmoid(-label * score)),
        _CHAIN,
    ),
    ValueMistake(
        "the exponent has the wrong sign",
        _mean_of(lambda score, label: -label * _sigmoid(label * score)),
        "a row that is judged right, and surely: is its gradient large or small?",
    ),
    ValueMistake(
        "every row counts in full: the factor 1 / (1 + exp(m)) is missing",
        _mean_of(lambda score, label: -label * np.ones_like(score)),
        _CHAIN,
    ),
    ValueMistake(
        "the derivative of the sigmoid is a factor too many",
        _mean_of(
            lambda score, label: (
                -label * _sigmoid(-label * score) * _sigmoid(score) * _sigmoid(-score)
            )
        ),
        _CHAIN,
    ),
    ValueMistake(
        "it is the gradient of the squared error",
        _mean_of(lambda score, label: score - label),
        "which loss is asked for?",
    ),
    ValueMistake(
        "it is twice the gradient of the squared error",
        _mean_of(lambda score, label: 2 * (score - label)),
        "which loss is asked for?",
    ),
    ValueMistake(
        "it is the gradient of the hinge loss",
        _mean_of(lambda score, label: -label * (label * score < 1)),
        "which loss is asked for?",
    ),
    ValueMistake(
        "only rows that are judged wrong count",
        _mean_of(lambda score, label: -label * (label * score <= 0)),
        "which loss is asked for?",
    ),
    ValueMistake(
        "twice the gradient is returned",
        lambda p: 2 * _rows(p).mean(axis=0),
        _CHAIN,
    ),
)


def _read(answer, p: dict) -> np.ndarray:
    """Return the gradient; a mean over columns is left to the catalogue."""
    columns = len(p["labels"]) if np.shape(answer) == (len(p["labels"]),) else len(p["theta"])
    return weights_of(answer, columns)


CLAIM = ValuesClaim(
    name="logistic_gradient",
    about="Check `logistic_gradient(theta, X, y)`: the gradient of the mean logistic loss, (d,).",
    established="the gradient of the mean logistic loss",
    cases=_cases,
    arguments=lambda p: (_arrays(p), {}),
    expected=lambda p: _rows(p).mean(axis=0),
    mistakes=_MISTAKES,
    absolute=1e-12,
    read=_read,
    situation=lambda p: f"{len(p['labels'])} rows, theta {p['theta']}",
)
