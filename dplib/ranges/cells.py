"""Checks of cells: their number, their counts, a range of them."""

import numpy as np

from dplib import _validate


def power_of_two(name: str, value: object) -> int:
    """Return `value` as an int; raise ValueError unless it is a power of two."""
    size = _validate.whole(name, value)
    if size & (size - 1):
        raise ValueError(f"{name} must be a power of two, got {value!r}")
    return size


def histogram(name: str, value: object) -> np.ndarray:
    """Return `value` as whole numbers, shape (..., cells); ValueError if it is no table of counts.

    Sums over cells have to fit whole numbers too, so all of them together must.
    """
    counts = _validate.integer_array(name, value)
    if counts.ndim == 0 or counts.shape[-1] < 2:
        raise ValueError(f"{name} must have at least 2 cells, got {value!r}")
    if np.abs(counts).sum(axis=-1, dtype=float).max() > 2**53:
        raise ValueError(f"{name} must add up to at most 2**53, got {value!r}")
    return counts


def ends(left: object, right: object, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of cells before each range, and up to its end, as whole numbers."""
    first, last = _validate.integer_array("left", left), _validate.integer_array("right", right)
    try:
        first, last = np.broadcast_arrays(first, last)
    except ValueError:
        raise ValueError(
            f"left and right must have a common shape, got {first.shape} and {last.shape}"
        ) from None
    if first.min() < 1 or last.max() > size or (first > last).any():
        raise ValueError(
            f"left and right must satisfy 1 <= left <= right <= {size}, got {left!r} and {right!r}"
        )
    return first - 1, last
