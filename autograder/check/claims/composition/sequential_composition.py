"""What several releases about the same people cost together: their epsilons add up."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims.composition._guarantees import as_epsilon, guarantee
from autograder.check.door import BadAnswer
from autograder.check.several import SeveralClaims
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_CODES = {"add_remove": 1.0, "replace_one": 2.0}


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return eight lists: of one guarantee, of different ones, and with some that repeat."""
    cases = []
    for number in (1, 2, 2, 3, 4, 5, 7, 9):
        epsilons = generator.uniform(0.05, 1.6, number).round(2).tolist()
        if number > 2:
            epsilons[-1] = epsilons[0]
        neighbors = "replace_one" if len(cases) % 2 else "add_remove"
        cases.append({"epsilons": epsilons, "neighbors": [neighbors] * number})
    return cases


def _mixed_cases(generator: np.random.Generator) -> list[dict]:
    """Return three lists whose guarantees hold for different neighbors."""
    cases = []
    for number in (2, 3, 5):
        neighbors = ["add_remove"] * number
        neighbors[int(generator.integers(1, number))] = "replace_one"
        cases.append(
            {
                "epsilons": generator.uniform(0.05, 1.6, number).round(2).tolist(),
                "neighbors": neighbors,
            }
        )
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    pairs = zip(parameters["epsilons"], parameters["neighbors"], strict=True)
    return ([guarantee(*pair) for pair in pairs],), {}


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return epsilon, and a code for the neighbors."""
    epsilon = as_epsilon(answer, "it")
    return np.array([epsilon, _CODES.get(answer.neighbors, 0.0)])


def _of(combine: Callable[[list[float]], float], *, neighbors: str = "") -> Callable:
    """Return the value of an answer that combines the epsilons so."""

    def value(parameters: dict) -> np.ndarray:
        kept = neighbors or parameters["neighbors"][0]
        return np.array([combine(parameters["epsilons"]), _CODES[kept]])

    return value


def _refusal(function: Callable, guarantees: list) -> float:
    """Return 1 if the guarantees are refused with ValueError, else 0."""
    try:
        function(guarantees)
    except ValueError:
        return 1.0
    return 0.0


_ADD = "if one answer may multiply the odds by exp(epsilon), how far do two answers take them?"
_MISTAKES = (
    ValueMistake(
        "the largest epsilon is taken, not the sum",
        _of(max),
        "the releases are about the same people: which composition is that?",
    ),
    ValueMistake("the smallest epsilon is taken, not the sum", _of(min), _ADD),
    ValueMistake("the mean is taken, not the sum", _of(np.mean), _ADD),
    ValueMistake("the epsilons are multiplied", _of(math.prod), _ADD),
    ValueMistake(
        "the squares are added",
        _of(lambda each: math.hypot(*each)),
        "standard deviations add up like this; what do epsilons bound?",
    ),
    ValueMistake(
        "only the last release counts",
        _of(lambda each: each[-1]),
        "does an answer stop telling something when the next one comes?",
    ),
    ValueMistake(
        "only the first release counts",
        _of(lambda each: each[0]),
        "on which pass through the loop does your function return?",
    ),
    ValueMistake(
        "equal guarantees are counted once",
        _of(lambda each: sum(set(each))),
        "what does a set do with two equal members?",
    ),
    ValueMistake(
        "the number of releases is returned",
        _of(len),
        "what does each release cost?",
    ),
    ValueMistake(
        "every release is charged as the largest",
        _of(lambda each: len(each) * max(each)),
        "a bound, but not the best one: what does each release cost?",
    ),
    ValueMistake(
        "the total is doubled",
        _of(lambda each: 2 * sum(each)),
        "which factor 2 in your code does the theorem not have?",
    ),
    ValueMistake(
        "the factor exp(epsilon) is returned, not epsilon",
        _of(lambda each: math.exp(sum(each))),
        "which number is the privacy loss: the factor, or its logarithm?",
    ),
    ValueMistake(
        "the neighbors are lost",
        _of(sum, neighbors="add_remove"),
        "for which neighbors do the guarantees in the list hold?",
    ),
)


def _situation(parameters: dict) -> str:
    epsilons = ", ".join(f"{epsilon:g}" for epsilon in parameters["epsilons"])
    return f"epsilons {epsilons} for {' and '.join(sorted(set(parameters['neighbors'])))}"


def _show(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    if not math.isclose(wanted[0], came[0], rel_tol=1e-6):
        return f"together they cost {wanted[0]:.6g}, yours says {came[0]:.6g}"
    return f"the epsilon is right; the neighbors should be {parameters['neighbors'][0]!r}"


def _raise_unless_refused(answer: float, parameters: dict) -> float:
    if not answer:
        raise BadAnswer(
            "guarantees for different neighbors are added up",
            seen="a ValueError should come, yours returns something",
            ask="for which pairs of tables would the sum hold?",
        )
    return answer


_ABOUT = "Check `sequential_composition(guarantees)`: what a list of `PureDP` costs together."
_SUMS = ValuesClaim(
    name="sequential_composition",
    established="epsilons add up",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_of(math.fsum),
    mistakes=_MISTAKES,
    situation=_situation,
    show=_show,
)
_REFUSALS = ValuesClaim(
    name="sequential_composition",
    established="different neighbors are refused",
    cases=_mixed_cases,
    arguments=_arguments,
    use=_refusal,
    read=_raise_unless_refused,
    expected=lambda parameters: 1.0,
    mistakes=(),
    situation=_situation,
)

CLAIM = SeveralClaims(
    name="sequential_composition",
    about=_ABOUT,
    library="sequential_composition",
    established="epsilons add up, for one kind of neighbors: right at 11 inputs",
    parts=(_SUMS, _REFUSALS),
)
