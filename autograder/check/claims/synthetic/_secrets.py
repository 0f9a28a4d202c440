"""A claim that rows do not give away what many people chose, each by a coin of their own.

Under replace_one with epsilon, who sees the rows and all other coins knows a coin with probability
exp(epsilon) / (1 + exp(epsilon)) at most. So among the guesses that one makes from the rows, the
right ones are at most as many as that coin's heads (Steinke, Nasr & Jagielski 2023). This holds
whatever the law of the rows is: a right answer may make its counts at least 0 in any way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtrc

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.door import Door, fresh_generator
from autograder.check.effort import effort
from autograder.check.judge import ALPHA
from autograder.check.result import Result
from autograder.check.words import counted, number

# So small that each noisy row of counts is empty, or below 0 in all, about as often as not.
_EPSILON = 0.02
_TABLES = 16  # of each kind, with coins of their own; one call each
# A look ends when so many guesses are hardly more often right than a coin: fewer in a short one.
_ENOUGH_GUESSES, _EVEN = {False: 40, True: 200}, 0.58
_PROBLEM = "where a noisy row is empty, the real table answers"
_ASK = "a noisy row of counts may have no share above 0: what may you know of these people then?"


@dataclass(frozen=True, kw_only=True)
class SecretsClaim(Claim):
    """One exercise whose rows must not give away people's coins.

    Args:
      kinds: each draws the parameters of one table.
      level: largest probability with which a right answer is failed.

    An answer reads as how many coins its rows let one guess, and how many of these are right.
    """

    kinds: tuple[Callable[[np.random.Generator], dict[str, Any]], ...]
    level: float

    def cases(self, generator: np.random.Generator) -> list[dict[str, Any]]:
        """Return the parameters of all tables, those of a kind together."""
        return [kind(generator) for kind in self.kinds for _ in range(_TABLES)]

    def _judge(self, open_door: OpenDoor) -> Result:
        generator, calls = fresh_generator(), 0
        tables = self.cases(generator)
        level = self.level * effort().level / len(tables)
        firsts = generator.permutation(np.arange(0, len(tables), _TABLES))
        # A short look takes tables of one kind.
        for first in firsts if effort().long else firsts[:1]:
            with open_door(tables[first : first + _TABLES]) as door:
                calls += _look(door, level)
        return Result(self.name, f"{self.established}: {counted(calls, 'draw')}", calls)


def _look(door: Door, level: float) -> int:
    """Raise BadAnswer if too many coins are guessed; return the number of calls."""
    found, watch = np.zeros(2), door.stopwatch()
    for place in range(_TABLES):
        found += np.nan_to_num(door.sample(place, 1)[0])
        guessed, right = found
        # The chance of so many heads or more.
        if guessed and bdtrc(right - 1, guessed, 1 / (1 + np.exp(-_EPSILON))) <= level:
            raise _given_away(int(guessed), int(right), place + 1)
        even = guessed >= _ENOUGH_GUESSES[effort().long] and right <= _EVEN * guessed
        if even or effort().over(watch):
            break
    return place + 1


def _given_away(guessed: int, right: int, tables: int) -> BadAnswer:
    return BadAnswer(
        _PROBLEM,
        seen=f"in {counted(tables, 'table')} people chose one of two values, each by a coin; "
        f"{right} of the {guessed} that your rows let one guess are right, "
        f"and at epsilon {number(_EPSILON)} hardly more than half may be",
        ask=_ASK,
    )


def _one_each(generator: np.random.Generator) -> dict:
    """Return a table in which each of many values has one person, who chose one of two others."""
    coins = generator.integers(0, 2, 160)
    return _setting(np.eye(2, dtype=int)[coins], 2000, generator)


def _few_rows(generator: np.random.Generator) -> dict:
    """Return a table with eight long rows of counts; each person chose one of two values there."""
    people, letters = 96, 8
    counts = np.zeros((letters, people, 2), dtype=int)
    where = generator.permutation(np.arange(people) % letters)
    counts[where, np.arange(people), generator.integers(0, 2, people)] = 1
    return _setting(counts.reshape(letters, -1), 1500, generator)


def _setting(counts: np.ndarray, size: int, generator: np.random.Generator) -> dict:
    seed = int(generator.integers(2**32))
    told = {"epsilon": _EPSILON, "neighbors": "replace_one", "size": size, "seed": seed}
    return {"counts": counts.tolist(), **told}


def _guesses(answer: Any, parameters: dict) -> np.ndarray:
    """Return how many people are guessed from the rows, and how many of them rightly.

    A person is guessed where just one of the two values comes with the person's first value.
    """
    real = np.array(parameters["counts"])
    came = rows.counts_of(answer, parameters) > 0
    real, came = (each.reshape(len(real), -1, 2) for each in (real > 0, came))
    guessed = real.any(axis=2) & (came.sum(axis=2) == 1)
    right = guessed & (real & came).any(axis=2)
    return np.array([guessed.sum(), right.sum()], dtype=float)


def secrets_part(name: str) -> SecretsClaim:
    """Return the claim that no coin is given away, where noisy rows of counts are empty."""
    return SecretsClaim(
        name=name,
        established="no person is given away by an empty row",
        kinds=(_few_rows, _one_each),
        arguments=rows.arguments,
        read=_guesses,
        situation=lambda p: f"epsilon {p['epsilon']}, {p['neighbors']}, {p['size']} rows",
        level=0.1 * ALPHA,
    )
