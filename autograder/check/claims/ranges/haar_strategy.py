"""The Haar strategy: one total, and one difference for each node of a binary tree."""

import numpy as np

from autograder.check.claims.ranges._ranges import haar_nodes
from autograder.check.claims.synthetic._matrices import as_matrix
from autograder.check.function_claim import FunctionClaim
from autograder.check.words import counted


def haar_strategy(size):
    """The matrix of the Haar questions."""
    matrix = np.zeros((size, size))
    matrix[0] = 1
    for number, first, width in haar_nodes(size):
        matrix[number, first : first + width // 2] = 1
        matrix[number, first + width // 2 : first + width] = -1
    return matrix


CLAIM = FunctionClaim(
    haar_strategy,
    established="one row of ones, then one row of 1 and -1 for each node, from the top",
    read=lambda answer, given: as_matrix(answer, given["size"]),
    absolute=1e-9,
    situation=lambda given: counted(given["size"], "cell"),
    ask="write the questions of 4 cells down, row by row: which row of your matrix is another?",
)


@CLAIM.inputs
def six(rng):
    return [{"size": size} for size in (1, 2, 4, 8, int(rng.choice([32, 64])), 1024)]


def every_other_cell(matrix):
    """Return nodes that split their cells into every other one, not into halves."""
    levels = len(matrix).bit_length() - 1
    return matrix[:, [int(format(k, f"0{levels}b")[::-1], 2) for k in range(len(matrix))]]


def hadamard(size):
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def mirrored(matrix):
    """Return the rows of each level in reverse order."""
    places = [3 * 2 ** (k.bit_length() - 1) - 1 - k for k in range(1, len(matrix))]
    return matrix[[0, *places]]


HALVES = "which cells of its node get 1, and which get -1?"
ORDER = "which question is row 0, and how are the nodes numbered below it?"
LENGTHS = "a coefficient is left half minus right half: which numbers can the matrix hold?"

for name, ask, change in (
    ("left and right are exchanged", HALVES, lambda m: np.vstack([m[:1], -m[1:]])),
    ("the rows are sums, not differences", HALVES, np.abs),
    ("the right half of a node is left out", HALVES, lambda m: np.maximum(m, 0)),
    ("the total is the last row, not row 0", ORDER, lambda m: np.roll(m, -1, axis=0)),
    ("the total is missing: row 0 is empty", ORDER, lambda m: np.vstack([0 * m[:1], m[1:]])),
    ("the nodes are numbered from the leaves up", ORDER, lambda m: np.vstack([m[:1], m[:0:-1]])),
    ("the nodes of each level are numbered from the right", ORDER, mirrored),
    (
        "the last level of nodes is missing: half of the rows are empty",
        "how many nodes has the last level, and how many cells has each of them?",
        lambda m: m * (np.arange(len(m)) < max(len(m) // 2, 1))[:, None],
    ),
    ("the rows are in reverse order", ORDER, lambda m: m[::-1]),
    (
        "rows and columns are exchanged",
        "which axis of the matrix are the questions, and which the cells?",
        np.transpose,
    ),
    (
        "the rows are scaled to length 1",
        LENGTHS,
        lambda m: m / np.linalg.norm(m, axis=1, keepdims=True),
    ),
    ("the rows are averages", LENGTHS, lambda m: m / np.abs(m).sum(axis=1, keepdims=True)),
    ("a node is split into every other cell", HALVES, every_other_cell),
    (
        "the inverse is returned",
        "does this matrix ask the questions, or does it restore the counts?",
        np.linalg.inv,
    ),
):
    CLAIM.mistake(name, ask, then=change)
CLAIM.mistake(
    "this is the Hadamard matrix: every row covers all cells",
    "how many cells does a node far down the tree cover?",
    hadamard,
)
