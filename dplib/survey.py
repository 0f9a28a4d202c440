"""Surveys in the local model: what p and q cost and give, and the choice of the best protocol.

The neighbors are replace_one, as in `dplib.local`: everybody adds the noise to their own answer.
"""

import math

import numpy as np
import pandas as pd

from dplib import _validate
from dplib._categories import public_index
from dplib.local import (
    aggregate,
    direct_aggregate,
    direct_encode,
    direct_perturb,
    direct_probabilities,
    local_epsilon,
    perturb,
    two_probabilities,
)

__all__ = [
    "estimate_variance",
    "optimal_unary_probabilities",
    "private_survey",
    "survey_variances",
    "unary_epsilon",
]


def unary_epsilon(p, q):
    """Return the privacy cost of one unary-encoded report (replace_one): ln 9 for 3/4 and 1/4.

    Args:
      p: probability that a 1 stays 1, strictly between q and 1.
      q: probability that a 0 becomes 1, strictly between 0 and p.

    Raises:
      ValueError: p or q is out of range.

    Source: Wang, Blocki, Li & Jha (2017): two bits differ, and each gives its worst ratio.
    """
    p, q = two_probabilities(p, q)
    return math.log(p) - math.log1p(-p) + math.log1p(-q) - math.log(q)


def optimal_unary_probabilities(*, epsilon):
    """Return the (p, q) of this epsilon with the least variance for a category that nobody has.

    Args:
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.

    Raises:
      ValueError: epsilon is out of range.

    Source: Wang, Blocki, Li & Jha (2017), optimal unary encoding: p = 1/2, q = 1 / (e^epsilon + 1).
    """
    _, q = direct_probabilities(domain_size=2, epsilon=epsilon)
    return 0.5, q


def estimate_variance(count, *, people, p, q):
    """Return the exact variance of an estimated count, for any of the protocols here.

    Args:
      count: the true count, number or array of any shape, from 0 to `people`.
      people: number of reports n, >= 1.
      p: probability that a report supports its own category: `direct_probabilities` (with
        domain_size=2 for randomized response), or the p of `perturb`.
      q: probability that it supports one given other category.

    Returns:
      The variance, of the shape of `count`, in people squared.

    Raises:
      ValueError: an argument is out of range.

    Source: the support is Bin(count, p) + Bin(n - count, q), two independent binomials; in Wang,
    Blocki, Li & Jha (2017) for pure protocols.
    """
    true = _validate.finite_array("count", count)
    people = _validate.whole("people", people)
    if (true < 0).any() or (true > people).any():
        raise ValueError(f"count must lie between 0 and people = {people}, got {count!r}")
    p, q = two_probabilities(p, q)
    return _validate.like_input((true * p * (1 - p) + (people - true) * q * (1 - q)) / (p - q) ** 2)


def survey_variances(*, domain_size, people, epsilon):
    """Return, for each protocol, the variances of its k estimated counts, added up.

    The sum is exact and the same for all data, so a protocol can be chosen by it before anyone
    answers.

    Args:
      domain_size: number of categories k, >= 2.
      people: number of reports n, >= 1.
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.

    Returns:
      A dictionary: "direct", "symmetric_unary" (p = 1 - q) and "optimal_unary".

    Raises:
      ValueError: an argument is out of range.

    Source: `estimate_variance`, added over counts that sum to n.
    """
    people = _validate.whole("people", people)
    k = _validate.whole("domain_size", domain_size, least=2)
    return {
        name: estimate_variance(1, people=1, p=p, q=q) * people
        + estimate_variance(0, people=1, p=p, q=q) * people * (k - 1)
        for name, (p, q) in _protocols(k, epsilon).items()
    }


def private_survey(values, *, categories, epsilon, rng=None):
    """Estimate the count of each category in the local model, by the protocol of least variance.

    Every person's report is epsilon-private (replace_one). The protocol depends on the number of
    categories and epsilon only, not on anybody's value.

    Args:
      values: one value a person, a sequence of n; each in `categories`, none missing.
      categories: the public domain of k >= 2 different values, fixed before the data are seen.
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      Series of unbiased estimates, indexed by `categories`, named after the protocol. Its total
      squared error has the mean that `survey_variances` gives.

    Raises:
      ValueError: an argument is out of range, or a value is not among the categories.

    Source: Wang, Blocki, Li & Jha (2017), the comparison of protocols.
    """
    codes = np.atleast_1d(direct_encode(values, categories=categories))
    k = len(categories)
    variances = survey_variances(domain_size=k, people=len(codes), epsilon=epsilon)
    name = min(variances, key=variances.get)
    if name == "direct":
        reports = direct_perturb(codes, domain_size=k, epsilon=epsilon, rng=rng)
        counts = direct_aggregate(reports, domain_size=k, epsilon=epsilon)
    else:
        p, q = _protocols(k, epsilon)[name]
        counts = aggregate(perturb(np.eye(k, dtype=bool)[codes], p=p, q=q, rng=rng), p=p, q=q)
    return pd.Series(counts, index=public_index(categories), name=name)


def _protocols(domain_size, epsilon) -> dict[str, tuple[float, float]]:
    """Return the p and q of each protocol."""
    # Each of the two bits of symmetric unary encoding carries half: p / q = e^(epsilon / 2).
    lie = math.exp(-local_epsilon(epsilon) / 2)
    return {
        "direct": direct_probabilities(domain_size=domain_size, epsilon=epsilon),
        "symmetric_unary": (1 / (1 + lie), lie / (1 + lie)),
        "optimal_unary": optimal_unary_probabilities(epsilon=epsilon),
    }
