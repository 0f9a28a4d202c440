"""Where values without chance are wrong, and what came in their place: for words of a failure.

Nobody finds a mistake in a formula from two numbers. What all wrong inputs have in common, and no
right one, is often the mistake itself; so is what all wrong values are.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.designed import is_number
from autograder.check.signature import Given
from autograder.check.words import counted, number

_FEWEST = 3  # wrong values that show what all of them are
# What splits right from wrong inputs by accident is told in at most one of so many answers.
_ACCIDENTS = 20
_MOST_TOLD = 2  # properties that all wrong inputs have
_FEW_ENTRIES = 4
_LINE = "your code is right at the others: which line looks at {name}, and what does it do here?"
_KEEPS = "which line gives this each time? Is a value cut there, or is the first one left?"
_IS = "what does your code still have to do with {name} before it is the answer?"
_ORDER = "which step sorts, groups or turns them round, and what does the task say of their order?"
_ENTRY = "the others are right: from what is this one made?"
_POWERS = {
    1: "{name} times what it should be",
    -1: "what it should be, divided by {name}",
    2: "what it should be times the square of {name}",
    -2: "what it should be, divided by the square of {name}",
    0.5: "what it should be times the root of {name}",
    -0.5: "what it should be, divided by the root of {name}",
}
_TURNED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "1 less what it should be": lambda wanted: 1 - wanted,
    "1 over what it should be": lambda wanted: 1 / wanted,
    "the square of what it should be": lambda wanted: wanted**2,
    "the root of what it should be": lambda wanted: np.sqrt(wanted),
    "the logarithm of what it should be": lambda wanted: np.log(wanted),
}
_FACTOR = "how often does {name} stand in your formula, and where?"
_TERM = "is {name} added, or taken off, once too often?"
_MOST_DECIMALS = 7
_ROUNDS = "which line rounds the answer, or a number from which it is made?"
_LAST = "which last step is missing, or one too many?"


@dataclass(frozen=True)
class _Property:
    """What a call's argument may have: of which one, in words, and its value at each input."""

    name: str
    words: Callable[[Any], str]
    values: tuple
    ordered: bool = False
    telling: Sequence = ()  # where the values are ordered: those that are a kind of their own


def all_of_them(cases: Sequence[Given], wrong: Sequence[int]) -> tuple[str, str] | None:
    """Return what all wrong inputs have and no right one, with a question; None if nothing."""
    if not 0 < len(wrong) < len(cases):
        return None
    is_wrong = np.isin(np.arange(len(cases)), wrong)
    each = list(_properties(cases))
    found = [(one.name, words) for one in each for words in _sorted_by(one, is_wrong)]
    orders = sum(2 * one.ordered for one in each)
    if not found and math.comb(len(cases), len(wrong)) >= _ACCIDENTS * orders:
        found = [(one.name, words) for one in each for words in _split_by(one, is_wrong)]
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
    for (one, first), (other, second) in combinations(_numeric(cases), 2):
        told = {True: f"{one} is below {other}", False: f"{one} is not below {other}"}
        below = tuple(left < right for left, right in zip(first, second, strict=True))
        yield _Property(one, told.__getitem__, below)


def _of_several(name: str, values: list) -> Iterator[_Property]:
    """Yield the properties of arguments that hold several values: lists, arrays, tables."""
    noun = "row" if hasattr(values[0], "columns") else "entry"
    few = range(_FEW_ENTRIES + 1) if isinstance(values[0], list | tuple) else (0, 1)
    lengths = tuple(map(len, values))
    yield _Property(name, lambda count: f"{name} {_holds(count, noun)}", lengths, True, few)
    many = "rows" if noun == "row" else "entries"
    told = {
        True: f"{name} has an even number of {many}",
        False: f"{name} has an odd number of {many}",
    }
    yield _Property(name, told.__getitem__, tuple(count % 2 == 0 for count in lengths))
    texts = [set(_texts(value)) for value in values]
    for text in sorted(set().union(*texts))[: 2 * _FEW_ENTRIES]:
        yield _flag(f"{name}", f"a {text}", [text in each for each in texts])
    for words, holds in _HOLDS.items():
        yield _flag(name, words, [holds(value) for value in values])


def _holds(count: str, noun: str) -> str:
    """Return "has 1 entry", "does not have 2 rows": the count is words that end with a number."""
    many = "entries" if noun == "entry" else f"{noun}s"
    verb = "does not have" if count.startswith("not ") else "has"
    return f"{verb} {count.removeprefix('not ')} {noun if count.split()[-1] == '1' else many}"


def _flag(name: str, words: str, values: list[bool]) -> _Property:
    told = {True: f"{name} has {words}", False: f"{name} has no {words.removeprefix('a ')}"}
    return _Property(name, told.__getitem__, tuple(values))


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
    """Yield in words the one value that all wrong inputs have, or all right ones, if it is so.

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
        if (same != is_wrong).all() and (one.ordered or len(kinds) > 2):
            yield one.words(f"not {_word(value)}")
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


def in_another_order(came: Sequence, wanted: Sequence) -> tuple[str, str] | None:
    """Return the words for arrays whose entries, or rows, are right and stand elsewhere."""
    pairs = list(zip(map(np.asarray, came), map(np.asarray, wanted), strict=True))
    if not pairs or not all(one.shape == other.shape != () for one, other in pairs):
        return None
    if not all(np.allclose(*map(_in_order, pair), equal_nan=True) for pair in pairs):
        return None
    what = "rows" if pairs[0][0].ndim > 1 else "entries"
    return f"its {what} are right, in another order", _ORDER


def _in_order(values: np.ndarray) -> np.ndarray:
    rows = values.reshape(len(values), -1).astype(float)
    return rows[np.lexsort(rows.T)]


def each_is(came: Sequence, wanted: Sequence, cases: Sequence[Given]) -> tuple[str, str] | None:
    """Return what all wrong values are, with a question; None if they are nothing known.

    Args:
      came, wanted: the wrong values and the right ones, numbers or arrays of one shape.
      cases: the inputs at which they came.
    """
    came, wanted = ([np.asarray(each, dtype=float) for each in all_] for all_ in (came, wanted))
    if entry := _one_entry(came, wanted):
        return entry
    wrong = [~np.isclose(one, other, rtol=1e-6) for one, other in zip(came, wanted, strict=True)]
    mine, right = (
        np.concatenate([each[off] for each, off in pairs])
        for pairs in (zip(came, wrong, strict=True), zip(wanted, wrong, strict=True))
    )
    if len(mine) < _FEWEST or not np.isfinite([mine, right]).all() or np.ptp(right) == 0:
        return None
    beside = {name: np.repeat(values, [off.sum() for off in wrong])
              for name, values in _numeric(cases)}  # fmt: skip
    return _constant(mine) or _argument(mine, right, beside) or _turned(mine, right)


def _one_entry(came: Sequence, wanted: Sequence) -> tuple[str, str] | None:
    """Return the one entry that is wrong each time, if answers have a few and the same number."""
    shapes = {np.shape(each) for each in (*came, *wanted)}
    if len(shapes) > 1 or len(came) < 2 or not 2 <= np.size(wanted[0]) <= _FEW_ENTRIES:
        return None
    off = np.array([~np.isclose(one, other) for one, other in zip(came, wanted, strict=True)])
    places = np.argwhere(off.any(axis=0))
    if len(places) != 1:
        return None
    return f"always at entry {', '.join(map(str, places[0]))} alone", _ENTRY


def _numeric(cases: Sequence[Given]) -> Iterator[tuple[str, list[float]]]:
    for name in cases[0]:
        values = [given[name] for given in cases]
        if all(is_number(value) for value in values):
            yield name, [float(value) for value in values]


def _constant(came: np.ndarray) -> tuple[str, str] | None:
    return (f"it is {number(float(came[0]))} each time", _KEEPS) if np.ptp(came) == 0 else None


def _argument(came, wanted, beside: dict[str, np.ndarray]) -> tuple[str, str] | None:
    """Return the argument that stands in the answer's place, or once too often in it."""
    for name, values in beside.items():
        if np.ptp(values) == 0:
            continue
        if _alike(came, values):
            return f"it is {name} each time", _IS.format(name=name)
        for power, words in _POWERS.items():
            with np.errstate(all="ignore"):
                if _alike(came, wanted * values**power):
                    return f"it is {words.format(name=name)}", _FACTOR.format(name=name)
        for sign, words in ((1, "plus"), (-1, "less")):
            if _alike(came, wanted + sign * values):
                return f"it is what it should be {words} {name}", _TERM.format(name=name)
    for (one, first), (other, second) in permutations(beside.items(), 2):
        for sign, values in (("-", first - second), ("+", first + second), ("*", first * second)):
            if np.ptp(values) and _alike(came, values):
                what = f"{one} {sign} {other}"
                return f"it is {what} each time", _IS.format(name=what)
    return None


def _turned(came: np.ndarray, wanted: np.ndarray) -> tuple[str, str] | None:
    if rounded := rounded_to(came, wanted):
        return rounded
    for words, function in _TURNED.items():
        with np.errstate(all="ignore"):
            if _alike(came, function(wanted)):
                return f"it is {words}", _LAST
    return None


def rounded_to(came: np.ndarray, wanted: np.ndarray) -> tuple[str, str] | None:
    """Return the words for right numbers that are rounded, with a question."""
    if not np.isfinite([came, wanted]).all() or np.allclose(came, wanted, rtol=1e-9, atol=0):
        return None
    for decimals in range(_MOST_DECIMALS):
        if np.allclose(came, np.round(wanted, decimals), rtol=1e-12, atol=0):
            to = f"to {counted(decimals, 'decimal')}" if decimals else "to a whole number"
            return f"it is what it should be, rounded {to}", _ROUNDS
    return None


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.isfinite(other).all() and np.allclose(one, other, rtol=1e-9, atol=0))


def _word(value: Any) -> str:
    return f"{value:g}" if is_number(value) else str(value)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, Real | str | bool | np.bool_)
