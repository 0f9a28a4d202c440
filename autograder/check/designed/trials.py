"""Judges an answer by a few draws at each of many designed settings.

The settings at which the judge looks long are few and ordinary. What depends on a value, on an
epsilon or on a table's size that none of them has is coarse in most cases: noise that is missing,
or ten times too small. A few draws show it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.check.door import BadAnswer, Door
from autograder.check.judge import Verdict
from ville.process import Process

__all__ = ["NamedSetting", "look_at_designed"]

# What is special about a setting, in words, and its parameters.
NamedSetting = tuple[str, dict[str, Any]]

_FIRST_DRAWS, _ENOUGH_DRAWS, _MOST_DRAWS = 6, 60, 400
_ENOUGH_SECONDS = 0.06  # for all edges: beyond it each gets the first draws only
_PATIENCE_SECONDS = 4.0
# With evidence above this (in nats): draw more before going on.
_UNEASY = math.log(20.0)


@np.errstate(all="ignore")
def look_at_designed(claim, open_door, edges: Sequence[NamedSetting], *, level: float) -> list[str]:
    """Raise the claim's failure if an answer breaks its law at an edge.

    A right answer is failed with probability at most `level`, which the edges share. No mistake is
    named: a wrong law of the catalogue need not exist at an edge.

    Args:
      claim: a StatisticalClaim.
      open_door: opens a door to the answer.
      edges: the designed settings.
      level: as said.

    Returns:
      The edges at which there was no time to look.
    """
    spent = 0.0
    for place, (name, parameters) in enumerate(edges):
        if spent > _PATIENCE_SECONDS:
            return [left for left, _ in edges[place:]]
        seconds = max(_ENOUGH_SECONDS - spent, 0) / (len(edges) - place)
        with open_door([parameters]) as door:
            watch = door.stopwatch()
            try:
                _look(_at_edge(claim, name), door, parameters, level / len(edges), seconds)
            except BadAnswer as bad:
                bad.seen = f"at an edge ({name}): {bad.seen}"
                raise
            spent += watch.seconds()
    return []


def _at_edge(claim, name: str):
    """Return the claim with no mistakes, and with the edge's name in its words."""
    situation = claim.situation
    return dataclasses.replace(
        claim, mistakes=(), situation=lambda given: f"at an edge ({name}): {situation(given)}"
    )


def _look(claim, door: Door, parameters: dict, level: float, seconds: float) -> None:
    """Raise BadAnswer or CheckFailure if the answers at one edge break a rule or the law."""
    trial, watch = claim.trial_at([parameters]), door.stopwatch()
    process, answers = Process(trial), []
    wanted = _FIRST_DRAWS
    while process.draws < wanted:
        answers.append(door.sample(0, wanted - process.draws))
        process.take(0, answers[-1])
        if process.draws == len(answers[0]):
            claim._look_at_first(door, trial, answers)
        refuted = process.look() >= -math.log(level)
        if refuted:
            break
        if process.total > _UNEASY:
            wanted = min(2 * process.draws, _MOST_DRAWS)
        elif watch.seconds() < seconds:
            affordable = int(seconds / watch.seconds() * process.draws)
            wanted = min(max(affordable, _FIRST_DRAWS), _ENOUGH_DRAWS)
    verdict = _verdict(process, np.concatenate(answers), watch.seconds(), passed=not refuted)
    claim._look_at_all(door, trial, verdict)
    if refuted:
        raise claim._failure(door, trial, verdict)


def _verdict(process: Process, answers: np.ndarray, seconds: float, *, passed: bool) -> Verdict:
    found = process.explanation()
    return Verdict(
        passed,
        [answers],
        process.draws,
        process.draws,
        max(seconds, 1e-9),
        process.total,
        process.largest,
        kind=found.kind,
        name=found.name,
    )
