"""How sensitive the median can become when some rows are replaced."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.local_sensitivity._rows import (
    clipped,
    median_sensitivity,
    outermost_sensitivity,
)
from autograder.check.values import ValueMistake, ValuesClaim, separated

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return fourteen inputs, drawn again in the rare case that the inner gaps never matter."""
    return separated(generator, _drawn, [_sensitivity, _by_the_outermost])


def _drawn(generator: np.random.Generator) -> list[dict]:
    """Return odd and even sizes, no row replaced, a few, all; one row; rows outside the domain."""
    cases = []
    sizes = ((5, 0), (6, 0), (7, 1), (8, 1), (9, 2), (10, 2), (11, 3), (12, 4), (13, 6), (14, 5))
    for size, distance in (*sizes, (7, 7), (8, 9), (1, 0), (2, 1)):
        lower, width = int(generator.integers(-40, 40)), int(generator.integers(60, 200))
        places = generator.uniform(0.1, 0.9, size)
        if size > 6:
            places[:3] = -0.3, 1.2, 1.4
        cases.append(
            {
                "values": np.round(lower + width * generator.permutation(places), 1).tolist(),
                "distance": distance,
                "lower": lower,
                "upper": lower + width,
            }
        )
    return cases


def _arguments(p: dict) -> tuple[tuple, dict]:
    keywords = {name: p[name] for name in ("distance", "lower", "upper")}
    return (np.array(p["values"]),), keywords


def _sensitivity(p: dict, **changes) -> float:
    p = {**p, **changes}
    return median_sensitivity(p["values"], p["distance"], p["lower"], p["upper"])


def _by_the_outermost(p: dict) -> float:
    return outermost_sensitivity(p["values"], p["distance"], p["lower"], p["upper"])


def _at(distance):
    return lambda p: _sensitivity(p, distance=max(0, distance(p)))


def _within_the_rows(p: dict) -> float:
    """Return the sensitivity as if nothing could lie beyond the first and the last row."""
    rows = clipped(p["values"], p["lower"], p["upper"])
    return _sensitivity(p, lower=rows[0], upper=rows[-1])


def _unclipped(p: dict) -> float:
    return _sensitivity(p, lower=min(p["lower"], *p["values"]), upper=max(p["upper"], *p["values"]))


def _not_halved(p: dict) -> float:
    return _sensitivity(p) * (1 if len(p["values"]) % 2 else 2)


_ENDS = "where does a replaced row go to do most harm?"
_STEPS = "take five rows and replace one: which two rows can then stand beside the median?"

_MISTAKES = (
    ValueMistake(
        "it is the local sensitivity of the rows themselves",
        _at(lambda p: 0),
        "what may happen before the last row moves?",
    ),
    ValueMistake(
        "it is the width of the domain",
        lambda p: float(p["upper"] - p["lower"]),
        "how many rows must be replaced until the median can cross the whole domain?",
    ),
    ValueMistake("one row too many is replaced", _at(lambda p: p["distance"] + 1), _STEPS),
    ValueMistake("one row too few is replaced", _at(lambda p: p["distance"] - 1), _STEPS),
    ValueMistake(
        "only the outermost two gaps are looked at",
        _by_the_outermost,
        "may some of the replaced rows go up and the others down?",
    ),
    ValueMistake("the ends of the domain are left out", _within_the_rows, _ENDS),
    ValueMistake(
        "the half for an even number of rows is missing",
        _not_halved,
        "the median of an even number of rows is a mean of two: how many of the two move?",
    ),
    ValueMistake(
        "the half for an even number of rows is taken for every number",
        lambda p: (
            median_sensitivity(p["values"], p["distance"], p["lower"], p["upper"])
            / (2 if len(p["values"]) % 2 else 1)
        ),
        "how many rows are in the middle of five?",
    ),
    ValueMistake("the rows are not clipped", _unclipped, "what happens to a row outside?"),
    ValueMistake(
        "the local sensitivity grows in proportion to the rows replaced",
        lambda p: _sensitivity(p, distance=0) * (p["distance"] + 1),
        "are all gaps between rows equally wide?",
    ),
)

CLAIM = ValuesClaim(
    name="local_sensitivity_at_distance",
    about=(
        "Check `local_sensitivity_at_distance(values, *, distance, lower, upper)`: how far one\n"
        "row can move the median after `distance` rows have been replaced."
    ),
    established="the largest move of the median, over all tables as far away",
    cases=_cases,
    arguments=_arguments,
    expected=_sensitivity,
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: (
        f"values {p['values']}, distance {p['distance']}, domain [{p['lower']}, {p['upper']}]"
    ),
)
