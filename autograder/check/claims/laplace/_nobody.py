"""Claims about noise that also ask for the answer of a table without rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import BadAnswer
from autograder.check.claim import OpenDoor
from autograder.check.door import fresh_generator
from autograder.check.result import Result
from autograder.check.words import SURE, number

_CALLS = 4


@dataclass(frozen=True, kw_only=True)
class ClaimWithNobody(AdditiveClaim):
    """A claim about noise whose answers must have it without any rows, too.

    Four right answers must be equal with probability below 1e-12: continuous noise, or whole noise
    in several cells. This is asked last, of answers that keep the claim otherwise: with no rows
    most mistakes divide by 0, and would not be named.

    Args:
      nobody: a setting's parameters to those of the same setting when the table has no rows.
    """

    nobody: Callable[[dict], dict[str, Any]]

    def _judge(self, open_door: OpenDoor) -> Result:
        result = super()._judge(open_door)
        empty = self.nobody(next(iter(self.parameters(fresh_generator()))))
        with open_door([empty]) as door:
            _raise_if_equal(door.sample(0, _CALLS), empty)
        return result


def _raise_if_equal(answers: np.ndarray, parameters: dict) -> None:
    """Raise BadAnswer if one answer came at each call."""
    if np.all(answers == answers[0]):
        raise BadAnswer(
            "a table without rows gets no noise",
            seen=f"{number(float(np.ravel(answers)[0]))} came {len(answers)} times in a row",
            ask="what does an attacker learn who sees this number twice?",
            parameters=parameters,
            sure=SURE,
        )
