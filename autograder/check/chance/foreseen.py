"""Rules against noise that somebody can foresee: from a chosen seed, the clock, or the text.

Each says with which probability a right answer breaks it.
"""

import math
from collections.abc import Callable

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.door import Door
from autograder.check.words import SURE, counted
from ville.process import Process
from ville.trial import Trial

# Sessions that are begun anew; more while the evidence, in nats, is no longer next to nothing.
_SESSIONS, _MOST_SESSIONS, _SUSPICION = 4, 40, 1.0


def raise_if_seeded(door: Door, trial: Trial) -> None:
    """Raise BadAnswer for an answer that draws from a generator whose seed somebody has chosen.

    A new seed of 64 bits from the operating system looks like one with probability below 2**-38.
    """
    seed = door.used_seed(0)
    if seed:
        raise _problem(
            trial,
            "the noise comes from a generator with a fixed seed",
            seen=f"it draws from a generator outside of it, which was made with the seed {seed}: "
            "whoever runs these cells gets the same noise",
            ask="what does your function draw from if nobody gives it an `rng`?",
        )


def raise_if_from_a_pool(door: Door, trial: Trial) -> None:
    """Raise BadAnswer for an answer whose generators are made from few seeds.

    Seeds of 31 bits or more look so with probability below 1e-13.
    """
    seen = door.seeds.again()
    if seen and (times := door.seeds.each_comes()):
        raise _problem(
            trial,
            "several generators are made with one seed",
            seen=f"{seen}: each seed is used {counted(times, 'time')}",
            ask="two generators of one seed give the same numbers: are their noises independent?",
        )
    if seen:
        raise _problem(
            trial,
            "the noise comes from few seeds",
            seen=seen,
            ask="how many numbers can your seed be? Who could try them all?",
        )


def raise_if_first_answers_stand_out(door: Door, trial: Trial) -> None:
    """Raise BadAnswer if the first answers of sessions do not follow the law.

    Their evidence reaches the bar with probability below 1e-12 for a right answer (Ville 1939),
    whenever the look ends.
    """
    process = Process(trial)
    for sessions in range(1, _MOST_SESSIONS + 1):
        for place in range(len(trial.settings)):
            first = door.first_answers(place, 1)
            if not first:
                return
            process.take(place, np.array(first))
        if process.look() >= math.log(1e12):
            raise _problem(
                trial,
                "the first answer of a session has another law",
                seen=f"begun anew {counted(sessions, 'time')} at each setting, it gave answers "
                "that the law hardly ever gives",
                ask="what does your function keep from call to call, and what does it do at the "
                "first?",
            )
        if sessions >= _SESSIONS and process.total < _SUSPICION:
            return


def raise_if_clocked(door: Door, trial: Trial) -> None:
    """Raise BadAnswer if continuous noise is decided by the time of day, or by the input alone."""
    _raise_if_foreseen(
        door.gives_one_answer,
        trial,
        "the same input gets the same noise at every call",
        seen="asked again, it gave the same answer: who knows the input can subtract the noise",
        ask="with what is your generator seeded?",
    )
    _raise_if_foreseen(
        door.follows_the_clock,
        trial,
        "the noise follows from the time of the call",
        seen="with the clock stopped, two calls gave the same noise: who knows the time can "
        "subtract it",
        ask="what does seeding with the time do to those who can guess the time?",
    )


def raise_if_begun_the_same(door: Door, trial: Trial) -> None:
    """Raise BadAnswer if each session's continuous noise begins with the same numbers."""
    _raise_if_foreseen(
        door.begins_the_same,
        trial,
        "the noise is the same in each session",
        seen="begun anew, and with other random numbers, it gave the same noise: it follows from "
        "the notebook's text and from what the function is given",
        ask="from where does your function take what nobody can know before?",
    )


def _raise_if_foreseen(
    same: Callable[[int], bool], trial: Trial, problem: str, *, seen: str, ask: str
) -> None:
    """Raise BadAnswer if continuous noise comes again in every setting.

    Two draws of a continuous law are equal as floats with probability below 1e-12.
    """
    if all(same(place) for place in range(len(trial.settings))):
        raise _problem(trial, problem, seen=seen, ask=ask)


def _problem(trial: Trial, problem: str, *, seen: str, ask: str) -> BadAnswer:
    """Return a failure that no right answer has, with the first setting as its call."""
    parameters = trial.settings[0].parameters
    return BadAnswer(problem, seen=seen, ask=ask, parameters=parameters, sure=SURE)
