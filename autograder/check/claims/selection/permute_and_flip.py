"""Permute-and-flip: candidates in random order, each accepted with its own probability."""

import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.selection import _orders as orders
from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection import _settings as settings
from autograder.check.claims.selection._factors import exponent_mistakes
from autograder.check.claims.selection._noise import step
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

# Sensitivity, epsilon, and where the exponents lie: beyond 709 exp(exponent) is infinite. In the
# first two settings scores and sensitivity are scaled together, and epsilon with the gaps.
_SETTINGS = (
    ((2.2, 4.0), (0.3, 0.6), False, (-12, 12)),
    ((0.02, 0.04), (1.6, 2.4), False, (-12, 12)),
    ((2.5, 5.0), (1.7, 2.6), True, (1500, 4000)),
    ((1.4, 2.0), (0.5, 0.8), False, (-4000, -1500)),
)
# Here all candidates but one are unlikely: together they are about one answer in 36.
_UNLIKELY = ((1.3, 1.9), (0.6, 0.8), False, (-12, 12))
# Here are two candidates: a bad shuffle shows where there are few.
_TWO = ((1.3, 1.9), (0.6, 0.8), True, (-12, 12))
# Here one candidate hardly leads 299 others.
_CROWD = ((0.6, 0.9), (1.1, 1.5), True, (-12, 12))
# Here all are equally good, so the first in the order wins: a shuffle that prefers some shows.
_TIED = (((1.3, 1.9), (0.6, 0.8), False, (-12, 12)), ((0.2, 0.6), (1.5, 2.5), True, (-12, 12)))
_MIDDLE = (((0.3, 0.5), (3, 4), True, (-12, 12)), ((4.0, 6.0), (0.2, 0.3), False, (-12, 12)))


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return eleven settings: at the third and the fourth exp(epsilon * score) is no float, or 0.

    At the fifth all but one are unlikely; then there are two; then 300; then twice eight equally
    good ones; at the last two the best stands in the middle of three.
    """
    usual = np.array([0, -0.8, -1.5, -1.8, -2.6]) + generator.uniform(-0.15, 0.15, 5)
    unlikely = settings.unlikely_gaps(generator)
    chosen = [
        *((_mixed(generator, usual), setting) for setting in _SETTINGS),
        (_mixed(generator, unlikely), _UNLIKELY),
        (generator.permutation([0, generator.uniform(-0.9, -0.6)]), _TWO),
        (_mixed(generator, settings.crowd_gaps(generator)), _CROWD),
        *((np.zeros(8), setting) for setting in _TIED),
        *((np.array([-4.5, -0.05, 0, -0.1, -5.0]), setting) for setting in _MIDDLE),
    ]
    return [settings.drawn(generator, gaps, ranges) for gaps, ranges in chosen]


def _edges(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return the usual edges, and 300 candidates, of which one comes in about two of three answers.

    Each other one is accepted in less than one of 200 visits, and there are many visits.
    """
    gaps = generator.permutation(settings.many_gaps(299, generator.uniform(5.7, 6.0)))
    many = settings.drawn(generator, gaps, _UNLIKELY)
    return [*settings.at_the_edges(generator), ("many candidates", many)]


def _mixed(generator: np.random.Generator, gaps: np.ndarray) -> np.ndarray:
    """Return the gaps in random order, neither the best nor the worst first or last."""
    middle = generator.permutation(gaps[1:-1])
    inner = generator.permutation([gaps[0], gaps[-1], *middle[2:]])
    return np.array([middle[0], *inner, middle[1]])


def _exponents(p: dict, scores=None) -> np.ndarray:
    scores = np.array(p["scores"] if scores is None else scores)
    return (scores - scores.max()) / step(p)


def _accepting(p: dict, exponents: np.ndarray) -> dict:
    law = orders.first_accepted(tuple(np.exp(np.minimum(exponents, 0)).tolist()))
    return dict(zip(p["candidates"], law.tolist(), strict=True))


def _law(p: dict) -> dict:
    # McKenna & Sheldon (2020): accepted with probability exp(epsilon * gap / (2 * sensitivity)).
    return _accepting(p, _exponents(p))


def _times(factor):
    """Return the law when the exponents are multiplied by what `factor` gives."""
    return lambda p: _accepting(p, _exponents(p) * factor(p))


def _in_order(p: dict, order) -> dict:
    """Return the law when the candidates are visited in a fixed order."""
    chances, left, law = np.exp(_exponents(p)), 1.0, {}
    for place in order:
        law[p["candidates"][place]] = left * chances[place]
        left *= 1 - chances[place]
    return law


def _among(orders_of: Callable[[int], orders.Orders], first_of: Callable[[int], np.ndarray]):
    """Return the law when orders come with these shares.

    Of more than five candidates there are too many orders: `first_of` gives who comes first, which
    decides where all are equally good. Elsewhere fair orders give nearly the same.
    """

    def law(p: dict) -> dict:
        size = len(p["scores"])
        if size > 5:
            tied = np.ptp(p["scores"]) == 0
            return dict(zip(p["candidates"], first_of(size), strict=True)) if tied else _law(p)
        laws = [(share, _in_order(p, order)) for order, share in orders_of(size).items()]
        return {each: sum(share * law[each] for share, law in laws) for each in p["candidates"]}

    return law


def _one_number(p: dict) -> dict:
    """One random number decides all coins: whoever comes first of those above it is accepted."""
    chances = np.exp(_exponents(p))
    levels, law = np.sort(chances), np.zeros(len(chances))
    for below, level in zip(np.append(0.0, levels[:-1]), levels, strict=True):
        yes = chances >= level
        law += (level - below) * yes / yes.sum()
    return dict(zip(p["candidates"], law.tolist(), strict=True))


def _given_up(p: dict) -> dict:
    """Each coin says no where it should say yes; if all do, the last in the order is returned."""
    rejected = 1 - np.exp(_exponents(p))
    law = orders.first_accepted(tuple(rejected.tolist()))
    # Nobody is accepted with the product of all chances; then the last one comes, whichever it is.
    law = law + (1 - law.sum()) / len(law)
    return dict(zip(p["candidates"], law.tolist(), strict=True))


def _half(rounded: Callable[[float], int]):
    """Return the law when half of the candidates are visited, and the last of these comes."""

    def law(p: dict) -> dict:
        half = orders.first_accepted(tuple(np.exp(_exponents(p))), rounded(len(p["scores"]) / 2))
        return dict(zip(p["candidates"], half.tolist(), strict=True))

    return law


_FACTOR = "what can happen to the best score when another one rises?"
_MORE = "what should happen to the coins when one person can change a score by more?"
_LESS = "does a larger epsilon make it easier to be accepted, or harder?"
_ORDER = "in which order are the candidates visited, and who decides on it?"
_STOPPED = "the best candidate may come last in the order: how often is it visited at all?"
_FAIR = "may each order of the candidates come, and equally often?"

_MISTAKES = (
    Mistake(
        "this is the exponential mechanism: the rejected come up again",
        lambda p: selection.by_weights(p, _exponents(p)),
        "what happens to a candidate that is rejected: may it come up again?",
    ),
    *exponent_mistakes(
        _times,
        factor=_FACTOR,
        together="by how much can the gap to the best change, if all scores move the same way?",
        more=_MORE,
        less=_LESS,
    ),
    *(
        Mistake(f"the candidates are visited {way}", law, _ORDER)
        for way, law in (
            ("in the order given", lambda p: _in_order(p, range(len(p["scores"])))),
            ("in reverse order", lambda p: _in_order(p, range(len(p["scores"]))[::-1])),
            ("from the worst to the best", lambda p: _in_order(p, np.argsort(p["scores"]))),
        )
    ),
    *(
        Mistake(f"the candidates go round {way}", _among(turned, orders.evenly_first), _FAIR)
        for way, turned in (
            ("from a random start", orders.turned),
            ("from a random start, forwards only", orders.turned_forwards),
        )
    ),
    Mistake(
        "no candidate may stay in its place when shuffled",
        _among(orders.displaced, orders.first_when_displaced),
        _FAIR,
    ),
    Mistake(
        "each place is swapped with any place when shuffled",
        _among(orders.swapped_with_any, orders.first_when_swapped_with_any),
        "of three candidates there are 6 orders: can 27 ways to swap fall evenly on them?",
        seen="candidates near the front come first more often than the last",
    ),
    Mistake(
        "the best candidate always wins",
        lambda p: selection.always(p, int(np.argmax(p["scores"]))),
        "is the best candidate visited first, or is there no coin?",
        seen="the best candidate should not come every time: that tells what its score is",
    ),
    Mistake(
        "all candidates are about equally likely",
        selection.evenly,
        "how likely is the best candidate to be accepted, and how likely the worst?",
    ),
    Mistake(
        "one random number decides all coins",
        _one_number,
        "does each candidate get a coin of its own?",
    ),
    *(
        Mistake(f"the search stops after half of the candidates, rounded {way}", law, _STOPPED)
        for way, law in (("down", _half(math.floor)), ("up", _half(math.ceil)))
    ),
    Mistake(
        "the coin is read the wrong way round",
        _given_up,
        "is a candidate accepted when the coin says yes, or when it says no?",
    ),
    Mistake(
        "exponents above 0 are not avoided: whoever comes first wins",
        lambda p: selection.evenly(p) if p["extreme"] and p["scores"][0] > 0 else _law(p),
        "which score must be subtracted, so that only the best candidate is always accepted?",
    ),
    selection.striking_out(_exponents, _accepting),
    selection.now_and_then_exact(_law),
    *selection.normalised_mistakes(lambda p, scores: _accepting(p, _exponents(p, scores))),
)


def _accepted(answer: Any, p: dict) -> Hashable:
    """Return the candidate that came back, or raise BadAnswer: for none, with this task's words."""
    if answer is None:
        raise BadAnswer(
            "no candidate is accepted, and nothing is returned",
            seen="it returned None",
            ask="with which chance is the best candidate accepted? With these scores, is that a "
            "number?",
        )
    return selection.candidate_of(answer, p)


CLAIM = OutcomeClaim(
    about=(
        "Check `permute_and_flip(candidates, scores, *, sensitivity, epsilon, monotone=False)`: "
        "one candidate, accepted by a coin of its own."
    ),
    established="the law of permute-and-flip, any scores",
    parameters=_parameters,
    designed=_edges,
    law=selection.pooled(_law),
    **(selection.USUAL | {"outcome": _accepted}),
    mistakes=selection.all_pooled(_MISTAKES),
    ask_first="is each order of the candidates as likely as any other?",
    least_rate=0.0025,
    least_long_rate=0.002,
)
