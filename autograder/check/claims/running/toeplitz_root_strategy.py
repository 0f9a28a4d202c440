"""The square root of the running sums: a lower triangular matrix with equal diagonals."""

import numpy as np

from autograder.check.claims.synthetic._matrices import as_matrix
from autograder.check.function_claim import FunctionClaim
from autograder.check.wording.in_words import side_by_side


def toeplitz_root_strategy(size):
    """The lower triangular matrix with equal diagonals whose square gives the running sums."""
    return lower(root_column(size))


def root_column(size):
    # Fichtenberger, Henzinger & Upadhyay (2023): the series of (1 - x)^(-1/2).
    column = [1.0]
    for k in range(1, size):
        column.append(column[-1] * (2 * k - 1) / (2 * k))
    return column


def lower(column):
    """Return the lower triangular matrix with these numbers along its diagonals."""
    places = np.arange(len(column))
    return np.tril(np.asarray(column)[places[:, None] - places])


def show(wanted, came, given):
    """Return the first entry that differs, and how many rows above it are right."""
    right = np.isclose(came, wanted, rtol=1e-6, atol=1e-9).all(axis=1)
    above = int(np.argmin(right))
    words = side_by_side(wanted, came, given)
    return words + (f"; the {above} rows above it are right" if above > FEW else "")


FEW = 3
SQUARE = "multiply your matrix by itself: is each entry below the diagonal 1?"

CLAIM = FunctionClaim(
    toeplitz_root_strategy,
    established="lower triangular, with equal diagonals, and its square gives the running sums",
    read=lambda answer, given: as_matrix(answer, given["size"]),
    absolute=1e-9,
    show=show,
    situation=lambda given: f"{given['size']} months",
    ask=SQUARE,
)


@CLAIM.inputs
def six(rng):
    few = rng.choice([3, 5, 6, 7], 2, replace=False)
    # No float holds the central binomials, or the powers of 4, of the last one.
    many = rng.integers(530, 600)
    return [{"size": int(size)} for size in (1, 2, *few, rng.integers(20, 90), many)]


def of_column(change):
    """Return a wrong function: the column of the root, changed."""
    return lambda size: lower(change(np.array(root_column(size))))


for name, change in (
    ("halves: each diagonal is half of the one before", lambda c: 0.5 ** np.arange(len(c))),
    ("the diagonals are 1, 1/2, 1/3, 1/4", lambda c: 1 / np.arange(1, len(c) + 1)),
    ("all diagonals below the first are 1/2", lambda c: np.where(np.arange(len(c)), 0.5, 1.0)),
    (
        "the diagonals are 1 over the root of their number",
        lambda c: 1 / np.sqrt(np.arange(1, len(c) + 1)),
    ),
    ("every diagonal is squared", lambda c: c**2),
    ("a sign changes from diagonal to diagonal", lambda c: c * (-1.0) ** np.arange(len(c))),
    ("only two diagonals are filled", lambda c: c * (np.arange(len(c)) < 2)),
    ("only three diagonals are filled", lambda c: c * (np.arange(len(c)) < 3)),
    (
        "the central binomials are divided by 2^k, not 4^k",
        lambda c: c * 2.0 ** np.minimum(np.arange(len(c)), 600),
    ),
):
    CLAIM.mistake(name, SQUARE, of_column(change))
for name, ask, change in (
    ("upper and lower are exchanged", "which months may the sum of month t read?", np.transpose),
    ("this is the inverse of the root", SQUARE, np.linalg.inv),
    (
        "these are the running sums themselves",
        "their square root is asked for: which matrix times itself gives this one?",
        lambda root: root @ root,
    ),
    (
        "the matrix is symmetric",
        "which months may the sum of month t read?",
        lambda root: root + np.tril(root, -1).T,
    ),
):
    CLAIM.mistake(name, ask, then=change)


@CLAIM.mistake("this is the symmetric root of a symmetric matrix", SQUARE)
def symmetric_root(size):
    months = np.arange(1, size + 1)
    values, vectors = np.linalg.eigh(np.minimum.outer(months, months).astype(float))
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
