"""How far off each answer of L (R x + Gaussian noise) is, under concentrated privacy."""

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.function_claim import FunctionClaim


def factorization_error(left, right, *, rho):
    """The mean squared error of each answer of left @ (right @ x + noise), an array."""
    return mean_squares(left, right, rho)


def mean_squares(left, right, rho, *, moved=None):
    # One person is in one month: the answers of R move by one of its columns (Li and others 2010).
    # Gaussian noise of variance moved^2 / (2 rho) is rho-private (Bun & Steinke 2016).
    right = np.array(right, dtype=float)
    moved = np.sqrt((right**2).sum(axis=0).max()) if moved is None else moved(right)
    return moved**2 / (2 * rho) * (np.array(left, dtype=float) ** 2).sum(axis=1)


CLAIM = FunctionClaim(
    factorization_error,
    established="the error of each answer, for the person who moves the questions most",
    read=lambda answer, given: numbers_of_shape(answer, (len(given["left"]),), "the errors"),
    absolute=1e-12,
    situation=lambda given: (
        f"left of shape {np.shape(given['left'])}, right of shape {np.shape(given['right'])}, "
        f"rho {given['rho']}"
    ),
)


@CLAIM.inputs
def seven(rng):
    """Negative entries, whole numbers, an empty question, more and fewer questions than months."""
    for sums, questions, months in (
        (3, 3, 3),
        (2, 5, 3),
        (4, 2, 6),
        (1, 4, 4),
        (6, 7, 2),
        (5, 1, 1),
    ):
        left, right = rng.normal(size=(sums, questions)), rng.normal(size=(questions, months))
        # The longest column is not the first, nor the last; some question is read by no sum.
        right[:, -1] *= 0.3
        if months > 2:
            right[:, 1] = 0
            right[rng.integers(questions), 1] = -3.5 * np.sqrt(questions)
            left[:, 0] = 0
        yield {"left": left, "right": right, "rho": round(rng.uniform(0.05, 3), 3)}
    tree = {"left": np.tril(np.ones((4, 4), dtype=int)), "right": rng.integers(-3, 4, (4, 4))}
    # The length of each column has an odd square: no error of the first sum is a whole number.
    tree["right"] += 4 * np.eye(4, dtype=int)
    tree["right"][3] += (tree["right"].sum(axis=0) + 1) % 2
    yield tree | {"rho": 2}


WHO = "one person comes in one month: which entries of R x does that move, and how far?"
ROW = "which numbers does one sum read, and with which weights? Add up their variances."
NOISE = "which variance does Gaussian noise need for rho (chapter 9)?"


def with_move(moved):
    return lambda left, right, rho: mean_squares(left, right, rho, moved=moved)


def variance(right, rho):
    return mean_squares([[1]], right, rho)


def lengths(right, axis=0):
    return np.sqrt((right**2).sum(axis=axis))


for name, ask, moved in (
    ("the sensitivity is that of a row of R", WHO, lambda right: lengths(right, 1).max()),
    (
        "the L1 length of a column is taken, not the L2 length",
        WHO,
        lambda right: np.abs(right).sum(axis=0).max(),
    ),
    ("the largest entry of R is taken", WHO, lambda right: np.abs(right).max()),
    (
        "everybody moves at once: the whole of R is taken",
        WHO,
        lambda right: np.sqrt((right**2).sum()),
    ),
    ("the first column is taken, not the longest", WHO, lambda right: lengths(right)[0]),
    ("the mean column is taken, not the longest", WHO, lambda right: lengths(right).mean()),
    ("the shortest column is taken", WHO, lambda right: lengths(right).min()),
    ("the sensitivity is taken as 1", WHO, lambda right: 1.0),
    ("the spectral norm of R is taken", WHO, lambda right: np.linalg.norm(right, 2)),
    (
        "the largest distance of two columns of R is taken",
        "is a person added, or replaced by another?",
        lambda right: lengths(right[:, :, None] - right[:, None]).max(),
    ),
    (
        "the column with the largest sum is taken, not the longest",
        WHO,
        lambda right: lengths(right)[right.sum(axis=0).argmax()],
    ),
    ("the sensitivity is not squared", NOISE, lambda right: np.sqrt(lengths(right).max())),
):
    CLAIM.mistake(name, ask, with_move(moved))
for name, ask, change in (
    ("the root of the mean square is returned", "is the error asked for, or its square?", np.sqrt),
    ("one number for all sums: the mean", ROW, lambda errors: np.full(len(errors), errors.mean())),
    ("one number for all sums: the largest", ROW, lambda e: np.full(len(e), e.max())),
    ("the 2 of 2 rho is missing", NOISE, lambda errors: 2 * errors),
    ("the 2 of 2 rho stands above the line", NOISE, lambda errors: 4 * errors),
):
    CLAIM.mistake(name, ask, then=change)
for name, ask, answer in (
    (
        "the weights are added, then squared",
        ROW,
        lambda left, right, rho: variance(right, rho) * left.sum(axis=1) ** 2,
    ),
    (
        "the sizes of the weights are added, not their squares",
        ROW,
        lambda left, right, rho: variance(right, rho) * np.abs(left).sum(axis=1),
    ),
    (
        "the length of a row of L is not squared",
        ROW,
        lambda left, right, rho: variance(right, rho) * lengths(left, 1),
    ),
    (
        "the deviation of the noise is taken, not its variance",
        NOISE,
        lambda left, right, rho: np.sqrt(variance(right, rho)) * lengths(left, 1) ** 2,
    ),
    (
        "the rows of L R are taken, not those of L",
        "through which matrix does the noise go?",
        lambda left, right, rho: mean_squares(left @ right, right, rho),
    ),
    (
        "entries above the diagonal are left out",
        "are both matrices triangular, whatever is given?",
        lambda left, right, rho: mean_squares(np.tril(left), np.tril(right), rho),
    ),
    (
        "the errors are kept in an array of whole numbers, where `left` is one",
        "`left` may hold whole numbers: which numbers can the array hold that you fill?",
        lambda left, right, rho: mean_squares(left, right, rho).astype(left.dtype),
    ),
    (
        "the argument `left` is made anew, for running sums",
        "with which weights is the noise added up, and in which argument do they come?",
        lambda left, right, rho: mean_squares(
            np.tril(np.ones((len(left), right.shape[1]))) @ np.linalg.pinv(right), right, rho
        ),
    ),
    ("rho is squared", NOISE, lambda left, right, rho: mean_squares(left, right, rho) / rho),
):
    CLAIM.mistake(name, ask, answer)
for rho in (1, 0.5):
    CLAIM.mistake(f"rho is ignored, as if it were {rho}", NOISE, given={"rho": rho})
