"""The epsilon that an attack with known rates certifies."""

import math

import numpy as np

from autograder.check.answers import as_number
from autograder.check.function_claim import FunctionClaim


def attack_epsilon(true_positive_rate, false_positive_rate, *, delta):
    """The smallest epsilon at which an attack with these rates is possible, at least 0."""
    return by()(true_positive_rate, false_positive_rate, delta=delta)


def loss(likely: float, rare: float) -> float:
    if likely <= rare:
        return 0.0
    return math.log(likely / rare) if rare > 0 else math.inf


def by(ways=(0, 1, 2, 3), *, off=lambda likely, delta: likely - delta, of=loss):
    """Return an answer that looks at some of the four events, or takes delta off otherwise."""

    def answer(true_positive_rate, false_positive_rate, *, delta):
        hit, alarm = true_positive_rate, false_positive_rate
        pairs = ((hit, alarm), (1 - alarm, 1 - hit), (alarm, hit), (1 - hit, 1 - alarm))
        return max(of(off(pairs[way][0], delta), pairs[way][1]) for way in ways)

    return answer


def read(answer, given: dict) -> float:
    """Return the epsilon, which may be infinite."""
    return math.inf if isinstance(answer, float) and answer == math.inf else as_number(answer)


CLAIM = FunctionClaim(
    attack_epsilon,
    established="the epsilon that an attack certifies",
    read=read,
    ask="called a member or not, either rate above: which of four quotients is the largest here?",
)


def rates(hit: float, alarm: float, delta: float) -> dict:
    return {"true_positive_rate": hit, "false_positive_rate": alarm, "delta": delta}


@CLAIM.inputs
def nine(rng):
    """Alarms that are rare, misses that are rare, attacks that are upside down or guess."""
    small, large = (lambda: float(f"{rng.uniform(0.002, 0.03):.2g}") for _ in range(2))
    middle = lambda: round(rng.uniform(0.3, 0.6), 3)  # noqa: E731
    yield rates(middle(), small(), 0.0)
    yield rates(middle(), small(), round(rng.uniform(0.05, 0.15), 3))
    yield rates(1 - large(), middle(), 0.0)
    yield rates(1 - large(), middle(), round(rng.uniform(0.05, 0.15), 3))
    yield rates(small(), middle(), round(rng.uniform(0.05, 0.1), 3))
    yield rates(middle(), 1 - large(), round(rng.uniform(0.05, 0.1), 3))
    yield rates(0.5, round(rng.uniform(0.48, 0.495), 3), 0.1)
    yield rates(middle(), 0.0, 1e-5)
    yield rates(1.0, middle(), 0.0)


@CLAIM.designed
def edges(rng):
    """No attack, the perfect one, and a delta at either end."""
    rate = round(rng.uniform(0.2, 0.8), 3)
    yield "an attack that guesses", rates(rate, rate, 0.0)
    yield "everybody is called a member", rates(1.0, 1.0, 0.01)
    yield "nobody is called a member", rates(0.0, 0.0, 0.01)
    yield "delta below 1e-9", rates(rate, rate / 7, 1e-12)
    yield "delta above 0.01", rates(rate, rate / 50, 0.12)
    # One event never comes on one side, and delta is worth the other side's share of it.
    share, delta = round(rng.uniform(0.01, 0.05), 3), round(rng.uniform(0.06, 0.2), 3)
    yield "no false alarm, hits below delta", rates(share, 0.0, delta)
    yield "no hit, false alarms below delta", rates(0.0, share, delta)
    yield "no miss, delta above the others left alone", rates(1.0, 1 - share, delta)
    yield "every other a false alarm, misses below delta", rates(1 - share, 1.0, delta)


RARE = "which event is rare on one side: being called a member, or not being called one?"
DELTA = "by how much may a probability exceed exp(epsilon) times the other one?"
LOG = "epsilon stands in an exponent: what undoes exp?"


def logged(then):
    return lambda likely, rare: then(loss(likely, rare))


def over_more(true_positive_rate, false_positive_rate, *, delta):
    """Return the epsilon when delta is added to the rarer side."""
    hit, alarm = true_positive_rate, false_positive_rate
    pairs = [(hit, alarm), (alarm, hit), (1 - hit, 1 - alarm), (1 - alarm, 1 - hit)]
    if any(one > other + delta == 0 for one, other in pairs):
        return math.inf
    return max(0.0, *(math.log(one / (other + delta)) for one, other in pairs if one > 0))


CLAIM.mistake("delta is added to the rarer side", DELTA, over_more)
CLAIM.mistake("delta is not taken off", DELTA, by(off=lambda likely, delta: likely))
CLAIM.mistake("delta is added", DELTA, by(off=lambda likely, delta: likely + delta))
CLAIM.mistake("only the event 'called a member' is looked at", RARE, by((0,)))
CLAIM.mistake("only the event 'not called a member' is looked at", RARE, by((1,)))
CLAIM.mistake(
    "an attack that is wrong more often than right is called worthless",
    "what does an attacker do with an attack that is nearly always wrong?",
    by((0, 1)),
)
CLAIM.mistake("the misses are not looked at", RARE, by((0, 2)))
CLAIM.mistake(
    "the ratio is returned, not its logarithm",
    LOG,
    by(of=lambda likely, rare: 1.0 if likely <= rare else likely / rare if rare else math.inf),
)
CLAIM.mistake("the logarithm has base 10", LOG, by(of=logged(lambda loss: loss / math.log(10))))
CLAIM.mistake("the logarithm has base 2", LOG, by(of=logged(lambda loss: loss / math.log(2))))
CLAIM.mistake(
    "the advantage is returned",
    "the advantage is a difference. What does epsilon bound: a difference or a ratio?",
    lambda true_positive_rate, false_positive_rate, *, delta: (
        true_positive_rate - false_positive_rate
    ),
)
CLAIM.mistake(
    "delta is taken off at the end, not off the probability",
    DELTA,
    lambda true_positive_rate, false_positive_rate, *, delta: max(
        0.0, by()(true_positive_rate, false_positive_rate, delta=0.0) - delta
    ),
)
CLAIM.mistake(
    "the bound is negative where the attack is bad",
    "can a privacy loss be negative?",
    by(
        of=lambda likely, rare: (
            float(np.log(likely / rare))
            if min(likely, rare) > 0
            else (math.inf if likely > rare else -math.inf)
        )
    ),
)
