"""Checks of arguments. Each returns the value that it accepts, or raises ValueError."""

import math
from numbers import Real

import numpy as np


def number(name: str, value: object) -> float:
    """Return `value` as a float; raise ValueError unless it is one finite real number."""
    # Most values are floats already, and asking for `Real` takes longer than the rest.
    result = value if type(value) is float else _as_float(name, value)
    if not math.isfinite(result):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return result


def _as_float(name: str, value: object) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise ValueError(f"{name} must be a number, got {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} must fit a float, got {value!r}") from None


def positive(name: str, value: object) -> float:
    """Return `value` as a float; raise ValueError unless it is finite and above zero."""
    result = number(name, value)
    if result <= 0:
        raise ValueError(f"{name} must be positive, got {value!r}")
    return result


def probability(name: str, value: object) -> float:
    """Return `value` as a float; raise ValueError unless it lies strictly between 0 and 1."""
    result = number(name, value)
    if not 0 < result < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value!r}")
    return result


def law(**arguments: object) -> dict[str, float]:
    """Return a law's arguments as floats; ValueError names one out of range.

    What is called delta must lie strictly between 0 and 1, the others above zero.
    """
    checks = {name: probability if name.startswith("delta") else positive for name in arguments}
    return {name: checks[name](name, value) for name, value in arguments.items()}


def finite_array(name: str, value: object) -> np.ndarray:
    """Return `value` as a float array of its shape; ValueError if it is empty or not finite."""
    try:
        array = np.asarray(value, dtype=float)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers, got {value!r}") from None
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    # numpy takes forty times as long as `math` to look at one number.
    if not (np.isfinite(array).all() if array.ndim else math.isfinite(array)):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return array


def vector(name: str, value: object) -> np.ndarray:
    """Return `value` as a float array of shape (n,); ValueError for another shape or no number."""
    array = finite_array(name, value)
    if array.ndim != 1:
        raise ValueError(f"{name} must have shape (n,), got {array.shape}")
    return array


def matrix(name: str, value: object) -> np.ndarray:
    """Return `value` as a float array of shape (n, d); ValueError if it is none, or not finite."""
    array = finite_array(name, value)
    if array.ndim != 2:
        raise ValueError(f"{name} must have shape (n, d), got {array.shape}")
    return array


def integer_array(name: str, value: object) -> np.ndarray:
    """Return `value` as an int64 array of its shape; ValueError if an entry is not whole."""
    array = finite_array(name, value)
    # Above 2**53 a float no longer holds every integer, so the value may already have been changed.
    if ((array != np.trunc(array)) | (np.abs(array) > 2**53)).any():
        raise ValueError(f"{name} must hold whole numbers up to 2**53, got {value!r}")
    return array.astype(np.int64)


def generator(rng: object) -> np.random.Generator:
    """Return `rng`, or a Generator seeded by the operating system when it is None."""
    if rng is None:
        return np.random.default_rng()
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator or None, got {rng!r}")
    return rng


def like_input(array: np.ndarray) -> float | int | np.ndarray:
    """Return a zero-dimensional array as a plain Python number, any other array as it is."""
    return array.item() if array.ndim == 0 else array


def neighbors(name: str, value: object) -> str:
    """Return `value`; raise ValueError unless it names a neighboring relation."""
    if value not in ("add_remove", "replace_one"):
        raise ValueError(f'{name} must be "add_remove" or "replace_one", got {value!r}')
    return value


def whole(name: str, value: object, *, least: int = 1) -> int:
    """Return `value` as an int; raise ValueError unless it is whole and at least `least`."""
    result = number(name, value)
    if result != round(result) or result < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(result)


def interval(lower: object, upper: object) -> tuple[float, float]:
    """Return both as floats; raise ValueError unless they are finite and lower < upper."""
    low, high = number("lower", lower), number("upper", upper)
    if low >= high:
        raise ValueError(f"lower must be below upper, got lower {lower!r} and upper {upper!r}")
    return low, high
