"""A table whose numbers have lost their last digits: truncated toward zero."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled
from autograder.check.claims.deidentification._tables import TOLERANCE, frame
from autograder.check.claims.k_anonymity._columns import (
    changed,
    numbers,
    read,
    show,
    skipped_columns,
)
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_COUNT = 14


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six tables: one column to change, then several; numbers below zero, decimals."""
    asked = [{"Age": 1}, {"Zip": 2}, {"Age": 1, "Zip": 3}, {"Balance": 2, "Age": 1}]
    asked += [{"Balance": 1}, {"Height": 0, "Zip": 1}]
    return [_case(generator, depths) for depths in asked]


def _case(generator: np.random.Generator, depths: dict[str, int]) -> dict:
    columns = people(generator, _COUNT)
    columns["Age"] = [*numbers(generator, 16, 90, _COUNT - 4), 35, 45, 99, 7]
    columns["Zip"] = [*map(int, generator.integers(10_000, 99_999, _COUNT - 1)), 1995]
    columns["Height"] = [round(each, 1) for each in generator.uniform(150.2, 198.8, _COUNT)]
    columns["Balance"] = [-36, -250, -9, *map(int, generator.integers(-4000, 4000, _COUNT - 3))]
    return {"table": shuffled(generator, columns), "depths": depths}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    return (frame(parameters["table"]),), {"depths": dict(parameters["depths"])}


def _each(change: Callable[[Any, int], Any]) -> Callable[[dict], np.ndarray]:
    """Return what comes if every column asked for becomes change(values, depth)."""
    return lambda p: changed(
        p, list(p["depths"]), lambda name, values: change(values, p["depths"][name])
    )


def _one_by_one(values: Any, depth: int) -> list:
    """Return truncated numbers, worked out one by one."""
    unit = 10**depth
    return [v if math.isnan(v) else math.copysign(abs(v) // unit * unit, v) for v in values]


def _to_multiples(rounding: Callable) -> Callable[[Any, int], Any]:
    return lambda values, depth: rounding(values / 10**depth) * 10**depth


_DIGITS = "36 at depth 1: which number should come?"

_MISTAKES = (
    ValueMistake(
        "it is rounded, not truncated",
        _each(_to_multiples(np.round)),
        "36 at depth 1 is 30: which function cuts off what is behind the point?",
    ),
    ValueMistake(
        "it is rounded (halves upwards), not truncated",
        _each(_to_multiples(lambda each: np.floor(each + 0.5))),
        "36 at depth 1 is 30: which function cuts off what is behind the point?",
    ),
    ValueMistake(
        "numbers below zero move away from zero",
        _each(_to_multiples(np.floor)),
        "-36 at depth 1 is -30: what does // do to a number below zero?",
    ),
    ValueMistake("it is rounded up", _each(_to_multiples(np.ceil)), _DIGITS),
    ValueMistake(
        "the digits are taken away, not set to zero",
        _each(lambda values, depth: np.trunc(values / 10**depth)),
        "36 at depth 1 is 30, not 3: what is missing after the division?",
    ),
    ValueMistake(
        "the digits are taken away, not set to zero; below zero one more",
        _each(lambda values, depth: np.floor(values / 10**depth)),
        "36 at depth 1 is 30, not 3: what is missing after the division?",
    ),
    ValueMistake(
        "the last digits are kept, the first are lost",
        _each(lambda values, depth: np.fmod(values, 10**depth)),
        _DIGITS,
    ),
    ValueMistake(
        "the last digits are kept, the first are lost (with %)",
        _each(lambda values, depth: np.mod(values, 10**depth)),
        _DIGITS,
    ),
    ValueMistake(
        "the depth is used as the step",
        _each(lambda values, depth: np.trunc(values / depth) * depth if depth else values),
        "depth 1 means steps of 10, depth 2 of 100: how do you get the step?",
    ),
    ValueMistake(
        "the step is ten times the depth",
        _each(lambda values, depth: np.trunc(values / (10 * depth)) * 10 * depth),
        "depth 1 means steps of 10, depth 2 of 100: and depth 3?",
    ),
    ValueMistake(
        "one digit too many is cut",
        _each(lambda values, depth: np.trunc(values / 10 ** (depth + 1)) * 10 ** (depth + 1)),
        _DIGITS,
    ),
    ValueMistake(
        "one digit too few is cut",
        _each(lambda values, depth: np.trunc(values / 10.0 ** (depth - 1)) * 10.0 ** (depth - 1)),
        _DIGITS,
    ),
    ValueMistake(
        "every column gets the depth of the first",
        lambda p: changed(
            p,
            list(p["depths"]),
            lambda name, values: _one_by_one(values, next(iter(p["depths"].values()))),
        ),
        "which depth belongs to which column?",
    ),
    ValueMistake(
        "the middle of each step is shown",
        _each(lambda values, depth: np.floor(values / 10**depth) * 10**depth + 10**depth / 2),
        _DIGITS,
    ),
    ValueMistake(
        "a missing value becomes 0",
        _each(lambda values, depth: _one_by_one(values.fillna(0), depth)),
        "is somebody whose age is not known 0 years old?",
    ),
    *skipped_columns("depths", _one_by_one),
)


CLAIM = ValuesClaim(
    name="generalize",
    about="Check `generalize(table, *, depths)`: numbers without their last digits.",
    established="truncated toward zero, the other columns as they were",
    cases=_cases,
    arguments=_arguments,
    read=read,
    expected=_each(_one_by_one),
    mistakes=_MISTAKES,
    tolerance=TOLERANCE,
    show=show,
    situation=lambda p: f"a table of {_COUNT} rows, depths {p['depths']}",
)
