"""Requirements on arguments; a ValueError names the argument and the value."""

import math
from numbers import Real


def finite(name: str, value: float) -> None:
    """Raise ValueError unless `value` is a finite number."""
    if not (isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)):
        raise ValueError(f"{name} must be a finite number, got {value!r}")


def positive(name: str, value: float) -> None:
    """Raise ValueError unless `value` is a finite number above 0."""
    finite(name, value)
    if value <= 0:
        raise ValueError(f"{name} must be above 0, got {value!r}")


def level(name: str, value: float) -> None:
    """Raise ValueError unless `value` lies in (0, 1)."""
    finite(name, value)
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")


def share(name: str, value: float) -> None:
    """Raise ValueError unless `value` lies in [0, 1]."""
    finite(name, value)
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")


def whole(name: str, value: int) -> None:
    """Raise ValueError unless `value` is a whole number of at least 1."""
    finite(name, value)
    if value != int(value) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")
