"""Judges an answer by a few draws at each of many designed settings.

The settings at which the judge looks long are few and ordinary. What depends on a value, on an
epsilon or on a table's size that none of them has is coarse in most cases: noise that is missing,
or ten times too small. A few draws show it.

A short look takes the settings that come first, as long as its work allows. A long one takes all
of them, and more draws at each.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.check import contract
from autograder.check.answers import BadAnswer
from autograder.check.door import Door
from autograder.check.effort import LONG, SHORT, Effort, effort
from autograder.check.judge import Verdict
from autograder.check.words import NO_NOISE_AT_ALL, SAME
from ville.process import Process

# What is special about a setting, in words, and its parameters.
NamedSetting = tuple[str, dict[str, Any]]

# In a short look; in a longer one in proportion to its work, but for the first draws, and so many
# times at most.
_MOST_TIMES = LONG.work / SHORT.work
_FIRST_DRAWS, _ENOUGH_DRAWS, _MOST_DRAWS = 6, 60, 400
_SECONDS_EACH = 0.01  # an edge gets more than the first draws as long as they take no longer
# The noise is there at ordinary settings.
_LOST = (
    "at other inputs your answers differ from call to call: which line returns before the draw "
    "here, makes a scale 0 or far too small, or takes numbers that hold too few digits?"
)
# With evidence above this (in nats): draw more before going on.
_UNEASY = math.log(8.0)


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
      The edges that a long look had no time for.
    """
    length, watch = effort(), None
    for place, (name, parameters) in enumerate(edges):
        with open_door([parameters]) as door:
            watch = watch or door.stopwatch()
            if _for_edges(length, claim.edge_work).over(watch):
                return [left for left, _ in edges[place:]] if _is_long(length) else []
            try:
                _look(_at_edge(claim, name), door, parameters, level / len(edges))
            except BadAnswer as bad:
                raise _of_edge(bad, name) from None
    return []


def _of_edge(bad: BadAnswer, name: str) -> BadAnswer:
    """Return a broken rule in the words of an edge: at ordinary settings it was kept."""
    bad.seen = f"at an edge ({name})" + (f": {bad.seen}" if bad.seen else "")
    if bad.problem in (NO_NOISE_AT_ALL, *SAME):
        lost = "no noise" if bad.problem not in SAME else bad.problem.removesuffix(" at every call")
        bad.problem, bad.ask = f"{lost} at an edge ({name})", _LOST
        bad.seen = bad.seen.partition("): ")[2] or bad.seen
    return bad


def _is_long(length: Effort) -> bool:
    # A part of an exercise may have little of a long look's work: all edges are its due even so.
    return length.long or length.work > SHORT.work


def _for_edges(length: Effort, work: float) -> Effort:
    """Return the look's length with the patience that all of its edges get."""
    return length if _is_long(length) else replace(length, patience=min(length.work, work))


def _at_edge(claim, name: str):
    """Return the claim with no mistakes, and with the edge's name in its words."""
    situation = claim.situation
    return replace(
        claim, mistakes=(), situation=lambda given: f"at an edge ({name}): {situation(given)}"
    )


def _look(claim, door: Door, parameters: dict, level: float) -> None:
    """Raise BadAnswer or CheckFailure if the answers at one edge break a rule or the law."""
    trial = claim.trial_at([parameters])
    process, answers, wanted, pace = Process(trial), [], _FIRST_DRAWS, math.inf
    watch, times = door.stopwatch(), min(max(effort().work / SHORT.work, 1.0), _MOST_TIMES)
    while process.draws < wanted:
        lap, drawn = door.stopwatch(), process.draws
        answers.append(door.sample(0, wanted - drawn))
        # The first calls find nothing in the processor's memory: the quickest ones tell the pace.
        pace = min(pace, max(lap.seconds(), 1e-9) / len(answers[-1]))
        affordable = min(times * _SECONDS_EACH / pace, times * _ENOUGH_DRAWS)
        process.take(0, answers[-1])
        wanted = max(wanted, int(affordable))
        if len(answers) == 1:
            _look_at_first(claim, door, trial, answers)
        refuted = process.look() >= -math.log(level)
        if refuted:
            break
        if process.total > _UNEASY:
            wanted = max(wanted, min(2 * process.draws, int(times * _MOST_DRAWS)))
    verdict = _verdict(process, np.concatenate(answers), watch.seconds(), passed=not refuted)
    claim._look_at_all(door, trial, verdict)
    if refuted:
        raise claim._failure(door, trial, verdict)


def _look_at_first(claim, door: Door, trial, answers: list[np.ndarray]) -> None:
    """Ask for the rules that need no further call, where a right answer keeps them.

    Where answers pile up at ends, several may be equal.
    """
    ends = getattr(claim, "ends", lambda parameters: ())
    if len(ends(trial.settings[0].parameters)):
        contract.raise_if_meddled(door, trial)
    else:
        claim._look_at_given(door, trial, answers)


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
