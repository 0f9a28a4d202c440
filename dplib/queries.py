"""Questions about a table: answered with privacy, read by an attacker, priced in epsilon."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.mechanisms import laplace_mechanism

__all__ = ["attacker_posterior", "epsilon_for_error", "household_beliefs", "private_count"]


def private_count(table, predicate: Callable[[pd.DataFrame], pd.Series], *, epsilon, rng=None):
    """Release how many rows of `table` satisfy `predicate`, with epsilon-differential privacy.

    One row moves a count by at most 1, so its sensitivity is 1 for both neighbors, add_remove and
    replace_one. The predicate must judge each row by that row alone: one that compares rows (for
    example with the table's mean) can move by more than 1, and then nothing is guaranteed.

    Args:
      table: DataFrame of shape (n, columns), one row a person. A table without rows counts 0.
      predicate: function from the table to n truth values, for example
        `lambda table: table["Age"] >= 40`.
      epsilon: privacy loss spent by this release, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy number of rows, a float: it can be negative, and need not be whole.

    Raises:
      ValueError: epsilon is out of range, table is not a DataFrame, or predicate does not give one
        truth value a row.

    Source: Dwork & Roth (2014), section 3.3, example 3.1 (counting queries).
    """
    count = _count_rows(table, predicate)
    return laplace_mechanism(count, sensitivity=1, epsilon=epsilon, rng=rng)


def _count_rows(table, predicate) -> int:
    """Return the exact number of rows that satisfy `predicate`."""
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"table must be a DataFrame, got {type(table).__name__}")
    chosen = np.asarray(predicate(table))
    if chosen.shape != (len(table),) or chosen.dtype != bool:
        raise ValueError(
            f"predicate must give {len(table)} truth values, one a row, "
            f"got shape {chosen.shape} of {chosen.dtype}"
        )
    return int(chosen.sum())


def attacker_posterior(noisy_count, *, count_without, epsilon, prior):
    """Return the probability, after a noisy count, that the target is among those counted.

    The attacker knows the mechanism, epsilon and everybody but the target. So only two exact counts
    are possible: `count_without`, or one more. The release adds Laplace noise of scale 1 / epsilon.

    Args:
      noisy_count: the released number, or an array of shape (n,) of possible releases.
      count_without: the exact count when the target is not counted, one number.
      epsilon: privacy loss of the release, > 0, without unit.
      prior: probability, before the release, that the target is counted; strictly between 0 and 1.

    Returns:
      The probability after the release, of the shape of `noisy_count`. Its odds are between
      exp(-epsilon) and exp(epsilon) times the odds of the prior.

    Raises:
      ValueError: an argument is out of range.

    Source: Bayes's rule with the ratio of two Laplace densities (Dwork & Roth 2014,
    definition 3.2).
    """
    from scipy.special import expit, logit

    seen = _validate.finite_array("noisy_count", noisy_count)
    without = _validate.number("count_without", count_without)
    epsilon = _validate.positive("epsilon", epsilon)
    prior = _validate.probability("prior", prior)
    # Dwork & Roth (2014), proof of theorem 3.6: the log of the two densities' ratio.
    log_ratio = epsilon * (np.abs(seen - without) - np.abs(seen - without - 1))
    return _validate.like_input(np.asarray(expit(logit(prior) + log_ratio)))


def household_beliefs(noisy_count, *, others, household, epsilon, prior):
    """Return what a noisy count says of a household whose members are all counted or none.

    The attacker knows everybody outside the household, the mechanism and epsilon, and knows that
    the members share one answer: all ill, or all well. The release adds Laplace noise of scale
    1 / epsilon to the number of people who are ill.

    Args:
      noisy_count: the released number, or an array of shape (n,) of possible releases.
      others: the exact count outside the household, one number.
      household: people in the household, a whole number of at least 1; one of them is you.
      epsilon: privacy loss of the release, > 0, without unit.
      prior: probability, before the release, that the household is ill; strictly between 0 and 1.

    Returns:
      Two probabilities that the household is ill, each of the shape of `noisy_count`: with your row
      in the table, and if your row had been left out. The odds of the two differ by a factor of at
      most exp(epsilon). The odds of the first differ from the prior's by at most
      exp(household * epsilon), and that is reached.

    Raises:
      ValueError: an argument is out of range.

    Source: Kasiviswanathan & Smith (2014), belief with and without one person's row; Dwork & Roth
    (2014), theorem 2.2 (group privacy).
    """
    from scipy.special import expit, logit

    seen = _validate.finite_array("noisy_count", noisy_count)
    others = _validate.number("others", others)
    household = _validate.whole("household", household)
    epsilon = _validate.positive("epsilon", epsilon)
    before = logit(_validate.probability("prior", prior))
    beliefs = []
    for rows in (household, household - 1):
        # The log of the ratio of two Laplace densities whose centers are `rows` apart.
        log_ratio = epsilon * (np.abs(seen - others) - np.abs(seen - others - rows))
        beliefs.append(_validate.like_input(np.asarray(expit(before + log_ratio))))
    return tuple(beliefs)


def epsilon_for_error(error, *, probability, sensitivity):
    """Return the smallest epsilon for which a Laplace release is within `error` often enough.

    Args:
      error: largest error that is accepted, in the query's units, > 0.
      probability: how often the release must be within it, strictly between 0 and 1.
      sensitivity: largest L1 change of the answer between neighbors (add_remove or replace_one,
        the same as for the release), same units as `error`, > 0.

    Returns:
      epsilon: with it, `laplace_mechanism` is off by at most `error` with exactly `probability`.

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), fact 3.7: Pr(|Lap(b)| >= t * b) = exp(-t).
    """
    error = _validate.positive("error", error)
    # Solve 1 - exp(-error * epsilon / sensitivity) = probability for epsilon.
    exponent = -math.log1p(-_validate.probability("probability", probability))
    return _validate.positive("sensitivity", sensitivity) * exponent / error
