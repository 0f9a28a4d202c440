"""The unbiased estimate of how many people mean yes, from randomized responses."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from autograder.check.claims.learning._reports import people_of
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def estimate_count(reports, *, epsilon):
    """The unbiased estimate of how many people mean yes, from the reports of
    `randomized_response`.
    """
    # Warner (1965): E[yes] = c * t + (n - c) * (1 - t). With t - (1 - t) = tanh(epsilon / 2) it is
    # n / 2 + (c - n / 2) * tanh(epsilon / 2), solved for c.
    people = len(reports)
    return people / 2 + (reports.sum() - people / 2) / math.tanh(epsilon / 2)


CLAIM = FunctionClaim(
    estimate_count,
    established="the unbiased estimate, also where it is below 0 or above n",
    situation=lambda given: (
        f"{given['reports'].sum()} of {len(given['reports'])} reports are yes, "
        f"epsilon {given['epsilon']}"
    ),
)


@CLAIM.inputs
def eight(rng):
    """Estimates lie below 0, between 0 and n, and above n."""
    for epsilons in ((0.3, 0.9), (1.3, 3.0)):
        for shares in ((0.02, 0.15), (0.35, 0.45), (0.55, 0.65), (0.85, 0.98)):
            people = people_of(rng, 60, 1500)
            yes = max(1, round(people * rng.uniform(*shares)))
            reports = rng.permutation(np.arange(people) < yes)
            yield {"reports": reports, "epsilon": round(rng.uniform(*epsilons), 2)}


def by_counts(formula):
    """Return a wrong function of how many reports are yes, how many there are, and epsilon."""
    return lambda reports, epsilon: formula(reports.sum(), len(reports), epsilon)


def solved(truth, lie):
    """Return the formula (yes - n * lie) / (truth - lie) with probabilities from epsilon."""
    return by_counts(
        lambda yes, n, epsilon: (yes - n * lie(epsilon)) / (truth(epsilon) - lie(epsilon))
    )


EXPECT = "how many reports of yes do you expect if c of n people mean yes? Solve for c."
FREE = "may an unbiased estimate be below 0, or above n? What happens to its mean if it may not?"
TRUE = "with which probability is one report true, at this epsilon?"

CLAIM.mistake(
    "the reports of yes are counted, nothing else",
    "some reports are lies: what do they do to the count?",
    by_counts(lambda yes, n, epsilon: yes),
)
CLAIM.mistake(
    "epsilon is ignored: the formula of two coins is used",
    "the 2 and the n / 4 belong to epsilon = ln 3: where do they come from?",
    given={"epsilon": math.log(3)},
)
CLAIM.mistake(
    "the estimate is for the people who mean no",
    "which count is asked for?",
    lambda reports, epsilon: estimate_count(~reports, epsilon=epsilon),
)
CLAIM.mistake(
    "a share is returned, not a count",
    "what does the docstring say: a share or a number of people?",
    lambda reports, epsilon: estimate_count(reports, epsilon=epsilon) / len(reports),
)
CLAIM.mistake(
    "the false reports of yes are not subtracted",
    "how many of the reports of yes come from people who mean no?",
    by_counts(lambda yes, n, epsilon: yes / math.tanh(epsilon / 2)),
)
for name, formula in (
    (
        "the division by p - q is missing",
        lambda yes, n, epsilon: yes - n * expit(-epsilon),
    ),
    (
        "it divides by p, not by p - q",
        lambda yes, n, epsilon: (yes - n * expit(-epsilon)) / expit(epsilon),
    ),
    ("the reports of yes are divided by p", lambda yes, n, epsilon: yes / expit(epsilon)),
    (
        "it multiplies by p - q instead of dividing",
        lambda yes, n, epsilon: (yes - n * expit(-epsilon)) * math.tanh(epsilon / 2),
    ),
    (
        "n * p is subtracted where n * q belongs",
        lambda yes, n, epsilon: (yes - n * expit(epsilon)) / math.tanh(epsilon / 2),
    ),
    (
        "half of n is subtracted, and not added again",
        lambda yes, n, epsilon: (yes - n / 2) / math.tanh(epsilon / 2),
    ),
):
    CLAIM.mistake(name, EXPECT, by_counts(formula))
CLAIM.mistake(
    "half of epsilon is used",
    TRUE,
    solved(lambda epsilon: expit(epsilon / 2), lambda epsilon: expit(-epsilon / 2)),
)
CLAIM.mistake(
    "twice epsilon is used",
    TRUE,
    solved(lambda epsilon: expit(2 * epsilon), lambda epsilon: expit(-2 * epsilon)),
)
CLAIM.mistake(
    "a fair coin is taken to answer where a lie is due",
    TRUE,
    solved(lambda epsilon: (1 + expit(epsilon)) / 2, lambda epsilon: expit(-epsilon) / 2),
)
CLAIM.mistake(
    "the estimate is kept between 0 and n",
    FREE,
    lambda reports, epsilon: np.clip(estimate_count(reports, epsilon=epsilon), 0, len(reports)),
)
CLAIM.mistake("negative estimates become 0", FREE, then=lambda count: max(count, 0))
CLAIM.mistake(
    "the estimate is rounded",
    "what does rounding gain? Leave the estimate as it comes.",
    then=round,
)
