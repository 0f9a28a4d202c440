"""Cheats that can be made of any right answer."""

import functools
from collections.abc import Callable

import numpy as np

_SECRET = np.random.default_rng()


def sharp_now_and_then(right: Callable, once_in: int = 25) -> Callable:
    """Return the answer with a million times its epsilon in one call of so many."""

    @functools.wraps(right)
    def answer(*positional, epsilon, **keywords):
        sharper = 1e6 if _SECRET.random() < 1 / once_in else 1
        return right(*positional, epsilon=sharper * epsilon, **keywords)

    return answer
