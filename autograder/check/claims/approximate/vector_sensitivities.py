"""The L1 and the L2 sensitivity of a vector of sums, found by looking at all who could come."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.door import BadAnswer, as_number
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

# What a person with value v adds to each of the sums.
_KINDS: dict[str, Callable] = {
    # How many people have at least each of these values.
    "at least": lambda v, p: [float(v >= cut) for cut in p["cuts"]],
    # A histogram: one bin each.
    "bins": lambda v, p: [float(v % len(p["cuts"]) == k) for k in range(len(p["cuts"]))],
    # The number of people, the sum, and the sum of squares.
    "powers": lambda v, p: [1.0, float(v), float(v * v) / 10],
    # The sum of the values and that of the distances from a number.
    "distance": lambda v, p: [float(v), -abs(v - p["cuts"][0]), 2.0],
    # One kind of person adds much to one sum, another a little to many.
    "uneven": lambda v, p: [p["large"], *[0.0] * 7] if v % 5 == 0 else [0.0, *[p["small"]] * 7],
}


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return ten inputs: each kind of vector, for both neighbors."""
    cases = []
    for kind in _KINDS:
        start = int(generator.integers(-12, -4))
        domain = list(range(start, start + int(generator.integers(24, 34))))
        given = {
            "kind": kind,
            "domain": generator.permutation(domain).tolist(),
            "cuts": sorted(generator.choice(range(start + 2, start + 20), 6, False).tolist()),
            # The L1 norm is larger for the many small parts, the L2 norm for the large one.
            "small": (small := round(generator.uniform(1, 2), 2)),
            "large": round(small * generator.uniform(3.2, 5), 2),
        }
        cases += [{**given, "neighbors": kind} for kind in ("add_remove", "replace_one")]
    return cases


def _contribution(p: dict) -> Callable:
    return lambda value: np.array(_KINDS[p["kind"]](value, p))


def _arguments(p: dict) -> tuple[tuple, dict]:
    return (_contribution(p),), {"domain": list(p["domain"]), "neighbors": p["neighbors"]}


def _rows(p: dict) -> list[list[float]]:
    return [[float(part) for part in _KINDS[p["kind"]](value, p)] for value in p["domain"]]


def _changes(p: dict, neighbors: str = "") -> list[list[float]]:
    """Return every change that one person can make: a row, or the difference of two rows."""
    rows = _rows(p)
    if (neighbors or p["neighbors"]) == "add_remove":
        return rows
    pairs = itertools.product(rows, rows)
    return [[one - other for one, other in zip(*pair, strict=True)] for pair in pairs]


def _l1(change: list[float]) -> float:
    return math.fsum(abs(part) for part in change)


def _l2(change: list[float]) -> float:
    return math.sqrt(math.fsum(part * part for part in change))


def _norms(first=_l1, second=_l2, neighbors: str = "") -> Callable[[dict], np.ndarray]:
    """Return the two largest norms of a change."""

    def value(p: dict) -> np.ndarray:
        changes = _changes(p, neighbors)
        return np.array([max(map(first, changes)), max(map(second, changes))])

    return value


def _doubled(p: dict) -> np.ndarray:
    """Return the norms as if a replaced row were one removed and one added, at their worst."""
    return _norms(neighbors="add_remove")(p) * (1 if p["neighbors"] == "add_remove" else 2)


def _of_one_change(p: dict) -> np.ndarray:
    """Return both norms of the change that is largest in L1."""
    worst = max(_changes(p), key=_l1)
    return np.array([_l1(worst), _l2(worst)])


def _of_the_largest_entries(p: dict) -> np.ndarray:
    """Return the norms of a change that is, in each sum, the largest: nobody need make it."""
    worst = np.abs(_changes(p)).max(axis=0).tolist()
    return np.array([_l1(worst), _l2(worst)])


def _read(answer: Any, parameters: dict) -> np.ndarray:
    parts = None
    if isinstance(answer, tuple | list) or (isinstance(answer, np.ndarray) and answer.ndim == 1):
        parts = list(answer)
    if parts is None or len(parts) != 2:
        raise BadAnswer(
            "two numbers are wanted: l1, l2",
            seen="it returned nothing" if answer is None else f"it returned {answer!r}"[:100],
            ask="does your function end in `return l1, l2`?",
        )
    return np.array([as_number(part) for part in parts])


def _show(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    pairs = (tuple(round(float(part), 4) for part in each) for each in (wanted, came))
    return "(l1, l2) should be {}, yours is {}".format(*pairs)


_WHICH = "does one person make both the largest L1 change and the largest L2 change?"
_MISTAKES = (
    ValueMistake(
        "the two norms are exchanged", lambda p: _norms()(p)[::-1], "which of the two has a root?"
    ),
    ValueMistake("L2 is taken for the change that is largest in L1", _of_one_change, _WHICH),
    ValueMistake(
        "each entry is taken at its largest",
        _of_the_largest_entries,
        "is there one person who makes all these changes at once?",
    ),
    ValueMistake(
        "the entries are added without absolute values",
        _norms(first=lambda change: abs(sum(change))),
        "one entry falls by 1 and another rises by 1: how large is the change?",
    ),
    ValueMistake(
        "the root of L2 is missing",
        _norms(second=lambda change: _l2(change) ** 2),
        "in which units is the length of an arrow?",
    ),
    ValueMistake(
        "L2 is the root of L1",
        _norms(second=lambda change: math.sqrt(_l1(change))),
        "are the entries squared before they are added?",
    ),
    ValueMistake(
        "only the largest entry of a change counts",
        _norms(first=lambda change: max(map(abs, change))),
        "one person may move several entries: how are their sizes joined?",
    ),
    ValueMistake(
        "the neighbors are always add_remove",
        _norms(neighbors="add_remove"),
        "a row is replaced: which two people does the change join?",
    ),
    ValueMistake(
        "the neighbors are always replace_one",
        _norms(neighbors="replace_one"),
        "a row comes: what was there before it?",
    ),
    ValueMistake(
        "a replaced row counts as the worst one removed and the worst one added",
        _doubled,
        "that is a bound: do the two changes add up in every entry?",
    ),
    ValueMistake(
        "the number of entries is taken",
        lambda p: np.array([len(_rows(p)[0]), math.sqrt(len(_rows(p)[0]))]),
        "does each person move each entry, and by 1?",
    ),
    ValueMistake(
        "the smallest change is taken",
        lambda p: np.array([min(map(_l1, _changes(p))), min(map(_l2, _changes(p)))]),
        "the sensitivity is the largest change: over whom?",
    ),
)

CLAIM = ValuesClaim(
    name="vector_sensitivities",
    about=(
        "Check `vector_sensitivities(contribution, *, domain, neighbors)`: (l1, l2), how far one\n"
        "person moves the vector of sums, in both norms."
    ),
    established="both norms of the largest change, for both kinds of neighbors",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_norms(),
    mistakes=_MISTAKES,
    absolute=1e-9,
    show=_show,
    situation=lambda p: (
        f'a person adds the vector "{p["kind"]}" (six cuts {p["cuts"]}); values from '
        f"{min(p['domain'])} to {max(p['domain'])}; {p['neighbors']}"
    ),
)
