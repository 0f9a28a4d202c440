"""Finds arguments that an answer has written into, and tells what became of them."""

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, same_arguments
from autograder.check.wording.in_words import in_words
from autograder.check.words import counted, numbers_apart

_LONGEST = 240
_TIMES = "mM"  # the kinds of numpy's dates and times: they are numbers to nobody
_PLAIN = (int, float, str, tuple, np.generic)


class Written(BadAnswer):
    """The answer has changed an argument; what comes of that is not told as a fault of its own."""

    def __init__(self, seen: str = "", parameters: dict | None = None):
        super().__init__(
            "it changes what it is given",
            seen=seen,
            ask="which line changes its argument? Work on a copy.",
            parameters=parameters,
        )


def changed_arguments(
    before: tuple[tuple, Mapping], after: tuple[tuple, Mapping]
) -> list[tuple[Any, Any]]:
    """Return the arguments of a call that are no longer what they were: each before and after.

    Of an object that is not equal to its own copy nobody can say so.
    """
    pairs = [*zip(before[0], after[0], strict=True)]
    pairs += [(value, after[1][name]) for name, value in before[1].items()]
    differing = [pair for pair in pairs if not same_arguments(*pair)]
    return [(one, other) for one, other in differing if same_arguments(copy.deepcopy(one), one)]


def written(
    changed: list[tuple[Any, Any]], parameters: dict, then: BadAnswer | None = None
) -> Written:
    """Return the words for arguments that have changed, and for what came then."""
    told = [next(filter(None, (_told(*pair) for pair in changed)), "")]
    if then is not None:
        told.append(f"then {then.problem}" + (f" ({then.seen})" if then.seen else ""))
    return Written("; ".join(filter(None, told)), parameters)


def _told(one: Any, other: Any) -> str:
    """Return what became of an argument; "" if a few words do not show it."""
    if hasattr(one, "columns") and hasattr(other, "columns"):
        return _of_tables(one, other)
    before, after = in_words(one), in_words(other)
    plain = not isinstance(one, list) or all(isinstance(each, _PLAIN) for each in one)
    if plain and before != after and len(before) + len(after) <= _LONGEST:
        return f"after the call, {before} is {after}"
    if isinstance(one, list) and len(one) != len(other):
        return f"after the call, the list has {counted(len(other), 'member')}, and had {len(one):,}"
    return _first_entry("", one, other)


def _first_entry(where: str, one: Any, other: Any) -> str:
    """Return what became of the first number that is another one; "" if there is none."""
    try:
        before, after = (np.asarray(each, dtype=float) for each in (one, other))
    except (TypeError, ValueError):
        return ""
    if before.shape != after.shape or not before.ndim or np.asarray(one).dtype.kind in _TIMES:
        return ""
    places = np.argwhere(~np.isclose(before, after, rtol=0, atol=0, equal_nan=True))
    if not len(places):
        return ""
    place = tuple(places[0])
    was, now = numbers_apart(float(before[place]), float(after[place]))
    return f"after the call, entry {', '.join(map(str, place))}{where} is {now}, and was {was}"


def _rows(table: Any) -> list[str]:
    return sorted(map(str, table.itertuples(index=False)))


def _of_tables(one: Any, other: Any) -> str:
    """Return what became of a table: of its columns, its rows, or a column's values."""
    gone = [str(name) for name in one.columns if name not in other.columns]
    new = [str(name) for name in other.columns if name not in one.columns]
    if gone or new:
        what = f"has lost the column {gone[0]}" if gone else f"has a new column, {new[0]}"
        return f"after the call, the table {what}"
    if len(one) != len(other):
        return f"after the call, the table has {counted(len(other), 'row')}, and had {len(one):,}"
    other = other.set_axis(one.index)
    changed = [name for name in one.columns if not one[name].equals(other[name])]
    if not changed:
        return ""
    first, then = one[changed[0]], other[changed[0]]
    if first.dtype != then.dtype and first.tolist() == then.tolist():
        what = f"the column {changed[0]} has the type {then.dtype}, and had {first.dtype}"
        return f"after the call, {what}"
    if _rows(one) == _rows(other):
        return "after the call, the table's rows come in another order"
    entry = _first_entry(f" of the column {changed[0]}", first, then)
    return entry or f"after the call, the table's column {changed[0]} is another one"
