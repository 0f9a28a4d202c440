"""What the shuffled reports of a yes-or-no question promise: the exact delta at an epsilon."""

import math

import numpy as np
from scipy.special import expit

from autograder.check.claims.local._binomial import binomial
from autograder.check.function_claim import FunctionClaim


def shuffled_delta(others_yes, others_no, *, local_epsilon, epsilon):
    """The delta at epsilon of the number of yes, for an attacker who knows the others' answers."""
    return excess(*laws(others_yes, others_no, expit(local_epsilon)), epsilon)


def laws(yes, no, truth):
    """How likely each number of yes is, if the one person means yes, and if they mean no."""
    # One place at a time: how many of those who mean yes say so.
    others, liars = np.zeros(yes + no + 1), binomial(no, 1 - truth)
    for k, share in enumerate(binomial(yes, truth)):
        others[k : k + no + 1] += share * liars
    means_yes, means_no = np.zeros((2, yes + no + 2))
    means_yes[1:], means_no[1:] = others * truth, others * (1 - truth)
    means_yes[:-1] += others * (1 - truth)
    means_no[:-1] += others * truth
    return means_yes, means_no


def excess(one, other, epsilon):
    ratio = math.exp(epsilon)
    return max(positive(one - ratio * other), positive(other - ratio * one))


def positive(values):
    return float(values[values > 0].sum())


CLAIM = FunctionClaim(
    shuffled_delta,
    established="the exact delta, in the direction that is larger",
    absolute=1e-11,
    ask="add it up by hand with one other or two: which outcome has another probability with you, "
    "and what of it counts? If that is right: from which number of others on is yours another?",
)


@CLAIM.inputs
def nine(rng):
    """Nobody else, others all alike either way, a mixed few, and many; epsilon 0 and above.

    Once epsilon is nearly as large as the local one.
    """
    for yes, no, local, epsilon in (
        (0, 0, (0.6, 1.4), (0.1, 0.4)),
        (0, (2, 9), (0.5, 2), (0.02, 0.3)),
        ((2, 9), 0, (0.5, 2), (0.02, 0.3)),
        ((3, 7), (8, 15), (0.8, 1.6), (0.1, 0.3)),
        ((3, 7), (8, 15), (2.2, 3), (0, 0)),
        ((1, 3), (50, 90), (2, 3.5), (0.2, 0.5)),
        ((40, 70), (10, 20), (1, 2), (0.05, 0.2)),
        (0, (1500, 3000), (3, 4), (0.1, 0.2)),
        ((1, 3), (2, 4), (2.2, 3), (1.6, 1.9)),
    ):
        whole = [each if each == 0 else int(rng.integers(*each)) for each in (yes, no)]
        yield {
            "others_yes": whole[0],
            "others_no": whole[1],
            "local_epsilon": round(rng.uniform(*local), 3),
            "epsilon": round(rng.uniform(*epsilon), 3),
        }


def with_laws(formula):
    """Return a wrong function of the two laws, at epsilon."""
    return lambda yes, no, local_epsilon, epsilon: formula(
        *laws(yes, no, expit(local_epsilon)), epsilon
    )


def with_others(pair_of):
    """Return a wrong function whose two laws are made otherwise, of the people and the truth."""
    return lambda others_yes, others_no, local_epsilon, epsilon: excess(
        *pair_of(others_yes, others_no, expit(local_epsilon)), epsilon
    )


def over(one, other, epsilon):
    """The delta of one direction."""
    return positive(one - math.exp(epsilon) * other)


def alike(yes, no, truth):
    """How likely each number of yes is, if all mean yes, and if all mean no."""
    return tuple(binomial(yes + no + 1, chance) for chance in (truth, 1 - truth))


def pooled(yes, no, truth):
    """How likely each number of yes is, if each of the others says yes with the mean chance."""
    chance = (yes * truth + no * (1 - truth)) / max(yes + no, 1)
    others = binomial(yes + no, chance)
    return np.convolve(others, [1 - truth, truth]), np.convolve(others, [truth, 1 - truth])


def honest(yes, no, truth):
    """How likely each number of yes is, where the one person's report is their answer."""
    others = np.convolve(binomial(yes, truth), binomial(no, 1 - truth))
    return np.append(0, others), np.append(others, 0)


def without_own(yes, no, truth):
    return (np.append(np.eye(2)[own], [0] * (yes + no)) for own in (1, 0))


OWN = "how many people send a report, and whose coin is different in the two cases?"
SUMS = "which outcomes count in each of the two sums, and which of the sums is wanted?"
COINS = "how likely does somebody who means no say yes? And somebody who means yes?"
FACTOR = "what is the factor between two chances that epsilon allows?"
CASES = "the others' answers are the same in both cases: whose answer is different?"

for name, ask, formula in (
    ("one direction only: yes against no", SUMS, over),
    ("one direction only: no against yes", SUMS, lambda one, other, e: over(other, one, e)),
    (
        "both directions are added",
        SUMS,
        lambda one, other, e: over(one, other, e) + over(other, one, e),
    ),
    (
        "the smaller direction is returned",
        SUMS,
        lambda one, other, e: min(over(one, other, e), over(other, one, e)),
    ),
    (
        "only the largest single outcome counts",
        SUMS,
        lambda one, other, e: np.maximum(one - np.exp(e) * other, other - np.exp(e) * one).max(),
    ),
    (
        "distances are added, without regard to their sign",
        SUMS,
        lambda one, other, e: float(np.abs(one - math.exp(e) * other).sum()),
    ),
    (
        "epsilon stands where exp(epsilon) belongs",
        FACTOR,
        lambda one, other, e: max(positive(one - e * other), positive(other - e * one)),
    ),
    (
        "1 + epsilon stands where exp(epsilon) belongs",
        FACTOR,
        lambda one, other, e: excess(one, other, math.log(1 + e)),
    ),
):
    CLAIM.mistake(name, ask, with_laws(formula))
CLAIM.mistake(
    "epsilon is taken as 0", "which outcomes are within the factor?", given={"epsilon": 0}
)
for name, ask, pair_of in (
    ("the one person's own coin is left out", OWN, without_own),
    ("the person tells the truth, without a coin", OWN, honest),
    (
        "the others tell the truth: only one report is random",
        OWN,
        lambda yes, no, truth: laws(0, 0, truth),
    ),
    (
        "the others are taken together: each says yes with the mean of their chances",
        "of two others one means yes, one means no: how likely is it that both say yes?",
        pooled,
    ),
    (
        "all the others are taken to mean the same",
        COINS,
        lambda yes, no, truth: laws(0, yes + no, truth),
    ),
    ("everybody is taken to mean yes, or everybody no", CASES, alike),
    ("one of the others too many", OWN, lambda yes, no, truth: laws(yes, no + 1, truth)),
    ("one of the others too few", OWN, lambda yes, no, truth: laws(yes, max(no - 1, 0), truth)),
    (
        "a lie has probability exp(-epsilon)",
        COINS,
        lambda yes, no, truth: laws(yes, no, 2 - 1 / truth),
    ),
    (
        "the local epsilon is ignored: truth has probability 3/4",
        COINS,
        lambda yes, no, truth: laws(yes, no, 0.75),
    ),
):
    CLAIM.mistake(name, ask, with_others(pair_of))
