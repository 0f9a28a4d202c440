"""Audits: claims about the privacy of mechanisms whose law is not known.

For each pair of neighbors an event is chosen on one half of the answers, and bet on with the other
half (`ville.certificate`). The answer fails only if epsilon is certainly larger than promised. An
audit misses what no event shows, so use it only if no law is known.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.door import Door, fresh_generator
from autograder.check.effort import effort
from autograder.check.judge import ALPHA
from autograder.check.result import Result
from autograder.check.words import SURE, counted, number
from ville.certificate import Audit

# Answers a side and stage: once to choose the event, and as many again to certify it.
_STAGES = (250, 1_000, 4_000)
# A pair whose likeliest loss is below this share of epsilon is dropped ...
_HOPELESS = 0.8
# ... and a pair with a larger loss is given this many times the work.
_PROMISING = 4.0
_WORK = 1.0  # seconds


@dataclass(frozen=True)
class Pair:
    """Two neighbors that a certain mistake lets an attacker tell apart.

    `first` and `second` are each a setting's plain parameters. `problem` and `ask` are the words
    for an answer that loses more than (epsilon, delta) on them.
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
        draws, level = 0, self.level * effort().level / len(pairs)
        with open_door(settings) as door:
            for place in range(len(settings)):
                _look_at_first(door, place)
            for number_of_pair, pair in enumerate(pairs):
                places = 2 * number_of_pair, 2 * number_of_pair + 1
                draws += _audit(door, places, pair, level, self.stages)
            note = "your function prints, which is hidden here" if door.printed else ""
        established = f"{self.established}: {counted(draws, 'draw')}, no larger epsilon certified"
        return Result(self.name, established, draws, note)


def _look_at_first(door: Door, place: int) -> None:
    door.call(place)
    door.raise_if_written(place)
    door.inspect(place)


def _audit(
    door: Door, places: tuple[int, int], pair: Pair, level: float, stages: tuple[int, ...]
) -> int:
    """Raise BadAnswer if a larger epsilon is certified on one pair; return the number of draws."""
    watch, bets = door.stopwatch(), Audit(epsilon=pair.epsilon, delta=pair.delta)
    for answers in stages:
        bets.choose(*(door.sample(place, answers) for place in places))
        fresh = [door.sample(place, answers) for place in places]
        enough = min(map(len, fresh))  # a slow answer gives fewer, and not as many on either side
        counts = bets.bet(*(side[:enough] for side in fresh))
        if bets.log_evidence() >= -math.log(level):
            raise _too_much(pair, bets.epsilon_at_least(level), counts, enough)
        outlook = "hopeless" if bets.promised < _HOPELESS * pair.epsilon else "promising"
        if outlook == "hopeless" and answers > stages[0]:
            break
        patience = _WORK * (_PROMISING if outlook == "promising" else 1)
        if watch.worked() > patience or effort().over(watch):
            break
    return bets.draws


def _too_much(pair: Pair, bound: float, counts: tuple[int, int], answers: int) -> BadAnswer:
    return BadAnswer(
        pair.problem,
        seen=f"an event came {counts[0]} times in {answers:,} answers, and {counts[1]} times when "
        f"one person differs: epsilon is at least {number(bound)}, "
        f"and {number(pair.epsilon)} was promised",
        ask=pair.ask,
        parameters=pair.first,
        sure=SURE,
    )
