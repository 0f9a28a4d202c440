"""What came where values without chance are wrong: for words of a failure.

Nobody finds a mistake in a formula from two numbers. What all wrong values are is often the mistake
itself: an argument, the right value times an argument, the right one rounded.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import numpy as np

from autograder.check.designed import is_number
from autograder.check.signature import Given
from autograder.check.words import counted, number

_ROUNDING = 1e-15
_FEWEST = 3  # wrong values that show what all of them are
_FEW_ENTRIES = 4
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
              for name, values in numeric(cases)}  # fmt: skip
    return _constant(mine, len(came)) or _argument(mine, right, beside) or _turned(mine, right)


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


def numeric(cases: Sequence[Given]) -> Iterator[tuple[str, list[float]]]:
    """Yield the arguments that are numbers: the name, and its value at each input."""
    for name in cases[0]:
        values = [given[name] for given in cases]
        if all(is_number(value) for value in values):
            yield name, [float(value) for value in values]


def is_one_number(values: Sequence[float]) -> bool:
    """Say whether numbers are one and the same, but for rounding errors beside 1 or themselves."""
    values = np.asarray(values, dtype=float)
    return bool(np.isfinite(values).all() and np.ptp(values) <= _ROUNDING * (1 + abs(values[0])))


def _constant(came: np.ndarray, answers: int) -> tuple[str, str] | None:
    if not is_one_number(came):
        return None
    told = number(float(np.median(came)))
    return (
        f"its wrong entries are all {told}" if answers == 1 else f"it is {told} each time",
        _KEEPS,
    )


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
