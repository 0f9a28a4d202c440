"""How far one person can move an answer: the largest change between neighbors, over all tables."""

from __future__ import annotations

import numpy as np

from dplib import _validate

__all__ = ["contribution_sensitivity", "sum_sensitivity", "vector_sensitivities"]


def sum_sensitivity(lower, upper, *, neighbors):
    """Return how far one person can move a sum of values clipped to [lower, upper].

    Under add_remove a row comes or goes with its whole value: max(|lower|, |upper|). Under
    replace_one a value moves within the interval: upper - lower. For [60, 70] that is 70 and 10.

    Args:
      lower, upper: public bounds of a value, lower < upper; either may be negative.
      neighbors: "add_remove" or "replace_one".

    Returns:
      The sensitivity, in the units of the values.

    Raises:
      ValueError: a bound is not finite, lower is not below upper, or neighbors is unknown.

    Source: Dwork & Roth (2014), definition 3.1, for one number.
    """
    low, high = _validate.interval(lower, upper)
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        return high - low
    return max(abs(low), abs(high))


def contribution_sensitivity(contribution, *, domain, neighbors):
    """Return how far one person can move a sum in which each row counts by itself.

    Args:
      contribution: function from a row's value to the finite number that the row adds to the sum.
      domain: every value that a row can have, a sequence of at least one; public.
      neighbors: "add_remove" (a row comes or goes) or "replace_one" (a row's value changes).

    Returns:
      The sensitivity of the sum, in the units of the contributions.

    Raises:
      ValueError: domain is empty, a contribution is not a finite number, or neighbors is unknown.

    Source: Dwork & Roth (2014), definition 3.1, for one number.
    """
    rows = _contributions(contribution, domain)
    if rows.ndim != 1:
        raise ValueError(f"contribution must give one number, got shape {rows.shape[1:]}")
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        return float(np.ptp(rows))
    return float(np.abs(rows).max())


def vector_sensitivities(contribution, *, domain, neighbors):
    """Return the L1 and the L2 sensitivity of a vector of sums.

    Args:
      contribution: function from a row's value to what the row adds to each of d sums, shape (d,).
      domain: every value that a row can have, a sequence of at least one; public.
      neighbors: "add_remove" (a row comes or goes) or "replace_one" (a row's value changes).

    Returns:
      Two numbers (l1, l2): the largest sum of absolute changes, and the largest root of the sum of
      squared changes. Two different people may make them.

    Raises:
      ValueError: domain is empty, a contribution is not a vector of finite numbers, or neighbors is
        unknown.

    Source: Dwork & Roth (2014), definitions 3.1 and 3.8.
    """
    rows = _contributions(contribution, domain)
    if rows.ndim != 2:
        raise ValueError(f"contribution must give a vector, got shape {rows.shape[1:]}")
    changes = rows
    if _validate.neighbors("neighbors", neighbors) == "replace_one":
        changes = (rows[:, None] - rows[None, :]).reshape(-1, rows.shape[1])
    l1 = np.abs(changes).sum(axis=1).max()
    l2 = np.sqrt((changes**2).sum(axis=1).max())
    return float(l1), float(l2)


def _contributions(contribution, domain) -> np.ndarray:
    """Return what each value of the domain adds, one a row."""
    values = list(domain)
    if not values:
        raise ValueError("domain must hold at least one value, got none")
    return _validate.finite_array("contribution", [contribution(value) for value in values])
