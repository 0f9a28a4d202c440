"""The inverse of the Haar strategy: the walk from the top of the tree down to each cell."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.ranges._ranges import haar_nodes
from autograder.check.claims.ranges.haar_strategy import haar_strategy
from autograder.check.claims.synthetic._matrices import as_matrix
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def haar_restore(size):
    """The matrix that gives counts back from coefficients."""
    return walk(size, lambda width: 1 / width)


def walk(size, share):
    """Return the matrix whose row p adds, with `share`, the nodes above cell p."""
    matrix = np.zeros((size, size))
    matrix[:, 0] = share(size)
    for number, first, width in haar_nodes(size):
        matrix[first : first + width // 2, number] = share(width)
        matrix[first + width // 2 : first + width, number] = -share(width)
    return matrix


CLAIM = FunctionClaim(
    haar_restore,
    established="1 / size for the total, 1 / w or -1 / w for each node on the walk to a cell",
    read=lambda answer, given: as_matrix(answer, given["size"]),
    absolute=1e-9,
    situation=lambda given: f"{given['size']} cells",
)


@CLAIM.inputs
def four(rng):
    return [{"size": size} for size in (2, 4, 8, int(rng.choice([32, 64])))]


def times(total, nodes):
    """Return what multiplies the column of the total, and those of the nodes."""
    return lambda matrix: np.hstack([total * matrix[:, :1], nodes * matrix[:, 1:]])


SHARE = "a node of w cells has a sum and a difference: what is one cell's share of each?"
WALK = "which nodes lie on the walk from the top down to cell p?"
SIDE = "on which side of a node is its difference added?"

CLAIM.mistake(
    "the transpose is returned, not the inverse",
    "what is the length of a row of the strategy, squared?",
    lambda size: haar_strategy(size).T,
)
CLAIM.mistake(
    "every row is divided by the number of cells", SHARE, lambda size: haar_strategy(size).T / size
)
CLAIM.mistake(
    "the strategy itself is returned",
    "does this matrix ask the questions, or does it restore the counts?",
    haar_strategy,
)
for name, ask, change in (
    (
        "rows and columns are exchanged",
        "which axis are the cells that are restored, and which the coefficients?",
        np.transpose,
    ),
    ("the total is left out of the walk", WALK, times(0, 1)),
    ("left and right are exchanged", SIDE, times(1, -1)),
    ("the signs are lost", SIDE, np.abs),
    ("every share is half as large", SHARE, times(0.5, 0.5)),
    (
        "the total is not shared among the cells",
        SHARE,
        lambda matrix: times(len(matrix), 1)(matrix),
    ),
    ("a node of w cells gives 2 / w", SHARE, times(1, 2)),
):
    CLAIM.mistake(name, ask, then=change)
CLAIM.mistake(
    "the shares are square roots: rows of length 1",
    "that would invert a strategy whose rows have length 1: do these?",
    lambda size: walk(size, lambda width: width**-0.5),
)
CLAIM.mistake(
    "a node's share is 1 / w, squared", SHARE, lambda size: walk(size, lambda width: width**-2.0)
)
CLAIM.mistake(
    "the identity is returned",
    "it is the product of both matrices that is the identity: which two?",
    np.eye,
)
