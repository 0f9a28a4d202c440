"""The Haar strategy: one total, and one difference for each node of a binary tree."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.ranges._ranges import haar_nodes
from autograder.check.claims.synthetic._matrices import as_matrix
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM", "right_strategy"]


def right_strategy(size: int) -> np.ndarray:
    """Return the strategy, node by node."""
    matrix = np.zeros((size, size))
    matrix[0] = 1
    for number, first, width in haar_nodes(size):
        matrix[number, first : first + width // 2] = 1
        matrix[number, first + width // 2 : first + width] = -1
    return matrix


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four sizes, one of them larger than anyone writes down by hand."""
    large = int(generator.choice([32, 64]))
    return [{"size": size} for size in (2, 4, 8, large)]


def _changed(change):
    return lambda p: change(right_strategy(p["size"]))


def _sums_not_differences(matrix: np.ndarray) -> np.ndarray:
    return np.abs(matrix)


def _left_half_only(matrix: np.ndarray) -> np.ndarray:
    return np.maximum(matrix, 0)


def _unit_rows(matrix: np.ndarray) -> np.ndarray:
    return matrix / np.sqrt((matrix**2).sum(axis=1, keepdims=True))


def _averages(matrix: np.ndarray) -> np.ndarray:
    return matrix / np.abs(matrix).sum(axis=1, keepdims=True)


def _odd_and_even(p: dict) -> np.ndarray:
    """Return nodes that split their cells into every other one, not into halves."""
    size = p["size"]
    right = right_strategy(size)
    order = [int(format(k, f"0{size.bit_length() - 1}b")[::-1], 2) for k in range(size)]
    return right[:, order]


def _signs_of_hadamard(p: dict) -> np.ndarray:
    matrix = np.ones((1, 1))
    while len(matrix) < p["size"]:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


_HALVES = "which cells of its node get 1, and which get -1?"
_ORDER = "which question is row 0, and how are the nodes numbered below it?"
_LENGTHS = "a coefficient is left half minus right half: which numbers can the matrix hold?"

_MISTAKES = (
    ValueMistake(
        "left and right are exchanged", _changed(lambda m: np.vstack([m[:1], -m[1:]])), _HALVES
    ),
    ValueMistake("the rows are sums, not differences", _changed(_sums_not_differences), _HALVES),
    ValueMistake("the right half of a node is left out", _changed(_left_half_only), _HALVES),
    ValueMistake(
        "the total is the last row, not row 0", _changed(lambda m: np.roll(m, -1, axis=0)), _ORDER
    ),
    ValueMistake(
        "the total is missing: row 0 is empty",
        _changed(lambda m: np.vstack([0 * m[:1], m[1:]])),
        _ORDER,
    ),
    ValueMistake(
        "the nodes are numbered from the leaves up",
        _changed(lambda m: np.vstack([m[:1], m[:0:-1]])),
        _ORDER,
    ),
    ValueMistake("the rows are in reverse order", _changed(lambda m: m[::-1]), _ORDER),
    ValueMistake(
        "rows and columns are exchanged",
        _changed(np.transpose),
        "which axis of the matrix are the questions, and which the cells?",
    ),
    ValueMistake("the rows are scaled to length 1", _changed(_unit_rows), _LENGTHS),
    ValueMistake("the rows are averages", _changed(_averages), _LENGTHS),
    ValueMistake("a node is split into every other cell", _odd_and_even, _HALVES),
    ValueMistake(
        "this is the Hadamard matrix: every row covers all cells",
        _signs_of_hadamard,
        "how many cells does a node far down the tree cover?",
    ),
    ValueMistake(
        "the inverse is returned",
        _changed(np.linalg.inv),
        "does this matrix ask the questions, or does it restore the counts?",
    ),
)

CLAIM = ValuesClaim(
    name="haar_strategy",
    about="Check `haar_strategy(size)`: the matrix of the Haar questions.",
    established="one row of ones, then one row of 1 and -1 for each node, from the top",
    cases=_cases,
    arguments=lambda p: ((p["size"],), {}),
    read=lambda answer, p: as_matrix(answer, p["size"]),
    expected=lambda p: right_strategy(p["size"]),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: f"{p['size']} cells",
)
