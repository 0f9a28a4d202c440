"""What Gaussian noise costs, worked out here without dplib, in rounds on batches."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

ORDERS = range(2, 257)
_LOG_FACTORIALS = np.append(0.0, np.cumsum(np.log(np.arange(1, 257))))


def log_moment(order: int, rate: float, sigma: float, **changed) -> float:
    """Return the log of the sum whose log, over order - 1, is the divergence of one round."""
    return _log_moments(rate, sigma, **changed)[order]


# One answer is compared with many that differ in what is made of these sums alone.
@lru_cache(maxsize=128)
def _log_moments(
    rate: float,
    sigma: float,
    *,
    power: Callable[[np.ndarray], np.ndarray] = lambda k: k * (k - 1) / 2,
    first: int = 0,
    choices: bool = True,
) -> list[float]:
    """Return these logs for each order up to the last, by the order."""
    # Mironov, Talwar & Zhang (2019), section 3.3: a mean over the number of times that the person
    # was drawn among `order` copies.
    order, k = np.arange(ORDERS[-1] + 1)[:, None], np.arange(first, ORDERS[-1] + 1)
    left = order - k
    terms = left * math.log1p(-rate) + k * math.log(rate) + power(k) / sigma**2
    if choices:
        terms += _LOG_FACTORIALS[order] - _LOG_FACTORIALS[k] - _LOG_FACTORIALS[np.abs(left)]
    return np.logaddexp.reduce(np.where(left < 0, -np.inf, terms), axis=1).tolist()


def epsilon_of_curve(curve: Callable[[int], float], delta: float, orders=ORDERS) -> float:
    """Return the best epsilon of a Rényi curve over some orders."""

    # Canonne, Kamath & Steinke (2020), proposition 12.
    def at(order: int) -> float:
        return curve(order) + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)

    return float(np.min([at(order) for order in orders]))


def plain_epsilon(curve: Callable[[int], float], delta: float) -> float:
    """Return the best epsilon by the older conversion, which is never lower."""
    # Mironov (2017), proposition 3.
    return min(curve(order) - math.log(delta) / (order - 1) for order in ORDERS)
