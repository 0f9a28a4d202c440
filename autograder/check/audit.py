"""Claims about mechanisms whose law nobody can write down: their privacy is audited.

For each pair of neighbors an event is chosen on one half of the answers, and its two probabilities
are bounded on the other half (Clopper & Pearson 1934). The answer fails only if epsilon is
certainly larger than promised. What no event shows, an audit does not see: use it where no law is
known.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainccinv, betaincinv

from autograder.check.claim import Claim, OpenDoor
from autograder.check.door import BadAnswer, Door, fresh_generator
from autograder.check.judge import ALPHA
from autograder.check.result import Result
from autograder.check.words import SURE, counted, number

__all__ = ["AuditClaim", "Pair", "certified_epsilon"]

# Answers a side and stage: once to choose the event, and as many again to certify it.
_STAGES = (250, 1_000, 4_000)
_CUTS = np.linspace(0.002, 0.998, 80)
# A pair whose likeliest loss is below this share of epsilon is not looked at any longer ...
_HOPELESS = 0.8
# ... and one where it is not is given more time.
_PATIENCE_SECONDS = {"hopeless": 1.0, "promising": 4.0}


@dataclass(frozen=True)
class Pair:
    """Two neighbors that a certain mistake lets an attacker tell apart.

    `first` and `second` are a setting's plain parameters each. `problem` and `ask` are what an
    answer is told that loses more than (epsilon, delta) on them.
    """

    first: dict[str, Any]
    second: dict[str, Any]
    epsilon: float
    problem: str
    ask: str
    delta: float = 0.0


@dataclass(frozen=True, kw_only=True)
class AuditClaim(Claim):
    """One exercise whose answers must be private, whatever their law.

    Args:
      pairs: draws the pairs of neighbors, each for one way to lose too much.
      level: largest probability with which a right answer is failed.
      stages: how many answers are drawn a side at each stage, to choose the event and once more to
        certify it: fewer for an answer that takes long.

    `read` gives one number, or an array of numbers that an attacker may look at one at a time.
    """

    pairs: Callable[[np.random.Generator], list[Pair]]
    level: float = ALPHA
    stages: tuple[int, ...] = _STAGES

    def _judge(self, open_door: OpenDoor) -> Result:
        pairs = self.pairs(fresh_generator())
        settings = [parameters for pair in pairs for parameters in (pair.first, pair.second)]
        draws = 0
        with open_door(settings) as door:
            for place in range(len(settings)):
                _look_at_first(door, place, settings[place])
            for number_of_pair, pair in enumerate(pairs):
                places = 2 * number_of_pair, 2 * number_of_pair + 1
                draws += _audit(door, places, pair, self.level / len(pairs), self.stages)
            note = "your function prints, which is hidden here" if door.printed else ""
        established = f"{self.established}: {counted(draws, 'draw')}, no larger epsilon certified"
        return Result(self.name, established, draws, note)


def _look_at_first(door: Door, place: int, parameters: dict) -> None:
    door.call(place)
    if door.changed(place):
        raise BadAnswer(
            "it changes what it is given",
            ask="which line writes into its argument? Work on a copy.",
            parameters=parameters,
        )
    door.inspect(place)


def _audit(
    door: Door, places: tuple[int, int], pair: Pair, level: float, stages: tuple[int, ...]
) -> int:
    """Raise BadAnswer if a larger epsilon is certified on one pair; return the number of draws."""
    watch, draws = door.stopwatch(), 0
    for answers in stages:
        chosen_on = [_columns(door.sample(place, answers)) for place in places]
        likely, event = _best_event(chosen_on, pair)
        fresh = [_columns(door.sample(place, answers)) for place in places]
        draws += 4 * answers
        counts = [_count(each, event) for each in fresh]
        if event[0]:
            counts.reverse()
        bound = certified_epsilon(*counts, answers, delta=pair.delta, level=level / len(stages))
        if bound > pair.epsilon:
            raise _too_much(pair, bound, counts, answers)
        outlook = "hopeless" if likely < _HOPELESS * pair.epsilon else "promising"
        if outlook == "hopeless" and answers > stages[0]:
            break
        if watch.seconds() > _PATIENCE_SECONDS[outlook]:
            break
    return draws


def _columns(answers: np.ndarray) -> np.ndarray:
    return answers.reshape(len(answers), -1)


# An event: whether the sides change roles, the column, a cut, and the sign (1: the cut or above).
_Event = tuple[bool, int, float, int]


def _best_event(sides: list[np.ndarray], pair: Pair) -> tuple[float, _Event]:
    """Return the event that promises the largest loss, and that loss."""
    best: tuple[float, _Event] = (-math.inf, (False, 0, 0.0, 1))
    answers = len(sides[0])
    for column in range(sides[0].shape[1]):
        ordered = [np.sort(side[:, column]) for side in sides]
        cuts = np.unique(np.quantile(np.concatenate(ordered), _CUTS))
        above = [answers - np.searchsorted(each, cuts, side="left") for each in ordered]
        for sign in (1, -1):
            counts = above if sign == 1 else [answers - each for each in above]
            for swapped in (False, True):
                first, second = counts[::-1] if swapped else counts
                losses = certified_epsilon(first, second, answers, delta=pair.delta, level=0.02)
                place = int(np.argmax(losses))
                if losses[place] > best[0]:
                    best = float(losses[place]), (swapped, column, float(cuts[place]), sign)
    return best


def _count(side: np.ndarray, event: _Event) -> int:
    _, column, cut, sign = event
    above = int(np.sum(side[:, column] >= cut))
    return above if sign == 1 else len(side) - above


def certified_epsilon(first, second, answers: int, *, delta: float, level: float):
    """Return a lower bound on epsilon from how often one event came on either side.

    Args:
      first, second: how often the event came, of `answers` independent answers each (or arrays).
      answers: the number of answers on each side, at least 1.
      delta: of the promise, in [0, 1).
      level: the bound is too large with probability at most this.

    Returns:
      ln((p - delta) / q), for a lower bound p of the first probability and an upper bound q of the
      second, each at level / 2 (Clopper & Pearson 1934); -inf where p does not exceed delta.
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    # Clopper & Pearson (1934): quantiles of beta laws.
    with np.errstate(all="ignore"):
        low = np.where(first > 0, betaincinv(first, answers - first + 1, level / 2), 0.0)
        high = betainccinv(second + 1, np.maximum(answers - second, 1e-300), level / 2)
        high = np.where(second >= answers, 1.0, high)
        loss = np.log(np.maximum(low - delta, 0.0)) - np.log(high)
    return loss if loss.ndim else float(loss)


def _too_much(pair: Pair, bound: float, counts: list[int], answers: int) -> BadAnswer:
    return BadAnswer(
        pair.problem,
        seen=f"an event came {counts[0]} times in {answers:,} answers, and {counts[1]} times when "
        f"one person differs: epsilon is at least {number(bound)}, "
        f"and {number(pair.epsilon)} was promised",
        ask=pair.ask,
        parameters=pair.first,
        sure=SURE,
    )
