"""How far one row can move a clipped mean: of this table, and of all tables some edits away."""

import numpy as np

from dplib import _validate


def mean_sensitivity_at_distance(values, *, distance, lower, upper, neighbors="add_remove"):
    """Return the largest local sensitivity of the clipped mean, `distance` edits from these values.

    The result is exact; under add_remove, k edits from n rows, at most (upper - lower) / (n - k).
    Two rows, 0 and 100, have a mean that moves by 50 when one leaves: the formula with n - k + 1
    counts only rows that join, and says 33.

    Args:
      values: the rows, shape (n,), finite; each is clipped into [lower, upper].
      distance: number of rows added or removed (or replaced), >= 0; a whole number or an array.
      lower, upper: public ends of the interval, in the units of the values, lower < upper.
      neighbors: "add_remove" (a table without rows has the middle of the interval as its mean) or
        "replace_one" (n is public, and from one edit on the result is (upper - lower) / n).

    Returns:
      The sensitivity, in the units of the values, of the shape of `distance`.

    Raises:
      ValueError: an argument is out of range, or values is empty or not one-dimensional.

    Source: Nissim, Raskhodnikova & Smith (2007), local sensitivity at distance k.
    """
    steps = _validate.integer_array("distance", distance)
    if (steps < 0).any():
        raise ValueError(f"distance must be at least 0, got {distance!r}")
    low, high = _validate.interval(lower, upper)
    rows = _validate.vector("values", values)
    curve = _sensitivity_curve(np.sort(np.clip(rows, low, high)), low, high, neighbors)
    return _validate.like_input(curve[np.minimum(steps, len(curve) - 1)])


def _sensitivity_curve(rows, low, high, neighbors) -> np.ndarray:
    """Return the largest local sensitivity of the mean at distances 0, 1, …; then it is constant.

    Under add_remove the edits that help most remove the largest rows (or the smallest); adding rows
    never does better. Take m rows of mean q in [0, u], one of them added at 0, which a row at u is
    to move far. If q < u/2, leave the added row out and remove the largest instead: m - 2 rows of
    mean at most q * m / (m - 1), which the row at u moves farther. If q >= u/2, a row at 0 moves
    the mean at least as far as one at u, and farther still without the added row.
    """
    width = high - low
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        # One edit makes a row extreme; a second row may then cross the whole interval.
        return np.array([max(high - rows[0], rows[-1] - low), width]) / len(rows)
    moves = np.maximum(_upward_moves(rows - low, width), _upward_moves((high - rows)[::-1], width))
    # With every row removed, the mean is the middle and one row moves it to an end.
    return np.append(moves, width / 2)


def _upward_moves(rows, width) -> np.ndarray:
    """Return how far a high row moves the mean when the 0, 1, …, n - 1 largest rows are gone."""
    size = np.arange(1.0, len(rows) + 1)
    total = np.cumsum(rows)
    # A row v moves the mean of m rows with sum t by (v - t/m) / (m + 1): one that joins at the top
    # of the interval, or the largest of all rows, which is there and leaves.
    joins = ((width * size - total) / (size * (size + 1)))[::-1]
    leaves = ((rows[-1] * size - total) / (size * (size + 1)))[-2::-1]
    return np.maximum(joins, np.append(leaves, 0))
