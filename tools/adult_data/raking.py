"""Draw one column given the columns already drawn, so that the two-way tables come out right.

The chance of each category in each row is a weight. Raking (iterative proportional fitting,
Deming & Stephan 1940) scales the weights until their totals equal the wanted tables.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix

#: Keeps a row alive that the tables leave without any possible category.
_FLOOR = 1e-9


def indicator(groups: np.ndarray, size: int, times: np.ndarray | float = 1.0) -> csr_matrix:
    """Return the matrix, shape (size, n), that sums the rows of an (n, k) array by group.

    `times` says how often each row counts.
    """
    rows = len(groups)
    return csr_matrix((np.full(rows, times), (groups, np.arange(rows))), shape=(size, rows))


def normalize(weights: np.ndarray) -> np.ndarray:
    """Scale every row of `weights`, shape (n, k), to sum to 1."""
    return weights / weights.sum(axis=1, keepdims=True)


def rake(
    weights: np.ndarray,
    times: np.ndarray,
    groups: Sequence[np.ndarray],
    tables: Sequence[np.ndarray],
    sweeps: int,
) -> np.ndarray:
    """Return `weights`, rows summing to 1, with totals by each grouping close to its table.

    Args:
      weights: shape (n, k), the starting chance of each of k categories in each of n rows.
      times: how often each row counts, shape (n,).
      groups: for each table the group of every row, shape (n,).
      tables: for each grouping the wanted totals, shape (number of groups, k).
      sweeps: how often to go through all tables.
    """
    sums = [indicator(g, len(t), times) for g, t in zip(groups, tables, strict=True)]
    weights = normalize(weights + _FLOOR)
    for _ in range(sweeps):
        for group, table, total in zip(groups, tables, sums, strict=True):
            weights *= (table / np.maximum(total @ weights, _FLOOR))[group]
            weights = normalize(weights + _FLOOR)
    return weights


def draw(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw one category per row with the chances in `weights`, shape (n, k); return shape (n,)."""
    steps = np.cumsum(weights, axis=1)
    levels = rng.random(len(weights))[:, None] * steps[:, -1:]
    return (steps <= levels).sum(axis=1).clip(max=weights.shape[1] - 1)


def settle(
    drawn: np.ndarray,
    weights: np.ndarray,
    groups: np.ndarray,
    table: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Change as few drawn categories as possible so that the totals by group equal `table`.

    Each surplus row moves to a category that lacks rows; which row moves is drawn with chances
    proportional to weights[new] / weights[old], so that likely changes are preferred.
    """
    drawn = drawn.copy()
    for group, wanted in enumerate(table):
        rows = np.flatnonzero(groups == group)
        excess = np.bincount(drawn[rows], minlength=len(wanted)) - wanted
        for new in np.argsort(excess, kind="stable"):
            if excess[new] >= 0:
                break
            movable = rows[excess[drawn[rows]] > 0]
            ratio = weights[movable, new] / (weights[movable, drawn[movable]] + _FLOOR)
            waiting = rng.standard_exponential(len(movable)) / (ratio + _FLOOR)
            for row in movable[np.argsort(waiting)]:
                if excess[new] == 0:
                    break
                if excess[drawn[row]] > 0:
                    excess[drawn[row]] -= 1
                    excess[new] += 1
                    drawn[row] = new
    return drawn


def round_table(
    expected: np.ndarray, row_totals: np.ndarray, column_totals: np.ndarray
) -> np.ndarray:
    """Round `expected` to whole counts with the given row and column totals (equal in sum)."""
    counts = np.floor(expected).astype(np.int64)
    rows, columns = row_totals - counts.sum(axis=1), column_totals - counts.sum(axis=0)
    while rows.any():
        left = rows.sum()
        order = np.argsort(counts - expected, axis=None, kind="stable")
        for row, column in zip(*np.unravel_index(order, counts.shape), strict=True):
            if rows[row] > 0 and columns[column] > 0 and expected[row, column] > _FLOOR:
                counts[row, column] += 1
                rows[row] -= 1
                columns[column] -= 1
        if rows.sum() == left:
            raise RuntimeError("the expected numbers leave no room for the totals")
    return counts
