"""Exact laws of the sparse vector technique, right and wrong, and how its answers are read.

Answers are given as offsets: (answer - threshold) in units of sensitivity / epsilon, in which the
right noise has scales 2 and 4 (Dwork & Roth 2014, algorithm 1), for `sparse` times the count.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, shortened
from autograder.check.claims.selection._noise import (
    Noise,
    chance_above,
    comparison,
    nodes_between,
    stop_law,
)

RIGHT_SCALES = (2.0, 4.0)
# The outcome "no answer was found above".
NOBODY = "None"


def by_index(law: Sequence[float]) -> dict:
    """Return a law of indices, with None at the end, as {outcome: probability}."""
    return dict(zip([*range(len(law) - 1), NOBODY], map(float, law), strict=True))


def separate_thresholds(offsets: tuple[float, ...], threshold: Noise, answer: Noise) -> np.ndarray:
    """Return the law if the threshold's noise is drawn again for every answer."""
    chances = {each: chance_above(each, threshold, answer) for each in set(offsets)}
    above = np.array([chances[each] for each in offsets])
    passed = np.cumprod([1.0, *(1 - above)])
    return np.append(passed[:-1] * above, passed[-1])


def first_of_the_reused(offsets: tuple[float, ...], threshold: Noise, answer: Noise) -> np.ndarray:
    """Return the law if one draw of noise serves all answers."""
    # It stops at the first answer that reaches the threshold; only a new highest one can.
    highest = np.maximum.accumulate(offsets).tolist()
    chances = {each: chance_above(each, threshold, answer) for each in set(highest)}
    reached = np.array([chances[each] for each in highest])
    return np.append(np.diff(reached, prepend=0.0), 1 - reached[-1])


def last_above(offsets: tuple[float, ...], threshold: Noise, answer: Noise) -> np.ndarray:
    """Return the law of the last answer above the threshold."""
    law = stop_law(offsets[::-1], threshold, answer)
    return np.append(law[:-1][::-1], law[-1])


@lru_cache(maxsize=256)
def highest_above(offsets: tuple[float, ...], threshold: Noise, answer: Noise) -> np.ndarray:
    """Return the law of the highest noisy answer, if it is above the threshold."""
    nodes, weights = nodes_between([0.0, *offsets], [threshold.scale, answer.scale])
    # Equal answers win equally often.
    places, which, times = np.unique(offsets, return_inverse=True, return_counts=True)
    distances = nodes - places[:, None]
    below = answer.below(distances)
    density = answer.density(distances) * threshold.below(nodes)
    law = []
    for place in range(len(places)):
        others = times - (np.arange(len(places)) == place)
        law.append((np.prod(below ** others[:, None], axis=0) * density[place]) @ weights)
    return np.array([*np.array(law)[which], 1 - float(np.dot(law, times))])


@lru_cache(maxsize=256)
def found_by_halves(offsets: tuple[float, ...], threshold: Noise, answer: Noise) -> np.ndarray:
    """Return the law of a search that asks the middle answer, and goes on in one half."""
    weights, below, above = comparison(offsets, threshold, answer)
    law, parts = np.zeros(len(offsets) + 1), [(0, len(offsets) - 1, weights)]
    while parts:
        first, last, left = parts.pop()
        middle = (first + last) // 2
        if first == last:
            law[first] = left.sum()
        else:
            parts.append((first, middle, left * above[middle]))
            parts.append((middle + 1, last, left * below[middle]))
    return law


@lru_cache(maxsize=256)
def reports_law(
    offsets: tuple[float, ...],
    count: int,
    threshold: Noise,
    answer: Noise,
    *,
    without_zero: bool = False,
    step: int = 1,
    parts: tuple[float, ...] = (1.0,),
) -> dict[tuple[int, ...], float]:
    """Return how likely each list of indices is, with a fresh noisy threshold after each index.

    If it is `without_zero`, a run that stops at its first answer counts as one that found none. A
    run begins `step` places after what was found, with noise that is this part of both.
    """
    # The one run of count 1 begins at the first answer.
    starts = 1 if count == 1 else len(offsets)
    stops = [
        _stops_from_each(offsets, threshold.times(part), answer.times(part), starts)
        for part in parts
    ]
    if without_zero:
        stops = [[[0.0, *law[1:-1], law[-1] + law[0]] for law in laws] for laws in stops]

    def chance(found: tuple[int, ...]) -> float:
        product, start = 1.0, 0
        for run, place in enumerate(found):
            product *= stops[run % len(stops)][start][place - start] if place >= start else 0.0
            start = place + step
        # With fewer than `count` indices, the last run must have come to the end.
        if len(found) < count and start < len(offsets):
            product *= stops[len(found) % len(stops)][start][-1]
        return float(product)

    return {found: chance(found) for found in _lists(len(offsets), count)}


@lru_cache(maxsize=256)
def reports_law_with_one_threshold(
    offsets: tuple[float, ...], count: int, threshold: Noise, answer: Noise
) -> dict[tuple[int, ...], float]:
    """Return the same if the noisy threshold is kept."""
    weights, below, above = comparison(offsets, threshold, answer)

    def chance(found: tuple[int, ...]) -> float:
        looked_at = found[-1] + 1 if len(found) == count else len(offsets)
        product = weights
        for place in range(looked_at):
            product = product * (above if place in found else below)[place]
        return float(product.sum())

    return {found: chance(found) for found in _lists(len(offsets), count)}


def _stops_from_each(
    offsets: tuple[float, ...], threshold: Noise, answer: Noise, number: int
) -> list[list[float]]:
    """Return the laws of `stop_law` for runs that begin at each of so many first answers."""
    weights, below, above = comparison(offsets, threshold, answer)
    ones, laws = np.ones((1, len(weights))), []
    for start in range(number):
        passed = np.cumprod(np.concatenate([ones, below[start:]]), axis=0)
        law = np.concatenate([passed[:-1] * above[start:], passed[-1:]]) @ weights
        laws.append((law / law.sum()).tolist())
    return laws


def reports_law_with_separate_thresholds(
    offsets: tuple[float, ...], count: int, threshold: Noise, answer: Noise
) -> dict[tuple[int, ...], float]:
    """Return the same if the threshold's noise is drawn again for every answer."""
    # Fresh noise at every comparison: each answer is above by itself.
    above = [chance_above(offset, threshold, answer) for offset in offsets]

    def chance(found: tuple[int, ...]) -> float:
        looked_at = found[-1] + 1 if len(found) == count else len(offsets)
        return float(np.prod([above[k] if k in found else 1 - above[k] for k in range(looked_at)]))

    return {found: chance(found) for found in _lists(len(offsets), count)}


def _lists(size: int, count: int) -> list[tuple[int, ...]]:
    return [found for length in range(count + 1) for found in combinations(range(size), length)]


def index_of(answer: Any, size: int) -> int | str:
    """Return the index that came back, or NOBODY for None; or raise BadAnswer."""
    if answer is None:
        return NOBODY
    if isinstance(answer, np.ndarray) and answer.size == 1:
        answer = answer.ravel()[0]
    whole = _as_whole(answer)
    if whole is not None and 0 <= whole < size:
        return whole
    raise _no_index(answer, whole, size)


def _no_index(answer: Any, whole: int | None, size: int) -> BadAnswer:
    """Return the words for something that is no index."""
    ask = "by the task, what should come back?"
    if whole == size:
        problem = "the index is counted from 1, or a number says that nothing was found"
        ask = "which index has the first answer in Python? And what comes back if none is above?"
    elif whole is not None and whole < 0:
        problem = "a negative index comes back"
        ask = "what should come back when no answer was found above?"
    elif isinstance(answer, list | tuple | np.ndarray):
        problem, ask = "one index is wanted, or None", "may more than one index be published?"
        if any(_as_whole(each) is None for each in answer):
            ask = "what is the other part, and is it paid for?"
    elif isinstance(answer, bool | np.bool_):
        problem = "True or False comes back, not an index"
    elif isinstance(answer, float | np.floating | int | np.integer):
        problem = "what comes back is no index"
        ask = "is it the answer itself? That would cost extra: return only where it stands."
    else:
        problem = "an index is wanted, or None"
    return BadAnswer(problem, seen=f"it returned {shortened(answer)}", ask=ask)


def indices_of(answer: Any, size: int, count: int) -> tuple[int, ...]:
    """Return the indices that came back, ascending, or raise BadAnswer with what is wrong."""
    if answer is None:
        ask = "what should come back when no answer was found above? And at the end?"
        raise BadAnswer("it returns nothing", ask=ask)
    listed = list(answer) if isinstance(answer, list | tuple | np.ndarray) else [None]
    whole = [_as_whole(each) for each in listed]
    if None in whole:
        problem = "a list of indices is wanted"
        ask = "at which places were answers above?"
    elif len(whole) > count:
        problem = "more than `count` indices come back"
        ask = f"what does each index cost, and how many were paid for, with count {count}?"
    elif any(later <= earlier for earlier, later in pairwise(whole)):
        problem = "the indices do not ascend"
        ask = "where does the next run begin, and from where are its indices counted?"
    elif whole and (whole[0] < 0 or whole[-1] >= size):
        problem = "an index lies outside of the answers"
        ask = "are your indices counted from 0, and from the first of all answers?"
    else:
        return tuple(whole)
    raise BadAnswer(problem, seen=f"it returned {shortened(answer)}", ask=ask)


def _as_whole(value: Any) -> int | None:
    """Return a whole number as an int; None for anything else."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float | np.floating) and value == np.floor(value):
        return int(value)
    return None
