"""The unbiased estimate of each category's count, from reports of k-ary randomized response."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from autograder.check.claims.learning._reports import numbers_of_shape, people_of
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def direct_aggregate(reports, *, domain_size, epsilon):
    """The unbiased estimate of each category's count from the reports of `direct_perturb`, shape
    (k,).
    """
    # Kairouz, Bonawitz & Ramage (2016): with r = exp(epsilon) and k categories
    # E[support] = (c * r + n - c) / (r + k - 1), solved for c.
    ratio, counts = math.exp(epsilon), np.bincount(reports, minlength=domain_size)
    return (counts * (ratio + domain_size - 1) - len(reports)) / (ratio - 1)


CLAIM = FunctionClaim(
    direct_aggregate,
    established="the unbiased estimates, also where they are below 0 or above n",
    read=lambda answer, given: numbers_of_shape(answer, (None,), "the estimates"),
    situation=lambda given: (
        f"reports by category {np.bincount(given['reports']).tolist()}, "
        f"domain_size {given['domain_size']}, epsilon {given['epsilon']}"
    ),
)


@CLAIM.inputs
def four(rng):
    """In each input nobody reports the last category, and most report one."""
    for epsilons in ((0.3, 0.6), (0.8, 1.2), (1.5, 2.0), (2.4, 3.0)):
        domain_size = int(rng.integers(4, 8))
        counts = [people_of(rng, 5, 60) for _ in range(domain_size - 1)]
        counts[int(rng.integers(domain_size - 1))] += 20 * sum(counts)
        yield {
            "reports": rng.permutation(np.repeat(np.arange(domain_size - 1), counts)),
            "domain_size": domain_size,
            "epsilon": round(rng.uniform(*epsilons), 2),
        }


def by_counts(formula):
    """Return a wrong function of the reports by category, their number, and the right p and q."""

    def function(reports, domain_size, epsilon):
        counts = np.bincount(reports, minlength=domain_size)
        q = 1 / (math.exp(epsilon) + domain_size - 1)
        return formula(counts, len(reports), math.exp(epsilon) * q, q)

    return function


def with_probabilities(pair):
    """Return the right formula with other p and q, from the number of categories and epsilon."""

    def function(reports, domain_size, epsilon):
        p, q = pair(domain_size, epsilon)
        return solved(np.bincount(reports, minlength=domain_size), len(reports), p, q)

    return function


def solved(counts, people, p, q):
    return (counts - people * q) / (p - q)


EXPECT = "how many reports of a category do you expect if c of n people are in it? Solve for c."
FREE = "may an unbiased estimate be below 0, or above n? What happens to its mean if it may not?"
CHANCES = "how likely is one given other category: which k probabilities must sum to one?"

CLAIM.mistake(
    "reports are counted, nothing else",
    "which of the reports are false?",
    by_counts(lambda counts, n, p, q: counts),
)
CLAIM.mistake(
    "p and q are those of two categories",
    CHANCES,
    with_probabilities(lambda k, epsilon: (expit(epsilon), expit(-epsilon))),
)
CLAIM.mistake(
    "q is 1 - p, not shared among the others",
    CHANCES,
    by_counts(lambda counts, n, p, q: solved(counts, n, p, 1 - p)),
)
CLAIM.mistake(
    "k stands where k - 1 belongs",
    CHANCES,
    with_probabilities(
        lambda k, epsilon: (
            math.exp(epsilon) / (math.exp(epsilon) + k),
            1 / (math.exp(epsilon) + k),
        )
    ),
)
CLAIM.mistake(
    "1 - p is shared among all k categories",
    CHANCES,
    by_counts(lambda counts, n, p, q: solved(counts, n, p, (1 - p) / len(counts))),
)
CLAIM.mistake(
    "p and q are those of optimal unary encoding",
    "which protocol made these reports?",
    with_probabilities(lambda k, epsilon: (0.5, expit(-epsilon))),
)
for name, formula in (
    ("p and q are exchanged", lambda counts, n, p, q: solved(counts, n, q, p)),
    (
        "n * p is subtracted where n * q belongs",
        lambda counts, n, p, q: (counts - n * p) / (p - q),
    ),
    ("the division by p - q is missing", lambda counts, n, p, q: counts - n * q),
    ("the false reports are not subtracted", lambda counts, n, p, q: counts / (p - q)),
    ("reports are divided by p", lambda counts, n, p, q: counts / p),
    ("it divides by p, not by p - q", lambda counts, n, p, q: (counts - n * q) / p),
):
    CLAIM.mistake(name, EXPECT, by_counts(formula))
CLAIM.mistake(
    "shares are returned, not counts",
    "what does the docstring say: shares or numbers of people?",
    by_counts(lambda counts, n, p, q: solved(counts, n, p, q) / n),
)
CLAIM.mistake(
    "categories that nobody reports are left out",
    "how many categories are there, by the argument?",
    then=lambda estimates: estimates[:-1],
)
CLAIM.mistake(
    "the estimates are kept between 0 and n",
    FREE,
    by_counts(lambda counts, n, p, q: np.clip(solved(counts, n, p, q), 0, n)),
)
CLAIM.mistake("negative estimates become 0", FREE, then=lambda estimates: np.maximum(estimates, 0))
CLAIM.mistake(
    "a category that nobody reports gets 0",
    "what does the formula give for a support of 0?",
    by_counts(lambda counts, n, p, q: np.where(counts > 0, solved(counts, n, p, q), 0)),
)
CLAIM.mistake(
    "the estimates are rounded",
    "what does rounding gain? Leave the estimates as they come.",
    then=np.round,
)
