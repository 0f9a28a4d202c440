"""What several releases about the same people cost together: their epsilons add up."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims.composition._guarantees import as_epsilon, guarantee
from autograder.check.door import BadAnswer
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims

__all__ = ["CLAIM"]

CODES = {"add_remove": 1.0, "replace_one": 2.0}


def combined(combine: Callable[[list[float]], float], neighbors: str = ""):
    """Return a function that combines the epsilons so."""
    return lambda guarantees: guarantee(
        combine([each.epsilon for each in guarantees]), neighbors or guarantees[0].neighbors
    )


def sequential_composition(guarantees):
    """What a list of `PureDP` costs together."""
    return combined(math.fsum)(guarantees)


def read(answer: Any, given: dict) -> np.ndarray:
    """Return epsilon, and a code for the neighbors."""
    return np.array([as_epsilon(answer, "it"), CODES.get(answer.neighbors, 0.0)])


def situation(given: dict) -> str:
    epsilons = ", ".join(f"{each.epsilon:g}" for each in given["guarantees"])
    return f"epsilons {epsilons} for {' and '.join(sorted(neighbors_of(given)))}"


def neighbors_of(given: dict) -> set[str]:
    return {each.neighbors for each in given["guarantees"]}


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    if not math.isclose(wanted[0], came[0], rel_tol=1e-6):
        return f"together they cost {wanted[0]:.6g}, yours says {came[0]:.6g}"
    (neighbors,) = neighbors_of(given)
    return f"the epsilon is right; the neighbors should be {neighbors!r}"


SUMS = FunctionClaim(sequential_composition, read=read, situation=situation, show=show)


@SUMS.inputs
def eight(rng):
    """Lists of one guarantee, of different ones, and with some that repeat."""
    for place, number in enumerate((1, 2, 2, 3, 4, 5, 7, 9)):
        epsilons = rng.uniform(0.05, 1.6, number).round(2).tolist()
        if number > 2:
            epsilons[-1] = epsilons[0]
        neighbors = "replace_one" if place % 2 else "add_remove"
        yield {"guarantees": [guarantee(epsilon, neighbors) for epsilon in epsilons]}


ADD = "if one answer may multiply the odds by exp(epsilon), how far do two answers take them?"

SUMS.mistake(
    "the largest epsilon is taken, not the sum",
    "the releases are about the same people: which composition is that?",
    combined(max),
)
SUMS.mistake("the smallest epsilon is taken, not the sum", ADD, combined(min))
SUMS.mistake("the mean is taken, not the sum", ADD, combined(np.mean))
SUMS.mistake("the epsilons are multiplied", ADD, combined(math.prod))
SUMS.mistake(
    "the squares are added",
    "standard deviations add up like this; what do epsilons bound?",
    combined(lambda each: math.hypot(*each)),
)
SUMS.mistake(
    "only the last release counts",
    "does an answer stop telling something when the next one comes?",
    combined(lambda each: each[-1]),
)
SUMS.mistake(
    "only the first release counts",
    "on which pass through the loop does your function return?",
    combined(lambda each: each[0]),
)
SUMS.mistake(
    "equal guarantees are counted once",
    "what does a set do with two equal members?",
    combined(lambda each: sum(set(each))),
)
SUMS.mistake("the number of releases is returned", "what does each release cost?", combined(len))
SUMS.mistake(
    "every release is charged as the largest",
    "a bound, but not the best one: what does each release cost?",
    combined(lambda each: len(each) * max(each)),
)
SUMS.mistake(
    "the total is doubled",
    "which factor 2 in your code does the theorem not have?",
    combined(lambda each: 2 * sum(each)),
)
SUMS.mistake(
    "the factor exp(epsilon) is returned, not epsilon",
    "which number is the privacy loss: the factor, or its logarithm?",
    combined(lambda each: math.exp(sum(each))),
)
SUMS.mistake(
    "the neighbors are lost",
    "for which neighbors do the guarantees in the list hold?",
    combined(sum, neighbors="add_remove"),
)


def refused(function: Callable, guarantees: list) -> float:
    """Return 1 if the guarantees are refused with ValueError, else 0."""
    try:
        function(guarantees)
    except ValueError:
        return 1.0
    return 0.0


def refuses(guarantees):
    """Different neighbors are refused."""
    raise ValueError


def raise_unless_refused(answer: float, given: dict) -> float:
    if not answer:
        raise BadAnswer(
            "guarantees for different neighbors are added up",
            seen="a ValueError should come, yours returns something",
            ask="for which pairs of tables would the sum hold?",
        )
    return answer


REFUSALS = FunctionClaim(
    refuses, name=SUMS.name, use=refused, read=raise_unless_refused, situation=situation
)


@REFUSALS.inputs
def three(rng):
    """Lists whose guarantees hold for different neighbors."""
    for number in (2, 3, 5):
        neighbors = ["add_remove"] * number
        neighbors[int(rng.integers(1, number))] = "replace_one"
        epsilons = rng.uniform(0.05, 1.6, number).round(2).tolist()
        yield {"guarantees": list(map(guarantee, epsilons, neighbors))}


CLAIM = SeveralClaims(
    name=SUMS.name,
    about=SUMS.about,
    library=SUMS.name,
    established="epsilons add up, for one kind of neighbors: right at 11 inputs",
    parts=(SUMS, REFUSALS),
)
