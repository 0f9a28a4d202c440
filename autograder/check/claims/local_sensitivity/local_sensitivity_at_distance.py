"""The largest local sensitivity of the clipped mean, some edits away from the rows at hand."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.local_sensitivity._rows import clipped, mean_sensitivity
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return sixteen inputs: rows high or low in the interval, distances from 0 to beyond n."""
    cases = []
    for neighbors, size, distances in (
        *(("add_remove", size, (0, 1, size // 2, size - 1)) for size in (6, 9)),
        ("add_remove", 7, (0, 1, 3, 12)),
        ("replace_one", 8, (0, 1, 3, 12)),
    ):
        lower, width = int(generator.integers(10, 40)), int(generator.integers(60, 200))
        # The rows crowd one end of the interval, and rows leave there. In some tables two rows lie
        # outside; in the others nobody is at an end.
        outside = [] if size in (8, 9) else [1.4, -0.2]
        places = np.concatenate([generator.uniform(0.55, 0.95, size - len(outside)), outside])
        if size % 2:
            places = 1 - places
        rows = np.round(lower + width * generator.permutation(places), 1)
        given = {"values": rows.tolist(), "lower": lower, "upper": lower + width}
        cases += [{**given, "neighbors": neighbors, "distance": k} for k in distances]
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    names = ("distance", "lower", "upper", "neighbors")
    return (np.array(parameters["values"]),), {name: parameters[name] for name in names}


def _sensitivity(p: dict, **changes) -> float:
    given = {**p, **changes}
    return mean_sensitivity(
        given["values"], given["distance"], given["lower"], given["upper"], given["neighbors"]
    )


def _quotient(above: float, below: float) -> float:
    """Return a quotient as numpy gives it: infinite where nothing is left in the denominator."""
    return above / below if below else math.inf


def _left(p: dict) -> tuple[list[float], list[float]]:
    """Return the rows that are left without the largest, and without the smallest."""
    rows = clipped(p["values"], p["lower"], p["upper"])
    return rows[: max(len(rows) - p["distance"], 0)], rows[p["distance"] :]


def _of_one_table(p: dict, side: int) -> float:
    """Return the local sensitivity of what is left on one side."""
    rows = _left(p)[side]
    if p["neighbors"] == "replace_one" or not rows:
        return _sensitivity(p)
    return _sensitivity(p, values=rows, distance=0)


def _joining(p: dict) -> float:
    """Return the largest move if the last edit can only be a row that joins."""
    if p["neighbors"] == "replace_one" or not _left(p)[0]:
        return _sensitivity(p)
    ends = p["upper"], p["lower"]
    return max(
        abs(end - sum(rows) / len(rows)) / (len(rows) + 1)
        for rows, end in zip(_left(p), ends, strict=True)
    )


_ROWS = "which rows must leave, so that one more row moves the mean most?"
_EDITS = "what may one edit do to the table, under these neighbors?"

_MISTAKES = (
    ValueMistake(
        "it is upper / (n - k + 1), as if rows could only join",
        lambda p: _quotient(p["upper"], len(p["values"]) - p["distance"] + 1),
        "take two rows, 0 and 100, and let one leave: how far does the mean move?",
    ),
    ValueMistake(
        "it is upper / (n - k)",
        lambda p: _quotient(p["upper"], len(p["values"]) - p["distance"]),
        "with lower > 0, can a row really move by `upper`? And " + _ROWS,
    ),
    ValueMistake(
        "it is the bound (upper - lower) / (n - k)",
        lambda p: _quotient(p["upper"] - p["lower"], len(p["values"]) - p["distance"]),
        _ROWS,
    ),
    ValueMistake(
        "it is the bound (upper - lower) / (n - k + 1)",
        lambda p: _quotient(p["upper"] - p["lower"], len(p["values"]) - p["distance"] + 1),
        _ROWS,
    ),
    ValueMistake(
        "it is (upper - lower) / n",
        lambda p: (p["upper"] - p["lower"]) / len(p["values"]),
        "what changes when rows leave first?",
    ),
    ValueMistake(
        "the distance is ignored",
        lambda p: _sensitivity(p, distance=0),
        "what changes when rows leave first?",
    ),
    ValueMistake(
        "the distance is one too large",
        lambda p: _sensitivity(p, distance=p["distance"] + 1),
        "how many rows are left after k edits, and which edit is the one that is measured?",
    ),
    ValueMistake(
        "only rows that join are looked at",
        _joining,
        "may the last edit also be a row that leaves?",
    ),
    ValueMistake(
        "only the largest rows are taken away",
        lambda p: _of_one_table(p, 0),
        "the mean can move up or down: which rows leave first, in each case?",
    ),
    ValueMistake(
        "only the smallest rows are taken away",
        lambda p: _of_one_table(p, 1),
        "the mean can move up or down: which rows leave first, in each case?",
    ),
    ValueMistake(
        "the rows are not clipped",
        lambda p: _sensitivity(p, lower=min(p["lower"], *p["values"]), upper=max(p["values"])),
        "what happens to a row outside the interval?",
    ),
    ValueMistake(
        "the neighbors are always add_remove",
        lambda p: _sensitivity(p, neighbors="add_remove"),
        _EDITS,
    ),
    ValueMistake(
        "the neighbors are always replace_one",
        lambda p: _sensitivity(p, neighbors="replace_one"),
        _EDITS,
    ),
    ValueMistake(
        "an empty table moves by the whole width",
        lambda p: (
            p["upper"] - p["lower"]
            if p["neighbors"] == "add_remove" and p["distance"] >= len(p["values"])
            else _sensitivity(p)
        ),
        "the mean of no rows is the middle of the interval: how far is it to an end?",
    ),
)

CLAIM = ValuesClaim(
    name="local_sensitivity_at_distance",
    about=(
        "Check `local_sensitivity_at_distance(values, *, distance, lower, upper, neighbors)`: the\n"
        "largest local sensitivity of the clipped mean, `distance` edits away; one distance a call."
    ),
    established="the largest move of the mean, after so many edits",
    cases=_cases,
    arguments=_arguments,
    expected=_sensitivity,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"values {p['values']}, [{p['lower']}, {p['upper']}], distance {p['distance']}, "
        f"{p['neighbors']}"
    ),
)
