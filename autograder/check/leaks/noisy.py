"""Numbers that depend on draws of noise: all values that they can have, at once.

Each draw is an axis of a grid. What is computed from draws is an array on that grid.
"""

from collections.abc import Callable
from typing import Any

import numpy as np


class Noisy:
    """A number that depends on draws.

    Args:
      decide: takes the truth values of a comparison on the grid, and gives one of them: where they
      differ, the run forks there.
      array: the values on the grid.
    """

    __hash__ = None

    def __init__(self, decide: Callable[[np.ndarray], bool], array: np.ndarray):
        self.decide, self.array = decide, array

    def mapped(self, function: Callable[[np.ndarray], np.ndarray]) -> "Noisy":
        """Return the number after a function of its values."""
        return Noisy(self.decide, function(self.array))

    def __bool__(self) -> bool:
        return self.decide(self.array != 0)

    def __round__(self, digits: int | None = 0) -> "Noisy":
        return self.mapped(lambda array: np.round(array, digits or 0))

    def __abs__(self) -> "Noisy":
        return self.mapped(np.abs)


def _operator(ufunc: np.ufunc, *, turned: bool) -> Callable[[Noisy, Any], Noisy]:
    def method(self: Noisy, other: Any) -> Noisy:
        other = other.array if isinstance(other, Noisy) else other
        return self.mapped(lambda array: ufunc(other, array) if turned else ufunc(array, other))

    return method


for _name in ("add", "subtract", "multiply", "true_divide", "floor_divide", "remainder"):
    _short = {"subtract": "sub", "multiply": "mul", "true_divide": "truediv"}
    _short |= {"floor_divide": "floordiv", "remainder": "mod"}
    for _turned in (False, True):
        _method = f"__{'r' * _turned}{_short.get(_name, _name)}__"
        setattr(Noisy, _method, _operator(getattr(np, _name), turned=_turned))
for _name, _ufunc in {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}.items():
    setattr(Noisy, f"__{_name}__", _operator(_ufunc, turned=False))
