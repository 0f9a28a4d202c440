"""Rényi and zero-concentrated privacy: divergences of two laws, their mechanisms, conversions."""

import math

import numpy as np

from dplib import _validate
from dplib.gaussian import add_gaussian
from dplib.guarantees import RenyiDP, ZeroConcentratedDP
from dplib.privacy_loss import laws

__all__ = [
    "best_order",
    "gaussian_mechanism_rdp",
    "gaussian_mechanism_zcdp",
    "gaussian_renyi_divergence",
    "max_divergence",
    "rdp_to_dp",
    "renyi_divergence",
    "repeated_gaussian",
    "zcdp_to_dp",
]


def gaussian_mechanism_rdp(value, *, l2_sensitivity, order, epsilon_bar, rng=None):
    """Release `value` with (order, epsilon_bar)-Rényi differential privacy, by Gaussian noise.

    It holds at other orders too, with epsilon_bar in proportion to the order.

    Args:
      value, l2_sensitivity, rng: as in `gaussian_mechanism`.
      order: order of the Rényi divergence, > 1.
      epsilon_bar: bound on the Rényi divergence at this order, > 0.

    Returns:
      The noisy answer: same shape and units; the noise has
      sigma = l2_sensitivity * sqrt(order / (2 * epsilon_bar)).

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2017), corollary 3.
    """
    sensitivity = _validate.positive("l2_sensitivity", l2_sensitivity)
    if _validate.number("order", order) <= 1:
        raise ValueError(f"order must be above 1, got {order!r}")
    # Mironov (2017), corollary 3: epsilon_bar = order * sensitivity^2 / (2 sigma^2).
    ratio = float(order) / _validate.positive("epsilon_bar", epsilon_bar)
    return add_gaussian(value, sensitivity * math.sqrt(ratio / 2), rng)


def gaussian_mechanism_zcdp(value, *, l2_sensitivity, rho, rng=None):
    """Release `value` with rho-zero-concentrated differential privacy, by Gaussian noise.

    Args:
      value, l2_sensitivity, rng: as in `gaussian_mechanism`.
      rho: > 0, without unit.

    Returns:
      The noisy answer: same shape and units; the noise has sigma = l2_sensitivity / sqrt(2 * rho).

    Raises:
      ValueError: an argument is out of range.

    Source: Bun & Steinke (2016), proposition 1.6.
    """
    sensitivity = _validate.positive("l2_sensitivity", l2_sensitivity)
    # Bun & Steinke (2016), proposition 1.6: rho = sensitivity^2 / (2 sigma^2).
    return add_gaussian(value, sensitivity / math.sqrt(2 * _validate.positive("rho", rho)), rng)


def repeated_gaussian(value, *, l2_sensitivity, count, epsilon, delta, rng=None):
    """Release one of `count` answers that are together (epsilon, delta)-private, by zCDP.

    Each answer gets the same rho. All of them are rho-zCDP together with the largest rho that
    converts to (epsilon, delta). The guarantee is for the neighbors (add_remove or replace_one) for
    which `l2_sensitivity` was computed.

    Args:
      value, l2_sensitivity, rng: as in `gaussian_mechanism`.
      count: number of answers in all, this one included, a whole number of at least 1.
      epsilon: privacy cost of all of them, > 0, without unit.
      delta: of all of them, strictly between 0 and 1.

    Returns:
      The noisy answer: same shape and units; the noise has sigma = l2_sensitivity * sqrt(count / (2
      * rho)), where sqrt(rho) = sqrt(ln(1/delta) + epsilon) - sqrt(ln(1/delta)).

    Raises:
      ValueError: an argument is out of range.

    Source: Bun & Steinke (2016), propositions 1.3, 1.6 and lemma 1.7.
    """
    count, epsilon = _validate.whole("count", count), _validate.positive("epsilon", epsilon)
    log = -math.log(_validate.probability("delta", delta))
    # Bun & Steinke (2016), proposition 1.3, solved for the root of rho; as a quotient, so that a
    # small epsilon loses no digits.
    root = epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))
    rho = root**2 / count
    return gaussian_mechanism_zcdp(value, l2_sensitivity=l2_sensitivity, rho=rho, rng=rng)


def rdp_to_dp(order: float, epsilon_bar: float, *, delta: float) -> float:
    """Return the epsilon of (epsilon, delta) privacy that one point of a Rényi curve implies.

    Args:
      order: > 1.
      epsilon_bar: bound on the Rényi divergence at this order, >= 0.
      delta: strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2017), proposition 3. `RenyiDP.to_approximate` uses a sharper one.
    """
    (order,) = RenyiDP((order,), (epsilon_bar,)).orders
    return float(epsilon_bar) - math.log(_validate.probability("delta", delta)) / (order - 1)


def zcdp_to_dp(rho: float, *, delta: float) -> float:
    """Return the epsilon of (epsilon, delta) privacy that rho-zCDP implies.

    Args:
      rho: > 0.
      delta: strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Bun & Steinke (2016), proposition 1.3.
    """
    return ZeroConcentratedDP(rho).to_approximate(delta=delta).epsilon


def best_order(orders, epsilon_bars, *, delta: float) -> float:
    """Return the order at which `rdp_to_dp` gives the smallest epsilon.

    Args:
      orders: shape (n,), increasing, each > 1.
      epsilon_bars: shape (n,): the Rényi curve at these orders, >= 0.
      delta: strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2017), proposition 3, minimised over the order.
    """
    curve = RenyiDP(tuple(orders), tuple(epsilon_bars))
    epsilons = [
        rdp_to_dp(order, epsilon_bar, delta=delta)
        for order, epsilon_bar in zip(curve.orders, curve.epsilons, strict=True)
    ]
    return curve.orders[int(np.argmin(epsilons))]


def max_divergence(first, second) -> float:
    """Return the largest log ratio of probability over all sets of outputs: max divergence.

    Args:
      first, second: shape (n,): the probabilities of the same n outputs, summing to 1.

    Returns:
      ln of the largest first / second where first is positive; infinity where second is 0 there.

    Raises:
      ValueError: they are not probabilities of the same outputs.

    Source: Dwork & Roth (2014), definition 3.6.
    """
    first, second = laws(first, second)
    possible = first > 0
    with np.errstate(divide="ignore"):
        # For a set of outputs the ratio is a mean of its outputs' ratios: one output suffices.
        return float(np.log(first[possible] / second[possible]).max())


def renyi_divergence(first, second, *, order: float) -> float:
    """Return the Rényi divergence of `first` from `second`.

    Args:
      first, second: shape (n,): the probabilities of the same n outputs, summing to 1.
      order: > 1. The larger, the nearer to `max_divergence`.

    Returns:
      ln(sum of first^order * second^(1 - order)) / (order - 1); infinity if `first` gives an output
      that `second` cannot.

    Raises:
      ValueError: they are not probabilities of the same outputs, or order is not above 1.

    Source: Mironov (2017), definition 3.
    """
    first, second = laws(first, second)
    (order,) = _validate.finite_array("order", [order])
    if order <= 1:
        raise ValueError(f"order must be above 1, got {order!r}")
    possible = first > 0
    if (second[possible] == 0).any():
        return math.inf
    terms = order * np.log(first[possible]) + (1 - order) * np.log(second[possible])
    return float(np.logaddexp.reduce(terms) / (order - 1))


def gaussian_renyi_divergence(distance: float, *, sigma: float, order: float) -> float:
    """Return the Rényi divergence of two normal laws of one standard deviation.

    Args:
      distance: between their means, in the query's units (for vectors the L2 distance).
      sigma: their standard deviation, same units, > 0.
      order: > 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2017), proposition 7 (corollary 3 for the mechanism): order d^2 / (2 sigma^2).
    """
    distance = _validate.number("distance", distance)
    sigma, order = _validate.positive("sigma", sigma), _validate.number("order", order)
    if order <= 1:
        raise ValueError(f"order must be above 1, got {order!r}")
    return order * distance**2 / (2 * sigma**2)
