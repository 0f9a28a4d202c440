"""How far one row can move the median of the rows at hand."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.local_sensitivity._rows import clipped, median_moves
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return twelve inputs: odd and even sizes, both neighbors, rows outside the domain."""
    cases = []
    for neighbors in ("replace_one", "add_remove"):
        for size in (5, 6, 9, 8, 3, 2):
            lower, width = int(generator.integers(-40, 40)), int(generator.integers(60, 200))
            # Some rows lie outside the domain; in the table of three, the middle one.
            places = generator.uniform(-0.3, 1.3, size)
            if size == 3:
                places = np.array([1.35, 0.4, 1.2]) + generator.uniform(-0.1, 0.1, 3)
            given = {"lower": lower, "upper": lower + width, "neighbors": neighbors}
            cases.append({**given, "values": np.round(lower + width * places, 1).tolist()})
    return [_turned(case, upward=bool(place % 2)) for place, case in enumerate(cases)]


def _turned(case: dict, *, upward: bool) -> dict:
    """Return the case, or its mirror image, so that the larger move is the wanted one."""
    down, up = _moves(case)
    if (up >= down) == upward:
        return case
    mirrored = [round(case["lower"] + case["upper"] - row, 1) for row in case["values"]]
    return {**case, "values": mirrored}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("lower", "upper", "neighbors")}
    return (np.array(parameters["values"]),), keywords


def _moves(p: dict, **changes) -> tuple[float, float]:
    given = {"rows": _rows(p), **p, **changes}
    return median_moves(given["rows"], given["lower"], given["upper"], given["neighbors"])


def _rows(p: dict) -> list[float]:
    return clipped(p["values"], p["lower"], p["upper"])


def _gaps_beside_the_median(p: dict) -> tuple[float, float]:
    """Return the gaps below and above the upper middle row, beyond the last row none."""
    rows, middle = _rows(p), len(p["values"]) // 2
    above = rows[middle + 1] - rows[middle] if middle + 1 < len(rows) else 0.0
    return (rows[middle] - rows[middle - 1] if middle else 0.0), above


def _unsorted(p: dict) -> float:
    rows, middle = [min(max(v, p["lower"]), p["upper"]) for v in p["values"]], len(p["values"]) // 2
    gaps = np.abs(np.diff(rows))
    return float(max(gaps[middle - 1 : middle + 1]))


_GLOBAL = "that is what any rows may do: how far can one row move the median of these?"
_BOTH = "in which directions can one row move the median?"

_MISTAKES = (
    ValueMistake("it is the width of the domain", lambda p: p["upper"] - p["lower"], _GLOBAL),
    ValueMistake(
        "it is half of the width of the domain", lambda p: (p["upper"] - p["lower"]) / 2, _GLOBAL
    ),
    ValueMistake(
        "it is the range of the rows",
        lambda p: max(p["values"]) - min(p["values"]),
        "may a new row lie outside the rows that are there? How far does the median move then?",
    ),
    ValueMistake(
        "it is the range of the clipped rows",
        lambda p: _rows(p)[-1] - _rows(p)[0],
        "how far does the *median* move when one row does?",
    ),
    ValueMistake("only moves upward are looked at", lambda p: _moves(p)[1], _BOTH),
    ValueMistake("only moves downward are looked at", lambda p: _moves(p)[0], _BOTH),
    ValueMistake("the smaller of the two moves is returned", lambda p: min(_moves(p)), _BOTH),
    ValueMistake(
        "the moves in both directions are added up",
        lambda p: sum(_moves(p)),
        "one row moves once: in one direction or the other?",
    ),
    ValueMistake(
        "the neighbors are always replace_one",
        lambda p: max(_moves(p, neighbors="replace_one")),
        'what may one person do to the table under neighbors="add_remove"?',
    ),
    ValueMistake(
        "the neighbors are always add_remove",
        lambda p: max(_moves(p, neighbors="add_remove")),
        'what may one person do to the table under neighbors="replace_one"?',
    ),
    ValueMistake(
        "the rows are not clipped",
        lambda p: max(_moves(p, rows=p["values"])),
        "what happens to a row outside the domain?",
    ),
    ValueMistake(
        "the larger gap beside one middle row is returned",
        lambda p: max(_gaps_beside_the_median(p)),
        "what is the median of an even number of rows? And which rows may come or go?",
    ),
    ValueMistake(
        "the rows are not sorted",
        _unsorted,
        "which row is in the middle?",
    ),
)

CLAIM = ValuesClaim(
    name="local_sensitivity_median",
    about=(
        "Check `local_sensitivity_median(values, *, lower, upper, neighbors)`: how far one row\n"
        "moves the median of these rows, each clipped into [lower, upper]."
    ),
    established="the largest move of the median, over all neighbors of these rows",
    cases=_cases,
    arguments=_arguments,
    expected=lambda p: max(_moves(p)),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: (
        f"values {p['values']}, domain [{p['lower']}, {p['upper']}], {p['neighbors']}"
    ),
)
