"""The law of the privacy loss of a discrete mechanism, and what many answers of it cost exactly."""

import math

import numpy as np

from dplib import _validate

__all__ = ["composed_delta", "composed_losses"]

# Sums of losses that differ by less than rounding are one loss.
_DECIMALS = 10


def composed_losses(first, second, *, count=1) -> tuple[np.ndarray, np.ndarray]:
    """Return the law of the total privacy loss of several independent answers.

    Args:
      first, second: the probabilities of the same outcomes of one answer on two neighbors, shape
        (m,); `first` is the law of what the attacker sees.
      count: number of answers, a whole number of at least 1. Time and memory grow with the number
        of different sums: count + 1 for two outcomes, up to count^(m - 1) / (m - 1)! for m.

    Returns:
      losses, shape (n,), increasing, and their probabilities under `first`. The last loss is
      infinite if `first` gives an outcome that `second` cannot. Losses that agree to ten decimals
      are counted as one.

    Raises:
      ValueError: first and second are not probabilities of the same outcomes, or count is not whole
        and at least 1.

    Source: Sommer, Meiser & Mohammadi (2019).
    """
    first, second = laws(first, second)
    count = _validate.whole("count", count)
    both = (first > 0) & (second > 0)
    losses, chances = np.log(first[both] / second[both]), first[both]
    totals, masses = np.zeros(1), np.ones(1)
    for _ in range(count):
        sums = np.add.outer(totals, losses).round(_DECIMALS).ravel()
        totals, places = np.unique(sums, return_inverse=True)
        masses = np.bincount(places, weights=np.outer(masses, chances).ravel())
    certain = float(first[(first > 0) & (second == 0)].sum())
    if certain > 0:
        # One such outcome among all answers is enough.
        surely = -math.expm1(count * math.log1p(-certain)) if certain < 1 else 1.0
        totals, masses = np.append(totals, math.inf), np.append(masses, surely)
    return totals, masses


def composed_delta(first, second, *, count, epsilon) -> float:
    """Return the smallest delta for which several answers are together (epsilon, delta)-private.

    It is exact for one pair of neighbors, of which either may be the true table; and for all
    neighbors (add_remove or replace_one) if no other pair has laws that are further apart.

    Args:
      first, second: the probabilities of the same outcomes of one answer on two neighbors.
      count: number of independent answers, as in `composed_losses`.
      epsilon: at least 0.

    Returns:
      delta, from 0 to 1. Losses are rounded to ten decimals at each answer, so it is the exact
      delta of an epsilon that is off by at most count * 1e-10.

    Raises:
      ValueError: an argument is out of range.

    Source: Sommer, Meiser & Mohammadi (2019): the mean of 1 - exp(epsilon - loss) over the losses
    above epsilon.
    """
    if _validate.number("epsilon", epsilon) < 0:
        raise ValueError(f"epsilon must be at least 0, got {epsilon!r}")
    deltas = []
    for one, other in ((first, second), (second, first)):
        losses, chances = composed_losses(one, other, count=count)
        above = losses > epsilon
        deltas.append(float(chances[above] @ -np.expm1(epsilon - losses[above])))
    return min(max(deltas), 1.0)


def laws(first, second) -> tuple[np.ndarray, np.ndarray]:
    """Return two laws as arrays; raise ValueError unless both are probabilities of n outputs."""
    arrays = {"first": first, "second": second}
    for name, law in arrays.items():
        arrays[name] = _validate.finite_array(name, law)
        if (arrays[name] < 0).any() or abs(arrays[name].sum() - 1) > 1e-9 or arrays[name].ndim != 1:
            raise ValueError(f"{name} must be probabilities that sum to 1, got {law!r}")
    if arrays["first"].shape != arrays["second"].shape:
        raise ValueError(f"second must have {len(arrays['first'])} entries, got {second!r}")
    return arrays["first"], arrays["second"]
