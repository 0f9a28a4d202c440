"""What rounds on random batches cost: the account of the sampled Gaussian, and what it is not."""

import functools
import math

import numpy as np

from dplib import _validate
from dplib.guarantees import RenyiDP

#: Whole orders: at these the curve of the sampled Gaussian has a closed form.
WHOLE_ORDERS = tuple(range(2, 257))


def sampled_gaussian_rdp(*, rate, sigma, rounds=1):
    """Return the Rényi curve of rounds of Gaussian noise on Poisson batches, for add_remove.

    In each round each person is in the batch with probability `rate`, independently of everybody
    and of the other rounds; nobody learns who was. The sum over the batch gets Gaussian noise.

    Args:
      rate: above 0, at most 1.
      sigma: standard deviation of the noise divided by the L2 sensitivity of the sum, > 0.
      rounds: at least 1.

    Returns:
      A RenyiDP at the orders 2, 3, ..., 256; exact at each.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov, Talwar & Zhang (2019), Rényi differential privacy of the sampled Gaussian
    mechanism, section 3.3.
    """
    rate, sigma = _rate(rate), _validate.positive("sigma", sigma)
    rounds = _validate.whole("rounds", rounds)
    curve = rounds * _divergences(rate, sigma)
    return RenyiDP(WHOLE_ORDERS, tuple(curve.tolist()))


def _rate(rate) -> float:
    if _validate.positive("rate", rate) > 1:
        raise ValueError(f"rate must be at most 1, got {rate!r}")
    return float(rate)


def _divergences(rate: float, sigma: float) -> np.ndarray:
    """Return the Rényi divergence of one round at each whole order."""
    orders = np.array(WHOLE_ORDERS, dtype=float)
    if rate == 1:  # the Gaussian mechanism
        return orders / (2 * sigma**2)
    choices, k, absent = _binomials()
    terms = choices + absent * math.log1p(-rate) + k * math.log(rate) + k * (k - 1) / (2 * sigma**2)
    most = terms.max(axis=1)
    logs = most + np.log(np.exp(terms - most[:, None]).sum(axis=1))
    return np.maximum(0.0, logs / (orders - 1))


@functools.cache
def _binomials() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return log C(order, k) for each whole order (-inf for k above it), k, and order - k."""
    from scipy.special import gammaln

    orders, k = np.array(WHOLE_ORDERS)[:, None], np.arange(WHOLE_ORDERS[-1] + 1.0)
    absent = np.maximum(orders - k, 0)
    choices = gammaln(orders + 1) - gammaln(k + 1) - gammaln(absent + 1)
    return np.where(k <= orders, choices, -np.inf), k, absent


def sampled_gaussian_sigma(*, rate, rounds, epsilon, delta):
    """Return how much noise makes all rounds on Poisson batches (epsilon, delta)-private.

    Args:
      rate, rounds: as in `sampled_gaussian_rdp`.
      epsilon: for all rounds together, from 0.01 to 100.
      delta: strictly between 0 and 1.

    Returns:
      The least sigma, in units of the L2 sensitivity of the sum and up to a thousandth more, for
      which `sampled_gaussian_epsilon` is at most epsilon.

    Raises:
      ValueError: an argument is out of range, or more than 20,000 is needed.
    """
    from scipy.optimize import brentq

    epsilon = _validate.positive("epsilon", epsilon)
    if not 0.01 <= epsilon <= 100:
        raise ValueError(f"epsilon must lie between 0.01 and 100, got {epsilon!r}")

    def excess(log_sigma):
        given = {"rate": rate, "rounds": rounds, "sigma": math.exp(log_sigma)}
        return math.log(max(sampled_gaussian_epsilon(**given, delta=delta), 1e-300) / epsilon)

    low, high = math.log(1e-2), 0.0
    while excess(high) > 0:
        low, high = high, high + 1
        if high > 10:
            raise ValueError(f"epsilon must be reached by a sigma up to 20000, got {epsilon!r}")
    found = brentq(excess, low, high, xtol=4e-4) if excess(low) > 0 else low
    return math.exp(found if excess(found) <= 0 else found + 8e-4)


def sampled_gaussian_epsilon(*, rate, sigma, rounds, delta):
    """Return an epsilon for which all rounds together are (epsilon, delta)-private, add_remove.

    Args:
      rate, sigma, rounds: as in `sampled_gaussian_rdp`.
      delta: strictly between 0 and 1.

    Returns:
      The epsilon of the best whole order. It is a bound: an account of the whole privacy loss
      distribution gives less.

    Raises:
      ValueError: an argument is out of range.
    """
    curve = sampled_gaussian_rdp(rate=rate, sigma=sigma, rounds=rounds)
    return curve.to_approximate(delta=delta).epsilon


def shuffled_epsilon_at_least(*, batches, sigma, delta):
    """Return an epsilon that one epoch on shuffled batches certainly loses, at this delta.

    The people are shuffled once and cut into batches of equal size, so each person is in exactly
    one. Neighbors: one person's gradient is replaced by zeros.

    Args:
      batches: number of batches, at least 1.
      sigma: standard deviation of the noise divided by the clipping bound, > 0.
      delta: strictly between 0 and 1.

    Returns:
      A lower bound on epsilon, at least 0: for everybody else's gradient at the bound, this
      person's against it, and the events "a batch's sum is at least c".

    Raises:
      ValueError: an argument is out of range.

    Source: Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang (2024), How private are DP-SGD
    implementations?
    """
    batches, sigma = _validate.whole("batches", batches), _validate.positive("sigma", sigma)
    delta = _validate.probability("delta", delta)
    cuts = np.linspace(-2, 2 + 12 * sigma, 8001)
    # The batch with the person lies 2 above all others, or 1 above them where the person is zeros.
    likely, rare = (_largest_above(cuts, shift, batches, sigma) for shift in (2, 1))
    seen = (likely > delta) & (rare > 0)
    return float(max(0.0, np.log((likely[seen] - delta) / rare[seen]).max(initial=0.0)))


def _largest_above(cuts, shift: float, batches: int, sigma: float) -> np.ndarray:
    """Return the probability that the largest of noisy sums, one of them shifted, is above."""
    from scipy.special import log_ndtr

    below = (batches - 1) * log_ndtr(cuts / sigma) + log_ndtr((cuts - shift) / sigma)
    return -np.expm1(below)
