"""Reading lists of numbers, and the pairs of neighbors that counterexamples consist of."""

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer, shortened
from autograder.check.designed import is_number

# A log ratio must exceed epsilon by this much. The laws behind it are right to 1e-9 relative where
# a probability is at least 1e-9, and neighbors may be 1e-9 further apart than 1 by rounding.
MARGIN = 1e-6
_ROUNDING = 1e-9


def numbers_of(given: Any, name: str, *, least: int = 1, most: int) -> list[float]:
    """Return a list of finite numbers, or raise BadAnswer with what is wrong with it."""
    kinds = tuple | list | np.ndarray | pd.Series
    listed = list(given) if isinstance(given, kinds) and np.ndim(given) == 1 else None
    if listed is None or not all(is_number(each) for each in listed):
        raise BadAnswer(
            f"`{name}` is not a list of numbers",
            seen=f"you gave {shortened(given)}",
            ask="which Python list holds one number for each of them?",
        )
    if not least <= len(listed) <= most:
        many = f"{least} to {most}" if least < most else f"{least}"
        ask = "how few are enough to show it?" if least < most else "how many are you told to give?"
        raise BadAnswer(
            f"`{name}` should hold {many} numbers", seen=f"you gave {len(listed)}", ask=ask
        )
    if not all(np.isfinite(float(each)) for each in listed):
        raise BadAnswer(
            f"`{name}` holds something that is not a finite number",
            seen=f"you gave {shortened(given)}",
            ask="which score or count of a table is infinite, or no number at all?",
        )
    return [float(each) for each in listed]


def whole_of(given: Any, name: str, *, size: int) -> int:
    """Return an index from 0 to size - 1, or raise BadAnswer."""
    whole = isinstance(given, Integral) and not isinstance(given, bool)
    if whole and 0 <= given < size:
        return int(given)
    raise BadAnswer(
        f"`{name}` is not an index",
        seen=f"you gave {shortened(given)}; the indices go from 0 to {size - 1}",
        ask="at which place of the list is it, counted from 0?",
    )


def raise_unless_neighbors(
    first: Sequence[float], second: Sequence[float], name: str, *, unit: float = 1, zero: float = 0
) -> None:
    """Raise BadAnswer unless two lists are as long, and no entry moves by more than 1.

    Both lists are in units of the sensitivity, and `unit` is what such a unit is. They count from
    `zero`, a number of the answer's own.
    """
    if len(first) != len(second):
        raise BadAnswer(
            "the two lists differ in length",
            seen=f"you gave {len(first)} {name} and {len(second)} for the neighbor",
            ask="do the questions change when one person does?",
        )
    moves = [abs(one - other) for one, other in zip(first, second, strict=True)]
    worst = int(np.argmax(moves))
    if moves[worst] > 1 + _ROUNDING:
        raise BadAnswer(
            "the two lists are not those of neighbors",
            seen=f"entry {worst} moves from {zero + unit * first[worst]:g} to "
            f"{zero + unit * second[worst]:g}; the sensitivity is {unit:g}",
            ask="by how much may one person move each of them?",
        )
    if moves[worst] == 0:
        raise BadAnswer(
            "the two lists are the same",
            seen=f"all {len(first)} {name} are equal on both tables",
            ask="what changes when one person is added or removed?",
        )


def short_of(ratio: float, epsilon: float) -> str:
    """Return in words that a ratio does not exceed exp(epsilon), to digits that show it."""
    for digits in range(5, 9):
        came, bar = f"{ratio:.{digits}g}", f"{math.exp(epsilon):.{digits}g}"
        if came != bar:
            return f"a ratio of {came}, and more than exp(epsilon) = {bar} is needed"
    return f"a ratio of exp(epsilon) = {math.exp(epsilon):.5g}, up to rounding, and more is needed"
