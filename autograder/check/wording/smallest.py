"""A wrong input with rows and entries taken away until it is small enough to be shown in full.

Nobody works out by hand what fifteen rows give; of one row everybody sees it.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.check.designed import is_law
from autograder.check.effort import FOR_WORDS as _SECONDS
from autograder.check.effort import Stopwatch
from autograder.check.signature import Given
from autograder.check.wording.in_words import arguments_in_words, in_full
from autograder.check.wording.optional import optional

_CALLS = 300
_LONGEST = 400  # characters of an input in words


def small_enough(
    claim, open_door: Callable, cases: Sequence[Given], shown: tuple[Given, Any, Any, str]
) -> tuple[Given, Any, Any, str]:
    """Return a smaller wrong input that is shown in full if there is one, else the one given.

    Args:
      claim: its reference gives the right value of an input, its situation the words.
      open_door: opens a door to the answer, for given inputs.
      cases: all inputs. What is shown in full gets no shorter than the shortest of them: a table of
        one row may be wrong for a reason of its own.
      shown: an input at which the answer is wrong, the answer's value there, the right one, and the
        input in words.

    Returns:
      The same four, of the smaller input.
    """
    return _small_enough(claim, open_door, cases, shown[0], shown[3]) or shown


@optional
def _small_enough(claim, open_door, cases, given: Given, situation: str):
    # What a function among the arguments does is seen from no words.
    if any(map(callable, given.values())):
        return None
    shortest = {name: min(_length(case.get(name)) for case in cases) for name in given}
    least = shortest if in_full(situation) else dict.fromkeys(given, 1)
    value = partial(claim.value, claim.reference)
    small = smallest(open_door, value, claim.close, given, least)
    for words in (claim.situation(small[0]), arguments_in_words(small[0])) if small else ():
        if in_full(words) and len(words) <= _LONGEST:
            return *small, words
    return None


def smallest(
    open_door: Callable,
    value: Callable[[Given], Any],
    same: Callable[[Any, Any], bool],
    given: Given,
    least: Mapping[str, int],
) -> tuple[Given, Any, Any] | None:
    """Return a smaller wrong input, the answer's value and the right one; None if there is none.

    Args:
      open_door: opens a door to the answer, for given inputs.
      value: the right value at an input; an error where there is none.
      same: says whether an answer is as good as a value.
      given: an input at which the answer is wrong.
      least: how many rows or entries an argument keeps. (None is emptied: that is an edge.)
    """
    found, watch, calls = None, Stopwatch(), 0
    parts = 2
    while watch.within(_SECONDS) and calls < _CALLS:
        candidates = list(_with_less(given, parts, least))
        with open_door(candidates) as door:
            door.hurry(_SECONDS)
            wrong = _first_wrong(door, candidates, value, same, watch)
        calls += len(candidates)
        if wrong is not None:
            found, given = wrong, wrong[0]
        elif parts >= max(map(_length, given.values())):
            break
        else:
            parts *= 2
    return found


def _first_wrong(door, candidates: Sequence[Given], value, same, watch: Stopwatch):
    for place, given in enumerate(candidates):
        if not watch.within(_SECONDS):
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


def _with_less(given: Given, parts: int, least: Mapping[str, int]) -> Iterator[Given]:
    """Yield the input without one of so many parts of an argument, or of all of one length."""
    lengths = defaultdict(list)
    matrices = sum(_is_array(each) and each.ndim > 1 for each in given.values())
    for name, argument in given.items():
        # What is left of a law would be none any more.
        fixed = is_law(argument) or (matrices > 1 and _is_array(argument))
        if _length(argument) > 1 and not fixed:
            lengths[_length(argument)].append(name)
    for length, names in lengths.items():
        groups = [names, *([name] for name in names if len(names) > 1)]
        step = math.ceil(length / parts)
        for group in groups:
            for start in range(0, length, step):
                kept = [*range(start), *range(start + step, length)]
                if len(kept) >= max(1, *(least[name] for name in group)):
                    yield {**given, **{name: _only(given[name], kept) for name in group}}


def _is_array(argument: Any) -> bool:
    return isinstance(argument, np.ndarray)


def _length(argument: Any) -> int:
    """Return of how many rows or entries an argument is; 0 of one that has none."""
    if _is_array(argument):
        return len(argument) if argument.ndim else 0
    return len(argument) if isinstance(argument, list) or hasattr(argument, "iloc") else 0


def _only(argument: Any, kept: list[int]) -> Any:
    if hasattr(argument, "iloc"):
        return argument.iloc[kept]
    return argument[kept] if _is_array(argument) else [argument[k] for k in kept]
