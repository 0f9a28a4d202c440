"""Claims about counterexamples, which are verified exactly, without sampling."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check import contract
from autograder.check.answers import BadAnswer, as_read
from autograder.check.claim import Claim, OpenDoor
from autograder.check.door import fresh_generator
from autograder.check.result import Result
from autograder.check.words import counted


@dataclass(frozen=True, kw_only=True)
class CounterexampleClaim(Claim):
    """One exercise in which a false statement is refuted.

    Args:
      cases: draws the plain parameters of every input.
      verify: raises BadAnswer unless the result refutes the statement at a case's parameters.
    """

    cases: Callable[[np.random.Generator], Iterable[dict[str, Any]]]
    verify: Callable[[dict, Any], None]
    read: Callable[[Any, dict], Any] = lambda answer, parameters: answer

    def _judge(self, open_door: OpenDoor) -> Result:
        cases = list(self.cases(fresh_generator()))
        with open_door(cases) as door:
            for place, parameters in enumerate(cases):
                self._verify(parameters, door.call(place))
            contract.raise_if_changed(door, cases)
        established = f"{self.established}: verified exactly at {counted(len(cases), 'input')}"
        return Result(self.name, established, len(cases))

    def _verify(self, parameters: dict, answer: Any) -> None:
        try:
            as_read(lambda given: self.verify(parameters, given), answer)
        except BadAnswer as bad:
            bad.parameters = parameters
            raise
