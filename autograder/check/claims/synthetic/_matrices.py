"""Shared by the claims about matrices: answers read as arrays of numbers of a wanted shape."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer


def as_array(answer: Any, dimensions: int, what: str = "matrix") -> np.ndarray:
    """Return an array, list of lists or table of finite numbers; or raise BadAnswer."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    try:
        array = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        array = None
    if array is None or array.ndim != dimensions:
        came = f"a {type(answer).__name__}"
        if array is not None and array.ndim:
            came = f"numbers of shape {array.shape}"
        raise BadAnswer(
            f"a {what} is wanted",
            seen=f"it returned {came}",
            ask="what does the task say the function returns?",
        )
    if not np.isfinite(array).all():
        raise BadAnswer(
            f"the {what} holds a number that is not finite",
            seen=f"{int((~np.isfinite(array)).sum())} of its entries are infinite or no number",
            ask="which step divides by zero, or overflows?",
        )
    return array


def as_matrix(answer: Any, size: int) -> np.ndarray:
    """Return a square matrix of finite numbers; or raise BadAnswer."""
    matrix = as_array(answer, 2)
    if matrix.shape != (size, size):
        raise BadAnswer(
            "the matrix has the wrong shape",
            seen=f"it should have shape ({size}, {size}), yours has {matrix.shape}",
            ask="how many questions does the strategy ask, and on how many cells?",
        )
    return matrix
