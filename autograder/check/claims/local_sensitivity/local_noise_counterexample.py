"""Break it: a median with noise scaled to its local sensitivity gives the answer away."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number, parts_of
from autograder.check.claims.local_sensitivity._rows import median_of
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

# Medians and sensitivities are exact fractions, probabilities are off by less than 1e-14, and
# exp(epsilon) is below 404: the margin is rigorous.
_MARGIN = 1e-9
# The delta asked for is this share of what two tables of the least sensitivity can reach.
_SHARE = 0.8
_MOST_ROWS = 1000
# The wide interval that is best at a small epsilon tells nothing at a large one.
_SMALL = ((0.1, 0.2), (0.2, 0.4), (0.4, 0.7), (0.7, 1.0), (1.0, 1.5), (1.5, 2.0))
_LARGE = ((2.6, 3.2), (3.2, 4.0), (5.0, 6.0))


def _cases(generator: np.random.Generator) -> Iterator[dict]:
    """Return nine inputs: epsilon from 0.1 to 6, small and large deltas, odd numbers of rows."""
    for low, high in (*_SMALL, *_LARGE):
        lower, width = int(generator.integers(-50, 50)), int(generator.integers(20, 200))
        epsilon = round(generator.uniform(low, high), 2)
        # Where exp(epsilon) is large, two sensitivities must differ by as much to be told apart.
        share = generator.uniform(0.005, 0.02)
        if low >= 2:
            share = min(generator.uniform(0.2, 0.4) * math.exp(-epsilon), 0.02)
        least = float(f"{width * share:.2g}")
        reach = _largest_excess(least, width, epsilon)
        yield {
            "epsilon": epsilon,
            "delta": round(_SHARE * reach * generator.uniform(0.5, 1), 3),
            "size": 2 * int(generator.integers(1, 6)) + 1,
            "least": least,
            "lower": lower,
            "upper": lower + width,
        }


def _largest_excess(least: float, width: int, epsilon: float) -> float:
    """Return what two tables reach whose sensitivities are `least` and nearly `width`.

    The interval reaches c scales of the smaller noise to either side of the median: it holds the
    one release with probability 1 - exp(-c), the other with about 1 - exp(-c * least / width).
    """
    scales = np.linspace(0.1, 12, 200)
    other = -np.expm1(-scales * least / (width - least))
    return float(np.max(-np.expm1(-scales) - np.exp(epsilon) * other))


def _local_sensitivity(rows: list[Fraction], lower: int, upper: int) -> Fraction:
    """Return the largest move of the median when one row is replaced.

    By the definition; equal rows leave equal tables, so each value is taken out once.
    """
    here, moves = median_of(rows), []
    for value in set(rows):
        rest = list(rows)
        rest.remove(value)
        moves += [abs(median_of([*rest, Fraction(end)]) - here) for end in (lower, upper)]
    return max(moves)


def release_probability(
    rows: list[Fraction],
    low: float,
    high: float,
    *,
    lower: int,
    upper: int,
    epsilon: float,
) -> float:
    """Return Pr(low <= median + noise <= high), for Laplace noise of scale LS / epsilon.

    A local sensitivity of 0 means no noise.
    """
    median, sensitivity = median_of(rows), _local_sensitivity(rows, lower, upper)
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
    _raise_if_too_kind(rows, neighbor, parameters)
    law = {name: parameters[name] for name in ("lower", "upper", "epsilon")}
    one, other = (release_probability(each, low, high, **law) for each in (rows, neighbor))
    factor, delta = math.exp(parameters["epsilon"]), parameters["delta"]
    if one > factor * other + delta + _MARGIN:
        return
    seen = (
        f"its probabilities are {number(one)} and {number(other)}; the first must exceed "
        f"exp(epsilon) = {number(factor)} times the second, plus {delta}"
    )
    if other > factor * one + delta + _MARGIN:
        raise BadAnswer(
            "the two tables are in the wrong order",
            seen=seen,
            ask="which of the two tables makes this interval likelier? That one comes first.",
        )
    ask = "how small and how large can the two sensitivities be? How wide should the interval be, "
    ask += "in scales of the smaller noise?"
    if 1 / 4 < one <= 1 / 2:
        ask = "how much of a table's law can lie on one side of its median? And which of the two "
        ask += "tables has nearly all of its law in a short interval?"
    local = " and ".join(number(float(each)) for each in _moves(rows, neighbor, parameters))
    raise BadAnswer(
        "the interval does not tell the two tables apart well enough",
        seen=f"{seen}. The local sensitivities are {local}",
        ask=ask,
    )


def _moves(rows: list[Fraction], neighbor: list[Fraction], parameters: dict) -> list[Fraction]:
    ends = parameters["lower"], parameters["upper"]
    return [_local_sensitivity(each, *ends) for each in (rows, neighbor)]


def _raise_if_too_kind(rows: list[Fraction], neighbor: list[Fraction], parameters: dict) -> None:
    """Raise BadAnswer for a table with (nearly) no noise: that would be too easy."""
    smallest = float(min(_moves(rows, neighbor, parameters)))
    # A distance computed in floats may fall short of `least` by a few units of rounding.
    if smallest < parameters["least"] * (1 - 1e-9):
        raise BadAnswer(
            "a table has a smaller local sensitivity than is allowed",
            seen=f"one of yours is {number(smallest)}, and at least {parameters['least']:g} is "
            "asked for",
            ask="how far must the rows beside the median be from it?",
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
    parts = parts_of(answer, "four values", "values, neighbor_values, low, high")
    rows, neighbor = (_table(part, parameters) for part in parts[:2])
    if len(rows) != parameters["size"]:
        raise BadAnswer(
            "the first table has the wrong number of rows",
            seen=f"you gave {len(rows)} rows; {parameters['size']} are wanted",
            ask="how many rows has each of your two tables?",
        )
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
    about=(
        "Check `local_noise_counterexample(epsilon, delta, *, size, least, lower, upper)`:\n"
        "neighbors (replace_one) that a median with Laplace noise of scale\n"
        "(local sensitivity) / epsilon gives away.\n\n"
        "The function returns (values, neighbor_values, low, high): two tables of `size` rows\n"
        "between lower and upper, each with a local sensitivity of at least `least`, and an\n"
        "interval that holds the release of `values` with a probability above exp(epsilon) times\n"
        "that of `neighbor_values`, plus delta."
    ),
    established="the interval tells the two tables apart, by more than exp(epsilon) and delta",
    cases=_cases,
    verify=_verify,
    situation=lambda p: (
        f"epsilon {p['epsilon']}, delta {p['delta']}, {p['size']} rows, least {p['least']:g}, "
        f"domain [{p['lower']}, {p['upper']}]"
    ),
)
