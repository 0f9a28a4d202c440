"""A claim that an answer keeps one event nearly as likely when one person is left out.

For mechanisms that take long: the event is known in advance, so all answers serve to certify.
"""

from dataclasses import dataclass

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.audit import AuditClaim, Pair
from autograder.check.claim import OpenDoor
from autograder.check.door import fresh_generator
from autograder.check.effort import effort
from autograder.check.result import Result
from autograder.check.words import counted, number
from ville.certificate import certified_epsilon

# Looks at so many answers of each side; first at few, to be done with a right answer soon.
_STAGES = (8, 20, 52, 160)
# A look goes on where the event comes oftener on one side by such a share of the answers. At
# epsilon 0.5 a right answer's shares differ by 0.25 at most: a short look hardly ever goes on.
_OFTENER = {False: 3 / 8, True: 1 / 8}


@dataclass(frozen=True, kw_only=True)
class LeakClaim(AuditClaim):
    """One exercise, two neighbors and an event that a careless answer gives away.

    As `AuditClaim`, but an answer reads as 1.0 if the event came, else 0.0. A short look takes half
    of the pairs, drawn at random.
    """

    def _judge(self, open_door: OpenDoor) -> Result:
        generator = fresh_generator()
        pairs = self.pairs(generator)
        if not effort().long:
            few = generator.choice(len(pairs), -(-len(pairs) // 2), replace=False)
            pairs = [pairs[place] for place in few]
        settings = [parameters for pair in pairs for parameters in (pair.first, pair.second)]
        draws = 0
        with open_door(settings) as door:
            for place, pair in enumerate(pairs):
                draws += _look(door, place, pair, self.level * effort().level / len(pairs))
        return Result(self.name, f"{self.established}: {counted(draws, 'draw')}", draws)


def _look(door, place: int, pair: Pair, level: float) -> int:
    """Raise BadAnswer if more than epsilon is certified on one pair; return the answers drawn."""
    counts, answers = [0, 0], 0
    for more in _STAGES:
        for side in (0, 1):
            counts[side] += int(np.nansum(door.sample(2 * place + side, more)))
        answers += more
        bound = certified_epsilon(*counts, answers, delta=pair.delta, level=level / len(_STAGES))
        if bound > pair.epsilon:
            raise _given_away(pair, counts, answers)
        if counts[0] - counts[1] < _OFTENER[effort().long] * answers:
            break
    return 2 * answers


def _given_away(pair: Pair, counts: list[int], answers: int) -> BadAnswer:
    return BadAnswer(
        pair.problem,
        seen=f"it came {counts[0]} times in {answers} answers, and {counts[1]} times when one "
        f"person is left out: more than exp({number(pair.epsilon)}) allows",
        ask=pair.ask,
        parameters=pair.first,
    )
