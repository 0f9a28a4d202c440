"""Wrong values that are right ones of a changed input: what a function makes of an argument first.

A catalogue of mistakes is an exercise's own. That an argument is rounded, cut, sorted, or not used
at all is a mistake in any exercise, and the right function shows it.
"""

import contextlib
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from autograder.check.designed import is_number
from autograder.check.effort import FOR_WORDS as _SECONDS
from autograder.check.effort import Stopwatch
from autograder.check.signature import Given
from autograder.check.words import LOOKS

Change = tuple[str, Callable[[Any], Any]]

ASK = "which line makes something else of it, before it is used or while it is?"
ASK_UNUSED = "in which line is it used, and can that line be reached at every input?"
ASK_EXCHANGED = "which of the two stands in which place of your formula, or of a call in it?"
UNUSED = "is not used"
_MORE = 0.2  # seconds in all, to see whether another change explains as much

_WHOLE = ("to a whole number", "decimal", "decimals")
_ROUNDED: list[Change] = [
    ("rounded to a whole number", np.round),
    ("cut to a whole number", np.trunc),
    ("rounded down to a whole number", np.floor),
    ("rounded up to a whole number", np.ceil),
    ("rounded to one decimal", lambda value: np.round(value, 1)),
    ("rounded to two decimals", lambda value: np.round(value, 2)),
]
_CUT: list[Change] = [
    *((f"is {words}", change) for words, change in _ROUNDED),
    ("counts as 1 where it is larger", lambda value: min(value, 1)),
    ("counts as 1 where it is smaller", lambda value: max(value, 1)),
    ("counts as 0 where it is below 0", lambda value: max(value, 0)),
    ("loses its sign", abs),
    ("has the other sign", lambda value: -value),
    (f"{UNUSED}: it counts as 1", lambda value: 1),
    (f"{UNUSED}: it counts as 0", lambda value: 0),
]
# By some of these nearly every law of one scale can be had.
_SMOOTH: list[Change] = [
    ("is one too large", lambda value: value + 1),
    ("is one too small", lambda value: value - 1),
    ("is taken twice", lambda value: 2 * value),
    ("is halved", lambda value: value / 2),
    ("is squared", lambda value: value**2),
    ("is replaced by its root", np.sqrt),
]
_SEVERAL: list[Change] = [
    ("loses its last entry", lambda values: values[:-1]),
    ("loses its first entry", lambda values: values[1:]),
    ("loses what comes twice", lambda values: _kept(values, _first_of_each(values))),
    ("is sorted", lambda values: _in_order(values, np.argsort(values, kind="stable"))),
    ("is turned round", lambda values: values[::-1]),
    ("is cut to whole numbers", lambda values: _each(values, np.trunc)),
    ("is rounded to whole numbers", lambda values: _each(values, np.round)),
    ("loses the signs of its numbers", lambda values: _each(values, np.abs)),
    ("loses its numbers below 0", lambda values: _kept(values, np.asarray(values) >= 0)),
    ("loses its zeros", lambda values: _kept(values, np.asarray(values) != 0)),
]
_TABLE: list[Change] = [
    ("loses its last row", lambda table: table.iloc[:-1]),
    ("loses its first row", lambda table: table.iloc[1:]),
    ("loses rows that come twice", lambda table: table.drop_duplicates()),
    ("loses rows with a missing value", lambda table: table.dropna()),
    ("has 0 where a value is missing", lambda table: table.fillna(0)),
]


def explaining(
    value: Callable[[Given], Any],
    same: Callable[[Any, Any], bool],
    cases: Sequence[Given],
    came: Sequence[Any],
    first: int,
) -> tuple[str, str] | None:
    """Return what becomes of an argument, and a question, if it explains every answer.

    Args:
      value: the right value at an input; an error where there is none.
      same: says whether an answer is as good as a value.
      cases, came: the inputs, and what the answer gave.
      first: the place of a wrong one: most changes do not explain it.
    """
    watch, found = Stopwatch(), {}
    order = [first, *(place for place in range(len(cases)) if place != first)]
    for words, ask, change in changes(cases):
        if not watch.within(_MORE if found else _SECONDS):
            break  # no words are worth a longer wait
        with (
            contextlib.suppress(Exception),  # what has no right value explains nothing
            np.errstate(all="ignore"),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            if all(same(came[place], value(change(cases[place]))) for place in order):
                found[words] = ask
    return _likeliest(found)


def _likeliest(found: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the first change of at most two arguments that explain as much, and its question.

    Where a number that is shifted explains as much as one that is rounded, it is hardly rounded.
    """
    told: dict[str, str] = {}
    for words in sorted(found, key=lambda each: each.endswith(_WHOLE)):
        told.setdefault(words.split()[0], words)
    if not told:
        return None
    first, *others = told.values()
    return f"{LOOKS} {', or '.join([first, *others[:1]])}", found[first]


def changes(
    cases: Sequence[Given], only: Container[str] | None = None, *, smooth: bool = True
) -> Iterator[tuple[str, str, Callable[[Given], Given]]]:
    """Yield what may become of an argument, a question, and the function that makes it so.

    Args:
      cases: the inputs.
      only: the names of the arguments that may change, if not all may.
      smooth: whether a number may be halved, squared, one too large: of two laws that such changes
        give, one nearly always fits.
    """
    names = [name for name in cases[0] if only is None or name in only]
    for name in names:
        for words, change in _of_kind([given[name] for given in cases], smooth=smooth):
            ask = ASK_UNUSED if words.startswith(UNUSED) else ASK
            yield f"{name} {words}", ask, _changing(name, change, cases)
    numbers = [name for name in names if all(is_number(given[name]) for given in cases)]
    for one, other in combinations(numbers, 2):
        yield f"{one} and {other} are exchanged", ASK_EXCHANGED, _exchanging(one, other)
        for words, change in _ROUNDED:
            both = [_changing(name, change, cases) for name in (one, other)]
            yield f"{one} and {other} are {words}", ASK, _in_turn(*both)


def _of_kind(values: list, *, smooth: bool) -> Iterable[Change]:
    if all(is_number(value) for value in values):
        return [*_CUT, *_SMOOTH] if smooth else _CUT
    if all(hasattr(value, "columns") for value in values):
        return _TABLE
    lists = all(isinstance(value, list | tuple | np.ndarray) for value in values)
    return _SEVERAL if lists else ()


def _changing(name: str, change: Callable, cases: Sequence[Given]) -> Callable[[Given], Given]:
    allowed = _range([given[name] for given in cases])

    def changed(given: Given) -> Given:
        value = change(given[name])
        whole = isinstance(given[name], int) and not isinstance(value, int)
        if allowed and not allowed[0] <= value <= allowed[1]:
            raise ValueError(f"{name} is never so far out, got {value!r}")
        return {**given, name: int(value) if whole and value == int(value) else value}

    return changed


def _range(values: list) -> tuple[float, float] | None:
    """Return where a number may lie: beyond its inputs a function may take for ever."""
    if not all(is_number(value) for value in values):
        return None
    low, high = float(min(values)), float(max(values))
    if all(isinstance(value, int) for value in values):
        return low - (low > 1), high + 1
    return (low / 2, 2 * high) if low > 0 else (low - 1, high + 1)


def _exchanging(one: str, other: str) -> Callable[[Given], Given]:
    return lambda given: {**given, one: given[other], other: given[one]}


def _in_turn(first: Callable, second: Callable) -> Callable[[Given], Given]:
    return lambda given: second(first(given))


def _like(values: Any, changed: np.ndarray) -> Any:
    return changed if isinstance(values, np.ndarray) else type(values)(changed.tolist())


def _each(values: Any, function: Callable) -> Any:
    return _like(values, function(np.asarray(values, dtype=float)))


def _in_order(values: Any, order: np.ndarray) -> Any:
    return _like(values, np.asarray(values)[order])


def _kept(values: Any, keep: np.ndarray) -> Any:
    return _like(values, np.asarray(values)[keep])


def _first_of_each(values: Any) -> np.ndarray:
    first = np.unique(np.asarray(values), return_index=True)[1]
    return np.sort(first)
