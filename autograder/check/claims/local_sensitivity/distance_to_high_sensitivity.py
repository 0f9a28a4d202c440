"""How many edits it takes until the clipped mean has a local sensitivity above a bound."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.claims.local_sensitivity._rows import (
    mean_sensitivity,
    mistaken_distance,
    tables_away,
)
from autograder.check.door import as_number
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return ten inputs: a distance in between, one of 0, none at all, and bounds just reached."""
    cases = []
    for size in (20, 25, 30):
        lower, width = int(generator.integers(10, 40)), int(generator.integers(60, 200))
        places = np.concatenate([generator.uniform(0.5, 0.9, size - 2), [1.3, -0.2]])
        rows = np.round(lower + width * generator.permutation(places), 1).tolist()
        given = {"values": rows, "lower": lower, "upper": lower + width, "neighbors": "add_remove"}
        for distance in (size // 4, size // 2):
            steps = [
                mean_sensitivity(rows, k, lower, lower + width, "add_remove")
                for k in (distance - 1, distance)
            ]
            # Well between two steps, so that no rounding decides.
            cases.append({**given, "bound": float(f"{sum(steps) / 2:.6g}")})
        first = mean_sensitivity(rows, 0, lower, lower + width, "add_remove")
        cases.append({**given, "bound": float(f"{first * 0.9:.4g}")})
    cases.append({**given, "bound": float(0.6 * (given["upper"] - given["lower"]))})
    # Whole numbers and halves: exactly at the bound is not above it.
    exact = {"values": [16.0, 16.0, 32.0, 48.0], "lower": 0, "upper": 64}
    cases.append({**exact, "neighbors": "replace_one", "bound": 16.0})
    cases.append({**exact, "neighbors": "replace_one", "bound": 14.5})
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    names = ("bound", "lower", "upper", "neighbors")
    return (np.array(parameters["values"]),), {name: parameters[name] for name in names}


def _read(answer: Any, parameters: dict) -> float:
    if isinstance(answer, Real) and abs(answer) == math.inf:
        return float(answer)
    return as_number(answer)


def _distance(p: dict, **changes) -> float:
    given = {**p, **changes}
    return tables_away(
        given["values"], given["bound"], given["lower"], given["upper"], given["neighbors"]
    )


def _reaching(p: dict) -> float:
    """Return the distance if a sensitivity equal to the bound counted as above it."""
    return _distance(p, bound=p["bound"] * (1 - 1e-12))


def _none_as(value):
    return lambda p: value(p) if _distance(p) == math.inf else _distance(p)


_WORST = "which rows, if they leave, make the rest as easy to move as possible?"

_MISTAKES = (
    ValueMistake(
        "it is the distance by the formula upper / (n - k + 1)",
        lambda p: mistaken_distance(len(p["values"]), p["upper"], p["bound"], 1),
        "take two rows, 0 and 100, and let one leave: how far does the mean move?",
    ),
    ValueMistake(
        "it is the distance by the bound (upper - lower) / (n - k)",
        lambda p: mistaken_distance(len(p["values"]), p["upper"] - p["lower"], p["bound"], 0),
        "a safe bound, but a smaller distance than the true one: " + _WORST,
    ),
    ValueMistake(
        "it is the distance by the bound (upper - lower) / (n - k + 1)",
        lambda p: mistaken_distance(len(p["values"]), p["upper"] - p["lower"], p["bound"], 1),
        _WORST,
    ),
    ValueMistake(
        "the distance is one too large",
        lambda p: _distance(p) + 1,
        "are these rows above the bound already? Then how many edits does it take?",
    ),
    ValueMistake(
        "the distance is one too small",
        lambda p: max(_distance(p) - 1, 0.0),
        "is the table at your distance above the bound, or the next one?",
    ),
    ValueMistake(
        "a sensitivity equal to the bound counts as above it",
        _reaching,
        "is `above` the same as `at least`?",
    ),
    ValueMistake(
        "it is the number of rows that are left",
        lambda p: len(p["values"]) - _distance(p),
        "what is counted, the rows that left or those that stayed?",
    ),
    ValueMistake(
        "where no table is above the bound, it is the number of rows",
        _none_as(lambda p: float(len(p["values"]))),
        "if no number of edits is enough, which value says so?",
    ),
    ValueMistake(
        "where no table is above the bound, it is the number of rows plus one",
        _none_as(lambda p: len(p["values"]) + 1.0),
        "if no number of edits is enough, which value says so?",
    ),
    ValueMistake(
        "where no table is above the bound, it is 0",
        _none_as(lambda p: 0.0),
        "if no number of edits is enough, is that near or far?",
    ),
    ValueMistake(
        "the local sensitivity is returned",
        lambda p: mean_sensitivity(p["values"], 0, p["lower"], p["upper"], p["neighbors"]),
        "what is asked for, a sensitivity or a number of edits?",
    ),
    ValueMistake(
        "the neighbors are always add_remove",
        lambda p: _distance(p, neighbors="add_remove"),
        "what may one edit do to the table, under these neighbors?",
    ),
    ValueMistake(
        "the rows are not clipped",
        lambda p: _distance(p, lower=min(p["lower"], *p["values"]), upper=max(p["values"])),
        "what happens to a row outside the interval?",
    ),
)

CLAIM = ValuesClaim(
    name="distance_to_high_sensitivity",
    about=(
        "Check `distance_to_high_sensitivity(values, *, bound, lower, upper, neighbors)`: the\n"
        "fewest edits after which the clipped mean has a local sensitivity above `bound`."
    ),
    established="the fewest edits to a local sensitivity above the bound",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_distance,
    mistakes=_MISTAKES,
    tolerance=1e-9,
    situation=lambda p: (
        f"{len(p['values'])} rows, [{p['lower']}, {p['upper']}], bound {p['bound']:g}, "
        f"{p['neighbors']}"
    ),
)
