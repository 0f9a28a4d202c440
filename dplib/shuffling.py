"""The shuffled model: a shuffler mixes the reports of the local model and hides who sent which.

The neighbors are replace_one. The attacker sees the mixed reports, and knows everybody's true
answer but one person's. The shuffler is trusted to mix, and to keep no list.
"""

import math

import numpy as np

from dplib import _validate
from dplib.local import direct_probabilities

__all__ = ["shuffled_delta", "shuffled_epsilon"]


def shuffled_delta(others_yes, others_no, *, local_epsilon, epsilon):
    """Return the smallest delta of the shuffled reports of a yes-or-no question at this epsilon.

    Mixed reports of randomized response show how many say yes, and nothing else. So this is exact,
    for an attacker who knows that of the other people `others_yes` mean yes, `others_no` mean no.

    Args:
      others_yes, others_no: whole numbers of at least 0.
      local_epsilon: the epsilon of each report, from 1e-6 to 30, without unit.
      epsilon: of the shuffled reports, >= 0, without unit.

    Returns:
      delta, from 0 to 1 (replace_one).

    Raises:
      ValueError: an argument is out of range.

    Source: Cheu, Smith, Ullman, Zeber & Zhilyaev (2019), the shuffled model; the sum over the
    outcomes by the definition of (epsilon, delta).
    """
    limit = _validate.number("epsilon", epsilon)
    if limit < 0:
        raise ValueError(f"epsilon must be at least 0, got {epsilon!r}")
    return _excess(*_yes_laws(others_yes, others_no, local_epsilon), limit)


def shuffled_epsilon(others_yes, others_no, *, local_epsilon, delta):
    """Return the smallest epsilon at which `shuffled_delta` is at most `delta`.

    Args:
      others_yes, others_no, local_epsilon: as in `shuffled_delta`.
      delta: strictly between 0 and 1.

    Returns:
      epsilon, at most `local_epsilon`, to 1e-9 of it, rounded up (replace_one). Other answers of
      the others give another one; where many are mixed and delta is small, others who are all
      alike give the largest.

    Raises:
      ValueError: an argument is out of range.

    Source: as `shuffled_delta`.
    """
    allowed = _validate.probability("delta", delta)
    laws = _yes_laws(others_yes, others_no, local_epsilon)
    if _excess(*laws, 0.0) <= allowed:
        return 0.0
    low, high = 0.0, float(local_epsilon)
    while high - low > 1e-9 * float(local_epsilon):
        middle = (low + high) / 2
        low, high = (low, middle) if _excess(*laws, middle) <= allowed else (middle, high)
    return high


def _yes_laws(others_yes, others_no, local_epsilon) -> tuple[np.ndarray, np.ndarray]:
    """Return how likely each number of yes is, if the person means no, and if they mean yes."""
    p, q = direct_probabilities(domain_size=2, epsilon=local_epsilon)
    yes = _validate.whole("others_yes", others_yes, least=0)
    no = _validate.whole("others_no", others_no, least=0)
    others = np.convolve(_binomial(yes, p), _binomial(no, q))
    return np.convolve(others, [p, q]), np.convolve(others, [q, p])


def _binomial(people: int, chance: float) -> np.ndarray:
    """Return the probability of each number of yes; `scipy.stats` takes a second to import."""
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(people + 1)
    ways = gammaln(people + 1) - gammaln(k + 1) - gammaln(people - k + 1)
    return np.exp(ways + xlogy(k, chance) + xlog1py(people - k, -chance))


def _excess(one: np.ndarray, other: np.ndarray, epsilon: float) -> float:
    """Return the delta of two laws at epsilon, the larger of both directions."""
    ratio = math.exp(epsilon)
    ways = (one - ratio * other, other - ratio * one)
    return float(max(np.maximum(way, 0).sum() for way in ways))
