"""Noisy gradient descent at an epsilon so large that its noise does not show: where theta goes."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._training import (
    clipped,
    descent,
    gradients,
    labelled_rows,
    weights_of,
)
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["NAME", "PATH", "arguments", "words"]

NAME = "noisy_gradient_descent"
# So much that the noise is far below the tolerance: its deviation is 6e-6 of the bound, which is 2
# at most, in a sum that is divided by at least 20 people, in at most 5 rounds at a rate of at most
# 2. A step against a convex loss does not carry an error further: theta is off by a Gaussian of
# deviation below 3e-6, so by more than the tolerance with probability below exp(-100,000).
_HUGE_EPSILON, _TOLERANCE = 1e11, 3e-3


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return three inputs; some gradients are longer than the bound, some are not."""
    cases = []
    for iterations, bounds in ((2, (0.1, 0.15)), (4, (0.6, 0.9)), (5, (1.5, 2.0))):
        rows, labels = labelled_rows(
            generator, people=int(generator.integers(20, 30)), columns=3, size=2.0
        )
        cases.append(
            {
                "rows": rows,
                "labels": labels,
                "iterations": iterations,
                "clipping_bound": round(generator.uniform(*bounds), 2),
                "epsilon": _HUGE_EPSILON,
                "delta": 1e-3,
                "learning_rate": round(generator.uniform(1.2, 2.0), 2),
            }
        )
    return cases


def arguments(p: dict) -> tuple[tuple, dict]:
    names = ("iterations", "clipping_bound", "epsilon", "delta", "learning_rate")
    data = np.array(p["rows"]), np.array(p["labels"], dtype=float)
    return data, {name: p[name] for name in names}


def _path(p: dict, step, *, iterations: int | None = None) -> list[np.ndarray]:
    """Return theta before the first round and after each."""
    iterations = p["iterations"] if iterations is None else iterations
    return descent(
        p["rows"], p["labels"], iterations=iterations, rate=p["learning_rate"], step=step
    )


def _right_step(p: dict):
    return lambda rows: clipped(rows, p["clipping_bound"]).mean(axis=0)


def _last(step_of, *, more: int = 0):
    """Return the last theta when a step is made in another way, or rounds are more or fewer."""
    return lambda p: _path(p, step_of(p), iterations=p["iterations"] + more)[-1]


def _by_norm(norm):
    """Return the step whose rows are clipped by another norm."""

    def step_of(p):
        def step(rows):
            return (rows * np.minimum(1, p["clipping_bound"] / norm(rows))).mean(axis=0)

        return step

    return step_of


def _clipped_late(scale):
    """Return the step that clips the mean, or the sum before it is divided."""

    def step_of(p):
        def step(rows):
            total = scale * rows.sum(axis=0) if scale else rows.mean(axis=0)
            late = clipped(total[None, :], p["clipping_bound"])[0]
            return late / len(rows) if scale else late

        return step

    return step_of


def _clipped_data(p: dict) -> np.ndarray:
    """Return theta when rows are clipped instead of gradients."""
    rows = clipped(np.array(p["rows"]), p["clipping_bound"])
    return _path({**p, "rows": rows}, lambda gradients: gradients.mean(axis=0))[-1]


def _entries(p: dict):
    bound = p["clipping_bound"]
    return lambda rows: np.clip(rows, -bound, bound).mean(axis=0)


_WHERE = "what is clipped: the gradient of each row, before they are added up?"
_ROUNDS = "follow theta through two rounds by hand: where does each gradient look?"

_PATH_MISTAKES = (
    ValueMistake(
        "gradients are not clipped",
        _last(lambda p: lambda rows: rows.mean(axis=0)),
        "how far can one person move the sum of the gradients, if nothing bounds theirs?",
    ),
    ValueMistake(
        "the mean is clipped, after averaging",
        _last(_clipped_late(0)),
        "how far can one person move the mean before it is clipped, and after?",
    ),
    ValueMistake(
        "the sum is clipped, after adding up",
        _last(_clipped_late(1)),
        "how far can one person move the sum before it is clipped, and after?",
    ),
    ValueMistake("each entry is clipped, not the row", _last(_entries), _WHERE),
    ValueMistake(
        "the L1 norm is clipped, not the L2 norm",
        _last(_by_norm(lambda rows: np.abs(rows).sum(axis=1, keepdims=True))),
        "which norm of the sensitivity does the noise of this mechanism need?",
    ),
    ValueMistake("rows are clipped, not their gradients", _clipped_data, _WHERE),
    ValueMistake(
        "every gradient gets the length of the bound",
        _last(
            lambda p: (
                lambda rows: (
                    rows
                    * (
                        p["clipping_bound"]
                        / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
                    )
                ).mean(axis=0)
            )
        ),
        "what should happen to a gradient that is shorter than the bound?",
    ),
    ValueMistake(
        "theta goes up the loss, not down",
        _last(lambda p: lambda rows: -_right_step(p)(rows)),
        "in which direction does the loss fall, along the gradient or against it?",
    ),
    ValueMistake(
        "the sum is not divided by the number of rows",
        _last(lambda p: lambda rows: clipped(rows, p["clipping_bound"]).sum(axis=0)),
        "how far should a round go if everybody were in the data twice?",
    ),
    ValueMistake(
        "the learning rate is ignored",
        lambda p: _path({**p, "learning_rate": 1.0}, _right_step(p))[-1],
        "what tells how far a round goes?",
    ),
    ValueMistake(
        "every round looks at theta = 0",
        lambda p: p["iterations"] * _path(p, _right_step(p), iterations=1)[-1],
        _ROUNDS,
    ),
    ValueMistake(
        "theta is replaced in each round, not moved",
        lambda p: _replaced(p),
        _ROUNDS,
    ),
    ValueMistake(
        "only one round is done",
        lambda p: _path(p, _right_step(p), iterations=1)[-1],
        _ROUNDS,
    ),
    ValueMistake(
        "one round is missing", _last(_right_step, more=-1), "how often does your loop run?"
    ),
    ValueMistake(
        "one round too many is done", _last(_right_step, more=1), "how often does your loop run?"
    ),
    ValueMistake(
        "the mean of all thetas is returned",
        lambda p: np.mean(_path(p, _right_step(p))[1:], axis=0),
        "which theta does the docstring want?",
    ),
)


def _replaced(p: dict) -> np.ndarray:
    """Return theta when each round forgets the one before, but for where it looks."""
    theta = np.zeros(len(p["rows"][0]))
    rows, labels = np.array(p["rows"]), np.array(p["labels"], dtype=float)
    for _ in range(p["iterations"]):
        theta = -p["learning_rate"] * _right_step(p)(gradients(theta, rows, labels))
    return theta


def words(p: dict) -> str:
    return (
        f"{len(p['labels'])} rows, iterations {p['iterations']}, "
        f"clipping_bound {p['clipping_bound']}, epsilon {p['epsilon']:g}, delta {p['delta']}, "
        f"learning_rate {p['learning_rate']}"
    )


PATH = ValuesClaim(
    name=NAME,
    established="clipped gradient descent",
    library=NAME,
    cases=_cases,
    arguments=arguments,
    expected=_last(_right_step),
    mistakes=_PATH_MISTAKES,
    absolute=_TOLERANCE,
    chance=True,
    read=lambda answer, p: weights_of(answer, len(p["rows"][0])),
    situation=words,
)
