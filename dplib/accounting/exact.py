"""The exact price of many releases: delta for an epsilon, or epsilon for a delta.

Over independent releases the privacy losses add up, and the law of their sum says everything
(Sommer, Meiser & Mohammadi 2019): delta(epsilon) is the mean of 1 - exp(epsilon - loss) over the
losses above epsilon. For Gaussian noise alone it has a closed form. Otherwise each law is put on a
grid, and a Fourier transform adds them up. The grid never makes the price too low.
"""

import math
from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np

from dplib import _validate
from dplib.accounting.losses import (
    TAIL,
    GaussianRelease,
    LaplaceRelease,
    RandomizedResponseRelease,
    Release,
)
from dplib.gaussian import gaussian_delta

__all__ = [
    "GaussianRelease",
    "LaplaceRelease",
    "RandomizedResponseRelease",
    "exact_delta",
    "exact_epsilon",
]

# By which share of itself the grid may raise epsilon, and delta (near the epsilon asked for), if no
# more points than this are needed.
_EPSILON_TOLERANCE = 1e-6
_DELTA_TOLERANCE = 1e-4
_MOST_POINTS = 2**21
_MOST_RELEASES = 10**9


def exact_delta(releases: Iterable[Release], *, epsilon: float) -> float:
    """Return the smallest delta for which all releases together are (epsilon, delta)-private.

    It holds for the neighbors (add_remove or replace_one) for which each sensitivity was computed,
    and is tight if one pair of neighbors moves every answer by its full sensitivity. A query may be
    chosen by what the earlier releases gave. The three laws are symmetric: either of two neighbors
    may be the true table.

    Args:
      releases: at least one, in any order; without the Gaussian ones at most 10**9. Their losses
        must add up to at least 1e-9 and at most 1e9.
      epsilon: > 0.

    Returns:
      delta, between 0 and 1. For Gaussian releases alone it is exact (see `gaussian_delta`).
      Otherwise it is at least the exact delta at `epsilon`, and at most the exact delta at an
      epsilon that is lower by a millionth (of `epsilon`, or of the spread of the loss if that is
      larger); usually within a factor of 1 + 1e-4. Beyond 10,000 releases the grid gets coarser,
      and the result larger. Rounding changes it by a factor of about 1 + 1e-9.

    Raises:
      ValueError: an argument is out of range.

    Source: Koskela, Jälkö & Honkela (2020) for the transform; Doroshenko and others (2022),
    "Connect the dots", for the grid; Zhu, Dong & Wang (2022) for queries chosen on the way.
    """
    merged = _merged(releases)
    epsilon = _validate.positive("epsilon", epsilon)
    if isinstance(merged[0], GaussianRelease):
        return gaussian_delta(sigma=merged[0].sigma, l2_sensitivity=1, epsilon=epsilon)
    if epsilon >= sum(part.count * part.largest_loss for part in merged):
        return 0.0
    # The tilt that makes losses near epsilon common: there the bound on delta is lowest.
    tilts = _tilts(merged)
    tilt = tilts[np.argmin(_log_bound(merged, tilts) - tilts * epsilon)]
    return _delta_above(epsilon, *_composed(merged, tilt, epsilon))


def exact_epsilon(releases: Iterable[Release], *, delta: float) -> float:
    """Return the smallest epsilon for which all releases together are (epsilon, delta)-private.

    See `exact_delta` for what that means and when it is tight.

    Args:
      releases: at least one, in any order.
      delta: strictly between 0 and 1.

    Returns:
      epsilon; 0.0 if delta is so large that even epsilon = 0 holds. For Gaussian releases alone it
      is exact. Otherwise it is at least the exact one, and larger by at most a millionth (of
      itself, or of the spread of the loss if that is larger) for up to 10,000 releases.

    Raises:
      ValueError: an argument is out of range.

    Source: as for `exact_delta`.
    """
    from scipy.optimize import brentq

    merged = _merged(releases)
    delta = _validate.probability("delta", delta)
    if isinstance(merged[0], GaussianRelease):
        return _gaussian_epsilon(merged[0].sigma, delta)
    tilts = _tilts(merged)
    bounds = (_log_bound(merged, tilts) - math.log(delta)) / tilts
    best = np.argmin(bounds)
    losses, *_ = composed = _composed(merged, tilts[best], bounds[best])

    def excess(place: float) -> float:
        return _delta_above(place, *composed) / delta - 1

    # The grid may reach a little beyond the largest loss; the exact epsilon does not.
    largest = sum(part.count * part.largest_loss for part in merged)
    low, high = max(0.0, float(losses[0])), min(float(losses[-1]), largest)
    if excess(low) <= 0:
        return low
    return high if excess(high) > 0 else brentq(excess, low, high)


def _merged(releases) -> list[Release]:
    """Return the releases, all Gaussian ones as one at the end; ValueError if there are none."""
    parts = list(releases) if isinstance(releases, Iterable) else []
    if not parts or not all(isinstance(part, Release) for part in parts):
        raise ValueError(f"releases must be at least one release, got {releases!r}")
    gaussian = [part for part in parts if isinstance(part, GaussianRelease)]
    others = [part for part in parts if not isinstance(part, GaussianRelease)]
    if sum(part.count for part in others) > _MOST_RELEASES:
        raise ValueError(f"releases must count at most {_MOST_RELEASES} in all, got {releases!r}")
    if not 1e-9 <= sum(part.count * part.usual_loss for part in parts) <= 1e9:
        raise ValueError(f"releases must have losses from 1e-9 to 1e9 in all, got {releases!r}")
    if gaussian:
        # Dong, Roth & Su (2022): the squares of sensitivity / sigma add up.
        distance = math.hypot(*(math.sqrt(part.count) / part.sigma for part in gaussian))
        others.append(GaussianRelease(1 / distance))
    return others


def _gaussian_epsilon(sigma: float, delta: float) -> float:
    from scipy.optimize import brentq
    from scipy.special import ndtri

    def excess(place: float) -> float:
        return gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=place) / delta - 1

    lowest = math.ulp(0.0)
    if excess(lowest) <= 0:
        return 0.0
    # Balle & Wang (2018), theorem 8: delta is below its first term, Phi(1 / (2 sigma) - epsilon
    # sigma). Start a little above the epsilon at which that term alone is delta.
    high = (0.5 / sigma - float(ndtri(delta)) + 0.001) / sigma
    return brentq(excess, lowest, high, xtol=1e-13 * high)


def _tilts(merged: Sequence[Release]) -> np.ndarray:
    """Return the tilts that are tried: orders of a Rényi divergence, less 1."""
    return np.geomspace(1e-6, 1e6, 1200) / sum(part.count * part.usual_loss for part in merged)


def _log_moment(merged: Sequence[Release], tilt):
    """Return the log of the mean of exp(tilt * loss): tilt times a Rényi divergence."""
    return sum(part.count * part.log_moment(tilt) for part in merged)


def _log_bound(merged: Sequence[Release], tilts: np.ndarray) -> np.ndarray:
    """Return the log of the bound on delta * exp(tilt * epsilon) that each tilt gives."""
    # Canonne, Kamath & Steinke (2020), proposition 12, with order = tilt + 1.
    entropy = tilts * np.log(tilts) - (1 + tilts) * np.log1p(tilts)
    return _log_moment(merged, tilts) + entropy


def _composed(merged: Sequence[Release], tilt: float, epsilon: float):
    """Return the law of the summed loss on a grid: losses, tilted masses, log moment, tilt.

    The mass of a loss is its tilted mass times exp(moment - tilt * loss).
    """
    start, step, points = _grid(merged, tilt, epsilon)
    spectrum = reduce(
        np.multiply,
        (
            np.fft.rfft(_on_grid(*part.tilted_law(tilt, step), tilt, step, points)) ** part.count
            for part in merged
        ),
    )
    # The transform adds places modulo `points`; the grid holds each of them once.
    masses = np.roll(np.fft.irfft(spectrum, points), -(start % points))
    losses = (start + np.arange(points)) * step
    return losses, np.maximum(masses, 0), _log_moment(merged, tilt), tilt


def _window(merged: Sequence[Release], tilt: float) -> tuple[float, float]:
    """Return two losses outside which the tilted law has at most exp(-TAIL) on each side."""
    moment, shifts = _log_moment(merged, tilt), _tilts(merged)
    # Chernoff's bound for the tilted law, on either side.
    high = np.min((_log_moment(merged, tilt + shifts) - moment + TAIL) / shifts)
    low = -np.min((_log_moment(merged, tilt - shifts) - moment + TAIL) / shifts)
    largest = sum(part.count * part.largest_loss for part in merged)
    return max(low, -largest), min(high, largest)


def _grid(merged: Sequence[Release], tilt: float, epsilon: float) -> tuple[int, float, int]:
    """Return the first place of the grid (in steps), its step, and its size, a power of two."""
    low, high = _window(merged, tilt)
    # Moving a loss to the two points around it raises the log moment by at most
    # tilt * (tilt + 1) * step^2 / 8, and epsilon by that over tilt.
    count = sum(part.count for part in merged)
    tolerance = min(_EPSILON_TOLERANCE * max(epsilon, (high - low) / TAIL), _DELTA_TOLERANCE / tilt)
    finest = math.sqrt(8 * tolerance / (count * (tilt + 1)))
    # All the moves together reach beyond the window: Hoeffding (1963), theorem 2, leaves exp(-TAIL)
    # beyond this many steps.
    margin = math.ceil(math.sqrt(count * TAIL / 2)) + 2
    needed = max((high - low) / finest, 2**12) + 2 * margin
    points = min(2 ** math.ceil(math.log2(needed)), _MOST_POINTS)
    step = (high - low) / (points - 2 * margin)
    # With the largest loss of the first release on the grid, its ends are not moved.
    largest = merged[0].largest_loss
    if step < largest:
        step = largest / math.floor(largest / step)
    return math.floor(low / step) - margin, step, points


def _on_grid(losses, masses, tilt: float, step: float, points: int) -> np.ndarray:
    """Return tilted masses with each loss moved to the two grid points around it.

    Both tables keep their total probability, so no delta falls (Doroshenko and others 2022).
    """
    lower = np.floor(losses / step)
    offset = losses - lower * step
    # The share that goes down: it keeps the mass of the other table, exp(-loss) times this one's.
    down = np.clip(np.exp(-offset) * np.expm1(offset - step) / np.expm1(-step), 0, 1)
    moved_down = masses * down * np.exp(-tilt * offset)
    moved_up = masses * (1 - down) * np.exp(tilt * (step - offset))
    places = np.concatenate([lower, lower + 1]).astype(np.int64) % points
    return np.bincount(places, np.concatenate([moved_down, moved_up]), minlength=points)


def _delta_above(epsilon: float, losses, masses, moment: float, tilt: float) -> float:
    """Return the mean of 1 - exp(epsilon - loss) over the losses above epsilon."""
    # Sommer, Meiser & Mohammadi (2019); `terms` lack the factor that untilts a loss of epsilon.
    first = np.searchsorted(losses, epsilon, side="right")
    gap = losses[first:] - epsilon
    terms = -np.expm1(-gap) * np.exp(-tilt * gap) * masses[first:]
    return float(min(terms.sum() * math.exp(min(moment - tilt * epsilon, 700.0)), 1.0))
