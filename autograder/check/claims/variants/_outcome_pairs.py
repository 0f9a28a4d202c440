"""Two laws of the same outcomes: the inputs of the divergences, and how their answers are read."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number

# By the name of the laws that do not give an outcome: their places.
WITHOUT = {"first": [0], "second": [1], "both": [0, 1]}
_NEITHER = "an outcome that neither law gives: what do 0 / 0 and 0 * inf become in numpy?"
_NO_NUMBER = "which step divides 0 by 0, takes infinity from infinity, or the log of less than 0?"


def draw_pairs(generator: np.random.Generator) -> list[dict]:
    """Return eleven pairs of laws.

    In some, an outcome has probability 0 under the first law, the second (then the divergence is
    infinite) or both; in the last two the second law gives as many outcomes as the first, or more,
    and not all of the first's. In most the largest ratio and the smallest are far from reciprocal.
    Of some law the sum is not quite 1, by rounding: who divides by it in place changes it.
    """
    while True:
        cases = _drawn(generator)
        if any(law.sum() != 1 for pair in cases for law in pair.values()):
            return cases


def _drawn(generator: np.random.Generator) -> list[dict]:
    cases = [_pair(generator, outcomes) for outcomes in (2, 3, 5, 8)]
    # In these two the second law's largest ratio to the first is the larger one.
    cases[1:3] = [{"first": p["second"], "second": p["first"]} for p in cases[1:3]]
    cases += [_pair(generator, 5, zeros=zeros) for zeros in (("first",), ("both",))]
    cases += [_pair(generator, 6, zeros=("first", "both"))]
    infinite = (4, ("second",)), (5, ("both", "second"))
    infinite += (5, ("second", "first")), (6, ("first", "second", "first"))
    return cases + [_pair(generator, outcomes, zeros) for outcomes, zeros in infinite]


def _pair(generator: np.random.Generator, outcomes: int, zeros: tuple[str, ...] = ()) -> dict:
    weights = generator.uniform(2.5, 6, (2, outcomes))
    # The first law gives one outcome often, which the second seldom gives.
    weights[:, 0] = generator.uniform(8, 12), generator.uniform(0.8, 1.5)
    for place, kind in enumerate(zeros, start=1):
        weights[WITHOUT[kind], place] = 0
    order = generator.permutation(outcomes)
    first, second = (law[order] for law in rounded_laws(weights, 3))
    return {"first": first, "second": second}


def rounded_laws(weights: np.ndarray, decimals: int) -> list[np.ndarray]:
    """Return the laws of few decimals, so that a sentence can state them, of rows of weights."""
    laws = [[round(float(each), decimals) for each in row / row.sum()] for row in weights]
    for law in laws:
        # The largest takes what is left.
        law[law.index(max(law))] += 1 - math.fsum(law)
    return [np.round(np.array(law), decimals) for law in laws]


def on_both(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the laws on the outcomes that both give."""
    both = (first > 0) & (second > 0)
    return first[both], second[both]


def read_divergence(answer: Any, given: dict) -> float:
    """Return the answer as a float; infinity is one of the right ones."""
    value = answer
    if isinstance(answer, np.ndarray) and answer.size == 1:
        value = answer.reshape(-1)[0]
    if isinstance(value, float | np.floating) and math.isnan(value):
        neither = np.any((given["first"] == 0) & (given["second"] == 0))
        ask = _NEITHER if neither else _NO_NUMBER
        raise BadAnswer("the answer is not a number", seen="it returned nan", ask=ask)
    if isinstance(value, float | np.floating) and math.isinf(value):
        return float(value)
    return as_number(answer)
