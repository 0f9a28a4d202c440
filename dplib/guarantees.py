"""What a release promises, as a value: pure, approximate, zero-concentrated and Rényi privacy.

Each guarantee names its neighbors and converts to weaker ones; `dplib.composition` adds them up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplib import _validate

__all__ = [
    "ORDERS",
    "ApproximateDP",
    "Guarantee",
    "PureDP",
    "RenyiDP",
    "ZeroConcentratedDP",
]

#: The orders at which a Rényi curve is kept, unless others are asked for.
ORDERS = (1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512)


@dataclass(frozen=True)
class PureDP:
    """epsilon-differential privacy: no set of outputs is more than exp(epsilon) times as likely.

    Args:
      epsilon: > 0, without unit.
      neighbors: "add_remove" or "replace_one": for which pairs of tables it holds.

    Raises:
      ValueError: epsilon is not positive and finite, or neighbors is unknown.

    Source: Dwork & Roth (2014), definition 2.4.
    """

    epsilon: float
    neighbors: str = "add_remove"

    def __post_init__(self):
        _validate.positive("epsilon", self.epsilon)
        _validate.neighbors("neighbors", self.neighbors)

    def to_approximate(self, *, delta: float) -> ApproximateDP:
        """Return the same epsilon with the given delta: a weaker promise."""
        return ApproximateDP(self.epsilon, delta, self.neighbors)

    def to_zcdp(self) -> ZeroConcentratedDP:
        """Return the zero-concentrated guarantee that this one implies."""
        # Bun & Steinke (2016), proposition 1.4: rho = epsilon^2 / 2.
        return ZeroConcentratedDP(self.epsilon**2 / 2, self.neighbors)

    def to_rdp(self, *, orders=ORDERS) -> RenyiDP:
        """Return the Rényi curve that this guarantee implies, the best possible one."""
        orders = _orders(orders)
        # Randomized response dominates every epsilon-private mechanism (Kairouz, Oh & Viswanath
        # 2015): no curve is higher than its curve, with p = exp(epsilon) / (1 + exp(epsilon)).
        log_q = -np.logaddexp(0, self.epsilon)
        log_p = log_q + self.epsilon
        terms = np.logaddexp(
            orders * log_p + (1 - orders) * log_q, orders * log_q + (1 - orders) * log_p
        )
        # Far below epsilon the sum of two terms near 1 rounds; the divergence is never negative.
        return RenyiDP(tuple(orders), tuple(np.maximum(terms / (orders - 1), 0)), self.neighbors)


@dataclass(frozen=True)
class ApproximateDP:
    """(epsilon, delta)-differential privacy: the bound of `PureDP`, plus delta.

    delta does not mean "with probability 1 - delta it is epsilon-private": for the tightest
    Gaussian noise at (1, 1e-5) the privacy loss is above 1 with probability 1.6e-4.

    Args:
      epsilon: > 0, without unit.
      delta: a probability, strictly between 0 and 1.
      neighbors: "add_remove" or "replace_one".

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), definition 2.4.
    """

    epsilon: float
    delta: float
    neighbors: str = "add_remove"

    def __post_init__(self):
        _validate.positive("epsilon", self.epsilon)
        _validate.probability("delta", self.delta)
        _validate.neighbors("neighbors", self.neighbors)

    def to_approximate(self, *, delta: float) -> ApproximateDP:
        """Return the guarantee with a larger delta.

        Raises:
          ValueError: delta is smaller than the delta of this guarantee.
        """
        if _validate.probability("delta", delta) < self.delta:
            raise ValueError(f"delta must be at least {self.delta!r}, got {delta!r}")
        return ApproximateDP(self.epsilon, delta, self.neighbors)


@dataclass(frozen=True)
class ZeroConcentratedDP:
    """rho-zero-concentrated differential privacy: the Rényi divergence is at most rho * order.

    Args:
      rho: > 0, without unit.
      neighbors: "add_remove" or "replace_one".

    Raises:
      ValueError: rho is not positive and finite, or neighbors is unknown.

    Source: Bun & Steinke (2016), definition 1.1.
    """

    rho: float
    neighbors: str = "add_remove"

    def __post_init__(self):
        _validate.positive("rho", self.rho)
        _validate.neighbors("neighbors", self.neighbors)

    def to_approximate(self, *, delta: float) -> ApproximateDP:
        """Return the (epsilon, delta) guarantee that this one implies."""
        # Bun & Steinke (2016), proposition 1.3: epsilon = rho + 2 sqrt(rho ln(1/delta)).
        surprise = -math.log(_validate.probability("delta", delta))
        epsilon = self.rho + 2 * math.sqrt(self.rho * surprise)
        return ApproximateDP(epsilon, delta, self.neighbors)

    def to_rdp(self, *, orders=ORDERS) -> RenyiDP:
        """Return the Rényi curve: rho * order."""
        orders = _orders(orders)
        return RenyiDP(tuple(orders), tuple(self.rho * orders), self.neighbors)


@dataclass(frozen=True)
class RenyiDP:
    """Rényi differential privacy as a curve: at each order, a bound on the Rényi divergence.

    Args:
      orders: the orders, increasing, each > 1.
      epsilons: the bound at each order ("epsilon bar"), >= 0.
      neighbors: "add_remove" or "replace_one".

    Raises:
      ValueError: orders are not increasing and above 1, the bounds are negative or their number
        differs, or neighbors is unknown.

    Source: Mironov (2017), definition 4.
    """

    orders: tuple[float, ...]
    epsilons: tuple[float, ...]
    neighbors: str = "add_remove"

    def __post_init__(self):
        orders = _orders(self.orders)
        epsilons = _validate.finite_array("epsilons", self.epsilons)
        if epsilons.shape != orders.shape or (epsilons < 0).any():
            raise ValueError(
                f"epsilons must be {len(orders)} numbers of at least 0, got {self.epsilons!r}"
            )
        _validate.neighbors("neighbors", self.neighbors)
        object.__setattr__(self, "orders", tuple(orders.tolist()))
        object.__setattr__(self, "epsilons", tuple(epsilons.tolist()))

    def to_approximate(self, *, delta: float) -> ApproximateDP:
        """Return the smallest epsilon that an order of the curve gives for this delta."""
        _, epsilon = self._best(delta)
        if epsilon <= 0:
            # A curve this low gives (0, delta); the smallest epsilon that a float can hold.
            epsilon = math.ulp(0.0)
        return ApproximateDP(epsilon, delta, self.neighbors)

    def best_order(self, *, delta: float) -> float:
        """Return the order that gives `to_approximate` its epsilon."""
        return self._best(delta)[0]

    def _best(self, delta: float) -> tuple[float, float]:
        orders, curve = np.array(self.orders), np.array(self.epsilons)
        log_delta = math.log(_validate.probability("delta", delta))
        # Canonne, Kamath & Steinke (2020), proposition 12; never worse than Mironov (2017),
        # proposition 3, which lacks the middle term.
        epsilons = curve + np.log1p(-1 / orders) - (log_delta + np.log(orders)) / (orders - 1)
        place = int(np.argmin(epsilons))
        return float(orders[place]), float(epsilons[place])


#: Any of the four.
Guarantee = PureDP | ApproximateDP | ZeroConcentratedDP | RenyiDP


def _orders(orders) -> np.ndarray:
    """Return the orders as an array; raise ValueError unless they increase and are above 1."""
    array = np.atleast_1d(_validate.finite_array("orders", orders))
    if array.ndim != 1 or (array <= 1).any() or (np.diff(array) <= 0).any():
        raise ValueError(f"orders must be increasing numbers above 1, got {orders!r}")
    return array
