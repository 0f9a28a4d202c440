"""An interval for the true sum behind a noisy one, when a part of it may have been cut off."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import as_number, parts_of
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def interval_of_sum(noisy, *, bound, epsilon, level, most_cut):
    """The ends between which the true sum lies: (low, high)."""
    # The noise is beyond t with probability exp(-t / scale): Dwork & Roth (2014), fact 3.7.
    room = bound / epsilon * math.log(1 / (1 - level))
    return noisy - room, (noisy + room) / (1 - most_cut)


def two_ends(answer: Any, given: dict) -> np.ndarray:
    """Return (low, high) as an array, or raise BadAnswer."""
    ends = parts_of(answer, "two ends", "low, high", arrays=True)
    return np.array([as_number(each) for each in ends])


def both(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return two intervals in words."""
    pairs = (tuple(round(float(end), 3) for end in each) for each in (wanted, came))
    return "(low, high) should be {}, yours is {}".format(*pairs)


CLAIM = FunctionClaim(
    interval_of_sum,
    established="an interval for the sum that allows for the noise and for what was cut off",
    read=two_ends,
    absolute=1e-6,
    show=both,
)


@CLAIM.inputs
def eight(rng):
    """Sums above their noise, at several levels; in the first two nothing is cut off."""
    for place in range(8):
        yield {
            "noisy": round(float(rng.uniform(400, 3_000)), 3),
            "bound": round(float(rng.uniform(3, 40)), 3),
            "epsilon": round(float(rng.uniform(0.15, 0.8)), 3),
            "level": float(rng.choice([0.8, 0.9, 0.95, 0.99])),
            "most_cut": 0.0 if place < 2 else round(float(rng.uniform(0.05, 0.3)), 4),
        }


@CLAIM.designed
def edges(rng):
    usual = {"noisy": 900.0, "bound": 5.0, "epsilon": 0.5, "level": 0.9, "most_cut": 0.1}
    yield "hardly any level", {**usual, "level": 0.001}
    yield "nearly certain", {**usual, "level": 1 - 1e-9}
    yield "nearly all is cut off", {**usual, "most_cut": 0.99}
    for epsilon in at_edges("epsilon", rng):
        noise = usual["bound"] / epsilon
        yield f"epsilon {epsilon}", {**usual, "epsilon": epsilon, "noisy": 900.0 + 9 * noise}


def with_room(room, up=lambda value, cut: value / (1 - cut), down=lambda value, cut: value):
    """Return an answer with another room for the noise, or other ends."""

    def function(noisy, *, bound, epsilon, level, most_cut):
        t = room(bound, epsilon, level)
        return down(noisy - t, most_cut), up(noisy + t, most_cut)

    return function


def right_room(bound, epsilon, level):
    return bound / epsilon * math.log(1 / (1 - level))


CUT = "clipping takes away and never adds: at which end must the interval allow for it?"
TAIL = "with which probability is Laplace noise of this scale beyond t, on either side?"
CLAIM.mistake(
    "what was cut off is forgotten", CUT, with_room(right_room, up=lambda value, cut: value)
)
CLAIM.mistake(
    "what was cut off is allowed for at both ends",
    CUT,
    with_room(right_room, down=lambda value, cut: value * (1 - cut)),
)
CLAIM.mistake(
    "the upper end is multiplied by 1 + most_cut",
    "a sum of 80 is left of 100: with which number do you multiply 80 to have 100 again?",
    with_room(right_room, up=lambda value, cut: value * (1 + cut)),
)
CLAIM.mistake(
    "half of the probability is taken for each side",
    TAIL,
    with_room(lambda bound, epsilon, level: bound / epsilon * math.log(2 / (1 - level))),
)
CLAIM.mistake(
    "only one side is asked to hold the level",
    TAIL,
    with_room(lambda bound, epsilon, level: bound / epsilon * math.log(0.5 / (1 - level))),
)
CLAIM.mistake(
    "the scale is used as it is, whatever the level",
    "how far does Laplace noise go in nine of ten draws?",
    with_room(lambda bound, epsilon, level: bound / epsilon),
)
CLAIM.mistake(
    "the bound is ignored",
    "how far can one person move this sum?",
    with_room(lambda bound, epsilon, level: right_room(1, epsilon, level)),
)
CLAIM.mistake(
    "the level and its complement are exchanged",
    "is the interval for a level of 0.99 wider than that for 0.9?",
    with_room(lambda bound, epsilon, level: right_room(bound, epsilon, 1 - level)),
)
