"""Checks for a notebook's test cells, one for each exercise, named as the exercise.

    from autograder import check
    check.laplace_mechanism(laplace_mechanism)

A check returns a result that says what was established, or raises CheckFailure, an AssertionError
that says what is wrong. A correct answer fails less than once in a billion runs
(docs/how-checks-decide.md). Settings are drawn anew at every run.
"""

from __future__ import annotations

from collections.abc import Callable

from autograder.check.claims import CLAIMS as _CLAIMS
from autograder.check.result import CheckFailure, Result

__all__ = [
    "CheckFailure",
    "Result",
    "attacker_posterior",
    "blind_spots",
    "discrete_laplace",
    "epsilon_for_error",
    "halved_noise_counterexample",
    "laplace_mechanism",
    "private_count",
]


def laplace_mechanism(function: Callable) -> Result:
    """Check `function(value, *, sensitivity, epsilon)`: Laplace noise on one number."""
    return _CLAIMS["laplace_mechanism"].check(function)


def private_count(function: Callable) -> Result:
    """Check `function(table, predicate, *, epsilon)`: the right count, Laplace noise on it."""
    return _CLAIMS["private_count"].check(function)


def attacker_posterior(function: Callable) -> Result:
    """Check `function(noisy_count, *, count_without, epsilon, prior)`: Bayes's rule."""
    return _CLAIMS["attacker_posterior"].check(function)


def epsilon_for_error(function: Callable) -> Result:
    """Check `function(error, *, probability, sensitivity)`: the epsilon that an error needs."""
    return _CLAIMS["epsilon_for_error"].check(function)


def discrete_laplace(function: Callable) -> Result:
    """Check `function(value, *, sensitivity, epsilon)`: whole-number noise on one whole number."""
    return _CLAIMS["discrete_laplace"].check(function)


def halved_noise_counterexample(function: Callable) -> Result:
    """Check `function(epsilon)`: an event that shows that half of the noise is not enough.

    The function returns (count, neighbor_count, low, high): the exact counts of two neighbors
    (add_remove) and an interval that holds count + noise with more than exp(epsilon) times the
    probability that it holds neighbor_count + noise, for noise of scale 1 / (2 * epsilon).
    """
    return _CLAIMS["halved_noise_counterexample"].check(function)


def blind_spots(claim: str | Callable) -> dict[str, float]:
    """Return the mistakes that a claim cannot tell from a right answer, for its author.

    Args:
      claim: a check of this module, or its name.

    Returns:
      For each such mistake, how many nats an answer speaks against it, at fresh settings. Such
      mistakes (below 0.005 nats) do not hold up a pass. For an exercise without chance: 0.0 for
      each mistake that gives the right value at every input tried.

    Raises:
      ValueError: there is no such claim.
    """
    name = getattr(claim, "__name__", claim)
    if name not in _CLAIMS:
        raise ValueError(f"claim must be one of {sorted(_CLAIMS)}, got {claim!r}")
    return _CLAIMS[name].blind_spots()
