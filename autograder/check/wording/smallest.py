"""A wrong input with rows and entries taken away until it is small enough to be shown in full.

Nobody works out by hand what fifteen rows give; of one row everybody sees it.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.check.signature import Given
from autograder.check.wording.in_words import arguments_in_words, in_full

_SECONDS = 1.0
_CALLS = 300
_LONGEST = 400  # characters of an input in words


def small_enough(
    claim, open_door: Callable, given: Given, came: Any, wanted: Any, situation: str
) -> tuple[Given, Any, Any, str]:
    """Return a wrong input that is shown in full if there is one, else the one that is given.

    Args:
      claim: its reference gives the right value of an input, its situation the words.
      open_door: opens a door to the answer, for given inputs.
      given, came, wanted, situation: an input at which the answer is wrong, the answer's value
        there, the right one, and the input in words.

    Returns:
      The same four.
    """
    # What a function among the arguments does is seen from no words.
    if not in_full(situation) and not any(map(callable, given.values())):
        small = smallest(open_door, partial(claim.value, claim.reference), claim.close, given)
        for words in (claim.situation(small[0]), arguments_in_words(small[0])) if small else ():
            if in_full(words) and len(words) <= _LONGEST:
                return *small, words
    return given, came, wanted, situation


def smallest(
    open_door: Callable,
    value: Callable[[Given], Any],
    same: Callable[[Any, Any], bool],
    given: Given,
) -> tuple[Given, Any, Any] | None:
    """Return a smaller wrong input, the answer's value and the right one; None if there is none.

    No argument is emptied: that is an edge of its own.

    Args:
      open_door: opens a door to the answer, for given inputs.
      value: the right value at an input; an error where there is none.
      same: says whether an answer is as good as a value.
      given: an input at which the answer is wrong.
    """
    found, ends, calls = None, time.monotonic() + _SECONDS, 0
    parts = 2
    while time.monotonic() < ends and calls < _CALLS:
        candidates = list(_with_less(given, parts))
        with open_door(candidates) as door:
            wrong = _first_wrong(door, candidates, value, same, ends)
        calls += len(candidates)
        if wrong is not None:
            found, given = wrong, wrong[0]
        elif parts >= max(map(_length, given.values())):
            break
        else:
            parts *= 2
    return found


def _first_wrong(door, candidates: Sequence[Given], value, same, ends: float):
    for place, given in enumerate(candidates):
        if time.monotonic() > ends:
            return None
        try:
            right = value(given)
            came = door.call(place)
            if np.isnan(np.asarray(right, dtype=float)).any() or same(came, right):
                continue
        except Exception:  # it is not an input any more, or the answer stops there
            continue
        return given, came, right
    return None


def _with_less(given: Given, parts: int) -> Iterator[Given]:
    """Yield the input without one of so many parts of an argument, or of all of one length."""
    lengths = defaultdict(list)
    for name, argument in given.items():
        if _length(argument) > 1:
            lengths[_length(argument)].append(name)
    for length, names in lengths.items():
        groups = [names, *([name] for name in names if len(names) > 1)]
        step = math.ceil(length / parts)
        for group in groups:
            for start in range(0, length, step):
                kept = [*range(start), *range(start + step, length)]
                yield {**given, **{name: _only(given[name], kept) for name in group}}


def _length(argument: Any) -> int:
    """Return of how many rows or entries an argument is; 0 of one that has none."""
    rows = isinstance(argument, list | np.ndarray) or hasattr(argument, "iloc")
    return len(argument) if rows and np.ndim(argument) else 0


def _only(argument: Any, kept: list[int]) -> Any:
    if hasattr(argument, "iloc"):
        return argument.iloc[kept]
    return argument[kept] if isinstance(argument, np.ndarray) else [argument[k] for k in kept]
