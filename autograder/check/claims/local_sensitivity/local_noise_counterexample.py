"""Break it: a median with noise scaled to its local sensitivity gives the answer away."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.check.counterexample import CounterexampleClaim
from autograder.check.door import BadAnswer, as_number
from autograder.check.words import number

__all__ = ["CLAIM", "release_probability"]

# One table releases a number in the interval this much more often than exp(epsilon) times the
# other: no delta below one half would excuse it.
_LEAST_DELTA = 0.5
# Medians and sensitivities are exact fractions, probabilities are off by less than 1e-14, and
# exp(epsilon) is below 21: the margin is rigorous.
_MARGIN = 1e-9
_MOST_ROWS = 1000


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six inputs: epsilon from 0.1 to 3, domains that begin below and above 0."""
    cases = []
    for low, high in ((0.1, 0.3), (0.3, 0.6), (0.6, 1.0), (1.0, 1.5), (1.5, 2.0), (2.0, 3.0)):
        lower = int(generator.integers(-50, 50))
        cases.append(
            {
                "epsilon": round(generator.uniform(low, high), 2),
                "lower": lower,
                "upper": lower + int(generator.integers(20, 200)),
            }
        )
    return cases


def _median(rows: list[Fraction]) -> Fraction:
    ordered, half = sorted(rows), len(rows) // 2
    return ordered[half] if len(rows) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _local_sensitivity(rows: list[Fraction], lower: int, upper: int) -> Fraction:
    """Return the largest move of the median when one row is replaced.

    By the definition; equal rows leave equal tables, so each value is taken out once.
    """
    here, moves = _median(rows), []
    for value in set(rows):
        rest = list(rows)
        rest.remove(value)
        moves += [abs(_median([*rest, Fraction(end)]) - here) for end in (lower, upper)]
    return max(moves)


def release_probability(
    rows: list[Fraction], low: float, high: float, *, lower: int, upper: int, epsilon: float
) -> float:
    """Return Pr(low <= median + noise <= high), for Laplace noise of scale LS / epsilon.

    A local sensitivity of 0 means no noise.
    """
    median, sensitivity = _median(rows), _local_sensitivity(rows, lower, upper)
    if not sensitivity:
        return float(low <= median <= high)
    below, above = (_tail(end, median, sensitivity, epsilon) for end in (low, high))
    return above - below


def _tail(end: float, median: Fraction, sensitivity: Fraction, epsilon: float) -> float:
    """Return Pr(median + noise <= end)."""
    if math.isinf(end):
        return float(end > 0)
    distance = float((Fraction(end) - median) / sensitivity) * epsilon
    return 1 - math.exp(-distance) / 2 if distance > 0 else math.exp(distance) / 2


def _verify(parameters: dict, answer: Any) -> None:
    rows, neighbor, low, high = _parts(answer, parameters)
    _raise_unless_neighbors(rows, neighbor)
    one, other = (release_probability(each, low, high, **parameters) for each in (rows, neighbor))
    factor = math.exp(parameters["epsilon"])
    if one > factor * other + _LEAST_DELTA + _MARGIN:
        return
    seen = (
        f"its probabilities are {number(one)} and {number(other)}; the first must exceed "
        f"exp(epsilon) = {number(factor)} times the second, plus {_LEAST_DELTA}"
    )
    if other > factor * one + _LEAST_DELTA + _MARGIN:
        raise BadAnswer(
            "the two tables are in the wrong order",
            seen=seen,
            ask="which of the two tables makes this interval likelier? That one comes first.",
        )
    ends = parameters["lower"], parameters["upper"]
    local = " and ".join(
        number(float(_local_sensitivity(each, *ends))) for each in (rows, neighbor)
    )
    raise BadAnswer(
        "the interval does not tell the two tables apart well enough",
        seen=f"{seen}. The local sensitivities are {local}",
        ask="is there a table whose median no single row can move? How much noise does it get?",
    )


def _raise_unless_neighbors(rows: list[Fraction], neighbor: list[Fraction]) -> None:
    rest = list(neighbor)
    for row in rows:
        if row in rest:
            rest.remove(row)
    if len(rows) != len(neighbor) or len(rest) != 1:
        raise BadAnswer(
            "the two tables are not neighbors",
            seen=f"they have {len(rows)} and {len(neighbor)} rows, and {len(rest)} rows of the "
            "second are not in the first; exactly one must be replaced",
            ask="what may differ between neighbors under replace_one?",
        )


def _parts(answer: Any, parameters: dict) -> tuple[list, list, float, float]:
    """Return two tables and two ends, or raise BadAnswer."""
    parts = list(answer) if isinstance(answer, tuple | list) else None
    if parts is None or len(parts) != 4:
        came = type(answer).__name__ if parts is None else f"{len(parts)} values"
        raise BadAnswer(
            "four values are wanted: values, neighbor_values, low, high",
            seen="it returned nothing" if answer is None else f"it returned {came}",
            ask="does your function end in `return values, neighbor_values, low, high`?",
        )
    rows, neighbor = (_table(part, parameters) for part in parts[:2])
    low, high = (_end(part) for part in parts[2:])
    if low > high:
        raise BadAnswer(
            "the interval is empty",
            seen=f"you gave the interval from {low:g} to {high:g}",
            ask="which end of the interval comes first?",
        )
    return rows, neighbor, low, high


def _table(part: Any, parameters: dict) -> list[Fraction]:
    if isinstance(part, str) or not hasattr(part, "__len__") or not 1 <= len(part) <= _MOST_ROWS:
        raise BadAnswer(
            f"a table is a list of 1 to {_MOST_ROWS} numbers",
            seen=f"you gave {part!r}"[:100],
            ask="what are the rows of your table?",
        )
    rows = [Fraction(as_number(row)) for row in part]
    outside = [row for row in rows if not parameters["lower"] <= row <= parameters["upper"]]
    if outside:
        raise BadAnswer(
            "a row lies outside the domain",
            seen=f"you gave a row {float(outside[0]):g}",
            ask="between which two numbers do all rows lie?",
        )
    return rows


def _end(part: Any) -> float:
    return float(part) if isinstance(part, float) and math.isinf(part) else as_number(part)


CLAIM = CounterexampleClaim(
    name="local_noise_counterexample",
    about=(
        "Check `local_noise_counterexample(epsilon, *, lower, upper)`: neighbors (replace_one)\n"
        "that a median with Laplace noise of scale (local sensitivity) / epsilon gives away.\n\n"
        "The function returns (values, neighbor_values, low, high): two tables of rows between\n"
        "lower and upper, and an interval that holds the release of `values` with a probability\n"
        "above exp(epsilon) times that of `neighbor_values`, plus 0.5."
    ),
    established="the interval tells the two tables apart, by more than exp(epsilon) and 0.5",
    cases=_cases,
    arguments=lambda p: ((p["epsilon"],), {"lower": p["lower"], "upper": p["upper"]}),
    verify=_verify,
    situation=lambda p: f"epsilon {p['epsilon']}, domain [{p['lower']}, {p['upper']}]",
)
