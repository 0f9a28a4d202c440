"""Claims about answers that may err rarely: a bound with a confidence, a test, an attack.

Each run gives the answer fresh data whose truth is known. A requirement is a property that a right
answer has in all but a stated share of the runs. The evidence that it errs more often is a test
martingale, as in `ville/evidence.py`: it fails a right answer with probability at most 1e-9.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_read
from autograder.check.claim import Claim, OpenDoor
from autograder.check.door import Door, fresh_generator
from autograder.check.effort import effort
from autograder.check.judge import ALPHA
from autograder.check.result import Result
from autograder.check.words import GUARANTEE, counted

# How often a wrong answer may break a requirement: what the evidence bets on.
_BETS = (0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.96, 0.99)


@dataclass(frozen=True)
class Run:
    """One call: the plain parameters, and the requirements that its result must meet."""

    parameters: dict[str, Any]
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Requirement:
    """A property that a right answer has in nearly every run.

    Args:
      share: the largest share of the runs in which a right answer may break it, in (0, 1/2).
      broken: says from parameters and answer (as read) whether this run breaks it; raises
      BadAnswer for a result that no right answer gives by any chance.
      problem: the problem of an answer that breaks it too often.
      ask: a question that leads on.
      words: the result, after "in 9 of 10 runs ".
      detail: the last broken run in words, if there is more to say about it.
    """

    share: float
    broken: Callable[[dict, Any], bool]
    problem: str
    ask: str
    words: str
    detail: Callable[[dict, Any], str] = lambda parameters, given: ""


# Takes the function that calls the answer at a probe, and the broken requirement's name, or "" if
# none was broken; returns words for the probes' result, if it shows something.
Naming = Callable[[Callable[[int], Any], str], BadAnswer | None]


@dataclass(frozen=True, kw_only=True)
class RateClaim(Claim):
    """One exercise whose right answers err rarely.

    Args:
      runs: draws the runs, in the order in which they are made.
      requirements: the requirements, by name.
      probes: parameters of further calls, made after all runs.
      naming: checks the probes, whose places count from 0. After a failure it names the mistake.
      After a pass ("" for the requirement) it may still fail the answer, for a result that no
      right answer gives by any chance.
      level: largest probability with which a right answer is failed.

    Every run must be independent of the others, given the answer.
    """

    runs: Callable[[np.random.Generator], Iterable[Run]]
    requirements: dict[str, Requirement]
    probes: Sequence[dict[str, Any]] = ()
    naming: Naming = lambda call, requirement: None
    level: float = ALPHA

    def _judge(self, open_door: OpenDoor) -> Result:
        runs = list(self.runs(fresh_generator()))
        settings = [run.parameters for run in runs]
        with open_door([*settings, *self.probes]) as door:
            made = self._make(door, runs)
            bad = self.naming(lambda probe: door.call(len(runs) + probe), "")
            if bad is not None:
                raise bad
            note = "your function prints, which is hidden here" if door.printed else ""
        unjudged = f"{made} of {len(runs)} runs" if made < len(runs) else ""
        words = f"{self.established}: {counted(made, 'run')}"
        return Result(self.name, words, made, note, unjudged=unjudged)

    def _make(self, door: Door, runs: list[Run]) -> int:
        """Make the runs; raise BadAnswer if a requirement is broken too often."""
        ledgers = {name: _Ledger(each.share) for name, each in self.requirements.items()}
        bar = -math.log(self.level * effort().level / len(ledgers))
        watch = door.stopwatch()
        for place, run in enumerate(runs):
            given = door.call(place)
            door.raise_if_written(place)
            door.inspect(place)
            for name in run.requirements:
                ledgers[name].enter(self._broken(name, run, given))
                if ledgers[name].log_evidence() >= bar:
                    raise self._too_often(door, len(runs), name, ledgers[name], run, given)
            if effort().over(watch):
                return place + 1
        return len(runs)

    def _broken(self, name: str, run: Run, given: Any) -> bool:
        try:
            broken = self.requirements[name].broken
            return as_read(lambda result: broken(run.parameters, result), given)
        except BadAnswer as bad:
            bad.parameters = run.parameters
            raise

    def _too_often(
        self, door: Door, first_probe: int, name: str, ledger: _Ledger, run: Run, given: Any
    ) -> BadAnswer:
        requirement = self.requirements[name]
        try:
            known = self.naming(lambda probe: door.call(first_probe + probe), name)
        except BadAnswer:
            known = None
        bad = known or BadAnswer(requirement.problem, ask=requirement.ask)
        many = f"in {ledger.broken} of {counted(ledger.runs, 'run')} {requirement.words}"
        detail = requirement.detail(run.parameters, given)
        parts = [many, f"at most {_one_in(requirement.share)} may", detail]
        if not bad.seen:
            bad.seen, bad.parameters = "; ".join(part for part in parts if part), run.parameters
        bad.sure = GUARANTEE.format(answers=counted(ledger.runs, "run"))
        return bad


def _one_in(share: float) -> str:
    return f"{100 * share:.3g} in 100" if share >= 0.01 else f"1 in {1 / share:,.0f}"


class _Ledger:
    """Counts how often one requirement was broken."""

    def __init__(self, share: float):
        self.share, self.runs, self.broken = share, 0, 0
        self._bets = np.array([bet for bet in _BETS if bet > share])

    def enter(self, broken: bool) -> None:
        self.runs += 1
        self.broken += bool(broken)

    def log_evidence(self) -> float:
        """Return the log of a mixture of likelihood ratios.

        Each has a conditional mean of at most 1 while a run is broken with probability at most
        `share`, because each bet is on a larger one (Ville 1939 does the rest).
        """
        kept = self.runs - self.broken
        logs = self.broken * np.log(self._bets / self.share)
        logs = logs + kept * np.log((1 - self._bets) / (1 - self.share))
        return float(np.logaddexp.reduce(logs) - math.log(len(self._bets)))
