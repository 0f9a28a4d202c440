"""Rows clipped to an L2 norm: each is shortened where it is longer, by itself."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._reports import as_array, short
from autograder.check.claims.learning._training import clipped
from autograder.check.door import BadAnswer
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def clip_rows_l2(rows, *, bound):
    """Each row shortened to L2 norm `bound`, (n, d)."""
    return clipped(rows, bound)


def read(answer, given: dict) -> np.ndarray:
    """Return the rows, a table of numbers; BadAnswer where one is not finite."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    array = as_array(answer, "the rows").astype(float)
    if not np.isfinite(array).all():
        raise BadAnswer(
            "an entry is not a finite number",
            seen=f"it returned {short(array[~np.isfinite(array).reshape(len(array), -1).all(1)])}",
            ask="what is the norm of a row of zeros, and what do you divide by it?",
        )
    return array[None, :] if array.ndim == 1 else array


CLAIM = FunctionClaim(
    clip_rows_l2,
    established="rows above the bound are shortened to it, the others stay",
    absolute=1e-12,
    read=read,
    situation=lambda given: f"{len(given['rows'])} rows, bound {given['bound']}",
)


@CLAIM.inputs
def four(rng):
    """Rows below the bound and above it, and one row of zeros."""
    for _ in range(4):
        columns, people = int(rng.integers(2, 5)), int(rng.integers(5, 9))
        directions = rng.normal(size=(people, columns))
        directions /= np.sqrt((directions**2).sum(axis=1, keepdims=True))
        bound = round(rng.uniform(0.4, 3), 2)
        lengths = bound * rng.uniform(1.5, 5, size=people)
        lengths[:2] = bound * rng.uniform(0.2, 0.8, size=2)
        lengths[2] = 0
        rows = (directions * lengths[:, None])[rng.permutation(people)]
        yield {"rows": np.round(rows, 4), "bound": bound}


def l2(rows):
    return np.sqrt((rows**2).sum(axis=1, keepdims=True))


def scaled(factor):
    """Return a wrong function by which a row is times a factor of its norm and the bound."""
    return lambda rows, bound: rows * factor(np.maximum(l2(rows), 1e-300), bound)


def clipped_by(norm):
    """Return a wrong function that clips by another norm, of the rows or of all of them."""
    return lambda rows, bound: rows * np.minimum(1, bound / np.maximum(norm(rows), 1e-300))


ROW = "which number is compared with the bound, and for what: an entry, a row, or all rows?"
LONG = "how long must a row be that was twice as long as the bound? And one half as long?"
NORM = "how is the L2 norm of a row computed?"
TOO_LONG = "how long should a row be that was too long?"

CLAIM.mistake("nothing is clipped", LONG, lambda rows, bound: rows)
CLAIM.mistake(
    "each entry is clipped by itself",
    "how long can a row be if each entry is at most the bound?",
    lambda rows, bound: np.clip(rows, -bound, bound),
)
CLAIM.mistake(
    "each entry is clipped from above only", ROW, lambda rows, bound: np.minimum(rows, bound)
)
CLAIM.mistake(
    "each entry is clipped between 0 and the bound",
    "may an entry be negative?",
    lambda rows, bound: np.clip(rows, 0, bound),
)
CLAIM.mistake(
    "the L1 norm is clipped, not the L2 norm",
    NORM,
    clipped_by(lambda rows: np.abs(rows).sum(axis=1, keepdims=True)),
)
CLAIM.mistake(
    "the largest entry is clipped, not the norm",
    NORM,
    clipped_by(lambda rows: np.abs(rows).max(axis=1, keepdims=True)),
)
CLAIM.mistake(
    "the square of the norm is compared with the bound",
    "which root is missing?",
    clipped_by(lambda rows: l2(rows) ** 2),
)
CLAIM.mistake("the norm of the whole table is clipped", ROW, clipped_by(np.linalg.norm))
CLAIM.mistake(
    "columns are clipped, not rows",
    "which axis is the person?",
    clipped_by(lambda rows: np.linalg.norm(rows, axis=0)),
)
CLAIM.mistake(
    "all rows are scaled by the longest one",
    "does the result for one row depend on the other rows? What does that cost?",
    clipped_by(lambda rows: l2(rows).max()),
)
CLAIM.mistake("short rows are made longer", LONG, scaled(lambda norms, bound: bound / norms))
CLAIM.mistake(
    "every row gets norm 1", "where does the bound enter?", scaled(lambda norms, bound: 1 / norms)
)
CLAIM.mistake(
    "long rows get norm 1, not the bound",
    TOO_LONG,
    scaled(lambda norms, bound: np.where(norms > bound, 1 / norms, 1)),
)
CLAIM.mistake("long rows become rows of zeros", LONG, scaled(lambda norms, bound: norms <= bound))
CLAIM.mistake(
    "long rows are left out",
    "how many rows must come back?",
    lambda rows, bound: rows[l2(rows)[:, 0] <= bound],
)
CLAIM.mistake(
    "the wrong rows are scaled: max where min belongs",
    LONG,
    scaled(lambda norms, bound: np.maximum(1, bound / norms)),
)
CLAIM.mistake(
    "all rows are divided by the bound",
    TOO_LONG,
    scaled(lambda norms, bound: np.minimum(1, bound / norms) / bound),
)
CLAIM.mistake(
    "rows are averaged first, and the mean is clipped",
    "by how much can one person move a mean before it is clipped?",
    lambda rows, bound: clipped(rows.mean(axis=0, keepdims=True), bound),
)
