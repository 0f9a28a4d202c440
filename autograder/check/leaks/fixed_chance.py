"""Chance that a seed fixes, the same with every release of Python and numpy.

Of Python's generator only `random()` is promised to stay as it is; numpy promises nothing of the
kind. A student's programs must be the grader's.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Any


class FixedChance:
    """Choices that follow from a seed."""

    def __init__(self, seed: int):
        self.between_0_and_1 = random.Random(seed).random

    def pick(self, items: Sequence) -> Any:
        """Return one of the items, each with the same chance."""
        return items[int(self.between_0_and_1() * len(items))]

    def permuted(self, items: Iterable) -> list:
        """Return the items in a random order."""
        items = list(items)
        keys = [self.between_0_and_1() for _ in items]
        return [items[k] for k in sorted(range(len(items)), key=keys.__getitem__)]
