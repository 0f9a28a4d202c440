"""The laws that figures draw. `scipy.stats` has them too, and takes half a second to import."""

from typing import NamedTuple

import numpy as np


class LaplaceLaw(NamedTuple):
    """Laplace noise around a centre, as a frozen distribution of scipy.

    Source: Dwork & Roth (2014), definition 3.2.
    """

    centre: float
    scale: float

    def median(self) -> float:
        """Return the place with half of the law on each side."""
        return self.centre

    def pdf(self, place) -> np.ndarray:
        """Return the density at each place."""
        return np.exp(-np.abs(place - self.centre) / self.scale) / (2 * self.scale)

    def cdf(self, place) -> np.ndarray:
        """Return how much of the law is at most at each place."""
        distance = (place - self.centre) / self.scale
        tail = 0.5 * np.exp(-np.abs(distance))
        return np.where(distance < 0, tail, 1 - tail)

    def ppf(self, share) -> np.ndarray:
        """Return the place that has this share of the law below it."""
        away = -np.log(2 * np.minimum(share, np.subtract(1, share)))
        return self.centre + self.scale * np.where(np.less(share, 0.5), -away, away)


class GaussianLaw(NamedTuple):
    """Gaussian noise around a centre, as a frozen distribution of scipy."""

    centre: float
    deviation: float

    def median(self) -> float:
        """Return the place with half of the law on each side."""
        return self.centre

    def pdf(self, place) -> np.ndarray:
        """Return the density at each place."""
        distance = (place - self.centre) / self.deviation
        return np.exp(-(distance**2) / 2) / (self.deviation * np.sqrt(2 * np.pi))

    def ppf(self, share) -> np.ndarray:
        """Return the place that has this share of the law below it."""
        from scipy.special import ndtri

        return self.centre + self.deviation * ndtri(share)
