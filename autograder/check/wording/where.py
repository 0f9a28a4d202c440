"""Where values without chance are wrong: for words of a failure.

Nobody finds a mistake in a formula from two numbers. What all wrong inputs have in common, and no
right one, is often the mistake itself.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.designed import is_number
from autograder.check.signature import Given
from autograder.check.wording.what_came import numeric
from autograder.check.words import number

# What splits right from wrong inputs by accident is told in at most one of so many answers.
_ACCIDENTS = 20
_MORE_ACCIDENTS = 100  # that two numbers are compared at all is an accident of its own
_MOST_TOLD = 2  # properties that all wrong inputs have
_FEW_ENTRIES = 4
_LINE = "your code is right at the others: which line looks at {name}, and what does it do here?"
_ONLY = "follow your code at this input: which step is right only where {}?"


@dataclass(frozen=True)
class _Property:
    """What a call's argument may have: of which one, in words, and its value at each input."""

    name: str
    words: Callable[[Any], str]
    values: tuple
    ordered: bool = False
    telling: Sequence = ()  # where the values are ordered: those that are a kind of their own
    usual: bool = False  # most inputs may have it by accident: one that has not says nothing


def all_of_them(cases: Sequence[Given], wrong: Sequence[int]) -> tuple[str, str] | None:
    """Return what all wrong inputs have and no right one, with a question; None if nothing."""
    if not 0 < len(wrong) < len(cases):
        return None
    is_wrong = np.isin(np.arange(len(cases)), wrong)
    lonely = len(wrong) == len(cases) - 1
    each = [one for one in _properties(cases) if not (lonely and one.usual)]
    found = [(one.name, words) for one in each for words in _sorted_by(one, is_wrong)]
    only = not found and [words for one in each for words in _sorted_by(one, ~is_wrong)]
    if only and len(only) <= _MOST_TOLD:
        return f"right only where {' and '.join(only)}", _ONLY.format(only[0])
    orders = sum(2 * one.ordered for one in each)
    if not found and math.comb(len(cases), len(wrong)) >= _ACCIDENTS * orders:
        found = [(one.name, words) for one in each for words in _split_by(one, is_wrong)]
    pairs = list(_comparisons(cases))
    if not found and math.comb(len(cases), len(wrong)) >= _MORE_ACCIDENTS * len(pairs):
        found = [(one.name, words) for one in pairs for words in _sorted_by(one, is_wrong)]
    if not 0 < len(found) <= _MOST_TOLD:
        return None
    names, words = zip(*found, strict=True)
    these = "the one" if len(wrong) == 1 else "those"
    return f"{these} where {' and '.join(words)}", _LINE.format(name=names[0])


def _properties(cases: Sequence[Given]) -> Iterator[_Property]:
    for name in cases[0]:
        values = [given[name] for given in cases]
        if all(_is_plain(value) for value in values):
            ordered = all(is_number(value) for value in values)
            yield _Property(name, f"{name} is {{}}".format, tuple(values), ordered, (0, 1))
        elif all(hasattr(value, "__len__") for value in values):
            yield from _of_several(name, values)


def _comparisons(cases: Sequence[Given]) -> Iterator[_Property]:
    """Yield of each two numbers which one is larger."""
    for (one, first), (other, second) in combinations(numeric(cases), 2):
        told = {True: f"{one} is below {other}", False: f"{one} is not below {other}"}
        below = tuple(left < right for left, right in zip(first, second, strict=True))
        yield _Property(one, told.__getitem__, below)


def _of_several(name: str, values: list) -> Iterator[_Property]:
    """Yield the properties of arguments that hold several values: lists, arrays, tables."""
    noun = "row" if hasattr(values[0], "columns") else "entry"
    few = range(_FEW_ENTRIES + 1) if isinstance(values[0], list | tuple) else (0, 1)
    lengths = tuple(map(len, values))
    many = "rows" if noun == "row" else "entries"
    yield _Property(
        name,
        lambda count: f"{name} has {count} {noun if count == '1' else many}",
        lengths,
        True,
        few,
    )
    # Of one even length and one odd one it would be their size, or nothing.
    if min(len({count for count in lengths if count % 2 == odd}) for odd in (0, 1)) > 1:
        told = {
            True: f"{name} has an even number of {many}",
            False: f"{name} has an odd number of {many}",
        }
        even = tuple(count % 2 == 0 for count in lengths)
        yield _Property(name, told.__getitem__, even, usual=True)
    texts = [set(_texts(value)) for value in values]
    for text in sorted(set().union(*texts))[: 2 * _FEW_ENTRIES]:
        yield _flag(f"{name}", f"a {text}", [text in each for each in texts])
    for words, holds in _HOLDS.items():
        yield _flag(name, words, [holds(value) for value in values])


def _flag(name: str, words: str, values: list[bool]) -> _Property:
    told = {True: f"{name} has {words}", False: f"{name} has no {words.removeprefix('a ')}"}
    return _Property(name, told.__getitem__, tuple(values), usual=True)


def _texts(value: Any) -> Iterator[str]:
    """Yield the names of kinds in a list of pairs, for example of mechanisms and their scales."""
    if isinstance(value, list | tuple):
        for each in value:
            if isinstance(each, tuple) and each and isinstance(each[0], str):
                yield each[0]


def _numbers(value: Any) -> np.ndarray:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)


def _has_own_labels(value: Any) -> bool:
    index = getattr(value, "index", None)
    return hasattr(index, "tolist") and index.tolist() != list(range(len(value)))


_HOLDS: dict[str, Callable[[Any], bool]] = {
    "a missing value": lambda value: bool(
        value.isna().to_numpy().any() if hasattr(value, "isna") else np.isnan(_numbers(value)).any()
    ),
    "a number below 0": lambda value: bool((_numbers(value) < 0).any()),
    "labels of its own": _has_own_labels,
}


def _sorted_by(one: _Property, is_wrong: np.ndarray) -> Iterator[str]:
    """Yield in words the one value that all wrong inputs have, and no right one, if it is so.

    A number alone says little, but for those that are a kind of their own.
    """
    kinds = set(one.values)
    if len(kinds) < 2:
        return
    for value in sorted(kinds, key=str, reverse=True):
        same = np.array([each == value for each in one.values])
        if one.ordered and value not in one.telling:
            continue
        if (same == is_wrong).all():
            yield one.words(value if isinstance(value, bool) else _word(value))
            return


def _split_by(one: _Property, is_wrong: np.ndarray) -> Iterator[str]:
    """Yield in words the end of an order at which all wrong inputs lie, if they do."""
    if not one.ordered:
        return
    values = np.array(one.values, dtype=float)
    low, high = values[is_wrong], values[~is_wrong]
    if low.min() > high.max():
        yield one.words(f"at least {number(float(low.min()))}")
    elif low.max() < high.min():
        yield one.words(f"at most {number(float(low.max()))}")


def _word(value: Any) -> str:
    return f"{value:g}" if is_number(value) else str(value)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, Real | str | bool | np.bool_)
