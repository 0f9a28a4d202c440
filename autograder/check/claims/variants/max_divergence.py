"""The max divergence of two laws of the same outcomes: the log of the largest ratio."""

import math

import numpy as np

from autograder.check.claims.variants._outcome_pairs import draw_pairs, on_both, read_divergence
from autograder.check.function_claim import FunctionClaim


def max_divergence(first, second):
    """The largest log ratio first / second.

    Both are arrays of probabilities of the same outcomes; some may be 0.
    """
    # Dwork & Roth (2014), definition 3.6; an event's ratio is at most its likeliest outcome's.
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return max(
        math.log(above / below) if below > 0 else math.inf for above, below in pairs if above > 0
    )


CLAIM = FunctionClaim(
    max_divergence, established="finite and infinite ones, zeros included", read=read_divergence
)


@CLAIM.inputs
def fourteen(rng):
    """Eleven pairs of laws, and three in which the outcome that decides is very rare.

    In the last of them the second law cannot give it.
    """
    yield from draw_pairs(rng)
    for ratio in (*rng.uniform(20, 90, 2), math.inf):
        rare = 10 ** rng.uniform(-10, -8)
        common = rng.uniform(0.3, 0.7, 2)
        pair = [
            np.array([chance, often, 1 - often - chance])
            for chance, often in zip((rare, rare / ratio), common.round(3), strict=True)
        ]
        order = rng.permutation(3)
        yield {"first": pair[0][order], "second": pair[1][order]}


def where_both(statistic):
    """Return a statistic of the log ratios on the outcomes that both laws give."""
    return lambda first, second: statistic(np.log(np.divide(*on_both(first, second))))


def mean_log(first, second):
    """Return the mean of the log ratio under the first law: Kullback & Leibler's divergence."""
    if np.any((first > 0) & (second == 0)):
        return math.inf
    first, second = on_both(first, second)
    return np.sum(first * np.log(first / second))


FIRST = "which outcomes can the first law give, and which of them can the second not give?"
RATIOS = "does pure privacy bound differences of probabilities, or their ratios?"

CLAIM.mistake(
    "the two laws are exchanged",
    "the task asks for the largest log ratio of which law to which?",
    lambda first, second: max_divergence(second, first),
)
CLAIM.mistake(
    "the larger of both directions is taken",
    "that is the epsilon of both neighbors: what does one divergence look at?",
    lambda first, second: max(max_divergence(first, second), max_divergence(second, first)),
)
CLAIM.mistake(
    "outcomes that the second law cannot give are left out",
    FIRST + " What does an attacker conclude from it?",
    where_both(np.max),
)
CLAIM.mistake(
    "outcomes with a 0 are left out, and both directions are looked at",
    FIRST,
    where_both(lambda logs: np.abs(logs).max()),
)
CLAIM.mistake(
    "the smallest log ratio is returned",
    "which outcome tells an attacker most?",
    where_both(np.min),
)
CLAIM.mistake("the logarithm is missing", "epsilon is the log of which ratio?", then=math.exp)
for base in (2, 10):
    CLAIM.mistake(
        f"the logarithm has base {base}",
        "which logarithm undoes exp?",
        then=lambda divergence, base=base: divergence / math.log(base),
    )
CLAIM.mistake("the sign is wrong", "which ratio is above 1?", then=lambda divergence: -divergence)
CLAIM.mistake(
    "the log ratio is averaged: that is the divergence of Kullback and Leibler",
    "is it the mean loss that is wanted, or the worst one?",
    mean_log,
)
CLAIM.mistake(
    "the largest difference of probabilities is returned",
    RATIOS,
    lambda first, second: np.abs(first - second).max(),
)
CLAIM.mistake(
    "the total variation distance is returned",
    RATIOS,
    lambda first, second: np.abs(first - second).sum() / 2,
)
CLAIM.mistake(
    "the largest probabilities are compared, not the largest ratio found",
    "is the likeliest outcome of each law the same outcome?",
    lambda first, second: math.log(first.max() / second.max()),
)
