"""Releases as the laws of their privacy loss: what `dplib.accounting.exact` adds up.

The privacy loss of an output is the log of how much likelier it is for one table than for its
neighbor. Each law is kept in two forms: the moments exp(tilt * loss), in closed form, and places
with masses, for a grid. The masses are tilted: multiplied by exp(tilt * loss) and divided by that
moment. So the losses that matter are common, and nothing is lost to rounding.
"""

import math
from dataclasses import dataclass

import numpy as np

from dplib import _validate

#: exp(-40), or 4e-18, of a tilted law may be left out on each side.
TAIL = 40.0


@dataclass(frozen=True)
class LaplaceRelease:
    """`count` releases with Laplace noise.

    Args:
      scale: of the noise, divided by the sensitivity: 1 / epsilon of one release, > 0.
      count: number of such releases, at least 1.

    Raises:
      ValueError: an argument is out of range.
    """

    scale: float
    count: int = 1

    def __post_init__(self):
        _validate.positive("scale", self.scale)
        _validate.whole("count", self.count)

    @property
    def largest_loss(self) -> float:
        """The largest privacy loss of one release."""
        return 1 / self.scale

    usual_loss = largest_loss

    def log_moment(self, tilt):
        """Return the log of the mean of exp(tilt * loss), for a number or an array of tilts."""
        # Mironov (2017), proposition 6, with order = tilt + 1; symmetric around tilt = -1/2.
        half = np.maximum(np.abs(tilt + 0.5), 1e-300)
        reach = -2 * half * self.largest_loss
        factor = (1 + np.exp(reach)) / 2 - np.expm1(reach) / (4 * half)
        return (half - 0.5) * self.largest_loss + np.log(factor)

    def tilted_law(self, tilt: float, step: float) -> tuple[np.ndarray, np.ndarray]:
        """Return losses and their tilted masses; see `_nodes` for `step`."""
        # Outputs beyond the two exact answers have the loss ±largest; those between them have every
        # loss between, with density exp((loss - largest) / 2) / 4: Dwork & Roth (2014), definition
        # 3.2, in terms of the loss.
        largest, moment = self.largest_loss, self.log_moment(tilt)
        ends = np.array([-largest, largest])
        masses = np.exp(np.minimum(ends - largest, 0) / 2 + tilt * ends - moment) / 2
        lowest = max(-largest, largest - TAIL / (tilt + 0.5))
        losses, lengths = _nodes(lowest, largest, step)
        inside = lengths * np.exp((losses - largest) / 2 + tilt * losses - moment) / 4
        return np.append(ends, losses), np.append(masses, inside)


@dataclass(frozen=True)
class GaussianRelease:
    """`count` releases with Gaussian noise.

    Args:
      sigma: of the noise, divided by the L2 sensitivity, > 0.
      count: number of such releases, at least 1.

    Raises:
      ValueError: an argument is out of range.
    """

    sigma: float
    count: int = 1

    def __post_init__(self):
        _validate.positive("sigma", self.sigma)
        _validate.whole("count", self.count)

    largest_loss = math.inf

    @property
    def usual_loss(self) -> float:
        """A loss that is hardly ever passed: ten standard deviations above the mean."""
        return (0.5 / self.sigma + 10) / self.sigma

    def log_moment(self, tilt):
        """Return the log of the mean of exp(tilt * loss), for a number or an array of tilts."""
        # Mironov (2017), proposition 7, with order = tilt + 1.
        return tilt * (tilt + 1) / 2 / self.sigma / self.sigma

    def tilted_law(self, tilt: float, step: float) -> tuple[np.ndarray, np.ndarray]:
        """Return losses and their tilted masses; see `_nodes` for `step`."""
        # The loss is normal (Balle & Wang 2018), and tilting only moves its mean.
        mean, spread = (tilt + 0.5) / self.sigma / self.sigma, 1 / self.sigma
        reach = math.sqrt(2 * TAIL) * spread
        losses, lengths = _nodes(mean - reach, mean + reach, step)
        density = np.exp(-(((losses - mean) / spread) ** 2) / 2)
        return losses, lengths * density / (spread * math.sqrt(2 * math.pi))


@dataclass(frozen=True)
class RandomizedResponseRelease:
    """`count` answers of randomized response; no epsilon-private release costs more.

    Args:
      epsilon: of one answer, > 0: the truth is told with probability e^epsilon / (1 + e^epsilon).
      count: number of such answers, at least 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Kairouz, Oh & Viswanath (2015), for "no release costs more".
    """

    epsilon: float
    count: int = 1

    def __post_init__(self):
        _validate.positive("epsilon", self.epsilon)
        _validate.whole("count", self.count)

    @property
    def largest_loss(self) -> float:
        """The largest privacy loss of one answer."""
        return self.epsilon

    usual_loss = largest_loss

    def log_moment(self, tilt):
        """Return the log of the mean of exp(tilt * loss), for a number or an array of tilts."""
        # Mironov (2017), proposition 5, with order = tilt + 1.
        moment = np.logaddexp((tilt + 1) * self.epsilon, -tilt * self.epsilon)
        return moment - np.logaddexp(0, self.epsilon)

    def tilted_law(self, tilt: float, step: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the two losses and their tilted masses."""
        losses = np.array([-self.epsilon, self.epsilon])
        log_shares = np.array([0, self.epsilon]) - np.logaddexp(0, self.epsilon)
        return losses, np.exp(log_shares + tilt * losses - self.log_moment(tilt))


#: Any of the three.
Release = LaplaceRelease | GaussianRelease | RandomizedResponseRelease


def _nodes(low: float, high: float, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Return places and lengths for an integral from low to high.

    Gauss's rule with four places, in each of many pieces. No piece holds a multiple of `step` in
    its inside: the grid's shares have a kink there.
    """
    grid = np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step
    edges = np.unique(np.concatenate([np.linspace(low, high, 257), np.clip(grid, low, high)]))
    places, weights = np.polynomial.legendre.leggauss(4)
    half = np.diff(edges)[:, None] / 2
    losses = (edges[:-1, None] + edges[1:, None]) / 2 + half * places
    return losses.ravel(), (half * weights).ravel()
