"""Inputs a little simpler than a wrong one, at which the answer may be right: then that was it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.check.effort import FOR_WORDS as _SECONDS
from autograder.check.effort import Stopwatch
from autograder.check.signature import Given
from autograder.check.wording.changed_arguments import Change

ASK = "which line of your code depends on that?"
_PLACES = 4  # wrong inputs that are made simpler
_TABLE: list[Change] = [
    ("has rows numbered from 0", lambda table: table.reset_index(drop=True)),
    ("has no missing value", lambda table: table.dropna()),
    ("has no row twice", lambda table: table.drop_duplicates()),
]
_LABELLED: list[Change] = [_TABLE[0]]
_LIST: list[Change] = [
    ("is sorted", sorted),
    ("has whole numbers only", lambda values: _whole(values).tolist()),
    ("has no number below 0", lambda values: [abs(value) for value in values]),
    ("has nothing twice", lambda values: list(dict.fromkeys(values))),
]
_ARRAY: list[Change] = [
    ("is sorted", lambda values: np.sort(values) if values.ndim == 1 else None),
    ("has no number below 0", np.abs),
    ("has whole numbers only", lambda values: _whole(values)),
]


def where_right(
    open_door: Callable,
    value: Callable[[Given], Any],
    same: Callable[[Any, Any], bool],
    wrong: Sequence[Given],
    right: Sequence[Given],
) -> tuple[str, str] | None:
    """Return what makes wrong inputs right ones, and a question; None if nothing does.

    Args:
      open_door: opens a door to the answer, for these inputs.
      value: the right value at an input; an error where there is none.
      same: says whether an answer is as good as a value.
      wrong, right: the inputs at which the answer is wrong, and those at which it is right.
    """
    watch = Stopwatch()
    # What could be simpler in a right input is not what makes the others wrong.
    harmless = {words for words, _ in _changed(right)}
    changed = [each for each in _changed(wrong[:_PLACES]) if each[0] not in harmless]
    if not changed:
        return None
    with open_door([given for _, given in changed]) as door:
        door.hurry(_SECONDS)
        for words in dict.fromkeys(words for words, _ in changed):
            if not watch.within(_SECONDS):
                return None  # no words are worth a longer wait
            places = [place for place, (each, _) in enumerate(changed) if each == words]
            if len(places) < min(2, len(wrong)):
                continue  # one input may be right for another reason
            if all(_is_right(door, place, changed[place][1], value, same) for place in places):
                return f"right as soon as {words}", ASK
    return None


def _is_right(door, place: int, given: Given, value: Callable, same: Callable) -> bool:
    try:
        return bool(same(door.call(place), value(given)))
    except Exception:  # it stops there, or there is no right value
        return False


def _changed(inputs: Sequence[Given]) -> Iterator[tuple[str, Given]]:
    for given in inputs:
        for name, argument in given.items():
            for words, change in _of_kind(argument):
                simpler = _made(change, argument)
                if simpler is not None:
                    yield f"{name} {words}", {**given, name: simpler}


def _of_kind(argument: Any) -> list[Change]:
    if hasattr(argument, "columns"):
        return _TABLE
    if hasattr(argument, "index") and hasattr(argument, "to_numpy"):
        return _LABELLED
    if isinstance(argument, list):
        return _LIST
    if isinstance(argument, np.ndarray) and argument.ndim:
        return _ARRAY
    return []


def _made(change: Callable, argument: Any) -> Any:
    """Return the simpler argument; None where it is none, is empty, or is the same."""
    try:
        simpler = change(argument)
        return simpler if len(simpler) and not _alike(simpler, argument) else None
    except Exception:  # of whatever the argument holds
        return None


def _whole(values: Any) -> np.ndarray:
    """Return the numbers rounded; of those up to 1, which may be probabilities, nothing is left."""
    numbers = np.asarray(values, dtype=float)
    return np.round(numbers if np.abs(numbers).max() > 1 else numbers[:0])


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return bool(one == other)
    return bool(one.equals(other)) if hasattr(one, "equals") else np.array_equal(one, other)
