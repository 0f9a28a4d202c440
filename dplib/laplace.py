"""Laplace noise: the mechanism, counts with it, what an attacker learns, what accuracy costs."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from dplib import _validate

__all__ = [
    "attacker_posterior",
    "discrete_laplace",
    "epsilon_for_error",
    "household_beliefs",
    "laplace_density",
    "laplace_mechanism",
    "private_count",
]


def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    """Release `value` with epsilon-differential privacy by adding Laplace noise.

    The guarantee holds in real arithmetic, for the neighbors (add_remove or replace_one) for which
    `sensitivity` was computed. Floating-point numbers are not real numbers: their gaps can
    identify the input (Mironov 2012). For whole numbers use `discrete_laplace`, which has none.

    Args:
      value: exact answer, a number or an array of shape (d,), in the query's units, finite.
      sensitivity: largest L1 change of `value` between neighbors, same units, > 0.
      epsilon: privacy cost spent by this release, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer: same shape and units. The noise has scale sensitivity / epsilon, so an entry
      is off by more than scale * ln(1 / beta) with probability beta.

    Raises:
      ValueError: epsilon or sensitivity is not positive and finite, or value is empty or holds a
        number that is not finite.

    Source: Dwork & Roth (2014), section 3.3, definition 3.3 and theorem 3.6.
    """
    exact = _validate.finite_array("value", value)
    scale = _scale(sensitivity, epsilon)
    noisy = _validate.generator(rng).laplace(scale=scale, size=exact.shape)
    # In place: adding into a new array takes three times as long.
    noisy += exact
    return _validate.like_input(noisy)


def _scale(sensitivity, epsilon) -> float:
    """Return sensitivity / epsilon; ValueError if a float holds it as 0, which is no noise."""
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    return _validate.positive("sensitivity / epsilon", scale)


def laplace_density(output, *, value, sensitivity, epsilon):
    """Return how likely `laplace_mechanism` is to release a number near `output`.

    Args:
      output: number or array of shape (n,), in the query's units: where the density is wanted.
      value: the exact answer, one number.
      sensitivity: as in `laplace_mechanism`, > 0.
      epsilon: as in `laplace_mechanism`, > 0.

    Returns:
      The density, per unit of the query, of the shape of `output`.

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), definition 3.2.
    """
    place = _validate.finite_array("output", output)
    scale = _scale(sensitivity, epsilon)
    distance = np.abs(place - _validate.number("value", value))
    return _validate.like_input(np.exp(-distance / scale) / (2 * scale))


def discrete_laplace(value, *, sensitivity, epsilon, rng=None):
    """Release whole numbers with epsilon-differential privacy by adding whole-number noise.

    The noise k has probability proportional to exp(-epsilon * |k| / sensitivity). Every input can
    give every whole number, so an output has no telling gaps. (The law is exact up to the rounding
    inside numpy's geometric sampler.) The guarantee holds for the neighbors (add_remove or
    replace_one) for which `sensitivity` was computed.

    Args:
      value: exact answer, a whole number or an array of them of shape (d,), at most 2**53 in size.
      sensitivity: largest L1 change of `value` between neighbors, > 0.
      epsilon: privacy cost spent by this release, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy answer, of the shape of `value`: a Python int, or an int64 array. An entry is off by
      k or more with probability 2 * q**k / (1 + q), where q = exp(-epsilon / sensitivity), k >= 1.

    Raises:
      ValueError: epsilon or sensitivity is not positive and finite, epsilon / sensitivity is below
        1e-12 (the noise would not fit 64 bits), or value is empty or not whole.

    Source: Ghosh, Roughgarden & Sundararajan (2009), the geometric mechanism; as a difference of
    two geometric variables in Canonne, Kamath & Steinke (2020), section 5.
    """
    exact = _validate.integer_array("value", value)
    rate = _validate.positive("epsilon", epsilon) / _validate.positive("sensitivity", sensitivity)
    if rate < 1e-12:
        raise ValueError(f"epsilon / sensitivity must be at least 1e-12, got {rate!r}")
    generator = _validate.generator(rng)
    # Two independent geometric variables of one rate: their difference has the law stated above.
    failure = -np.expm1(-rate)
    up = generator.geometric(failure, size=exact.shape)
    down = generator.geometric(failure, size=exact.shape)
    return _validate.like_input(np.asarray(exact + up - down))


def private_count(table, predicate: Callable[[pd.DataFrame], pd.Series], *, epsilon, rng=None):
    """Release how many rows of `table` satisfy `predicate`, with epsilon-differential privacy.

    One row moves a count by at most 1, so its sensitivity is 1 for both neighbors, add_remove and
    replace_one. The predicate must judge each row by that row alone: one that compares rows (for
    example with the table's mean) can move by more than 1, and then nothing is guaranteed.

    Args:
      table: DataFrame of shape (n, columns), one row a person. A table without rows counts 0.
      predicate: function from the table to n truth values, for example
        `lambda table: table["Age"] >= 40`.
      epsilon: privacy cost spent by this release, > 0, without unit.
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
      epsilon: privacy cost of the release, > 0, without unit.
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
      epsilon: privacy cost of the release, > 0, without unit.
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
