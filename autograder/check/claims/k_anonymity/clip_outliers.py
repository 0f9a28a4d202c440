"""A table whose numbers outside of the bounds are moved to the nearer bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled
from autograder.check.claims.deidentification._tables import TOLERANCE, cells, frame
from autograder.check.claims.k_anonymity._columns import (
    changed,
    numbers,
    read,
    show,
    skipped_columns,
)
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_COUNT = 16


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six tables: one column, then several; bounds that cut low, high, both and nothing."""
    asked = [
        {"Age": (20, 60)},
        {"Level": (3, 16)},
        {"Age": (0, 55), "Level": (4, 12)},
        {"Balance": (-500, 800), "Age": (18, 200)},
        {"Level": (2, 1000)},
        {"Age": (25.5, 70.5), "Balance": (-100, 100), "Level": (5, 9)},
    ]
    return [_case(generator, bounds) for bounds in asked]


def _case(generator: np.random.Generator, bounds: dict[str, tuple]) -> dict:
    """Return a table with a few values far out on both sides, at a bound, and a missing one."""
    columns = people(generator, _COUNT)
    columns["Age"] = [*numbers(generator, 26, 54, _COUNT - 5), 1, 17, 93, 95, 60]
    columns["Level"] = [*map(int, generator.integers(5, 13, _COUNT - 4)), 0, 1, 15, 16]
    columns["Balance"] = [*map(int, generator.integers(-90, 90, _COUNT - 3)), -4000, 5000, 800]
    return {"table": shuffled(generator, columns), "bounds": bounds}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    return (frame(parameters["table"]),), {"bounds": dict(parameters["bounds"])}


def _each(change: Callable[[Any, float, float], Any]) -> Callable[[dict], np.ndarray]:
    """Return what comes if every column asked for becomes change(values, lower, upper)."""
    return lambda p: changed(
        p, list(p["bounds"]), lambda name, values: change(values, *p["bounds"][name])
    )


def _one_by_one(values: Any, lower: float, upper: float) -> list:
    """Return clipped numbers, worked out one by one; a missing value stays."""
    return [lower if v < lower else upper if v > upper else v for v in values]


def _inside(values: Any, lower: float, upper: float) -> Any:
    return (values >= lower) & (values <= upper)


def _rows_inside(parameters: dict, *, keep_missing: bool) -> np.ndarray:
    """Return the rows that have no value outside of the bounds."""
    table = frame(parameters["table"])
    for name, (lower, upper) in parameters["bounds"].items():
        inside = _inside(table[name], lower, upper)
        table = table[inside | table[name].isna()] if keep_missing else table[inside]
    return cells(table)


_BOTH = "where do values below the lower bound go, and where those above the upper one?"

_MISTAKES = (
    ValueMistake(
        "people outside of the bounds are left out",
        lambda p: _rows_inside(p, keep_missing=True),
        "should the table say that they do not exist, or that they are at the bound?",
    ),
    ValueMistake(
        "people outside of the bounds, or with a missing value, are left out",
        lambda p: _rows_inside(p, keep_missing=False),
        "should the table say that they do not exist, or that they are at the bound?",
    ),
    ValueMistake(
        "values outside of the bounds become missing",
        _each(lambda values, low, high: values.where(_inside(values, low, high))),
        _BOTH,
    ),
    ValueMistake(
        "values outside of the bounds become the mean",
        _each(
            lambda values, low, high: values.where(
                _inside(values, low, high) | values.isna(), values.mean()
            )
        ),
        _BOTH,
    ),
    ValueMistake(
        "values outside of the bounds become the median",
        _each(
            lambda values, low, high: values.where(
                _inside(values, low, high) | values.isna(), values.median()
            )
        ),
        _BOTH,
    ),
    ValueMistake(
        "values outside of the bounds become 0",
        _each(
            lambda values, low, high: values.where(_inside(values, low, high) | values.isna(), 0)
        ),
        _BOTH,
    ),
    ValueMistake(
        "values go to the bound that is further away",
        _each(
            lambda values, low, high: np.where(
                values < low, high, np.where(values > high, low, values)
            )
        ),
        _BOTH,
    ),
    ValueMistake(
        "only the upper bound is used",
        _each(lambda values, low, high: values.clip(upper=high)),
        "what about values that are too small?",
    ),
    ValueMistake(
        "only the lower bound is used",
        _each(lambda values, low, high: values.clip(lower=low)),
        "what about values that are too large?",
    ),
    ValueMistake(
        "every value becomes a bound",
        _each(lambda values, low, high: np.where(values > (low + high) / 2, high, low)),
        "what should happen to a value between the bounds?",
    ),
    ValueMistake(
        "every column gets the bounds of the first",
        lambda p: changed(
            p,
            list(p["bounds"]),
            lambda name, values: _one_by_one(values, *next(iter(p["bounds"].values()))),
        ),
        "which bounds belong to which column?",
    ),
    ValueMistake(
        "a missing value becomes the lower bound",
        _each(lambda values, low, high: values.fillna(low).clip(low, high)),
        "does a missing value lie outside of the bounds?",
    ),
    *skipped_columns("bounds", lambda values, bounds: _one_by_one(values, *bounds)),
)


CLAIM = ValuesClaim(
    name="clip_outliers",
    about="Check `clip_outliers(table, *, bounds)`: numbers moved to the nearer bound.",
    established="moved to the nearer bound, the other columns as they were",
    cases=_cases,
    arguments=_arguments,
    read=read,
    expected=_each(_one_by_one),
    mistakes=_MISTAKES,
    tolerance=TOLERANCE,
    show=show,
    situation=lambda p: f"a table of {_COUNT} rows, bounds {p['bounds']}",
)
