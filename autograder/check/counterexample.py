"""Claims of the kind "break it": a counterexample, verified exactly, without sampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check import explain
from autograder.check.door import BadAnswer, fresh_generator, opened
from autograder.check.result import Result
from autograder.check.values import Case
from autograder.check.words import counted

__all__ = ["CounterexampleClaim"]


@dataclass(frozen=True)
class CounterexampleClaim:
    """One exercise in which a false statement is refuted.

    Args:
      name: the exercise.
      established: what a pass says.
      cases: draws the plain parameters of every input.
      arguments: makes the call's arguments from a case's parameters.
      verify: raises BadAnswer unless what came back refutes the statement at a case's parameters.
      situation: a case in words.
    """

    name: str
    established: str
    cases: Callable[[np.random.Generator], list[dict[str, Any]]]
    arguments: Callable[[dict], tuple[tuple, dict]]
    verify: Callable[[dict, Any], None]
    situation: Callable[[dict], str]

    @np.errstate(all="ignore")
    def check(self, function: Callable) -> Result:
        """Return what was established about an answer, or raise CheckFailure."""
        cases = [Case(parameters) for parameters in self.cases(fresh_generator())]
        try:
            with opened(self.name, function, self.arguments, read=lambda answer: answer) as door:
                for case in cases:
                    self._verify(case, door.call(case))
        except BadAnswer as bad:
            raise explain.bad_answer(self, bad) from None
        established = f"{self.established}: verified exactly at {counted(len(cases), 'input')}"
        return Result(self.name, established, len(cases))

    def _verify(self, case: Case, answer: Any) -> None:
        try:
            self.verify(case.parameters, answer)
        except BadAnswer as bad:
            bad.setting = case
            raise

    def blind_spots(self) -> dict[str, float]:
        """Return nothing: an exact proof has no blind spots."""
        return {}
