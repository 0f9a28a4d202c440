"""Break it: laws that are (epsilon, delta)-private, but not rho-zCDP for a rho that is given."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import logsumexp

from autograder.check.answers import BadAnswer, parts_of
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import in_runs, number, numbers_apart

# Rounding of the probabilities that come in as floats, per outcome.
_ROUNDING = Fraction(1, 10**12)
_FEW = 10_000
_ORDERS = np.arange(2, 65)


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return five promises, from strict to loose, each with a rho that shall not be enough."""
    ranges = (((0.05, 0.3), -6), ((0.3, 1), -9), ((0.3, 1), -3), ((1, 3), -5), ((3, 6), -1.2))
    return [
        {
            "epsilon": round(generator.uniform(*each), 2),
            "delta": float(f"{10**power:.2g}"),
            "rho": round(float(10 ** generator.uniform(0, 2.3)), 1),
        }
        for each, power in ranges
    ]


def hockey_stick(first: list[Fraction], second: list[Fraction], epsilon: float) -> float:
    """Return the smallest delta with which `first` is bounded by exp(epsilon) times `second`."""
    # Dwork & Roth (2014), definition 2.4: the worst event holds all outcomes with a positive term.
    ratio = Fraction(math.exp(epsilon))
    pairs = zip(first, second, strict=True)
    return float(
        sum((max(above - ratio * below, Fraction(0)) for above, below in pairs), Fraction(0))
    )


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the two laws keep the promise and have no bound on any divergence."""
    first, second = ([Fraction(each) for each in law.tolist()] for law in answer)
    for one, other, words in ((first, second, "first"), (second, first, "second")):
        delta = hockey_stick(one, other, parameters["epsilon"])
        room = parameters["delta"] + float(_ROUNDING * len(first))
        if delta > room:
            raise _not_private(one, other, words, delta, parameters)
    _raise_if_impossible(first, second)
    steepest = max(slope(*answer), slope(*answer[::-1]))
    if not steepest > parameters["rho"]:
        raise _bounded(first, second, steepest, parameters["rho"])


def slope(first: np.ndarray, second: np.ndarray) -> float:
    """Return the largest Rényi divergence of `first` from `second`, each divided by its order."""
    possible = first > 0
    above, below = np.log(first[possible]), np.log(second[possible])
    # Bun & Steinke (2016), definition 1.1, by logarithms: the sum may be larger than any float.
    sums = [logsumexp(order * above - (order - 1) * below) for order in _ORDERS]
    return float(np.max(np.array(sums) / (_ORDERS - 1) / _ORDERS))


def _raise_if_impossible(first: list[Fraction], second: list[Fraction]) -> None:
    """Raise BadAnswer if one law alone gives some outcome."""
    for place, (above, below) in enumerate(zip(first, second, strict=True)):
        if (above == 0) != (below == 0):
            raise BadAnswer(
                "one of the laws never gives an outcome that the other gives",
                seen=f"outcome {place} (counted from 0) has the probabilities "
                f"{number(float(above))} and {number(float(below))}",
                ask="how small must a probability be, if it may not be 0, so that no divergence "
                "stays below rho times its order?",
            )


def _not_private(
    one: list[Fraction], other: list[Fraction], words: str, more: float, parameters: dict
) -> BadAnswer:
    """Return the words for two laws whose worst event is too likely under one of them."""
    ratio = Fraction(math.exp(parameters["epsilon"]))
    pairs = enumerate(zip(one, other, strict=True))
    event = [place for place, (above, below) in pairs if above > ratio * below]
    ask = "how much probability may an outcome have that the other law hardly ever gives?"
    if other[event[0]]:
        ask = "both laws give this outcome: by how much may each of the two probabilities exceed "
        ask += "exp(epsilon) times the other one?"
    said = f"outcome {event[0]} (counted from 0)"
    if len(event) > 1:
        said = f"outcomes {in_runs(event)} (counted from 0) together"
        ask = f"which outcomes have more than exp(epsilon) times under the {words} law? Add up "
        ask += "what each of them has too much."
    has = "has" if len(event) == 1 else "have"
    much, delta = numbers_apart(more, parameters["delta"])
    return BadAnswer(
        "the two laws are not (epsilon, delta)-private",
        seen=f"{said} {has} {much} more under the {words} law than exp(epsilon) times the other "
        f"law; delta is {delta}",
        ask=ask,
    )


def _bounded(
    first: list[Fraction], second: list[Fraction], steepest: float, rho: float
) -> BadAnswer:
    """Return the words for two laws whose divergences are within rho times the order."""
    if first == second:
        return BadAnswer(
            "the two laws are the same",
            seen="their divergence is 0: this is rho-zCDP for every rho",
            ask="what may one of them give often that the other hardly ever gives? And what "
            "becomes of it at a small delta?",
        )
    reached, asked = numbers_apart(steepest, rho)
    return BadAnswer(
        "the divergences stay within rho times the order",
        seen=f"over the orders 2 to 64 the largest quotient of divergence and order is {reached}; "
        f"rho is {asked}",
        ask="which outcome makes the sum of order 2 large: how does it depend on delta, and on the "
        "smaller of its two probabilities?",
    )


def _read(answer: Any, parameters: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the two laws, or raise BadAnswer."""
    parts = parts_of(answer, "two laws", "first, second", arrays=True)
    laws = [_law(part, name) for part, name in zip(parts, ("first", "second"), strict=True)]
    if len(laws[0]) != len(laws[1]):
        raise BadAnswer(
            "the two laws are about different outcomes",
            seen=f"they have {len(laws[0])} and {len(laws[1])} probabilities",
            ask="what is the probability of an outcome that a law never gives?",
        )
    return laws[0], laws[1]


def _law(given: Any, name: str) -> np.ndarray:
    """Return one law as an array, or raise BadAnswer."""
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        array = np.empty((0, 0))
    if array.ndim == 1 and array.size > _FEW:
        raise BadAnswer(
            f"{name} has too many outcomes",
            seen=f"it has {array.size:,}, and {_FEW:,} are allowed",
            ask="is each of them needed?",
        )
    if array.ndim != 1 or not array.size or not np.all(np.isfinite(array)):
        raise BadAnswer(
            f"{name} is not a list of probabilities",
            seen=f"its type is {type(given).__name__}",
            ask="what is the probability of each outcome?",
        )
    law = [Fraction(float(each)) for each in array]
    if min(law) < 0 or abs(sum(law) - 1) > _ROUNDING * len(law):
        raise BadAnswer(
            f"{name} is not a law: its probabilities must sum to 1, none below 0",
            seen=f"the smallest is {number(float(min(law)))}, they sum to {float(sum(law)):.12g}",
            ask="where does the rest of the probability go?",
        )
    return array


CLAIM = CounterexampleClaim(
    about=(
        "Check `not_concentrated_counterexample(epsilon, delta, *, rho)`: zCDP asks for more.\n\n"
        "The function returns (first, second): the probabilities of the same outcomes on two\n"
        "neighbors. Both laws give the same outcomes, both directions keep (epsilon, delta), and\n"
        "at a whole order from 2 to 64 a Rényi divergence is above rho times the order."
    ),
    established="(epsilon, delta)-private both ways, and not rho-zCDP",
    cases=_cases,
    read=_read,
    verify=_verify,
    situation=lambda p: f"epsilon {p['epsilon']:g}, delta {p['delta']:g}, rho {p['rho']:g}",
)
