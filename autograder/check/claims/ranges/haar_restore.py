"""The inverse of the Haar strategy: the walk from the top of the tree down to each cell."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.ranges._ranges import haar_nodes
from autograder.check.claims.ranges.haar_strategy import right_strategy
from autograder.check.claims.synthetic._matrices import as_matrix
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _walk(size: int, *, share=lambda width: 1 / width) -> np.ndarray:
    """Return the matrix whose row p adds, with `share`, the nodes above cell p."""
    matrix = np.zeros((size, size))
    matrix[:, 0] = share(size)
    for number, first, width in haar_nodes(size):
        matrix[first : first + width // 2, number] = share(width)
        matrix[first + width // 2 : first + width, number] = -share(width)
    return matrix


def _cases(generator: np.random.Generator) -> list[dict]:
    large = int(generator.choice([32, 64]))
    return [{"size": size} for size in (2, 4, 8, large)]


def _changed(change):
    return lambda p: change(_walk(p["size"]))


def _without_total(matrix: np.ndarray) -> np.ndarray:
    return np.hstack([0 * matrix[:, :1], matrix[:, 1:]])


def _flipped(matrix: np.ndarray) -> np.ndarray:
    return np.hstack([matrix[:, :1], -matrix[:, 1:]])


def _total_alone(matrix: np.ndarray) -> np.ndarray:
    return np.hstack([matrix[:, :1] * len(matrix), matrix[:, 1:]])


_SHARE = "a node of w cells has a sum and a difference: what is one cell's share of each?"
_WALK = "which nodes lie on the walk from the top down to cell p?"

_MISTAKES = (
    ValueMistake(
        "the transpose is returned, not the inverse",
        lambda p: right_strategy(p["size"]).T,
        "what is the length of a row of the strategy, squared?",
    ),
    ValueMistake(
        "every row is divided by the number of cells",
        lambda p: right_strategy(p["size"]).T / p["size"],
        _SHARE,
    ),
    ValueMistake(
        "the strategy itself is returned",
        lambda p: right_strategy(p["size"]),
        "does this matrix ask the questions, or does it restore the counts?",
    ),
    ValueMistake(
        "rows and columns are exchanged",
        _changed(np.transpose),
        "which axis are the cells that are restored, and which the coefficients?",
    ),
    ValueMistake("the total is left out of the walk", _changed(_without_total), _WALK),
    ValueMistake(
        "left and right are exchanged",
        _changed(_flipped),
        "on which side of a node is its difference added?",
    ),
    ValueMistake(
        "the signs are lost", _changed(np.abs), "on which side of a node is its difference added?"
    ),
    ValueMistake("every share is half as large", _changed(lambda m: m / 2), _SHARE),
    ValueMistake("the total is not shared among the cells", _changed(_total_alone), _SHARE),
    ValueMistake(
        "the shares are square roots: rows of length 1",
        lambda p: _walk(p["size"], share=lambda width: width**-0.5),
        "that would invert a strategy whose rows have length 1: do these?",
    ),
    ValueMistake(
        "a node's share is 1 / w, squared",
        lambda p: _walk(p["size"], share=lambda width: width**-2.0),
        _SHARE,
    ),
    ValueMistake(
        "a node of w cells gives 2 / w",
        lambda p: np.hstack([_walk(p["size"])[:, :1], 2 * _walk(p["size"])[:, 1:]]),
        _SHARE,
    ),
    ValueMistake(
        "the identity is returned",
        lambda p: np.eye(p["size"]),
        "it is the product of both matrices that is the identity: which two?",
    ),
)

CLAIM = ValuesClaim(
    name="haar_restore",
    about="Check `haar_restore(size)`: the matrix that gives counts back from coefficients.",
    established="1 / size for the total, 1 / w or -1 / w for each node on the walk to a cell",
    cases=_cases,
    arguments=lambda p: ((p["size"],), {}),
    read=lambda answer, p: as_matrix(answer, p["size"]),
    expected=lambda p: _walk(p["size"]),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: f"{p['size']} cells",
)
