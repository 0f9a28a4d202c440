"""Noisy gradient descent at an epsilon so large that its noise does not show: where theta goes."""

import numpy as np

from autograder.check.claims.learning._training import (
    clipped,
    descent,
    gradients,
    labelled_rows,
    weights_of,
)
from autograder.check.function_claim import FunctionClaim
from autograder.check.wording.in_words import arguments_in_words, side_by_side

# So much that the noise is far below the tolerance: its deviation is 6e-6 of the bound, which is 2
# at most, in a sum that is divided by at least 20 people, in at most 5 rounds at a rate of at most
# 2. A step against a convex loss does not carry an error further: theta is off by a Gaussian of
# deviation below 3e-6, so by more than the tolerance with probability below exp(-100,000).
HUGE_EPSILON, TOLERANCE = 1e11, 3e-3


def noisy_gradient_descent(X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate):
    """Clipped gradient descent."""
    return path(X, y, iterations, clipping_bound, learning_rate, right_step)[-1]


def path(X, y, iterations, clipping_bound, learning_rate, step) -> list[np.ndarray]:
    """Return theta before the first round and after each, by step(gradients, clipping_bound)."""
    return descent(
        X,
        y,
        iterations=iterations,
        rate=learning_rate,
        step=lambda rows: step(rows, clipping_bound),
    )


def right_step(rows, bound):
    return clipped(rows, bound).mean(axis=0)


def situation(given: dict) -> str:
    named = {name: value for name, value in given.items() if name not in ("X", "y")}
    return f"{len(given['y'])} rows, {arguments_in_words(named)}"


def shown(wanted, came, given: dict) -> str:
    """Return the words for a theta that is wrong; one of an earlier round is told as that."""
    words = side_by_side(wanted, came, given)
    names = ("X", "y", "iterations", "clipping_bound", "learning_rate")
    thetas = path(*(given.get(name, 1.0) for name in names), right_step)
    for place, theta in enumerate(thetas[1:-1], start=1):
        if np.shape(came) == theta.shape and np.allclose(came, theta, rtol=0, atol=TOLERANCE):
            return f"{words}: that is theta after round {place} of {given['iterations']}"
    return words


PATH = FunctionClaim(
    noisy_gradient_descent,
    absolute=TOLERANCE,
    chance=True,
    read=lambda answer, given: weights_of(answer, given["X"].shape[1]),
    situation=situation,
    show=shown,
    outside=("epsilon below 0.05",),  # there the noise shows, and a claim on it asks
)


@PATH.inputs
def three(rng):
    """Three inputs; some gradients are longer than the bound, some are not."""
    for iterations, bounds in ((2, (0.1, 0.15)), (4, (0.6, 0.9)), (5, (1.5, 2.0))):
        rows, labels = labelled_rows(rng, people=int(rng.integers(20, 30)), columns=3, size=2.0)
        yield {
            "X": np.array(rows),
            "y": np.array(labels, dtype=float),
            "iterations": iterations,
            "clipping_bound": round(rng.uniform(*bounds), 4),
            "epsilon": HUGE_EPSILON,
            "delta": 1e-3,
            "learning_rate": round(rng.uniform(1.2, 2.0), 4),
        }


@PATH.designed
def odd_tables(rng):
    """Few people, few columns or many, one label, whole numbers."""
    tables = {
        name: (rng.normal(size=shape) * 1.5 / np.sqrt(shape[1]), rng.choice([-1, 1], shape[0]))
        for name, shape in {
            "one person": (1, 3),
            "two people": (2, 3),
            "one column": (25, 1),
            "many columns": (25, 30),
            "one label": (25, 3),
            "whole numbers": (25, 4),
        }.items()
    }
    tables["one label"][1][:] = rng.choice([-1, 1])
    tables["whole numbers"] = (
        rng.integers(1, 4, (25, 4)) * [1, -1, 0, 1],
        tables["whole numbers"][1],
    )
    for number, (name, (rows, labels)) in enumerate(tables.items()):
        delta = 1e-10 if number % 2 else 0.1
        yield name, {"X": rows, "y": labels, **_USUAL, "delta": delta}


_USUAL = {"iterations": 3, "clipping_bound": 0.6, "epsilon": HUGE_EPSILON, "learning_rate": 1.3}


def trained(last=lambda thetas: thetas[-1], *, step=right_step, rounds=lambda rounds: rounds):
    """Return a wrong function with another step, or other rounds, or that returns another theta."""
    return lambda X, y, iterations, clipping_bound, epsilon, delta, learning_rate: last(
        path(X, y, rounds(iterations), clipping_bound, learning_rate, step)
    )


def clipped_by(norm):
    """Return the step whose rows are clipped by another norm."""
    return lambda rows, bound: (rows * np.minimum(1, bound / norm(rows))).mean(axis=0)


def lengthened(rows, bound):
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows * (bound / np.maximum(norms, 1e-9))).mean(axis=0)


def clipped_data(X, y, clipping_bound, **given):
    """Return theta when rows are clipped instead of gradients."""
    rows = clipped(X, clipping_bound)
    return noisy_gradient_descent(rows, y, clipping_bound=np.inf, **given)


def replaced(X, y, iterations, clipping_bound, learning_rate, **given):
    """Return theta when each round forgets the one before, but for where it looks."""
    theta = np.zeros(X.shape[1])
    for _ in range(iterations):
        theta = -learning_rate * right_step(gradients(theta, X, y), clipping_bound)
    return theta


WHERE = "what is clipped: the gradient of each row, before they are added up?"
ROUNDS = "follow theta through two rounds by hand: where does each gradient look?"
LOOP = "how often does your loop run?"

PATH.mistake(
    "gradients are not clipped",
    "how far can one person move the sum of the gradients, if nothing bounds theirs?",
    given={"clipping_bound": np.inf},
)
PATH.mistake(
    "the mean is clipped, after averaging",
    "how far can one person move the mean before it is clipped, and after?",
    trained(step=lambda rows, bound: clipped(rows.mean(axis=0, keepdims=True), bound)[0]),
)
PATH.mistake(
    "the sum is clipped, after adding up",
    "how far can one person move the sum before it is clipped, and after?",
    trained(
        step=lambda rows, bound: clipped(rows.sum(axis=0, keepdims=True), bound)[0] / len(rows)
    ),
)
PATH.mistake(
    "each entry is clipped, not the row",
    WHERE,
    trained(step=lambda rows, bound: np.clip(rows, -bound, bound).mean(axis=0)),
)
PATH.mistake(
    "the L1 norm is clipped, not the L2 norm",
    "which norm of the sensitivity does the noise of this mechanism need?",
    trained(step=clipped_by(lambda rows: np.abs(rows).sum(axis=1, keepdims=True))),
)
PATH.mistake("rows are clipped, not their gradients", WHERE, clipped_data)
PATH.mistake(
    "every gradient gets the length of the bound",
    "what should happen to a gradient that is shorter than the bound?",
    trained(step=lengthened),
)
PATH.mistake(
    "theta goes up the loss, not down",
    "in which direction does the loss fall, along the gradient or against it?",
    trained(step=lambda rows, bound: -right_step(rows, bound)),
)
PATH.mistake(
    "the sum is not divided by the number of rows",
    "how far should a round go if everybody were in the data twice?",
    trained(step=lambda rows, bound: clipped(rows, bound).sum(axis=0)),
)
PATH.mistake(
    "the mean of the gradients is divided by the number of rows once more",
    "the task divides a sum: what do you divide?",
    trained(step=lambda rows, bound: right_step(rows, bound) / len(rows)),
)
PATH.mistake(
    "the learning rate is ignored", "what tells how far a round goes?", given={"learning_rate": 1}
)
PATH.mistake(
    "every round looks at theta = 0",
    ROUNDS,
    lambda X, y, iterations, **given: (
        iterations * noisy_gradient_descent(X, y, iterations=1, **given)
    ),
)
PATH.mistake("theta is replaced in each round, not moved", ROUNDS, replaced)
PATH.mistake("only one round is done", ROUNDS, given={"iterations": 1})
PATH.mistake("one round is missing", LOOP, trained(rounds=lambda rounds: rounds - 1))
PATH.mistake("one round too many is done", LOOP, trained(rounds=lambda rounds: rounds + 1))
PATH.mistake(
    "the mean of all thetas is returned",
    "which theta does the task want?",
    trained(lambda thetas: np.mean(thetas[1:], axis=0)),
)
