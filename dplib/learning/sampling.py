"""What rounds on random batches cost: the account of the sampled Gaussian, and what it is not."""

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
    curve = [rounds * _divergence(order, rate, sigma) for order in WHOLE_ORDERS]
    return RenyiDP(WHOLE_ORDERS, tuple(curve))


def _rate(rate) -> float:
    if _validate.positive("rate", rate) > 1:
        raise ValueError(f"rate must be at most 1, got {rate!r}")
    return float(rate)


def _divergence(order: int, rate: float, sigma: float) -> float:
    """Return the Rényi divergence of one round at a whole order."""
    from scipy.special import gammaln, logsumexp

    k = np.arange(order + 1)
    choices = gammaln(order + 1) - gammaln(k + 1) - gammaln(order - k + 1)
    absent = 0.0 if rate == 1 else (order - k) * math.log1p(-rate)
    terms = choices + absent + k * math.log(rate) + k * (k - 1) / (2 * sigma**2)
    # With rate 1 only the last term is there.
    return float(max(0.0, logsumexp(terms[-1:] if rate == 1 else terms) / (order - 1)))


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
