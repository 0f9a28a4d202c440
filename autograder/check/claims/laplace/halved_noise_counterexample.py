"""Break it: with noise of scale 1 / (2 * epsilon) a count is not epsilon-differentially private."""

import math
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number, parts_of
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number, numbers_apart

# An event must have at least this log probability: exp(-700) is about the smallest a float holds.
_RAREST = -700.0
# The log ratio must exceed epsilon by this much. Distances are exact rationals and the logarithms
# below are off by less than 1e-12 (700 times a few units of 2**-53), so the margin is rigorous.
_MARGIN = 1e-9


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six values of epsilon, from strong privacy to weak."""
    ranges = ((0.01, 0.1), (0.1, 0.4), (0.4, 0.8), (0.8, 1.5), (1.5, 5.0), (8.0, 10.0))
    return [{"epsilon": round(generator.uniform(*each), 3)} for each in ranges]


def log_probability(count: int, low: float, high: float, epsilon: float) -> float:
    """Return ln Pr(low <= count + noise <= high) for Laplace noise of scale 1 / (2 * epsilon)."""
    # Distances from the count to both ends, in units of the scale: exact up to one rounding.
    to_low, to_high = (_distance(end, count) * 2 * epsilon for end in (low, high))
    if to_low < 0 < to_high:
        # Both tails are cut off; with expm1 nothing cancels when the event is narrow.
        return math.log(-(math.expm1(to_low) + math.expm1(-to_high)) / 2)
    near, far = sorted((abs(to_low), abs(to_high)))
    # One side: exp(-near) / 2 - exp(-far) / 2.
    width = math.inf if far == math.inf else _distance(high, Fraction(low)) * 2 * epsilon
    if width == 0 or near == math.inf:
        return -math.inf
    return -math.log(2) - near + math.log(-math.expm1(-width))


def _distance(end: float, count: int | Fraction) -> float:
    """Return end - count, rounded once."""
    return float(end) if math.isinf(end) else float(Fraction(end) - count)


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the answer is a counterexample at this epsilon."""
    epsilon = parameters["epsilon"]
    count, neighbor, low, high = _read(answer)
    if abs(count - neighbor) != 1:
        raise BadAnswer(
            "the two counts are not those of neighbors",
            seen=f"you gave the counts {count} and {neighbor}; one person moves a count by 1",
            ask="by how much does a count change when one row is added or removed?",
        )
    if not low < high:
        raise BadAnswer(
            "the event has probability 0",
            seen=f"you gave the interval from {low:g} to {high:g}",
            ask="which end of the interval comes first?"
            if low > high
            else "how likely is one single answer, where the noise is continuous?",
        )
    one, other = (log_probability(each, low, high, epsilon) for each in (count, neighbor))
    if min(one, other) < _RAREST:
        raise BadAnswer(
            "the event is too rare to compute with",
            seen=f"the interval from {low:g} to {high:g} has probability below 1e-300",
            ask="is there an event nearer to the two counts?",
        )
    if one - other <= epsilon + _MARGIN:
        raise _not_enough(epsilon, one, other)


def _not_enough(epsilon: float, one: float, other: float) -> BadAnswer:
    """Return the words for an event whose ratio does not exceed exp(epsilon)."""
    ratio, needed = numbers_apart(math.exp(one - other), math.exp(epsilon))
    seen = (
        f"its probabilities are {number(math.exp(one))} and {number(math.exp(other))}: a ratio of "
        f"{ratio}, and more than exp(epsilon) = {needed} is needed"
    )
    if other - one > epsilon + _MARGIN:
        problem = "the event is on the wrong side"
        ask = "which of the two counts makes this event likelier? That one comes first."
    elif min(one, other) > math.log(0.9):
        problem = "the event holds nearly everything, under both counts"
        ask = "in which region is a release much likelier under the one count than the other?"
    elif abs(one - other) < 1e-12:
        problem = "the event is equally likely under both counts"
        ask = "in which region is a release much likelier under the one count than the other?"
    else:
        problem = "the event does not tell the two counts apart well enough"
        ask = "where is the ratio of the two densities largest? Keep only that region."
    return BadAnswer(problem, seen=seen, ask=ask)


def _read(answer: Any) -> tuple[int, int, float, float]:
    """Return the four numbers of the answer, or raise BadAnswer."""
    parts = parts_of(answer, "four values", "count, neighbor_count, low, high", arrays=True)
    return (*(_count(part) for part in parts[:2]), *(_end(part) for part in parts[2:]))


def _count(part: Any) -> int:
    if isinstance(part, Integral) and not isinstance(part, bool) and part >= 0:
        return int(part)
    value = as_number(part)
    if value != round(value) or value < 0:
        raise BadAnswer(
            "a count is a whole number, 0 or more",
            seen=f"you gave the count {part!r}",
            ask="can a table have this many rows?",
        )
    return int(value)


def _end(part: Any) -> float:
    if isinstance(part, Real) and math.isinf(part):
        return float(part)
    if isinstance(part, Real) and math.isnan(part):
        raise BadAnswer(
            "an end of the interval is not a number",
            seen=f"you gave {part!r}",
            ask="which step of your computation has no result?",
        )
    return as_number(part)


CLAIM = CounterexampleClaim(
    about=(
        "Check `halved_noise_counterexample(epsilon)`: an event that refutes half of the noise.\n\n"
        "The function returns (count, neighbor_count, low, high): the exact counts of two\n"
        "neighbors (add_remove) and an interval that holds count + noise with more than\n"
        "exp(epsilon) times the probability that it holds neighbor_count + noise, for noise of\n"
        "scale 1 / (2 * epsilon)."
    ),
    established="with the noise halved, this event is likelier by more than exp(epsilon)",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"epsilon {p['epsilon']}",
)
