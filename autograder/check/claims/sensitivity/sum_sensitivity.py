"""How far one person can move a sum of values that are clipped to an interval."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs: intervals above 0, below 0, from 0 on, and around 0, on either side."""
    far, near = generator.uniform(40, 90, 2).round(1), generator.uniform(3, 15, 2).round(1)
    intervals = [
        (far[0], far[0] + near[0]),
        (-far[1] - near[1], -far[1]),
        (0.0, far[0]),
        (-far[1], 0.0),
        (-near[0], far[1]),
        (-far[0], near[1]),
    ]
    return [
        {"lower": round(float(low), 1), "upper": round(float(high), 1), "neighbors": neighbors}
        for low, high in intervals
        for neighbors in ("add_remove", "replace_one")
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    bounds = parameters["lower"], parameters["upper"]
    return bounds, {"neighbors": parameters["neighbors"]}


def _of(added: Callable[[float, float], float], replaced: Callable[[float, float], float]):
    """Return the value for either kind of neighbors, from lower and upper."""

    def value(parameters: dict) -> float:
        chosen = added if parameters["neighbors"] == "add_remove" else replaced
        return chosen(parameters["lower"], parameters["upper"])

    return value


def _farthest(lower: float, upper: float) -> float:
    return max(abs(lower), abs(upper))


def _width(lower: float, upper: float) -> float:
    return upper - lower


_ADDED = "a row with the value 70 is added: by how much does the sum move?"
_REPLACED = "a row's value is lowered from 70 to 60: by how much does the sum move?"
_NEGATIVE = "what does a row with the value -80 do to the sum?"
_MISTAKES = (
    ValueMistake("upper - lower is used for both kinds of neighbors", _of(_width, _width), _ADDED),
    ValueMistake(
        "the largest size is used for both kinds of neighbors",
        _of(_farthest, _farthest),
        _REPLACED,
    ),
    ValueMistake("the two kinds of neighbors are exchanged", _of(_width, _farthest), _ADDED),
    ValueMistake("only the upper bound counts", _of(lambda a, b: b, _width), _NEGATIVE),
    ValueMistake(
        "only the upper bound counts, without its sign",
        _of(lambda a, b: abs(b), _width),
        _NEGATIVE,
    ),
    ValueMistake(
        "the sizes of both bounds are added",
        _of(lambda a, b: abs(a) + abs(b), _width),
        "how far can one row move the sum, when it has only one value?",
    ),
    ValueMistake(
        "the smaller of the two sizes is taken",
        _of(lambda a, b: min(abs(a), abs(b)), _width),
        "which row moves the sum furthest?",
    ),
    ValueMistake(
        "a replaced row counts as one removed and one added",
        _of(_farthest, lambda a, b: 2 * _farthest(a, b)),
        "that is a bound, not the largest move: " + _REPLACED,
    ),
    ValueMistake(
        "the sizes of the bounds are subtracted",
        _of(_farthest, lambda a, b: abs(abs(b) - abs(a))),
        "a row's value goes from -10 to 70: by how much does the sum move?",
    ),
    ValueMistake(
        "the sign is wrong", _of(_farthest, lambda a, b: a - b), "can a distance be negative?"
    ),
    ValueMistake(
        "the sum is treated like a count",
        _of(lambda a, b: 1.0, lambda a, b: 1.0),
        "by how much does one row move a sum of its values?",
    ),
    ValueMistake(
        "the upper bound is used for both kinds of neighbors",
        _of(lambda a, b: b, lambda a, b: b),
        _NEGATIVE,
    ),
    ValueMistake(
        "the value in the middle is taken",
        _of(lambda a, b: abs(a + b) / 2, _width),
        "the sensitivity is the largest move, over all rows: which row makes it?",
    ),
)

CLAIM = ValuesClaim(
    name="sum_sensitivity",
    about="Check `sum_sensitivity(lower, upper, *, neighbors)`: how far one person moves the sum.",
    established="the farther bound from 0 for add_remove, the width for replace_one",
    cases=_cases,
    arguments=_arguments,
    expected=_of(_farthest, _width),
    mistakes=_MISTAKES,
    situation=lambda p: f"values in [{p['lower']:g}, {p['upper']:g}], {p['neighbors']}",
)
